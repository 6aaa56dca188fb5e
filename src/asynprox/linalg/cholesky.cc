#include "asynprox/linalg/cholesky.h"

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "asynprox/linalg/picked_rows.h"

namespace asynprox {

// Row k of U is what the rows above it leave of A's, over the root of its diagonal.
std::optional<Cholesky> Cholesky::of(Vector matrix, std::size_t size) {
  std::vector<Key> above(size);
  std::iota(above.begin(), above.end(), Key{0});
  Vector factors(size);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t e = 0; e < k; ++e) factors[e] = -matrix[e * size + k];
    const std::span<double> row(&matrix[k * size + k], size - k);
    add_combination({std::span(above).first(k), std::span(factors).first(k)}, matrix.data() + k,
                    size, row);
    if (!(row.front() > 0) || !std::isfinite(row.front())) return std::nullopt;
    scale(row, 1 / std::sqrt(row.front()));
  }
  return Cholesky(std::move(matrix), size);
}

void Cholesky::solve(std::span<double> b) const {
  const auto rest_of_row = [&](std::size_t k) {
    return std::span(upper_).subspan(k * size_ + k + 1, size_ - k - 1);
  };
  for (std::size_t k = 0; k < size_; ++k) {
    b[k] /= upper_[k * size_ + k];
    add_scaled(b.subspan(k + 1), -b[k], rest_of_row(k));
  }
  for (std::size_t k = size_; k-- > 0;)
    b[k] = (b[k] - dot(rest_of_row(k), b.subspan(k + 1))) / upper_[k * size_ + k];
}

}  // namespace asynprox
