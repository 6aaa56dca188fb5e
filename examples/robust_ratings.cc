// Ratings: 60 users, 40 items, a third of all pairs known, one rating in twenty nonsense.
//
//   as a full matrix, whose nuclear norm is small      convex, for small sizes
//   by factors of users and items                      nonconvex, for any size
//
// Each is fitted with the squared loss, and with huber, which nonsense does not impress. Ends with
// 0 if huber predicts the pairs that were held out better, both times.
#include <asynprox/dataset.h>
#include <asynprox/factorization.h>
#include <asynprox/matrix_completion.h>
#include <asynprox/methods.h>
#include <asynprox/solve.h>

#include <cmath>
#include <cstdio>

namespace {

using asynprox::AnyLoss;
using asynprox::Key;
using asynprox::Vector;

constexpr Key kUsers = 60, kItems = 40;

double truth(Key user, Key item) { return 3 + 1.5 * std::sin(user) * std::cos(1.3 * item); }

// A row of two ones: the user's column and the item's.
asynprox::Dataset ratings() {
  asynprox::CsrMatrix matrix = {.num_columns = kUsers + kItems};
  asynprox::Dataset data;
  for (Key user = 0; user < kUsers; ++user)
    for (Key item = 0; item < kItems; ++item) {
      if ((7 * user + 11 * item + user * item) % 3 != 0) continue;
      matrix.columns.insert(matrix.columns.end(), {user, kUsers + item});
      matrix.offsets.push_back(matrix.columns.size());
      data.labels.push_back(truth(user, item));
    }
  matrix.values.assign(matrix.columns.size(), 1.0);
  data.rows = asynprox::Rows::narrowed(matrix);
  data.ratings = asynprox::RatingsShape{kUsers, kItems};
  return data;
}

// Root of the mean square of what the scores of held-out pairs are off by.
double rmse(const Vector& scores, const asynprox::Dataset& data) {
  double squares = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    squares += std::pow(scores[i] - data.labels[i], 2);
  return std::sqrt(squares / static_cast<double>(scores.size()));
}

double by_matrix(const asynprox::Split& parts, const AnyLoss& loss) {
  const auto result =
      asynprox::solve(asynprox::matrix_completion(parts.train, loss, {.intercept = true}),
                      asynprox::Nuclear{.lambda = 6e-3, .columns = kItems},
                      {.method = asynprox::Fista{}, .workers = 2, .stop = {.steps = 300}});
  Vector scores;
  for (std::size_t i = 0; i < parts.test.num_samples(); ++i) {
    const auto row = parts.test.rows.row(i);
    scores.push_back(result.intercept[0] +
                     result.x[row[0].column * kItems + (row[1].column - kUsers)]);
  }
  return rmse(scores, parts.test);
}

double by_factors(const asynprox::Split& parts, const AnyLoss& loss) {
  const asynprox::Factorization f(parts.train, loss, /*rank=*/2);
  const auto result = asynprox::solve(f, asynprox::SquaredL2{.lambda = 2e-3},
                                      {.workers = 2, .stop = {.epochs = 300}});
  return rmse(f.model().scores(parts.test.rows, result.x), parts.test);
}

}  // namespace

int main() {
  asynprox::Split parts = asynprox::split(ratings(), /*test_share=*/0.2, /*seed=*/1);
  for (std::size_t i = 0; i < parts.train.labels.size(); i += 20)
    parts.train.labels[i] = i % 40 == 0 ? 20 : -20;
  const asynprox::HuberLoss huber = {.delta = 0.5};
  const double matrix_squared = by_matrix(parts, asynprox::SquaredLoss{});
  const double matrix_huber = by_matrix(parts, huber);
  const double factors_squared = by_factors(parts, asynprox::SquaredLoss{});
  const double factors_huber = by_factors(parts, huber);
  std::printf("held out, off by      squared   huber\n");
  std::printf("full matrix           %.3f     %.3f\n", matrix_squared, matrix_huber);
  std::printf("factors               %.3f     %.3f\n", factors_squared, factors_huber);
  return matrix_huber < matrix_squared && factors_huber < factors_squared ? 0 : 1;
}
