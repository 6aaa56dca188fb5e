// THE list of sampling rules. A new one is one header and one name here.
#pragma once

#include "asynprox/base/family.h"
#include "asynprox/sampling/any_sampling.h"
#include "asynprox/sampling/importance.h"
#include "asynprox/sampling/passes.h"
#include "asynprox/sampling/replacement.h"
#include "asynprox/sampling/reshuffle.h"

namespace asynprox {

using AllSamplings = Family<Replacement, Reshuffle, Passes, Importance>;

}  // namespace asynprox
