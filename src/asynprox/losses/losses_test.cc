// One example of each loss that a reader can check by hand.
#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace asynprox
