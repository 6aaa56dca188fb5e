#include "asynprox/algorithm/trace.h"

#include <algorithm>
#include <cmath>

namespace asynprox {

std::int64_t EvaluationSchedule::next_after(std::int64_t k) const {
  if (every_ > 0) return (k / every_ + 1) * every_;
  if (first_ > 0) return next_often(k);
  // Rounded up, so that at least the named number of epochs has passed.
  double epoch = 1, epoch_next = 2;
  while (std::ceil(epoch * steps_per_epoch_) <= static_cast<double>(k)) {
    const double sum = epoch + epoch_next;
    epoch = epoch_next;
    epoch_next = sum;
  }
  return static_cast<std::int64_t>(std::ceil(epoch * steps_per_epoch_));
}

std::int64_t EvaluationSchedule::next_often(std::int64_t k) const {
  constexpr double gap_first = 0.5, gap_growth = 1.3, gap_last = 2;
  const auto step_at = [&](double epoch) {
    return static_cast<std::int64_t>(std::ceil(epoch * steps_per_epoch_));
  };
  if (step_at(first_) > k) return step_at(first_);
  double epoch = gap_first, gap = gap_first;
  while (step_at(epoch) <= k && gap < gap_last) {
    gap = std::min(gap_growth * gap, gap_last);
    epoch += gap;
  }
  if (step_at(epoch) > k) return step_at(epoch);
  const double passed = static_cast<double>(k) / steps_per_epoch_ - epoch;
  epoch += gap_last * std::floor(passed / gap_last);
  while (step_at(epoch) <= k) epoch += gap_last;
  return step_at(epoch);
}

}  // namespace asynprox
