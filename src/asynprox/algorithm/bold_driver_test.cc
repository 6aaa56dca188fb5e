#include "asynprox/algorithm/bold_driver.h"

#include <gtest/gtest.h>

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(BoldDriver, DoublesWhileTheObjectiveFalls) {
  BoldDriver driver;
  EXPECT_EQ(driver.judge(10), Judgement::fell);
  EXPECT_EQ(driver.boldness(), 1) << "the first has nothing to be compared with";
  EXPECT_EQ(driver.judge(9), Judgement::fell);
  EXPECT_EQ(driver.boldness(), 2);
  EXPECT_EQ(driver.judge(9), Judgement::fell) << "as good is good enough";
  EXPECT_EQ(driver.boldness(), 4);
}

TEST(BoldDriver, GoesBackAndIsShorterWhereItRose) {
  BoldDriver driver;
  for (const double objective : {10, 9, 8}) driver.judge(objective);
  ASSERT_EQ(driver.boldness(), 4);
  EXPECT_EQ(driver.judge(8.5), Judgement::rose);
  EXPECT_EQ(driver.boldness(), 2);
  EXPECT_EQ(driver.judge(7), Judgement::fell);  // cap 0.8 * 4
  EXPECT_EQ(driver.boldness(), 3);
  EXPECT_EQ(driver.judge(6), Judgement::fell);  // cap 1.2 * 3.2
  EXPECT_DOUBLE_EQ(driver.boldness(), 3.84);
  EXPECT_EQ(driver.judge(6.5), Judgement::rose) << "the best is 6";
}

TEST(BoldDriver, TakesSmallRisesForNoiseWhereBatchesMayGrow) {
  BoldDriver driver({.grow = 1.2, .least = 0});
  for (const double objective : {10, 9, 8}) driver.judge(objective, true);
  ASSERT_EQ(driver.boldness(), 4);
  EXPECT_EQ(driver.judge(8.5, true), Judgement::noise);
  EXPECT_DOUBLE_EQ(driver.boldness(), 2.8);
  EXPECT_EQ(driver.judge(7.9, true), Judgement::fell);
  EXPECT_DOUBLE_EQ(driver.boldness(), 1.2 * 2.8);
  EXPECT_EQ(driver.judge(20, true), Judgement::rose) << "more than noise makes it: the step is";
  EXPECT_DOUBLE_EQ(driver.boldness(), 0.6 * 2.8);
  EXPECT_EQ(driver.judge(8.5, false), Judgement::rose);
  EXPECT_DOUBLE_EQ(driver.boldness(), 0.3 * 2.8);
}

TEST(BoldDriver, RisesAloneNeverMakeItTimid) {
  BoldDriver driver;
  driver.judge(1);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(driver.judge(2), Judgement::rose);
  EXPECT_EQ(driver.boldness(), 0.25);
  EXPECT_FALSE(driver.hopeless());
}

TEST(BoldDriver, IsFarShorterAfterAnOverflow) {
  BoldDriver driver;
  driver.judge(1);
  EXPECT_EQ(driver.judge(kInfinity), Judgement::rose);
  EXPECT_EQ(driver.boldness(), 0.25);
  EXPECT_EQ(driver.judge(std::numeric_limits<double>::quiet_NaN()), Judgement::rose);
  EXPECT_EQ(driver.boldness(), 0.0625);
  EXPECT_EQ(driver.overflow(), Judgement::rose);
  EXPECT_EQ(driver.boldness(), 0.015625);
}

TEST(BoldDriver, IsNeverLongerAfterARise) {
  BoldDriver driver;
  driver.judge(1);
  for (int i = 0; i < 3; ++i) driver.overflow();
  const double before = driver.boldness();
  EXPECT_EQ(driver.judge(2), Judgement::rose);
  EXPECT_LE(driver.boldness(), before);
}

TEST(BoldDriver, GivesUpAfterManyOverflows) {
  BoldDriver driver;
  driver.judge(1);
  for (int i = 0; i < 20; ++i) driver.overflow();
  EXPECT_FALSE(driver.hopeless());
  driver.overflow();
  EXPECT_TRUE(driver.hopeless());
}

// L was too small by orders: the least boldness would keep steps too long for ever.
TEST(BoldDriver, KnowsNoLeastFarAboveTheStart) {
  BoldDriver driver({.grow = 1.5, .least = 0.25});
  driver.judge(1);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(driver.judge(1e6), Judgement::rose);
  EXPECT_LT(driver.boldness(), 1e-2);
}

}  // namespace
}  // namespace asynprox
