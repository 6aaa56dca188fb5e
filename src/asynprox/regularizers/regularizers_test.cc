// One example of each regulariser that a reader can check by hand, and what each refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const ReadNumbers kFiles = [](const std::string& path) -> Vector {
  if (path == "two") return {1, 0};
  if (path == "three") return {7, 2, 7};
  if (path == "negative") return {1, -1};
  if (path == "falling") return {3, 2, 1};
  return {0.5, 1.5};
};

AnyRegularizer make(std::string_view spec, std::size_t dimension) {
  return make_regularizer(parse_spec(spec), kFiles).bound(dimension);
}

Vector prox(std::string_view spec, const Vector& v, double eta = 1) {
  return prox_of(make(spec, v.size()), v, eta);
}

double value(std::string_view spec, const Vector& x) { return make(spec, x.size()).value(x); }

std::string error_of(std::string_view spec, std::size_t dimension) {
  try {
    make(spec, dimension);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Zero, ChangesNothing) {
  EXPECT_EQ(prox("zero", {3, -1}), (Vector{3, -1}));
  EXPECT_EQ(value("zero", {3, -1}), 0);
}

TEST(L1, SoftThresholds) {
  EXPECT_EQ(prox("l1:2", {3, -1, 0.5, -0.5}, 0.5), (Vector{2, 0, 0, 0}));
  EXPECT_EQ(value("l1:2", {3, -1}), 8);
}

TEST(WeightedL1, ThresholdsByTheWeightAndLeavesWeightZeroFree) {
  EXPECT_EQ(prox("weighted-l1:2,weights=two", {3, -1}), (Vector{1, -1}));
  EXPECT_EQ(prox("weighted-l1:2,weights=two", {3, -1}, 1e308), (Vector{0, -1}));
  EXPECT_EQ(value("weighted-l1:2,weights=two", {3, -1}), 6);
}

TEST(WeightedL1, RefusesWeightsThatDoNotFit) {
  EXPECT_EQ(error_of("weighted-l1:2,weights=two", 3),
            "weighted-l1: weights 'two': expected 3 numbers, one per coordinate, got 2");
  EXPECT_EQ(error_of("weighted-l1:2,weights=negative", 2),
            "weighted-l1: weights 'negative', number 2: expected >= 0, got -1");
  EXPECT_EQ(error_of("weighted-l1:2", 2),
            "weighted-l1: 'weights' is missing (w, one number >= 0 a coordinate); write "
            "weighted-l1:weights=VALUE");
}

TEST(SquaredL2, Divides) {
  EXPECT_EQ(prox("squared-l2:3", {8, -4}), (Vector{2, -1}));
  EXPECT_EQ(value("squared-l2:3", {2, 0}), 6);
}

TEST(ElasticNet, ThresholdsThenDivides) {
  EXPECT_EQ(prox("elastic-net:l1=1,l2=1", {5, -3, 0.5}), (Vector{2, -1, 0}));
  EXPECT_EQ(value("elastic-net:l1=1,l2=1", {2, 0, -1}), 5.5);
}

TEST(NonNeg, Clips) {
  EXPECT_EQ(prox("nonneg", {3, -1, 0}), (Vector{3, 0, 0}));
  EXPECT_EQ(value("nonneg", {3, 0}), 0);
  EXPECT_EQ(value("nonneg", {3, -1e-300}), kInfinity);
}

TEST(Box, ClipsOnBothSides) {
  EXPECT_EQ(prox("box:lower=0,upper=1", {3, -1, 0.5}), (Vector{1, 0, 0.5}));
  EXPECT_EQ(prox("box:upper=1", {3, -1, 0.5}), (Vector{1, -1, 0.5}));
  EXPECT_EQ(value("box:lower=0,upper=1", {0, 1}), 0);
  EXPECT_EQ(value("box:lower=0,upper=1", {0, 1.5}), kInfinity);
}

TEST(Box, RefusesToBeEmpty) {
  EXPECT_EQ(error_of("box:lower=2,upper=1", 4),
            "box: expected lower <= upper, got lower 2 and upper 1");
}

TEST(L2Ball, ScalesToTheRadius) {
  EXPECT_EQ(prox("l2-ball:5", {6, -8}), (Vector{3, -4}));
  EXPECT_EQ(prox("l2-ball:5", {3, -4}), (Vector{3, -4}));
  EXPECT_EQ(value("l2-ball:5", {3, -4}), 0);
  EXPECT_EQ(value("l2-ball:5", {3, -4.1}), kInfinity);
}

TEST(L2Ball, TakesHugeVectors) {
  const Vector x = prox("l2-ball", {3e200, 4e200});
  EXPECT_NEAR(x[0], 0.6, 1e-15);
  EXPECT_NEAR(x[1], 0.8, 1e-15);
}

TEST(NonNegBall, ClipsThenScales) {
  EXPECT_EQ(prox("nonneg-ball:radius=5", {6, 8, -100}), (Vector{3, 4, 0}));
  EXPECT_EQ(value("nonneg-ball:radius=5", {3, 4, 0}), 0);
  EXPECT_EQ(value("nonneg-ball:radius=5", {3, -4, 0}), kInfinity);
}

TEST(Simplex, LowersAllByOneAmount) {
  EXPECT_EQ(prox("simplex", {1.5, 1, -3}), (Vector{0.75, 0.25, 0}));
  EXPECT_EQ(prox("simplex:3", {0, 0, 0}), (Vector{1, 1, 1}));
  EXPECT_EQ(prox("simplex", {-40}), (Vector{1}));
  EXPECT_EQ(value("simplex", {0.75, 0.25, 0}), 0);
  EXPECT_EQ(value("simplex", {0.75, 0.2, 0}), kInfinity);
}

TEST(L1Ball, SoftThresholdsToTheRadius) {
  EXPECT_EQ(prox("l1-ball:2", {3, -2, 0.5}), (Vector{1.5, -0.5, 0}));
  EXPECT_EQ(prox("l1-ball:2", {1, -1, 0}), (Vector{1, -1, 0}));
  EXPECT_EQ(value("l1-ball:2", {1, -1, 0}), 0);
  EXPECT_EQ(value("l1-ball:2", {1, -1, 0.1}), kInfinity);
}

TEST(GroupLasso, ShrinksEachGroupInLength) {
  // |(6, 8, 0, 0)| = 10 moves by 0.5 * sqrt(4) to 9; the lone 0.4 by 0.5, to zero.
  const Vector x = prox("group-lasso:0.5,size=4", {6, 8, 0, 0, 0.4});
  EXPECT_NEAR(x[0], 5.4, 1e-15);
  EXPECT_NEAR(x[1], 7.2, 1e-15);
  EXPECT_EQ(x[4], 0);
  EXPECT_EQ(value("group-lasso:0.5,size=4", {6, 8, 0, 0, 0.4}), 10.2);
}

TEST(GroupLasso, TakesGroupsThatAreNotAdjacent) {
  // The groups of coordinates {0, 2} and {1}.
  EXPECT_DOUBLE_EQ(value("group-lasso:1,groups=three", {3, 2, 4}), 5 * std::sqrt(2) + 2);
  EXPECT_EQ(prox("group-lasso:3,groups=three", {3, 2, 3}), (Vector{0, 0, 0}));
}

TEST(GroupLasso, RefusesGroupsThatDoNotFit) {
  EXPECT_EQ(error_of("group-lasso:1", 3),
            "group-lasso: expected exactly one of groups=FILE and size=COUNT");
  EXPECT_EQ(error_of("group-lasso:1,groups=three,size=2", 3),
            "group-lasso: expected exactly one of groups=FILE and size=COUNT");
  EXPECT_EQ(error_of("group-lasso:1,groups=three", 4),
            "group-lasso: groups 'three': expected 4 numbers, one per coordinate, got 3");
  EXPECT_EQ(error_of("group-lasso:1,groups=halves", 2),
            "group-lasso: groups 'halves', number 1: expected a whole number >= 0, got 0.5");
  EXPECT_EQ(error_of("group-lasso:1,size=2.5", 3),
            "group-lasso: size: expected a whole number >= 0, got 2.5");
}

TEST(GroupLasso, SaysSoWhenItIsNotBound) {
  Vector x = {1, 2};
  EXPECT_THROW((GroupLasso{.lambda = 1, .size = 1}.prox(x, 1)), BugError);
}

TEST(NonNegL1, LowersAndStopsAtZero) {
  EXPECT_EQ(prox("nonneg-l1:2", {3, -1, 0.5}, 0.5), (Vector{2, 0, 0}));
  EXPECT_EQ(value("nonneg-l1:2", {3, 0}), 6);
  EXPECT_EQ(value("nonneg-l1:2", {3, -1e-300}), kInfinity);
}

TEST(LinfBall, ClipsAndKnowsItsCorner) {
  EXPECT_EQ(prox("linf-ball:2", {3, -5, 0.5}), (Vector{2, -2, 0.5}));
  EXPECT_EQ(value("linf-ball:2", {2, -2}), 0);
  EXPECT_EQ(value("linf-ball:2", {2, -2.1}), kInfinity);
  EXPECT_EQ(make("linf-ball:2", 9).norm_max(), 6);
  EXPECT_EQ(make_regularizer(parse_spec("linf-ball")).norm_max(), std::nullopt);
}

TEST(L2Norm, ShrinksInLength) {
  EXPECT_EQ(prox("l2-norm:5", {6, -8}), (Vector{3, -4}));
  EXPECT_EQ(prox("l2-norm:5", {3, -4}), (Vector{0, 0}));
  EXPECT_EQ(value("l2-norm:5", {3, -4}), 25);
}

TEST(SparseGroupLasso, ThresholdsThenShrinksEachGroup) {
  // (7, -9, 0.5, 1) less 1 is (6, -8, 0, 0), of length 10, which becomes 2.5 * sqrt(4) shorter; the
  // lone 3 becomes 2, which is less than 2.5.
  EXPECT_EQ(prox("sparse-group-lasso:l1=1,group=2.5,size=4", {7, -9, 0.5, 1, 3}),
            (Vector{3, -4, 0, 0, 0}));
  EXPECT_EQ(value("sparse-group-lasso:l1=1,group=2.5,size=4", {3, -4, 0, 0, 1}), 35.5);
  EXPECT_EQ(error_of("sparse-group-lasso:l1=1,group=1", 3),
            "sparse-group-lasso: expected exactly one of groups=FILE and size=COUNT");
}

TEST(Tv1d, MovesPiecesTowardsEachOther) {
  // The end pieces move by 1 over their lengths, the peak by 2 over its own.
  EXPECT_EQ(prox("tv-1d:1", {0, 0, 5, 1}), (Vector{0.5, 0.5, 3, 2}));
  EXPECT_EQ(prox("tv-1d:100", {0, 0, 5, 1}), (Vector{1.5, 1.5, 1.5, 1.5}));
  EXPECT_EQ(prox("tv-1d:1", {7}), Vector{7});
  EXPECT_EQ(value("tv-1d:2", {0, 0, 5, 1}), 18);
}

TEST(Slope, LowersTheLargestMost) {
  EXPECT_EQ(prox("slope:1,weights=falling", {-9, 3, 5}), (Vector{-6, 2, 3}));
  EXPECT_EQ(value("slope:1,weights=falling", {-9, 3, 5}), 40);
  // 4 - 3 and 3.5 - 2 would change places: both become their average.
  EXPECT_EQ(prox("slope:1,weights=falling", {4, -3.5, 0.5}), (Vector{1.25, -1.25, 0}));
}

TEST(Slope, TakesWeightsFromARate) {
  // z = 1.959964 (two-sided 5 %) and 1.644854 (10 %).
  EXPECT_NEAR(normal_quantile_above(0.025, kInfinity), 1.9599639845400543, 1e-15);
  EXPECT_NEAR(normal_quantile_above(1e-12, kInfinity), 7.0344838253011313, 1e-14);
  EXPECT_EQ(normal_quantile_above(0.5, kInfinity), 0);
  EXPECT_NEAR(value("slope:2,q=0.1", {0, 3}), 6, 1e-14);
  EXPECT_NEAR(value("slope:2,q=0.1", {3, 3}), 6 * (1 + 1.6448536269514727 / 1.9599639845400543),
              1e-13);
  EXPECT_EQ(value("slope:2,q=1", {3}), 6);
}

TEST(Slope, RefusesWeightsThatDoNotFit) {
  EXPECT_EQ(error_of("slope:1", 3), "slope: expected exactly one of q=RATE and weights=FILE");
  EXPECT_EQ(error_of("slope:1,q=0.1,weights=falling", 3),
            "slope: expected exactly one of q=RATE and weights=FILE");
  EXPECT_EQ(error_of("slope:1,q=1.5", 3), "slope: q: expected >= 0 and <= 1, got 1.5");
  EXPECT_EQ(error_of("slope:1,weights=falling", 2),
            "slope: weights 'falling': expected 2 numbers, one per coordinate, got 3");
  EXPECT_EQ(error_of("slope:1,weights=halves", 2),
            "slope: weights 'halves', number 2: expected >= 0 and none above the one before, got "
            "1.5");
}

// Not nearly zero: the model is counted and stored by its nonzeros.
TEST(Regularizers, MakeExactZerosWherePromised) {
  const Vector v = {10, 1e-3, -1e-3, 1e-3, -2e-3, 0};
  for (const std::string spec :
       {"l1:0.3", "elastic-net:l1=0.3,l2=1", "group-lasso:0.3,size=1", "simplex", "l1-ball",
        "nonneg-l1:0.3", "sparse-group-lasso:l1=0.1,group=0.3,size=1", "slope:0.3,q=0.1"}) {
    const Vector x = prox(spec, v);
    EXPECT_GT(x[0], 0) << spec;
    EXPECT_EQ(count_nonzeros(x), 1u) << spec;
  }
  for (const std::string spec : {"nonneg", "nonneg-ball"})
    EXPECT_EQ(count_nonzeros(prox(spec, v)), 3u) << spec;
}

}  // namespace
}  // namespace asynprox
