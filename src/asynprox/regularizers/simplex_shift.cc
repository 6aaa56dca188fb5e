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

}  // namespace asynprox
