#include "asynprox/algorithm/methods/any_method.h"

#include <utility>

namespace asynprox {

std::unique_ptr<ModelState> AnyMethod::make_state(StateSetup setup) const {
  return held().make_state(std::move(setup));
}

std::unique_ptr<AnyServerPart> AnyMethod::server_part(const ServerSetup& setup) const {
  return held().server_part(setup);
}

std::unique_ptr<AnyWorkerPart> AnyMethod::worker_part(const WorkerSetup& setup) const {
  return held().worker_part(setup);
}

}  // namespace asynprox
