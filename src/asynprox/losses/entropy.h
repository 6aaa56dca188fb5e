// x log x, as the conjugates of losses with exponentials have it.
#pragma once

#include <cmath>

namespace asynprox {

// 0 at 0, where it is continuous.
inline double x_log_x(double x) { return x == 0 ? 0 : x * std::log(x); }

}  // namespace asynprox
