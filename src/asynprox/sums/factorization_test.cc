#include "asynprox/sums/factorization.h"

#include <gtest/gtest.h>

#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/smoothness.h"
#include "asynprox/sums/finite_sum_laws_testing.h"

namespace asynprox {
namespace {

// 3 users and 4 items; 700 ratings (more than one piece) from 1 to 5, with weights.
Dataset some_ratings() {
  const Random random(7);
  CsrMatrix matrix;
  matrix.num_columns = 7;
  Dataset data;
  for (std::uint64_t i = 0; i < 700; ++i) {
    matrix.columns.push_back(static_cast<Key>(random.index_at(4 * i, 3)));
    matrix.columns.push_back(static_cast<Key>(3 + random.index_at(4 * i + 1, 4)));
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(static_cast<double>(1 + random.index_at(4 * i + 2, 5)));
    data.weights.push_back(0.5 + random.uniform_at(4 * i + 3));
  }
  matrix.values.assign(matrix.columns.size(), 1.0);
  data.rows = Rows::narrowed(matrix);
  data.ratings = RatingsShape{3, 4};
  return data;
}

std::vector<SampleIndex> some_samples() {
  std::vector<SampleIndex> samples;
  for (SampleIndex i = 0; i < 600; ++i) samples.push_back(i * 7 % 700);
  samples.push_back(3);  // samples may repeat
  return samples;
}

// By the definition, from the columns of a row.
double slow_score(const Dataset& data, std::size_t i, std::size_t rank, double b0,
                  const Vector& x) {
  const auto row = data.rows.row(i);
  const std::size_t user = row[0].column * (rank + 1), item = row[1].column * (rank + 1);
  double score = b0 + x[user] + x[item];
  for (std::size_t k = 1; k <= rank; ++k) score += x[user + k] * x[item + k];
  return score;
}

TEST(Factorization, IsTheLossOfBiasesAndFactors) {
  const Dataset data = some_ratings();
  const Factorization f(data, HuberLoss{.delta = 0.7}, 3);
  ASSERT_EQ(f.dimension(), 7 * 4);
  const Vector x = f.start(5);
  const double total = std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  const Vector scores = f.model().scores(data.rows, x);
  for (SampleIndex i = 0; i < 20; ++i) {
    const double score = slow_score(data, i, 3, f.model().offset, x);
    EXPECT_NEAR(scores[i], score, 1e-14);
    EXPECT_NEAR(
        f.value(x, Samples(&i, 1)),
        data.weights[i] * 700 / total * HuberLoss{.delta = 0.7}.value(score, data.labels[i]),
        1e-14);
  }
}

TEST(Factorization, ObeysTheLawsOfFiniteSums) {
  const Dataset data = some_ratings();
  const std::vector<SampleIndex> samples = some_samples();
  for (const AnyLoss& loss : {AnyLoss(SquaredLoss{}), AnyLoss(HuberLoss{.delta = 1.3})})
    for (const std::size_t rank : {0, 1, 5}) {
      const Factorization f(data, loss, rank);
      Vector x = f.start(3);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += 0.1 * static_cast<double>(j % 3);
      expect_gradient_matches_differences(f, x, samples);
      expect_parts_fit_together(f, x, samples);
      expect_keys_are_all_that_counts(f, x, Samples(samples).first(2));
    }
}

TEST(Factorization, KeysAreThoseOfAUserAndAnItem) {
  const Factorization f(some_ratings(), SquaredLoss{}, 2);
  KeySet keys(f.dimension());
  const SampleIndex sample = 11;
  f.add_keys(Samples(&sample, 1), keys);
  EXPECT_EQ(static_cast<double>(keys.keys().size()), f.mean_keys());
  const auto row = some_ratings().rows.row(11);
  const Key user = row[0].column * 3, item = row[1].column * 3;
  EXPECT_EQ(std::vector<Key>(keys.keys().begin(), keys.keys().end()),
            (std::vector<Key>{user, user + 1, user + 2, item, item + 1, item + 2}));
}

// For squared the weighted mean, for huber with a small delta nearly the weighted median.
TEST(Factorization, OffsetIsTheBestConstant) {
  Dataset data = some_ratings();
  double total = 0, weighted = 0;
  for (std::size_t i = 0; i < 700; ++i) {
    total += data.weights[i];
    weighted += data.weights[i] * data.labels[i];
  }
  EXPECT_NEAR(Factorization(data, SquaredLoss{}, 1).model().offset, weighted / total, 1e-12);
  data.weights.clear();
  data.labels.assign(700, 2);
  for (std::size_t i = 0; i < 300; ++i) data.labels[i] = 1e6;
  EXPECT_NEAR(Factorization(data, HuberLoss{.delta = 1e-3}, 1).model().offset, 2, 1e-3);
}

TEST(Factorization, StartsOffTheSaddleAndByTheSeed) {
  const Factorization f(some_ratings(), SquaredLoss{}, 2);
  const std::vector<SampleIndex> samples = some_samples();
  const auto gradient_in_factors = [&](const Vector& x) {
    Vector g = gradient_of(f, x, samples);
    for (std::size_t j = 0; j < g.size(); j += 3) g[j] = 0;
    return norm(g);
  };
  EXPECT_EQ(gradient_in_factors(Vector(f.dimension(), 0)), 0);
  EXPECT_GT(gradient_in_factors(f.start(1)), 0);
  EXPECT_EQ(f.start(1), f.start(1));
  EXPECT_NE(f.start(1), f.start(2));
  for (std::size_t j = 0; j < f.dimension(); j += 3) EXPECT_EQ(f.start(1)[j], 0);
}

TEST(Factorization, TellsACurvatureForStepsButNoBound) {
  const Factorization f(some_ratings(), SquaredLoss{}, 2);
  const Smoothness smoothness = measure_smoothness(f, {.rounds_max = 30});
  EXPECT_FALSE(smoothness.bound.has_value());
  ASSERT_TRUE(smoothness.estimate.has_value());
  EXPECT_GT(*smoothness.estimate, 0);
  EXPECT_LE(*smoothness.estimate, smoothness.sample_mean);
}

TEST(Factorization, ScoresRowsThatLackAUserOrAnItem) {
  const FactorScores model = {.shape = {1, 1}, .rank = 2, .offset = 3};
  const Vector x = {0.5, 1, 2, -0.25, 3, 4};
  CsrMatrix matrix = {.num_columns = 2,
                      .offsets = {0, 2, 3, 4, 4},
                      .columns = {0, 1, 0, 1},
                      .values = {1, 1, 1, 1}};
  EXPECT_EQ(model.scores(Rows::narrowed(matrix), x), (Vector{3 + 0.5 - 0.25 + 11, 3.5, 2.75, 3}));
  EXPECT_THROW(model.scores(Rows::narrowed(matrix), Vector{1}), ContractError);
}

TEST(Factorization, RefusesWhatIsNoRatings) {
  Dataset data = some_ratings();
  data.ratings.reset();
  EXPECT_THROW(Factorization(data, SquaredLoss{}, 2), ContractError);
  data.ratings = RatingsShape{2, 5};  // a third user is no item
  EXPECT_NO_THROW(Factorization(some_ratings(), SquaredLoss{}, 2));
  EXPECT_THROW(Factorization(data, SquaredLoss{}, 2), ContractError);
}

}  // namespace
}  // namespace asynprox
