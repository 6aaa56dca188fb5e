#include "asynprox/problem/descent_metric.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asynprox {
namespace {

// A column counts as constant where its variance is below this share of its mean square: it is all
// rounding of its entries.
constexpr double kConstantColumn = 1e-28;

}  // namespace

DescentMetric::DescentMetric(const Problem& problem)
    : outputs_(problem.f.outputs()),
      scales_(problem.f.dimension(), 1),
      even_(!problem.h.has_scaled_prox()) {
  const DataColumns* columns = problem.f.columns();
  const std::optional<ColumnMoments> moments =
      columns ? std::optional(columns->moments()) : std::nullopt;
  const std::size_t free = problem.f.num_free(), seen = scales_.size() - free;
  if (moments && all_finite(moments->squares) && all_finite(moments->means)) {
    if (free > 0) means_.assign(moments->means.begin(), moments->means.end() - free);
    double largest = 0, least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < seen; ++j) {
      double curvature = moments->squares[j];
      if (!means_.empty()) {
        if (moments->variances[j] > kConstantColumn * curvature)
          curvature = moments->variances[j];
        else
          means_[j] = 0;
      }
      scales_[j] = curvature;
      largest = std::max(largest, curvature);
      if (curvature > 0) least = std::min(least, curvature);
    }
    if (even_ && largest > 0) columns_apart_ = std::sqrt(largest / least);
    // A column of zeros may take any step.
    for (std::size_t j = 0; j < seen; ++j)
      scales_[j] = 1 / (even_ || !(scales_[j] > 0) ? (largest > 0 ? largest : 1) : scales_[j]);
    const double unit = moments->weight > 0 ? 1 / moments->weight : 1;
    std::fill(scales_.begin() + static_cast<std::ptrdiff_t>(seen), scales_.end(), unit);
    if (all_finite(scales_))
      unit_ = unit;
    else
      scales_.assign(scales_.size(), 1);
  }
  if (!even_) etas_.resize(scales_.size());
}

void DescentMetric::add_to_intercepts(std::span<double> x, double factor) const {
  if (means_.empty()) return;
  const std::span<double> intercepts = x.subspan(means_.size());
  for (std::size_t j = 0; j < means_.size(); ++j)
    intercepts[j % outputs_] += factor * means_[j] * x[j];
}

void DescentMetric::shift_gradient(std::span<double> gradient) const {
  if (means_.empty()) return;
  const std::span<const double> intercepts = gradient.subspan(means_.size());
  for (std::size_t j = 0; j < means_.size(); ++j)
    gradient[j] -= means_[j] * intercepts[j % outputs_];
}

double DescentMetric::squared_norm(std::span<const double> v) const {
  double total = 0;
  for (std::size_t j = 0; j < v.size(); ++j) total += v[j] * v[j] / scales_[j];
  return total;
}

void DescentMetric::prox(const AnyRegularizer& h, std::span<double> v, double eta) {
  if (even_) return h.prox(v, eta * scales_.front());
  for (std::size_t j = 0; j < v.size(); ++j) etas_[j] = eta * scales_[j];
  h.prox_scaled(v, etas_);
}

}  // namespace asynprox
