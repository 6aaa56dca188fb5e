// One example of each loss that a reader can check by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/losses/all.h"

namespace asynprox {
namespace {

TEST(PcaLoss, IsMinusHalfTheSquare) {
  EXPECT_EQ(PcaLoss{}.value(3, 0), -4.5);
  EXPECT_EQ(PcaLoss{}.derivative(3, 0), -3);
}

TEST(SquaredLoss, IsHalfTheSquaredResidual) {
  EXPECT_EQ(SquaredLoss{}.value(5, 2), 4.5);
  EXPECT_EQ(SquaredLoss{}.derivative(5, 2), 3);
}

TEST(LogisticLoss, IsLogTwoOnTheBoundary) {
  EXPECT_DOUBLE_EQ(LogisticLoss{}.value(0, 1), std::log(2));
  EXPECT_EQ(LogisticLoss{}.derivative(0, 1), -0.5);
  EXPECT_EQ(LogisticLoss{}.derivative(0, -1), 0.5);
}

TEST(LogisticLoss, IsLinearFarOnTheWrongSide) {
  EXPECT_EQ(LogisticLoss{}.value(-1000, 1), 1000);
  EXPECT_EQ(LogisticLoss{}.value(1000, 1), 0);
}

TEST(SquaredHingeLoss, IsZeroFromTheMarginOn) {
  EXPECT_EQ(SquaredHingeLoss{}.value(-1, 1), 2);
  EXPECT_EQ(SquaredHingeLoss{}.derivative(-1, 1), -2);
  EXPECT_EQ(SquaredHingeLoss{}.value(1, 1), 0);
  EXPECT_EQ(SquaredHingeLoss{}.derivative(-3, -1), 0);
}

TEST(HuberLoss, IsSquaredInsideAndLinearOutside) {
  const HuberLoss huber{.delta = 2};
  EXPECT_EQ(huber.value(6, 5), 0.5);
  EXPECT_EQ(huber.value(10, 5), 8);  // 2 (5 - 1)
  EXPECT_EQ(huber.derivative(6, 5), 1);
  EXPECT_EQ(huber.derivative(0, 5), -2);
}

TEST(HuberLoss, RefusesADeltaThatIsNotPositive) {
  EXPECT_THROW(make_loss(parse_spec("huber:0")), ContractError);
  EXPECT_THROW(make_loss(parse_spec("huber:delta=-1")), ContractError);
}

TEST(SigmoidLoss, GoesFromTwoToZero) {
  EXPECT_EQ(SigmoidLoss{}.value(0, 1), 1);
  EXPECT_EQ(SigmoidLoss{}.derivative(0, 1), -1);
  EXPECT_EQ(SigmoidLoss{}.value(-1000, 1), 2);
  EXPECT_EQ(SigmoidLoss{}.value(-1000, -1), 0);
  EXPECT_NEAR(SigmoidLoss{}.value(1, 1), 1 - std::tanh(1), 1e-15);
}

TEST(SmoothedHingeLoss, IsLinearThenRoundThenZero) {
  EXPECT_EQ(SmoothedHingeLoss{}.value(-2, 1), 2.5);
  EXPECT_EQ(SmoothedHingeLoss{}.derivative(-2, 1), -1);
  EXPECT_EQ(SmoothedHingeLoss{}.value(0.5, 1), 0.125);
  EXPECT_EQ(SmoothedHingeLoss{}.derivative(-0.5, -1), 0.5);
  EXPECT_EQ(SmoothedHingeLoss{}.value(2, 1), 0);
}

TEST(SquaredSigmoidLoss, GoesFromOneToZero) {
  EXPECT_EQ(SquaredSigmoidLoss{}.value(0, 1), 0.25);
  EXPECT_EQ(SquaredSigmoidLoss{}.derivative(0, 1), -0.25);
  EXPECT_EQ(SquaredSigmoidLoss{}.value(-1000, 1), 1);
  EXPECT_EQ(SquaredSigmoidLoss{}.value(1000, 1), 0);
  EXPECT_NEAR(SquaredSigmoidLoss{}.value(std::log(3), -1), 9.0 / 16, 1e-15);
}

TEST(PoissonLoss, IsLeastWhereTheMeanIsTheCount) {
  EXPECT_EQ(PoissonLoss{}.value(0, 3), 1);
  EXPECT_EQ(PoissonLoss{}.derivative(0, 3), -2);
  EXPECT_NEAR(PoissonLoss{}.derivative(std::log(3), 3), 0, 1e-15);
}

TEST(PoissonLoss, TakesNoLabelBelowZero) {
  const AnyLoss loss = PoissonLoss{};
  EXPECT_NO_THROW(loss.check_labels(Vector{0, 2.5, 7}));
  EXPECT_NO_THROW(AnyLoss(SquaredLoss{}).check_labels(Vector{-1}));
  for (const double y : {-1.0, std::nan("")})
    EXPECT_THROW(loss.check_labels(Vector{0, y}), DataError);
  try {
    loss.check_labels(Vector{4, -2});
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(),
                 "labels: sample 2: expected at least 0 for the loss poisson, got -2");
  }
}

TEST(MultinomialLoss, IsTheLogOfTheClassesOnTheBoundary) {
  const MultinomialLoss loss;
  const Vector u = {0, 0, 0, 0};
  EXPECT_DOUBLE_EQ(loss.value(u, 2), std::log(4));
  Vector g(4);
  loss.derivative(u, 2, g);
  EXPECT_EQ(g, (Vector{0.25, 0.25, -0.75, 0.25}));
  EXPECT_EQ(loss.value(Vector{1000, 0}, 0), 0);
  EXPECT_EQ(loss.value(Vector{1000, 0}, 1), 1000);
}

// With outputs u/2 and -u/2 it is the logistic loss.
TEST(MultinomialLoss, OfTwoClassesIsLogistic) {
  for (const double u : {-30.0, -1.0, 0.0, 2.5, 40.0}) {
    EXPECT_DOUBLE_EQ(MultinomialLoss{}.value(Vector{-u / 2, u / 2}, 1), LogisticLoss{}.value(u, 1));
    EXPECT_DOUBLE_EQ(MultinomialLoss{}.value(Vector{-u / 2, u / 2}, 0),
                     LogisticLoss{}.value(u, -1));
  }
}

}  // namespace
}  // namespace asynprox
