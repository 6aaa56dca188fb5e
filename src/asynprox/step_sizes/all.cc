// Apart from the list, so that whoever includes it does not compile every member once more.
#include "asynprox/step_sizes/all.h"

namespace asynprox {

AnyStepSize make_step_size(const Spec& spec, const ReadNumbers& read) {
  return make_from_family<AnyStepSize>(AllStepSizes{}, "step size", spec, read);
}

}  // namespace asynprox
