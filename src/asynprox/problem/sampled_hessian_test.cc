#include "asynprox/problem/sampled_hessian.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/evaluated_model_testing.h"
#include "asynprox/problem/linear_sum.h"
#include "asynprox/regularizers/all.h"

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

TEST(SampledHessian, OfFewSamplesIsExact) {
  const Problem problem = logistic("generate:sparse-logistic:n=200,d=30,nonzeros=6");
  const std::vector<Key> keys = {0, 3, 4, 17, 29};
  SampledHessian hessian(problem);
  const EvaluatedModel model = evaluated(problem, point(problem));
  const Vector exact = exact_hessian(problem, model.x, keys);
  EXPECT_LT(largest_error(hessian.at(model, keys, false).entries, exact), 1e-5);
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
  const double error = largest_error(hessian.at(model, keys, false).entries, exact);
  const std::int64_t read = hessian.samples_read();
  EXPECT_LT(read, 10'000);
  EXPECT_LT(error, 0.2 * size);
  EXPECT_GT(error, 0);
  ASSERT_TRUE(hessian.refine());
  EXPECT_LT(largest_error(hessian.at(model, keys, false).entries, exact), error);
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
  EXPECT_NEAR(hessian.at(model, {3, 4}, false).entries[3], exact[0], 1e-5 * exact[0]);
}

TEST(SampledHessian, IsTheSameInShares) {
  const Problem problem = logistic("generate:sparse-logistic:n=20000,d=60,nonzeros=30");
  const std::vector<Key> keys = {0, 3, 4, 17, 29, 50};
  const EvaluatedModel model = evaluated(problem, point(problem));
  SampledHessian whole(problem);
  const Vector expected = whole.at(model, keys, false).entries;
  for (const int shares : {2, 3, 64}) {
    SampledHessian hessian(problem, shares);
    EXPECT_FALSE(hessian.prepare(model, keys, false));
    for (int share = shares; share-- > 0;) hessian.sum_share(share);
    hessian.finish_shares();
    ASSERT_EQ(hessian.matrix().entries.size(), expected.size());
    EXPECT_LT(largest_error(hessian.matrix().entries, expected), 1e-12);
    EXPECT_EQ(hessian.samples_read(), whole.samples_read());
    EXPECT_TRUE(hessian.prepare(model, {3, 17}, true));
  }
}

TEST(SampledHessian, IsKeptWhereItIsKnown) {
  const Problem problem = logistic("generate:sparse-logistic:n=200,d=30,nonzeros=6");
  SampledHessian hessian(problem);
  const EvaluatedModel model = evaluated(problem, point(problem));
  const EvaluatedModel other = evaluated(problem, Vector(30, 0));
  const Vector before = hessian.at(model, {1, 2, 5}, false).entries;
  const Vector kept = hessian.at(other, {1, 5}, true).entries;
  EXPECT_EQ(kept, (Vector{before[0], before[2], before[6], before[8]}));
  EXPECT_EQ(hessian.samples_read(), 200);
  hessian.at(other, {1, 2}, true);  // 2 is gone
  EXPECT_EQ(hessian.samples_read(), 400);
}

}  // namespace
}  // namespace asynprox
