// Labels far from 0, such as time stamps of 1.6e9 that differ by minutes, leave the rounding of
// u - y larger than what is to be found. With an intercept b, and a loss of the residual u - y alone,
//
//   min over (x, b) of  f(x, b; y)  =  min over (x, b') of  f(x, b'; y - s),      b = b' + s
//
// for every s: the problem is solved with the labels y - s, and s is added to its intercept.
#pragma once

#include <span>

namespace asynprox {

// s: the median, where labels lie close together and far from 0; else 0, and nothing changes.
double label_shift(std::span<const double> labels);

}  // namespace asynprox
