// THE list of step sizes. A new one is one header and one name here.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/step_sizes/any_step_size.h"
#include "asynprox/step_sizes/auto.h"
#include "asynprox/step_sizes/constant.h"
#include "asynprox/step_sizes/delay_adaptive.h"
#include "asynprox/step_sizes/inverse_sqrt.h"
#include "asynprox/step_sizes/t_inverse.h"
#include "asynprox/step_sizes/t_inverse_staircase.h"
#include "asynprox/step_sizes/theory.h"

namespace asynprox {

using AllStepSizes = Family<AutoStep, ConstantStep, TInverseStep, TInverseStaircaseStep,
                            InverseSqrtStep, DelayAdaptiveStep, TheoryStep>;

}  // namespace asynprox
