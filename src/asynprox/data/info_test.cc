#include "asynprox/data/info.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

//   z_0 = (3, 4, 0, 0)   z_1 = 0   z_2 = (0, 0, 0, 1)
Dataset small() {
  return {
      .name = "small",
      .rows = Rows::narrowed(
          {.num_columns = 4, .offsets = {0, 2, 2, 3}, .columns = {0, 1, 3}, .values = {3, 4, 1}}),
      .labels = {1, -1, 1}};
}

Dataset one_row(Vector values) {
  std::vector<Key> columns;
  for (Key j = 0; j < values.size(); ++j) columns.push_back(j);
  return {.name = "one",
          .rows = Rows::narrowed({.num_columns = values.size(),
                                  .offsets = {0, values.size()},
                                  .columns = columns,
                                  .values = values})};
}

TEST(DataInfo, IsWorkedByHand) {
  const DataInfo info = data_info(small());
  EXPECT_EQ(info.samples, 3u);
  EXPECT_EQ(info.dimension, 4u);
  EXPECT_EQ(info.nonzeros, 3u);
  EXPECT_EQ(info.density, 0.25);
  EXPECT_EQ(info.row_length.min, 0);
  EXPECT_EQ(info.row_length.mean, 1);
  EXPECT_EQ(info.row_length.max, 2);
  EXPECT_EQ(info.row_norm.max, 5);
  EXPECT_EQ(info.row_norm.mean, 2);
  EXPECT_EQ(info.empty_rows, 1u);
  EXPECT_EQ(info.columns_never_seen, 1u);
  EXPECT_EQ(info.labels.distinct, (std::vector<LabelCount>{{-1, 1}, {1, 2}}));
  EXPECT_EQ(info.form, "16-bit columns, 8-bit integers");
  EXPECT_EQ(info.bytes, 4u * 8 + 3 * 2 + 3 * 1);
}

TEST(DataInfo, OfNothingIsZero) {
  const DataInfo info = data_info({});
  EXPECT_EQ(info.samples, 0u);
  EXPECT_EQ(info.density, 0);
  EXPECT_EQ(info.row_norm.mean, 0);
}

TEST(NormalizeRows, GivesEveryRowLengthOne) {
  Dataset data = small();
  normalize_rows(data);
  EXPECT_EQ(data.row_scale, (Vector{0.2, 1, 1}));
  EXPECT_EQ(data_info(data).row_norm.max, 1);
  normalize_rows(data);
  EXPECT_EQ(data.row_scale, (Vector{0.2, 1, 1})) << "a second time changes nothing";
}

TEST(NormalizeRows, TakesRowsWhoseSquaresAreOutOfRange) {
  for (const double size : {1e200, 1e-200, 1e-162}) {
    Dataset data = one_row({3 * size, 4 * size});
    normalize_rows(data);
    EXPECT_NEAR(data.row_scale[0] * 5 * size, 1, 1e-14) << size;
  }
}

TEST(NormalizeRows, RefusesARowTooShortToScale) {
  Dataset data = one_row({1e-320});
  EXPECT_THROW(normalize_rows(data), DataError);
}

// (3, 4), (0, 1) and (0, 0), and twice the second.
TEST(CenterColumns, TakesTheMeansOfTheRowsAsTheyAreScaledAndWeighted) {
  const CsrMatrix matrix{
      .num_columns = 2, .offsets = {0, 2, 3, 3}, .columns = {0, 1, 1}, .values = {3, 4, 1}};
  Dataset data{.rows = Rows::narrowed(matrix)};
  center_columns(data);
  EXPECT_DOUBLE_EQ(data.center[0], 1);
  EXPECT_DOUBLE_EQ(data.center[1], 5.0 / 3);
  normalize_rows(data);
  data.weights = {1, 2, 1};
  center_columns(data);
  EXPECT_DOUBLE_EQ(data.center[0], 0.15);
  EXPECT_DOUBLE_EQ(data.center[1], 0.7);
  EXPECT_EQ(data.rows.num_nonzeros(), 3u);
}

TEST(CenterColumns, RefusesWhatHasNoMean) {
  Dataset none;
  EXPECT_THROW(center_columns(none), ContractError);
  Dataset weightless = one_row({1, 2});
  weightless.weights = {0};
  EXPECT_THROW(center_columns(weightless), ContractError);
  Dataset infinite = one_row({1, 1e300});
  infinite.row_scale = {1e10};
  EXPECT_THROW(center_columns(infinite), DataError);
}

}  // namespace
}  // namespace asynprox
