#include "asynprox/algorithm/bold_driver.h"

#include <gtest/gtest.h>

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(BoldDriver, DoublesWhileTheObjectiveFalls) {
  BoldDriver driver;
  EXPECT_TRUE(driver.judge(10));
  EXPECT_EQ(driver.boldness(), 1) << "the first has nothing to be compared with";
  EXPECT_TRUE(driver.judge(9));
  EXPECT_EQ(driver.boldness(), 2);
  EXPECT_TRUE(driver.judge(9)) << "as good is good enough";
  EXPECT_EQ(driver.boldness(), 4);
}

TEST(BoldDriver, GoesBackAndIsShorterWhereItRose) {
  BoldDriver driver;
  for (const double objective : {10, 9, 8}) driver.judge(objective);
  ASSERT_EQ(driver.boldness(), 4);
  EXPECT_FALSE(driver.judge(8.5));
  EXPECT_EQ(driver.boldness(), 2);
  EXPECT_TRUE(driver.judge(7));  // cap 0.8 * 4
  EXPECT_EQ(driver.boldness(), 3);
  EXPECT_TRUE(driver.judge(6));  // cap 1.2 * 3.2
  EXPECT_DOUBLE_EQ(driver.boldness(), 3.84);
  EXPECT_FALSE(driver.judge(6.5)) << "the best is 6";
}

TEST(BoldDriver, RisesAloneNeverMakeItTimid) {
  BoldDriver driver;
  driver.judge(1);
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(driver.judge(2));
  EXPECT_EQ(driver.boldness(), 0.25);
  EXPECT_FALSE(driver.hopeless());
}

TEST(BoldDriver, IsFarShorterAfterAnOverflow) {
  BoldDriver driver;
  driver.judge(1);
  EXPECT_FALSE(driver.judge(kInfinity));
  EXPECT_EQ(driver.boldness(), 0.25);
  EXPECT_FALSE(driver.judge(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ(driver.boldness(), 0.0625);
  EXPECT_FALSE(driver.overflow());
  EXPECT_EQ(driver.boldness(), 0.015625);
}

TEST(BoldDriver, IsNeverLongerAfterARise) {
  BoldDriver driver;
  driver.judge(1);
  for (int i = 0; i < 3; ++i) driver.overflow();
  const double before = driver.boldness();
  EXPECT_FALSE(driver.judge(2));
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

}  // namespace
}  // namespace asynprox
