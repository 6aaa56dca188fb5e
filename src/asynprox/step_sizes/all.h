// THE list of step sizes. A new one is one header and one name here.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/step_sizes/any_step_size.h"
#include "asynprox/step_sizes/constant.h"

namespace asynprox {

using AllStepSizes = Family<ConstantStep>;

inline AnyStepSize make_step_size(const Spec& spec, const ReadNumbers& read = nullptr) {
  return make_from_family<AnyStepSize>(AllStepSizes{}, "step size", spec, read);
}

}  // namespace asynprox
