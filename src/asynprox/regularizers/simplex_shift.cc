#include "asynprox/regularizers/simplex_shift.h"

#include <algorithm>
#include <functional>

#include "asynprox/regularizers/sums.h"

namespace asynprox {

void SimplexShift::find(std::span<double> w, double radius) {
  const auto sum = [w](std::size_t first, std::size_t last) {
    return pairwise_sum(first, last, [w](std::size_t i) { return w[i]; });
  };
  // In falling order, w_1 to w_k stay positive for the last k with k w_k > w_1 + ... + w_k -
  // radius. Bisection for k: the `kept` first are known to stay, those from `dropped` on to become
  // zero.
  std::size_t kept = 0, dropped = w.size();
  double sum_kept = 0;
  while (kept < dropped) {
    const std::size_t middle = kept + (dropped - kept) / 2;
    std::ranges::nth_element(w.begin() + kept, w.begin() + middle, w.begin() + dropped,
                             std::greater());
    const double sum_middle = sum_kept + sum(kept, middle + 1);
    if (static_cast<double>(middle + 1) * w[middle] > sum_middle - radius) {
      kept = middle + 1;
      sum_kept = sum_middle;
    } else {
      dropped = middle;
    }
  }
  const auto count = static_cast<double>(kept);
  theta_ = (sum(0, kept) - radius) / count;
  const double reached =
      pairwise_sum(0, kept, [&](std::size_t i) { return positive_part(w[i] - theta_); });
  theta_low_ = (reached - radius) / count;
}

void ScaledSimplexShift::find(std::span<Coordinate> all, double radius) {
  if (all.empty()) return;
  const auto falling = [](const Coordinate& a, const Coordinate& b) { return a.above(b) > 0; };
  // What the first coordinates, up to `last`, would sum to if `last` just became 0.
  const auto sum_at = [&](std::size_t last) {
    return pairwise_sum(0, last + 1, [&](std::size_t i) { return all[i].above(all[last]); });
  };
  // In falling order of s / eta as many stay positive as have such a sum below radius. Bisection:
  // the `kept` first are known to stay, those from `dropped` on to become zero.
  std::size_t kept = 0, dropped = all.size();
  while (kept < dropped) {
    const std::size_t middle = kept + (dropped - kept) / 2;
    std::ranges::nth_element(all.begin() + kept, all.begin() + middle, all.begin() + dropped,
                             falling);
    if (sum_at(middle) < radius) {
      kept = middle + 1;
      last_ = all[middle];
    } else {
      dropped = middle;
    }
  }
  const auto stays = all.first(kept);
  const double etas = pairwise_sum(0, kept, [&](std::size_t i) { return stays[i].eta; });
  const double sum = pairwise_sum(0, kept, [&](std::size_t i) { return stays[i].above(last_); });
  rise_ = std::max(radius - sum, 0.0) / etas;
}

}  // namespace asynprox
