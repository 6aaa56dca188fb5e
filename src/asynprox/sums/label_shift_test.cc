#include "asynprox/sums/label_shift.h"

#include <gtest/gtest.h>

#include <limits>

#include "asynprox/linalg/vectors.h"

namespace asynprox {
namespace {

TEST(LabelShift, IsTheMedianOfLabelsCloseTogetherAndFarFromZero) {
  EXPECT_EQ(label_shift(Vector{1.6e9, 1.6e9 + 60, 1.6e9 - 3600}), 1.6e9);
  EXPECT_EQ(label_shift(Vector{-1e12 + 3, -1e12, -1e12 - 3}), -1e12);
  EXPECT_EQ(label_shift(Vector{5, 5, 5}), 5);
  // One that is far from the others does not hide it.
  Vector labels(999, 1.6e9);
  labels.push_back(1e9);
  EXPECT_EQ(label_shift(labels), 1.6e9);
}

TEST(LabelShift, IsNothingWhereRoundingDoesNotMatter) {
  EXPECT_EQ(label_shift(Vector{}), 0);
  EXPECT_EQ(label_shift(Vector{0, 0}), 0);
  EXPECT_EQ(label_shift(Vector{-1, 1, 1}), 0);
  EXPECT_EQ(label_shift(Vector{290, 300, 310}), 0);
  EXPECT_EQ(label_shift(Vector{1990, 2000, 2010}), 0);
  EXPECT_EQ(label_shift(Vector{1e9, std::numeric_limits<double>::infinity(), 1e9}), 0);
}

}  // namespace
}  // namespace asynprox
