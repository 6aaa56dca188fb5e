#include "asynprox/regularizers/share.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

// A spec by the name of its file: the numbers are ones, or what is in the name.
const ReadNumbers kFiles = [](const std::string& path) -> Vector {
  if (path == "groups") return {0, 0, 1};
  if (path == "free") return {0, 1, 1};
  return {3, 2, 1};
};

std::string resolved(std::string_view spec, const Vector& gradient) {
  return resolve_share(parse_spec(spec), kFiles, [&] { return gradient; }).text();
}

double number_in(const std::string& text) {
  const Spec spec = parse_spec(text);
  return parse_number(spec.settings.front().value, "number");
}

std::string error_of(std::string_view spec, const Vector& gradient = {3, -4, 0}) {
  try {
    resolved(spec, gradient);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Share, IsOfTheLargestUsefulStrength) {
  const Vector g = {3, -4, 0};
  EXPECT_EQ(resolved("l1:0.5max", g), "l1:2");
  EXPECT_EQ(resolved("l1:lambda=1max", g), "l1:lambda=4");
  EXPECT_EQ(resolved("elastic-net:l1=0.25max,l2=7", g), "elastic-net:l1=1,l2=7");
  EXPECT_EQ(resolved("weighted-l1:1max,weights=w", g), "weighted-l1:2,weights=w");
  EXPECT_EQ(resolved("l2-norm:0.1e1max", g), "l2-norm:5");
  EXPECT_EQ(resolved("nonneg-l1:1max", g), "nonneg-l1:4");
  EXPECT_EQ(resolved("nonneg-l1:1max", {3, 4, 0}), "nonneg-l1:0");
  EXPECT_NEAR(number_in(resolved("group-lasso:1max,groups=groups", g)), 5 / std::sqrt(2), 1e-14);
  // Sizes 4, 3 over weights 3, 3 + 2: the first of the quotients 4/3 and 7/5 is the smaller.
  EXPECT_NEAR(number_in(resolved("slope:1max,weights=w", g)), 1.4, 1e-15);
  EXPECT_NEAR(number_in(resolved("nuclear:1max,columns=2", {3, 0, 0, -4})), 4, 1e-14);
  EXPECT_EQ(resolved("l1:0.5max", {0, 0}), "l1:0");
}

TEST(Share, ReadsBackToTheSameBits) {
  const Vector g = {-1.0 / 3};
  EXPECT_EQ(number_in(resolved("l1:0.1max", g)), 0.1 * (1.0 / 3));
}

TEST(Share, LeavesOtherSpecsAsTheyAreWithoutAskingForTheGradient) {
  const auto never = []() -> Vector { throw BugError("asked for the gradient"); };
  for (const std::string spec : {"zero", "l1:1e-3", "group-lasso:1,groups=0.1max", "l1:max"}) {
    EXPECT_EQ(resolve_share(parse_spec(spec), kFiles, never).text(), spec);
    EXPECT_FALSE(has_share(parse_spec(spec)));
  }
  EXPECT_TRUE(has_share(parse_spec("slope:0.1max,q=0.1")));
  EXPECT_EQ(with_strength(parse_spec("slope:0.1max,q=0.1"), 1).text(), "slope:1,q=0.1");
  EXPECT_EQ(with_strength(parse_spec("slope:0.2,q=0.1"), 1).text(), "slope:0.2,q=0.1");
}

TEST(Share, RefusesWhereThereIsNoLargestNamingWhereThereIs) {
  const std::string those =
      "; only these can be a share of the largest useful strength: l1:lambda, weighted-l1:lambda, "
      "elastic-net:l1, nonneg-l1:lambda, l2-norm:lambda, group-lasso:lambda, slope:lambda, "
      "nuclear:lambda";
  EXPECT_EQ(error_of("squared-l2:0.1max"),
            "squared-l2: lambda: expected a number, got '0.1max'" + those);
  EXPECT_EQ(error_of("elastic-net:l1=1,l2=0.1max"),
            "elastic-net: l2: expected a number, got '0.1max'" + those);
  EXPECT_EQ(error_of("l1:-0.1max"), "l1: lambda: expected a share >= 0, got '-0.1max'");
  EXPECT_EQ(error_of("weighted-l1:0.1max,weights=free"),
            "weighted-l1: no strength makes x = 0 a solution, so that '0.1max' stands for no "
            "number");
}

TEST(Share, NeedsTheDataBeforeARegulariserIsMade) {
  try {
    make_regularizer(parse_spec("l1:0.1max"));
    FAIL();
  } catch (const ContractError& error) {
    EXPECT_EQ(std::string(error.what()),
              "l1: '0.1max' is a share of the largest useful strength, which only data can tell");
  }
}

}  // namespace
}  // namespace asynprox
