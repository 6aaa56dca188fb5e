#include "asynprox/refinements/sampled_hessian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/evaluated_model_testing.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

Problem logistic(const std::string& name) {
  const Dataset data = read_dataset(name);
  return make_problem(LinearSum(data, data.labels, LogisticLoss{}), L1{.lambda = 1e-3});
}

Vector point(const Problem& problem) {
  Vector x(problem.f.dimension());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = Random(3).uniform_at(j) - 0.5;
  return x;
}

// By differences of gradients.
Vector exact_hessian(const Problem& problem, const Vector& x, const std::vector<Key>& keys) {
  Vector hessian;
  for (const Key key : keys) {
    Vector ahead = x, behind = x, g_ahead, g_behind;
    ahead[key] += 1e-5;
    behind[key] -= 1e-5;
    value_and_gradient(problem.f, ahead, g_ahead);
    value_and_gradient(problem.f, behind, g_behind);
    for (const Key other : keys) hessian.push_back((g_ahead[other] - g_behind[other]) / 2e-5);
  }
  return hessian;
}

double largest_error(const Vector& a, const Vector& b) {
  double largest = 0;
  for (std::size_t e = 0; e < a.size(); ++e) largest = std::max(largest, std::abs(a[e] - b[e]));
  return largest;
}

using Prepared = SampledHessian::Prepared;

const Vector& entries_at(SampledHessian& hessian, const EvaluatedModel& model,
                         const std::vector<Key>& keys, SampledHessian::Wanted wanted = {}) {
  if (hessian.prepare(model, keys, wanted) == Prepared::to_sum) {
    hessian.sum_share(0);
    hessian.finish_shares();
  }
  return hessian.matrix().entries;
}

TEST(SampledHessian, OfFewSamplesIsExact) {
  const Problem problem = logistic("generate:sparse-logistic:n=200,d=30,nonzeros=6");
  const std::vector<Key> keys = {0, 3, 4, 17, 29};
  SampledHessian hessian(problem);
  const EvaluatedModel model = evaluated(problem, point(problem));
  const Vector exact = exact_hessian(problem, model.x, keys);
  EXPECT_LT(largest_error(entries_at(hessian, model, keys), exact), 1e-5);
  EXPECT_EQ(hessian.samples_read(), 200);
  EXPECT_FALSE(hessian.refine());
}

