#include "asynprox/refinements/class_descent.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/linalg/sparse_columns.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr std::size_t kRows = 150, kColumns = 12, kClasses = 3, kSize = kColumns * kClasses;

// A quadratic by columns and, to compare, in full.
struct Case {
  Case(const AnyRegularizer& regularizer, bool weighted) {
    const Random random(4);
    std::uint64_t counter = 0;
    const auto number = [&] { return random.uniform_at(counter++); };
    CsrMatrix matrix{.num_columns = kColumns};
    dense.assign(kRows * kColumns, 0);
    for (std::size_t i = 0; i < kRows; ++i) {
      for (Key j = 0; j < kColumns; ++j) {
        if (number() < 0.6) continue;
        matrix.columns.push_back(j);
        matrix.values.push_back(static_cast<float>(number() - 0.3));
        dense[i * kColumns + j] = matrix.values.back();
      }
      matrix.offsets.push_back(matrix.columns.size());
    }
    Dataset data;
    data.rows = Rows::narrowed(matrix);
    data.labels.assign(kRows, 0);
    problem.emplace(make_problem(
        LinearSum(data, data.labels, MultinomialLoss{}, {.outputs = kClasses}), regularizer));
    h.emplace(*problem);
    choose_weights(number, weighted);
    std::vector<Key> features(kColumns);
    std::iota(features.begin(), features.end(), Key{0});
    columns = columns_of(data.rows, features, column_lengths(data.rows));
    for (std::size_t k = 0; k < kSize; ++k) {
      const std::uint64_t first = columns.offsets[k / kClasses];
      spans.push_back({&columns.rows[first], &columns.values[first],
                       columns.offsets[k / kClasses + 1] - first});
      keys.push_back(static_cast<Key>(k));
      classes.push_back(static_cast<std::uint32_t>(k % kClasses));
      x.push_back(k % 4 == 0 ? 0.1 * number() : 0.0);
      gradient.push_back(0.2 * (number() - 0.5));
    }
    // As gradients of several classes do: along common shifts m would fall without limit.
    for (std::size_t first = 0; first < kSize; first += kClasses) {
      const std::span<double> own = std::span(gradient).subspan(first, kClasses);
      const double mean = sum(own) / kClasses;
      for (double& slope : own) slope -= mean;
    }
    problem->h.prox(x, 1);
  }

  template <class Number>
  void choose_weights(Number number, bool weighted) {
    weights = {.num_samples = kRows, .p = std::vector<float>(kRows * kClasses)};
    for (std::size_t i = 0; i < kRows; ++i) {
      Vector p(kClasses);
      for (double& p_c : p) p_c = 0.05 + number();
      for (std::size_t c = 0; c < kClasses; ++c)
        weights.p[c * kRows + i] = static_cast<float>(p[c] / sum(p));
      if (weighted) weights.w.push_back(static_cast<float>(number() + 0.5));
    }
  }

  ClassDescent descent() const {
    return ClassDescent({.h = *h,
                         .keys = keys,
                         .classes = classes,
                         .columns = spans,
                         .weights = weights,
                         .x = x,
                         .gradient = gradient});
  }

  // H (z - x)
  Vector product(const Vector& z) const {
    Vector result(kSize, 0);
    for (std::size_t i = 0; i < kRows; ++i) {
      Vector v(kClasses, 0);
      for (std::size_t k = 0; k < kSize; ++k)
        v[k % kClasses] += dense[i * kColumns + k / kClasses] * (z[k] - x[k]);
      double mean = 0;
      for (std::size_t c = 0; c < kClasses; ++c) mean += p(i, c) * v[c];
      const double w = (weights.w.empty() ? 1.0 : static_cast<double>(weights.w[i])) / kRows;
      for (std::size_t k = 0; k < kSize; ++k)
        result[k] +=
            w * dense[i * kColumns + k / kClasses] * p(i, k % kClasses) * (v[k % kClasses] - mean);
    }
    return result;
  }
  double p(std::size_t i, std::size_t c) const {
    return static_cast<double>(weights.p[c * kRows + i]);
  }
  double value(const Vector& z) const {
    Vector move = z;
    add_scaled(move, -1, x);
    return dot(gradient, move) + 0.5 * dot(product(z), move) + problem->h.value(z) -
           problem->h.value(x);
  }
  // How far a proximal step goes from z.
  double mapping(const Vector& z) const {
    Vector slopes = product(z);
    add_scaled(slopes, 1, gradient);
    return gradient_mapping_norm(problem->h, z, slopes, 1);
  }

  std::optional<Problem> problem;
  std::optional<SplitRegularizer> h;
  Vector dense, x, gradient;
  ClassWeights weights;
  SparseColumns columns;
  std::vector<ColumnSpan> spans;
  std::vector<Key> keys;
  std::vector<std::uint32_t> classes;
};

std::vector<AnyRegularizer> regularizers() {
  return {L1{.lambda = 0.02}, ElasticNet{.l1 = 0.01, .l2 = 0.1}, Box{.lower = -0.1, .upper = 0.3},
          NonNegL1{.lambda = 0.02}, GroupLasso{.lambda = 0.02, .size = kClasses}};
}

TEST(ClassDescent, ComesToTheMinimumOfTheWholeQuadratic) {
  for (const AnyRegularizer& regularizer : regularizers())
    for (const bool weighted : {false, true})
      for (const bool together : {false, true}) {
        SCOPED_TRACE(testing::Message() << regularizer.name() << ", weighted " << weighted
                                        << ", together " << together);
        const Case at(regularizer, weighted);
        ClassDescent descent = at.descent();
        double fell = 0;  // each call begins with all coordinates
        for (int call = 0; call < 60; ++call)
          fell += descent.minimize({.sweeps = 50, .share = 1e-6, .together = together});
        EXPECT_GT(fell, 0);
        EXPECT_LT(at.mapping(descent.z()), 2e-5);
        EXPECT_LE(fell, -at.value(descent.z()) + 1e-5);
      }
}

TEST(ClassDescent, FallsInEverySweep) {
  for (const AnyRegularizer& regularizer : regularizers()) {
    const Case at(regularizer, true);
    ClassDescent descent = at.descent();
    double before = 0;
    for (int sweep = 0; sweep < 6; ++sweep) {
      descent.minimize({.sweeps = 1, .share = 0});
      const double value = at.value(descent.z());
      EXPECT_LT(value, before + 1e-8) << regularizer.name();
      before = value;
    }
    EXPECT_LT(before, -1e-4);
  }
}

TEST(ClassDescent, MovesNoFurtherThanItMay) {
  const Case at(L1{.lambda = 0.001}, false);
  ClassDescent descent({.h = *at.h,
                        .keys = at.keys,
                        .classes = at.classes,
                        .columns = at.spans,
                        .weights = at.weights,
                        .x = at.x,
                        .gradient = at.gradient,
                        .reaches = Vector(kSize, 0.01)});
  descent.minimize({.sweeps = 50, .share = 0, .together = true});
  for (std::size_t k = 0; k < kSize; ++k)
    EXPECT_LE(std::abs(descent.z()[k] - at.x[k]), 0.01 + 1e-12);
}

TEST(ClassDescent, StopsWhenAsked) {
  const Case at(L1{.lambda = 0.02}, false);
  ClassDescent descent = at.descent();
  EXPECT_EQ(descent.minimize({.stop = [] { return true; }}), 0);
  EXPECT_EQ(descent.z(), at.x);
}

}  // namespace
}  // namespace asynprox
