// Factor models of real ratings, by real workers, with nothing tuned but the strength of h.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/random.h"
#include "asynprox/data/readers/ratings.h"
#include "asynprox/data/split.h"
#include "asynprox/methods.h"
#include "asynprox/solve.h"
#include "asynprox/sums/factorization.h"
#include "asynprox/sums/matrix_completion.h"

#include "tests/real_data_testing.h"

namespace asynprox {
namespace {

constexpr std::size_t kRank = 8;

Split movielens(std::uint64_t seed) {
  return split(read_ratings(*data_folder() + "/ml-100k.u.data.xz"), /*test_share=*/0.2, seed);
}

double rmse(const FactorScores& model, const Dataset& data, const Vector& x) {
  const Vector scores = model.scores(data.rows, x);
  double squares = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    squares += (scores[i] - data.labels[i]) * (scores[i] - data.labels[i]);
  return std::sqrt(squares / static_cast<double>(scores.size()));
}

double held_out_rmse(const Split& parts, const AnyLoss& loss, double lambda, Options options) {
  options.workers = 2;
  const Factorization f(parts.train, loss, kRank);
  const Result result = solve(f, SquaredL2{.lambda = lambda}, options);
  EXPECT_EQ(result.plan.method.method.name(), AsynProxSgd::name);
  EXPECT_EQ(result.plan.state, StateChoice::lazy);
  EXPECT_FALSE(result.theory.lipschitz.has_value()) << "f has no Lipschitz constant";
  return rmse(f.model(), parts.test, result.x);
}

TEST(Factors, PredictHeldOutRatings) {
  ASYNPROX_NEEDS_REAL_DATA();
  EXPECT_LE(held_out_rmse(movielens(1), SquaredLoss{}, 1.5e-4, {}), 0.93);
}

// One rating in twenty is replaced by a number from -10 to 10, where the true ones are 1 to 5. Each
// loss has the strength that suits it best, of 1e-4, 2e-4, 4e-4 and 8e-4.
TEST(Factors, HuberStandsGrossErrorsBetterThanSquared) {
  ASYNPROX_NEEDS_REAL_DATA();
  Split parts = movielens(1);
  const Random random(99);
  for (std::size_t i = 0; i < parts.train.labels.size(); ++i)
    if (random.uniform_at(2 * i) < 0.05)
      parts.train.labels[i] = 20 * random.uniform_at(2 * i + 1) - 10;
  const Options options = {.stop = {.epochs = 15}};
  const double squared = held_out_rmse(parts, SquaredLoss{}, 4e-4, options);
  const double huber = held_out_rmse(parts, HuberLoss{.delta = 1}, 1e-4, options);
  EXPECT_LE(huber, 0.97 * squared);
}

// The same ratings in percent: what follows from their scale has to follow.
TEST(Factors, NeedNoTuningOnAnotherScale) {
  ASYNPROX_NEEDS_REAL_DATA();
  Split parts = movielens(1);
  for (Dataset* part : {&parts.train, &parts.test})
    for (double& label : part->labels) label *= 20;
  EXPECT_LE(held_out_rmse(parts, SquaredLoss{}, 2e-3, {.stop = {.epochs = 15}}), 20 * 0.97);
}

// Of a matrix of rank one every entry but a few is known.
TEST(MatrixCompletion, FitsTheKnownEntriesAndShrinksTheRest) {
  Dataset data;
  CsrMatrix matrix = {.num_columns = 16};
  for (Key user = 0; user < 8; ++user)
    for (Key item = 0; item < 8; ++item) {
      if ((user + item) % 5 == 0) continue;
      matrix.columns.insert(matrix.columns.end(), {user, 8 + item});
      matrix.offsets.push_back(matrix.columns.size());
      data.labels.push_back((user + 1.0) * (item + 1.0) / 16);
    }
  matrix.values.assign(matrix.columns.size(), 1.0);
  data.rows = Rows::narrowed(matrix);
  data.ratings = RatingsShape{8, 8};
  const Options options = {.method = Fista{}, .workers = 2, .stop = {.steps = 300}};
  const Result result = solve(matrix_completion(data, SquaredLoss{}), L1{.lambda = 1e-4}, options);
  // Entry by entry the answer is known: the rating, less lambda n.
  const double shrunk = 1e-4 * static_cast<double>(data.num_samples());
  for (std::size_t user = 0; user < 8; ++user)
    for (std::size_t item = 0; item < 8; ++item) {
      const double rating = (static_cast<double>(user) + 1) * (static_cast<double>(item) + 1) / 16;
      const double expected = (user + item) % 5 == 0 ? 0 : std::max(0.0, rating - shrunk);
      EXPECT_NEAR(result.x[user * 8 + item], expected, 1e-9);
    }
}

}  // namespace
}  // namespace asynprox