TEST(SampledHessian, OfManySamplesIsOfSomeOfThemAndBetterOfMore) {
  const Problem problem = logistic("generate:sparse-logistic:n=20000,d=60,nonzeros=30");
  std::vector<Key> keys;
  for (Key key = 0; key < 60; key += 2) keys.push_back(key);
  SampledHessian hessian(problem);
  const EvaluatedModel model = evaluated(problem, point(problem));
  const Vector exact = exact_hessian(problem, model.x, keys);
  double size = 0;
  for (const double entry : exact) size = std::max(size, std::abs(entry));
  const double error = largest_error(entries_at(hessian, model, keys), exact);
  const std::int64_t read = hessian.samples_read();
  EXPECT_LT(read, 10'000);
  EXPECT_LT(error, 0.2 * size);
  EXPECT_GT(error, 0);
  ASSERT_TRUE(hessian.refine());
  EXPECT_LT(largest_error(entries_at(hessian, model, keys), exact), error);
  EXPECT_GT(hessian.samples_read() - read, read);
}

// Columns 1e5 apart: each has a ridge of its own.
TEST(SampledHessian, OfColumnsDecadesApartIsExactInEach) {
  Dataset data = read_dataset("generate:sparse-logistic:n=200,d=30,nonzeros=6");
  data.column_scale.assign(30, 1);
  data.column_scale[3] = 1e5;
  const Problem problem =
      make_problem(LinearSum(data, data.labels, LogisticLoss{}), L1{.lambda = 1e-3});
  SampledHessian hessian(problem);
  const EvaluatedModel model = evaluated(problem, Vector(30, 0));
  const Vector exact = exact_hessian(problem, model.x, {4});
  EXPECT_NEAR(entries_at(hessian, model, {3, 4})[3], exact[0], 1e-5 * exact[0]);
}

TEST(SampledHessian, IsTheSameInShares) {
  const Problem problem = logistic("generate:sparse-logistic:n=20000,d=60,nonzeros=30");
  const std::vector<Key> keys = {0, 3, 4, 17, 29, 50};
  const EvaluatedModel model = evaluated(problem, point(problem));
  SampledHessian whole(problem);
  const Vector expected = entries_at(whole, model, keys);
  for (const int shares : {2, 3, 64}) {
    SampledHessian hessian(problem, shares);
    EXPECT_EQ(hessian.prepare(model, keys, {}), Prepared::to_sum);
    for (int share = shares; share-- > 0;) hessian.sum_share(share);
    hessian.finish_shares();
    ASSERT_EQ(hessian.matrix().entries.size(), expected.size());
    EXPECT_LT(largest_error(hessian.matrix().entries, expected), 1e-12);
    EXPECT_EQ(hessian.samples_read(), whole.samples_read());
    EXPECT_EQ(hessian.prepare(model, {3, 17}, {.keep = true}), Prepared::known);
  }
}

// Long rows: a Hessian of enough samples would cost hundreds of passes.
TEST(SampledHessian, IsNotMadeOfTooFewSamples) {
  const Problem dense = logistic("generate:sparse-logistic:n=3000,d=300,nonzeros=300");
  std::vector<Key> keys(300);
  std::iota(keys.begin(), keys.end(), 0);
  SampledHessian hessian(dense);
  const EvaluatedModel model = evaluated(dense, point(dense));
  EXPECT_EQ(hessian.prepare(model, keys, {}), Prepared::too_rough);
  EXPECT_EQ(hessian.samples_read(), 0);
  // Of a few coordinates it is cheap, and of few samples all are taken.
  EXPECT_EQ(hessian.prepare(model, {3, 17, 50}, {}), Prepared::to_sum);
  const Problem tiny = logistic("generate:sparse-logistic:n=3,d=100,nonzeros=100");
  keys.resize(100);
  SampledHessian exact(tiny);
  EXPECT_EQ(exact.prepare(evaluated(tiny, point(tiny)), keys, {}), Prepared::to_sum);
  entries_at(exact, evaluated(tiny, point(tiny)), keys);
  EXPECT_EQ(exact.samples_read(), 3);
}

// So far out that F'' is next to nothing at every sample, and its reciprocal no number.
TEST(SampledHessian, OfALossThatIsFlatAtEverySampleIsNothing) {
  Dataset data;
  CsrMatrix matrix{.num_columns = 2};
  for (int i = 0; i < 5000; ++i) {
    matrix.columns.insert(matrix.columns.end(), {0, 1});
    matrix.values.insert(matrix.values.end(), {1.0, 0.5 + 0.1 * (i % 3)});
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(1);
  }
  data.rows = Rows::plain(matrix);
  const Problem problem =
      make_problem(LinearSum(data, data.labels, LogisticLoss{}), L1{.lambda = 1e-3});
  SampledHessian hessian(problem);
  const Vector entries = entries_at(hessian, evaluated(problem, {2000, 3000}), {0, 1});
  for (const double entry : entries) EXPECT_LE(std::abs(entry), 1e-300);
}

TEST(SampledHessian, IsKeptWhereItIsKnown) {
  const Problem problem = logistic("generate:sparse-logistic:n=200,d=30,nonzeros=6");
  SampledHessian hessian(problem);
  const EvaluatedModel model = evaluated(problem, point(problem));
  const EvaluatedModel other = evaluated(problem, Vector(30, 0));
  const Vector before = entries_at(hessian, model, {1, 2, 5});
  const Vector kept = entries_at(hessian, other, {1, 5}, {.keep = true});
  EXPECT_EQ(kept, (Vector{before[0], before[2], before[6], before[8]}));
  EXPECT_EQ(hessian.samples_read(), 200);
  entries_at(hessian, other, {1, 2}, {.keep = true});  // 2 is gone
  EXPECT_EQ(hessian.samples_read(), 400);
}

// H'_ij = H_ij - H_ib H_jb / H_bb, and nothing between a coefficient and the intercept.
TEST(SampledHessian, HasNoPartOfTheInterceptInCoefficients) {
  const Dataset data = read_dataset("generate:sparse-logistic:n=200,d=4,nonzeros=4");
  const Problem problem =
      make_problem(LinearSum(data, data.labels, LogisticLoss{}, {.outputs = 1, .intercept = true}),
                   L1{.lambda = 1e-3});
  const EvaluatedModel model = evaluated(problem, point(problem));
  const std::vector<Key> keys = {0, 1, 2, 3, 4};
  const Vector exact = exact_hessian(problem, model.x, keys);
  SampledHessian hessian(problem);
  const Vector entries = entries_at(hessian, model, keys);
  ASSERT_EQ(hessian.shift().size(), 4u);
  const auto at = [&](const Vector& m, std::size_t i, std::size_t j) { return m[i * 5 + j]; };
  const double weight = at(exact, 4, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(hessian.shift()[i], at(exact, i, 4) / weight, 1e-4);
    EXPECT_NEAR(at(entries, i, 4), 0, 1e-6);
    for (std::size_t j = 0; j < 4; ++j)
      EXPECT_NEAR(at(entries, i, j), at(exact, i, j) - at(exact, i, 4) * at(exact, j, 4) / weight,
                  1e-5);
  }
  // Of fewer coordinates, the same.
  const std::vector<Key> fewer = {1, 3, 4};
  entries_at(hessian, model, fewer, {.keep = true});
  ASSERT_EQ(hessian.shift().size(), 2u);
  EXPECT_NEAR(hessian.shift()[1], at(exact, 3, 4) / weight, 1e-4);
}

// Three classes by the size of the row's first entry.
Problem multinomial(bool intercept, double offset = 0) {
  Dataset data = read_dataset("generate:sparse-logistic:n=200,d=4,nonzeros=4");
  CsrMatrix matrix{.num_columns = 4};
  Vector classes;
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    const auto row = data.rows.row(i);
    for (const auto& [column, value] : row) {
      matrix.columns.push_back(column);
      matrix.values.push_back(value + (column == 2 ? offset : 0));
    }
    matrix.offsets.push_back(matrix.columns.size());
    classes.push_back(static_cast<double>(i % 3));
  }
  data.rows = Rows::plain(matrix);
  return make_problem(
      LinearSum(data, classes, MultinomialLoss{}, {.outputs = 3, .intercept = intercept}),
      L1{.lambda = 1e-3});
}

