// THE list of compute times. A new one is one header and one name here.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/simulator/compute_times/any_compute_time.h"
#include "asynprox/simulator/compute_times/constant.h"
#include "asynprox/simulator/compute_times/exponential.h"
#include "asynprox/simulator/compute_times/lognormal.h"

namespace asynprox {

using AllComputeTimes = Family<ConstantTime, LognormalTime, ExponentialTime>;

}  // namespace asynprox
