#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/delays/all.h"

namespace asynprox {
namespace {

TEST(ConstantDelay, BeginsWithTheModelsThereAre) {
  const AnyDelay delay = ConstantDelay{.steps = 2};
  EXPECT_EQ(delay.tau({.k = 0}), 0);
  EXPECT_EQ(delay.tau({.k = 1}), 1);
  EXPECT_EQ(delay.tau({.k = 2}), 2);
  EXPECT_EQ(delay.tau({.k = 3}), 2);
}

TEST(UniformDelay, TakesEveryAgeAboutAsOften) {
  const AnyDelay delay = UniformDelay{.steps_max = 3};
  std::vector<int> counts(4, 0);
  for (std::int64_t number = 0; number < 40000; ++number)
    ++counts[delay.tau({.k = 1000, .number = number, .random = Random(5)})];
  // 10000 each, with a standard deviation of 87.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
}

TEST(UniformDelay, DependsOnTheSeed) {
  const AnyDelay delay = UniformDelay{.steps_max = 1000};
  int same = 0;
  for (std::int64_t number = 0; number < 100; ++number)
    same += delay.tau({.k = 5000, .number = number, .random = Random(1)}) ==
                    delay.tau({.k = 5000, .number = number, .random = Random(2)})
                ? 1
                : 0;
  EXPECT_LE(same, 3);
}

TEST(FileDelay, GoesThroughItsNumbersAgainAndAgain) {
  const AnyDelay delay = FileDelay{.file = {"ages.txt", {4, 0, 2}}};
  EXPECT_EQ(delay.max(), 4);
  const std::vector<std::int64_t> expected = {4, 0, 2, 4, 0, 2, 4};
  for (std::int64_t number = 0; number < 7; ++number)
    EXPECT_EQ(delay.tau({.k = 10, .number = number}), expected[number]);
  EXPECT_EQ(delay.tau({.k = 1, .number = 0}), 1) << "no model is older than the first";
}

TEST(FileDelay, SaysWhichNumberIsWrong) {
  try {
    const AnyDelay delay = FileDelay{.file = {"ages.txt", {4, 0.5}}};
    FAIL() << "expected an error";
  } catch (const ContractError& error) {
    EXPECT_STREQ(error.what(),
                 "file: 'ages.txt', number 2: expected a whole number from 0 to 1000000000, got "
                 "0.5");
  }
  EXPECT_THROW(AnyDelay(FileDelay{.file = {"empty.txt", {}}}), ContractError);
}

}  // namespace
}  // namespace asynprox