TEST(SampledHessian, OfSeveralOutputsCouplesThem) {
  const Problem problem = multinomial(/*intercept=*/false);
  const std::vector<Key> keys = {0, 1, 3, 6, 7, 8, 11};
  SampledHessian hessian(problem);
  Vector x = point(problem);
  scale(x, 0.2);  // no sample is nearly certain, which would count as more curved than it is
  const EvaluatedModel model = evaluated(problem, x);
  EXPECT_LT(largest_error(entries_at(hessian, model, keys, {.patient = true}),
                          exact_hessian(problem, model.x, keys)),
            1e-5);
  const std::vector<Key> fewer = {1, 6, 8};
  EXPECT_LT(largest_error(entries_at(hessian, model, fewer, {.keep = true}),
                          exact_hessian(problem, model.x, fewer)),
            1e-5);
}

// In (x, b') with b'_c = b_c + m'x_c it is what it would be, had the column been centred before.
TEST(SampledHessian, OfSeveralOutputsTakesMeansFromTheColumns) {
  const Problem far = multinomial(/*intercept=*/true, /*offset=*/1e4);
  const Problem near = multinomial(/*intercept=*/true);
  std::vector<Key> keys(15);
  std::iota(keys.begin(), keys.end(), 0);
  Vector x = point(near);
  SampledHessian hessian(near), shifted(far);
  const Vector expected = entries_at(hessian, evaluated(near, x), keys, {.patient = true});
  ASSERT_EQ(hessian.shift().size(), 12u);
  EXPECT_EQ(hessian.shift()[6], hessian.shift()[8]);
  for (std::size_t c = 0; c < 3; ++c) x[12 + c] -= 1e4 * x[6 + c];
  const Vector entries = entries_at(shifted, evaluated(far, x), keys, {.patient = true});
  EXPECT_NEAR(shifted.shift()[6], 1e4 + hessian.shift()[6], 1e-4);
  EXPECT_LT(largest_error(entries, expected), 1e-5);
}

}  // namespace
}  // namespace asynprox
