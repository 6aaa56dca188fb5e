#include "asynprox/transports/signs_of_life.h"

#include <algorithm>

namespace asynprox {
namespace {

constexpr double kSignsPerDeadline = 4;
constexpr double kIntervalMax = 5;

}  // namespace

double SignsOfLife::interval(double deadline) {
  return std::min(deadline / kSignsPerDeadline, kIntervalMax);
}

void SignsOfLife::listen(double now) {
  if (now - looked_ > interval(deadline_)) std::ranges::fill(heard_, now);
  looked_ = now;
}

}  // namespace asynprox
