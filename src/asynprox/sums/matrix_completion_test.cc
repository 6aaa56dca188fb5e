#include "asynprox/sums/matrix_completion.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/smoothness.h"
#include "asynprox/sums/finite_sum_laws_testing.h"

namespace asynprox {
namespace {

// 2 users and 3 items; user 1 has rated items 0 and 2, user 0 item 1 (twice).
Dataset four_ratings() {
  Dataset data;
  data.rows = Rows::narrowed({.num_columns = 5,
                              .offsets = {0, 2, 4, 6, 8},
                              .columns = {1, 2, 1, 4, 0, 3, 0, 3},
                              .values = {1, 1, 1, 1, 1, 1, 1, 1}});
  data.labels = {5, 3, 1, 2};
  data.ratings = RatingsShape{2, 3};
  return data;
}

TEST(MatrixCompletion, ComparesEntriesWithRatings) {
  const LinearSum f = matrix_completion(four_ratings(), SquaredLoss{});
  ASSERT_EQ(f.dimension(), 6);
  const Vector X = {10, 20, 30,  //
                    40, 50, 60};
  const std::vector<SampleIndex> all = {0, 1, 2, 3};
  EXPECT_DOUBLE_EQ(f.value(X, all), (35. * 35 + 57. * 57 + 19. * 19 + 18. * 18) / 2);
  EXPECT_EQ(gradient_of(f, X, all), (Vector{0, 37, 0, 35, 0, 57}));
}

TEST(MatrixCompletion, ObeysTheLawsOfFiniteSums) {
  const std::vector<SampleIndex> samples = {0, 1, 2, 3, 3};
  const Vector X = {0.1, 1.2, 0.3, 2.4, 0.5, 3.6};
  for (const AnyLoss& loss : {AnyLoss(SquaredLoss{}), AnyLoss(HuberLoss{.delta = 1.3})}) {
    const LinearSum f = matrix_completion(four_ratings(), loss);
    expect_gradient_matches_differences(f, X, samples);
    expect_parts_fit_together(f, X, samples);
    expect_keys_are_all_that_counts(f, X, Samples(samples).first(1));
  }
}

// An entry's curvature is its share of the samples: at most two of four.
TEST(MatrixCompletion, KnowsItsLipschitzConstant) {
  const Smoothness smoothness =
      measure_smoothness(matrix_completion(four_ratings(), SquaredLoss{}), {.rounds_max = 20});
  EXPECT_NEAR(*smoothness.estimate, 0.5, 1e-9);
  EXPECT_GE(*smoothness.bound, 0.5);
}

TEST(MatrixCompletion, RefusesWhatIsNoRatings) {
  Dataset data = four_ratings();
  data.ratings = RatingsShape{1, 4};
  EXPECT_THROW(matrix_entries(data), ContractError);
  data.ratings.reset();
  EXPECT_THROW(matrix_entries(data), ContractError);
}

}  // namespace
}  // namespace asynprox
