#include "asynprox/refinements/split_regularizer.h"

namespace asynprox {

double SplitRegularizer::value(std::span<const Key> keys, std::span<const double> x) const {
  if (!row_) return h_.value_each(keys, x);
  double total = 0;
  for (std::size_t k = 0; k < keys.size() && keys[k] < seen_; k += unit_)
    total += row_->value(x.subspan(k, unit_));
  return total;
}

void SplitRegularizer::prox(std::span<const Key> keys, std::span<double> v,
                            std::span<const double> etas) const {
  if (!row_) return h_.prox_each(keys, v, etas);
  for (std::size_t k = 0; k < keys.size() && keys[k] < seen_; k += unit_)
    row_->prox_scaled(v.subspan(k, unit_), etas.subspan(k, unit_));
}

}  // namespace asynprox
