#include "asynprox/algorithm/trace.h"

#include <cmath>

namespace asynprox {

std::int64_t EvaluationSchedule::next_after(std::int64_t k) const {
  if (every_ > 0) return (k / every_ + 1) * every_;
  // Rounded up, so that at least the named number of epochs has passed.
  double epoch = 1, epoch_next = 2;
  while (std::ceil(epoch * steps_per_epoch_) <= static_cast<double>(k)) {
    const double sum = epoch + epoch_next;
    epoch = epoch_next;
    epoch_next = sum;
  }
  return static_cast<std::int64_t>(std::ceil(epoch * steps_per_epoch_));
}

}  // namespace asynprox
