#include "asynprox/algorithm/model_state.h"

#include <utility>

namespace asynprox {

std::unique_ptr<ModelState> make_state(StateSetup setup) {
  if (setup.support_weights)
    return make_support_state(setup.x0, std::move(setup.h), std::move(setup.support_weights),
                              std::move(setup.scales));
  if (setup.lazy) return make_lazy_state(setup.x0, std::move(setup.h));
  return make_dense_state(std::move(setup.x0), std::move(setup.h), std::move(setup.scales));
}

}  // namespace asynprox
