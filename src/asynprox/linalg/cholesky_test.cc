#include "asynprox/linalg/cholesky.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "asynprox/base/random.h"
#include "asynprox/linalg/simd.h"

namespace asynprox {
namespace {

// B B' + I / 10 for a random B; below the diagonal nothing that may be read.
Vector random_matrix(std::size_t size, std::uint64_t seed) {
  Vector b(size * size), matrix(size * size, 1e300);
  for (std::size_t e = 0; e < b.size(); ++e) b[e] = Random(seed).uniform_at(e) - 0.5;
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i; j < size; ++j) {
      const std::span<const double> row_i(&b[i * size], size), row_j(&b[j * size], size);
      matrix[i * size + j] = dot(row_i, row_j) + (i == j ? 0.1 : 0);
    }
  return matrix;
}

Vector times(const Vector& upper, const Vector& x) {
  const std::size_t size = x.size();
  Vector product(size, 0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      product[i] += upper[std::min(i, j) * size + std::max(i, j)] * x[j];
  return product;
}

TEST(Cholesky, SolvesWhatItFactorsAtEveryLevelToTheSameBits) {
  const std::string level(simd_level());
  for (const std::size_t size : {0, 1, 2, 7, 64, 101}) {
    const Vector matrix = random_matrix(size, size);
    Vector x(size);
    for (std::size_t i = 0; i < size; ++i) x[i] = Random(3).uniform_at(i) - 0.5;
    const Vector b = times(matrix, x);
    Vector first;
    for (const std::string& tried : simd_levels()) {
      set_simd_level(tried);
      const std::optional<Cholesky> factors = Cholesky::of(matrix, size);
      ASSERT_TRUE(factors);
      Vector solved = b;
      factors->solve(solved);
      for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(solved[i], x[i], 1e-10) << size;
      if (first.empty()) first = solved;
      EXPECT_EQ(solved, first) << tried;
    }
  }
  set_simd_level(level);
}

TEST(Cholesky, IsNoneOfAMatrixThatIsNotPositiveDefinite) {
  EXPECT_FALSE(Cholesky::of({0}, 1));
  EXPECT_FALSE(Cholesky::of({1, 2, 2, 1}, 2));
  EXPECT_FALSE(Cholesky::of({1, std::nan(""), 0, 1}, 2));
  EXPECT_FALSE(Cholesky::of({std::numeric_limits<double>::infinity(), 1, 0, 1}, 2));
  EXPECT_TRUE(Cholesky::of({1, 0.5, 0, 1}, 2));
}

// Two columns that are nearly equal: what is left of the second is far above rounding.
TEST(Cholesky, SolvesWhatIsNearlySingular) {
  const double ridge = 1e-7;
  const std::optional<Cholesky> factors = Cholesky::of({1 + ridge, 1, 0, 1 + ridge}, 2);
  ASSERT_TRUE(factors);
  Vector b = {1, 1};
  factors->solve(b);
  EXPECT_NEAR(b[0], 1 / (2 + ridge), 1e-8);
  EXPECT_NEAR(b[1], 1 / (2 + ridge), 1e-8);
}

}  // namespace
}  // namespace asynprox
