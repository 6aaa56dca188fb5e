// THE list of given delays. A new one is one header and one name here.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/delays/any_delay.h"
#include "asynprox/delays/constant.h"
#include "asynprox/delays/from_file.h"
#include "asynprox/delays/uniform.h"

namespace asynprox {

using AllDelays = Family<ConstantDelay, UniformDelay, FileDelay>;

}  // namespace asynprox
