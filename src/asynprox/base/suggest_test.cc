#include "asynprox/base/suggest.h"

#include <gtest/gtest.h>

namespace asynprox {
namespace {

const std::vector<std::string> kNames = {"logistic", "squared", "squared-hinge", "l1", "huber"};

TEST(EditDistance, CountsSlips) {
  EXPECT_EQ(edit_distance("huber", "huber"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("hubre", "huber"), 1u);
  EXPECT_EQ(edit_distance("logstic", "logistic"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(DidYouMean, NamesTheNearest) {
  EXPECT_EQ(did_you_mean("logstic", kNames), " (did you mean 'logistic'?)");
  EXPECT_EQ(did_you_mean("sqaured", kNames), " (did you mean 'squared'?)");
  EXPECT_EQ(did_you_mean("squared-hing", kNames), " (did you mean 'squared-hinge'?)");
}

TEST(DidYouMean, AcceptsABeginning) {
  EXPECT_EQ(did_you_mean("log", kNames), " (did you mean 'logistic'?)");
}

TEST(DidYouMean, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(did_you_mean("poisson", kNames), "");
  EXPECT_EQ(did_you_mean("", kNames), "");
}

}  // namespace
}  // namespace asynprox
