#include "asynprox/refinements/dual_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "asynprox/base/random.h"

namespace asynprox {
namespace {

// Columns of some entries each, which rise.
struct Case {
  Case(std::size_t num_rows, std::size_t num_columns, std::size_t length) {
    const Random random(5);
    std::uint64_t counter = 0;
    rows.resize(num_columns);
    values.resize(num_columns);
    for (std::size_t k = 0; k < num_columns; ++k) {
      const std::size_t stride = num_rows / length;
      for (std::size_t e = 0; e < length; ++e) {
        rows[k].push_back(static_cast<std::uint32_t>((k % stride) + e * stride));
        values[k].push_back(static_cast<float>(random.uniform_at(counter++) - 0.4));
      }
      spans.push_back({rows[k].data(), values[k].data(), length});
      factors.push_back(0.1 + 10 * random.uniform_at(counter++));
    }
    for (std::size_t i = 0; i < num_rows; ++i) {
      diagonal.push_back(0.5 + random.uniform_at(counter++));
      r.push_back(random.uniform_at(counter++) - 0.5);
    }
  }

  // The largest number of V p - r.
  double error(const Vector& p, double constant) const {
    Vector left(r.size());
    for (std::size_t i = 0; i < r.size(); ++i)
      left[i] = diagonal[i] * p[i] + constant * sum(p) - r[i];
    for (std::size_t k = 0; k < spans.size(); ++k)
      add_in_doubles(spans[k], factors[k] * dot_in_doubles(spans[k], p), left);
    double largest = 0;
    for (const double error : left) largest = std::max(largest, std::abs(error));
    return largest;
  }

  std::vector<std::vector<std::uint32_t>> rows;
  std::vector<std::vector<float>> values;
  std::vector<ColumnSpan> spans;
  Vector factors, diagonal, r;
};

TEST(DualSystem, IsSolvedWhicheverOfSamplesAndColumnsIsMore) {
  for (const std::size_t num_columns : {0, 1, 20, 80, 200})
    for (const std::size_t length : {10, 80})
      for (const double constant : {0.0, 3.0}) {
        const Case made(80, num_columns, length);
        SCOPED_TRACE(testing::Message()
                     << num_columns << " columns of " << length << ", " << constant);
        const DualSolution found = solve({.columns = made.spans,
                                          .factors = made.factors,
                                          .diagonal = made.diagonal,
                                          .constant = constant},
                                         made.r, 1e-12);
        ASSERT_EQ(found.p.size(), 80U);
        EXPECT_LT(made.error(found.p, constant), 1e-8);
        EXPECT_GE(found.work, 0);
      }
}

TEST(DualSystem, IsSolvedByStepsWhereFactorsAreTooMuchWork) {
  ASSERT_FALSE(factors_are_worth(2000, 4000));
  ASSERT_TRUE(factors_are_worth(200, 4000));
  const Case made(2000, 2000, 2);
  for (const double constant : {0.0, 0.01}) {
    const DualSolution found = solve({.columns = made.spans,
                                      .factors = made.factors,
                                      .diagonal = made.diagonal,
                                      .constant = constant},
                                     made.r, 1e-12);
    EXPECT_LT(made.error(found.p, constant), 1e-8);
    EXPECT_LT(found.work, 2000 * 2000);
  }
}

// [2 1; 1 2] p = [3; 0] + the constant's: by hand, T = 1, one column (1, 1) with s = 1.
TEST(DualSystem, OfTwoSamplesIsSolvedByHand) {
  const std::vector<std::uint32_t> rows = {0, 1};
  const std::vector<float> values = {1, 1};
  const std::vector<ColumnSpan> columns = {{rows.data(), values.data(), 2}};
  const Vector factors = {1}, diagonal = {1, 1}, r = {3, 0};
  const DualSolution found =
      solve({.columns = columns, .factors = factors, .diagonal = diagonal}, r, 1e-12);
  EXPECT_NEAR(found.p[0], 2, 1e-12);
  EXPECT_NEAR(found.p[1], -1, 1e-12);
}

}  // namespace
}  // namespace asynprox
