#include "asynprox/refinements/column_descent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asynprox/base/random.h"
#include "asynprox/linalg/sparse_columns.h"
#include "asynprox/regularizers/all.h"

namespace asynprox {
namespace {

constexpr double kFloatRounding = 6e-8;
constexpr std::size_t kRows = 200, kColumns = 30;

// A quadratic by columns and, to compare, in full.
struct Case {
  Case(const AnyRegularizer& regularizer, bool with_means, double offset)
      : h(regularizer.bound(kColumns)), keys(kColumns), means(with_means) {
    const Random random(4);
    CsrMatrix matrix{.num_columns = kColumns};
    std::uint64_t counter = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      for (Key j = 0; j < kColumns; ++j) {
        if (random.uniform_at(counter++) < 0.7) continue;
        matrix.columns.push_back(j);
        matrix.values.push_back(random.uniform_at(counter++) - 0.3);
      }
      matrix.offsets.push_back(matrix.columns.size());
      weights.push_back((0.1 + random.uniform_at(counter++)) / kRows);
    }
    rows = Rows::narrowed(matrix);
    std::iota(keys.begin(), keys.end(), Key{0});
    columns = columns_of(rows, keys, column_lengths(rows));
    for (std::size_t k = 0; k < kColumns; ++k) {
      spans.push_back({&columns.rows[columns.offsets[k]], &columns.values[columns.offsets[k]],
                       columns.offsets[k + 1] - columns.offsets[k]});
      x.push_back(k % 3 == 0 ? 0.1 * random.uniform_at(counter++) : 0.0);
      gradient.push_back(0.2 * (random.uniform_at(counter++) - 0.5));
      offsets.push_back(offset);
    }
    h.prox(x, 1);
  }

  ColumnDescent descent() const {
    ColumnDescent made({.h = h,
                        .keys = keys,
                        .columns = spans,
                        .x = x,
                        .gradient = {},
                        .offsets = offsets,
                        .means = means,
                        .weights = weights});
    made.set_gradient(gradient);
    return made;
  }

  // m(z), and its gradient but for h, in doubles.
  double value(const Vector& z, const Vector& taken, Vector* slopes = nullptr) const {
    Vector outputs(kRows, 0);
    double quadratic = 0, linear = 0;
    if (slopes) *slopes = gradient;
    for (std::size_t i = 0; i < kRows; ++i) {
      Vector row(kColumns, 0);
      for (const auto& [column, entry] : rows.row(i)) row[column] = entry;
      for (std::size_t k = 0; k < kColumns; ++k) outputs[i] += (row[k] - taken[k]) * (z[k] - x[k]);
      quadratic += 0.5 * weights[i] * outputs[i] * outputs[i];
      for (std::size_t k = 0; k < kColumns && slopes; ++k)
        (*slopes)[k] += weights[i] * outputs[i] * (row[k] - taken[k]);
    }
    for (std::size_t k = 0; k < kColumns; ++k) linear += gradient[k] * (z[k] - x[k]);
    return linear + quadratic + h.value(z) - h.value(x);
  }

  AnyRegularizer h;
  std::vector<Key> keys;
  bool means;
  Rows rows;
  SparseColumns columns;
  std::vector<ColumnSpan> spans;
  Vector x, gradient, offsets, weights;
};

std::vector<AnyRegularizer> regularizers() {
  Vector weights(kColumns, 1);
  weights[3] = weights[7] = 0;
  return {Zero{},
          L1{.lambda = 0.01},
          ElasticNet{.l1 = 0.01, .l2 = 0.02},
          SquaredL2{.lambda = 0.1},
          NonNeg{},
          NonNegL1{.lambda = 0.01},
          Box{.lower = -0.1, .upper = 0.2},
          WeightedL1{.lambda = 0.02, .weights = {"", weights}}};
}

void for_each_case(auto visit) {
  for (const AnyRegularizer& h : regularizers())
    for (const bool means : {false, true})
      for (const double offset : {0.0, 0.25}) {
        SCOPED_TRACE(testing::Message() << h.name() << ", means " << means << ", less " << offset);
        visit(Case(h, means, offset));
      }
}

// To what floats allow: nothing moves by a proximal step.
TEST(ColumnDescent, ComesToTheMinimum) {
  for_each_case([](const Case& c) {
    for (const bool together : {false, true}) {
      ColumnDescent descent = c.descent();
      for (int round = 0; round < 30; ++round)
        descent.minimize({.sweeps = 100, .share = 1e-12, .together = together});
      Vector slopes;
      c.value(descent.z(), descent.offsets(), &slopes);
      Vector moved = descent.z();
      add_scaled(moved, -1, slopes);
      c.h.prox(moved, 1);
      double size = 1;
      for (const double z : descent.z()) size = std::max(size, std::abs(z));
      for (std::size_t k = 0; k < kColumns; ++k)
        EXPECT_NEAR(moved[k], descent.z()[k], kColumns * 6 * kFloatRounding * size)
            << k << ", together " << together;
    }
  });
}

TEST(ColumnDescent, NeverRisesAndFallsByWhatItSays) {
  for_each_case([](const Case& c) {
    ColumnDescent descent = c.descent();
    double before = 0;
    for (int round = 0; round < 12; ++round) {
      const double said = descent.minimize({.sweeps = 2, .share = 0, .together = true});
      const double after = c.value(descent.z(), descent.offsets());
      EXPECT_LE(after, before + 1e-7);
      EXPECT_GE(before - after, said - 1e-7);
      before = after;
    }
    EXPECT_LT(before, 0);
  });
}

// With the weighted means taken, no column is seen by an intercept.
TEST(ColumnDescent, MeansAreThoseByTheWeights) {
  const Case c(L1{.lambda = 0.01}, /*with_means=*/true, 0);
  const ColumnDescent descent = c.descent();
  Vector centered(kColumns, 0);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (const auto& [column, entry] : c.rows.row(i)) centered[column] += c.weights[i] * entry;
    for (std::size_t k = 0; k < kColumns; ++k) centered[k] -= c.weights[i] * descent.offsets()[k];
  }
  for (const double sum : centered) EXPECT_NEAR(sum, 0, 1e-7);
}

TEST(ColumnDescent, StopsWhenAsked) {
  const Case c(L1{.lambda = 0.01}, /*with_means=*/false, 0);
  ColumnDescent descent = c.descent();
  EXPECT_EQ(descent.minimize({.sweeps = 5, .stop = [] { return true; }}), 0);
  EXPECT_EQ(descent.z(), c.x);
}

}  // namespace
}  // namespace asynprox
