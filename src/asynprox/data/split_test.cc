#include "asynprox/data/split.h"

#include <gtest/gtest.h>

#include <set>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Row i holds i in column i % 7, and all else of it follows from i.
Dataset numbered(int n) {
  CsrMatrix matrix;
  matrix.num_columns = 7;
  Dataset data;
  data.name = "numbered";
  for (int i = 0; i < n; ++i) {
    matrix.columns.push_back(static_cast<Key>(i % 7));
    matrix.values.push_back(i + 1);
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(i);
    data.weights.push_back(2 * i + 1);
    data.row_scale.push_back(3 * i + 1);
  }
  data.rows = Rows::narrowed(matrix);
  data.feature_names = {"a", "b", "c", "d", "e", "f", "g"};
  data.center = Vector(7, 0.5);
  data.column_scale = Vector(7, 2);
  data.ratings = RatingsShape{3, 4};
  return data;
}

TEST(Split, EverySampleIsInOnePartWithAllThatBelongsToIt) {
  const Dataset data = numbered(101);
  const Split parts = split(data, 0.2, /*seed=*/5);
  EXPECT_EQ(parts.test.num_samples(), 20);
  EXPECT_EQ(parts.train.num_samples(), 81);
  std::set<double> seen;
  for (const Dataset* part : {&parts.train, &parts.test}) {
    EXPECT_EQ(part->dimension(), 7);
    EXPECT_EQ(part->feature_names, data.feature_names);
    EXPECT_EQ(part->center, data.center);
    EXPECT_EQ(part->column_scale, data.column_scale);
    EXPECT_EQ(part->ratings, data.ratings);
    EXPECT_TRUE(std::ranges::is_sorted(part->labels));
    for (std::size_t k = 0; k < part->num_samples(); ++k) {
      const auto i = static_cast<std::size_t>(part->labels[k]);
      seen.insert(part->labels[k]);
      EXPECT_EQ(part->rows.row(k), data.rows.row(i));
      EXPECT_EQ(part->weights[k], data.weights[i]);
      EXPECT_EQ(part->row_scale[k], data.row_scale[i]);
    }
  }
  EXPECT_EQ(seen.size(), 101);
}

TEST(Split, IsAFunctionOfTheSeed) {
  const Dataset data = numbered(200);
  EXPECT_EQ(split(data, 0.3, 1).test.labels, split(data, 0.3, 1).test.labels);
  EXPECT_NE(split(data, 0.3, 1).test.labels, split(data, 0.3, 2).test.labels);
}

// Each sample is held out by one seed in four: its count over 400 seeds has mean 100 and standard
// deviation 8.7.
TEST(Split, EverySampleIsAsLikely) {
  const Dataset data = numbered(20);
  Vector counts(20, 0);
  for (std::uint64_t seed = 0; seed < 400; ++seed)
    for (const double i : split(data, 0.25, seed).test.labels) ++counts[static_cast<int>(i)];
  for (const double count : counts) EXPECT_NEAR(count, 100, 45);
}

TEST(Split, RefusesSharesThatLeaveAPartEmpty) {
  const Dataset data = numbered(10);
  for (const double share : {0.0, 1.0, -0.5, 2.0, 0.01, 0.99})
    EXPECT_THROW(split(data, share, 1), ContractError) << share;
}

}  // namespace
}  // namespace asynprox
