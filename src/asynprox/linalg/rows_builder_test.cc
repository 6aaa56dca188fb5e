#include "asynprox/linalg/rows_builder.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"

namespace asynprox {
namespace {

// A block of `num_rows` rows of up to `length_max` entries, whose values are those of `value`.
CsrMatrix block(std::size_t num_rows, std::size_t length_max, Key columns_apart, double value,
                std::uint64_t seed) {
  CsrMatrix matrix;
  const Random random(seed);
  for (std::size_t i = 0; i < num_rows; ++i) {
    const std::size_t length = random.index_at(i, length_max + 1);
    for (std::size_t e = 0; e < length; ++e) {
      matrix.columns.push_back(static_cast<Key>(e) * columns_apart);
      matrix.values.push_back(value);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

std::vector<std::vector<RowEntry>> entries_of(const Rows& rows) {
  std::vector<std::vector<RowEntry>> all;
  for (std::size_t i = 0; i < rows.num_rows(); ++i) all.push_back(rows.row(i));
  return all;
}

std::vector<std::vector<RowEntry>> entries_of(const std::vector<CsrMatrix>& blocks) {
  std::vector<std::vector<RowEntry>> all;
  for (const CsrMatrix& block : blocks)
    for (std::size_t i = 0; i + 1 < block.offsets.size(); ++i) {
      all.emplace_back();
      for (std::size_t e = block.offsets[i]; e < block.offsets[i + 1]; ++e)
        all.back().push_back({block.columns[e], block.values[e]});
    }
  return all;
}

// Blocks that ask for wider types one after the other, small ones and one that is sealed at once.
std::vector<CsrMatrix> widening_blocks() {
  return {block(9, 5, 1, 1, 1),     block(0, 5, 1, 1, 2),         block(30000, 20, 1, 1, 3),
          block(50, 40, 1, 200, 4), block(30000, 20, 1, 0.5, 5),  block(5, 3, 40000, 1, 6),
          block(9, 30, 1, 0.1, 7),  block(30000, 20, 9, 1e300, 8)};
}

TEST(RowsBuilder, GivesBackWhatItWasGivenHoweverItHadToWiden) {
  const std::vector<CsrMatrix> all = widening_blocks();
  for (std::size_t count = 0; count <= all.size(); ++count) {
    const std::vector<CsrMatrix> blocks(all.begin(), all.begin() + count);
    RowsBuilder builder;
    for (const CsrMatrix& more : blocks) builder.add(more);
    const Rows rows = std::move(builder).build(200000);
    rows.check_entries();
    EXPECT_EQ(rows.num_columns(), 200000u);
    EXPECT_EQ(entries_of(rows), entries_of(blocks)) << count << " blocks";
  }
}

TEST(RowsBuilder, TakesOverWhatOthersHaveCollected) {
  const std::vector<CsrMatrix> all = widening_blocks();
  RowsBuilder at_once, together;
  for (const CsrMatrix& more : all) {
    at_once.add(more);
    RowsBuilder other;
    other.add(more);
    together.add(std::move(other));
  }
  EXPECT_EQ(together.num_rows(), at_once.num_rows());
  EXPECT_EQ(together.num_nonzeros(), at_once.num_nonzeros());
  EXPECT_EQ(together.num_columns(), at_once.num_columns());
  const Rows rows = std::move(together).build(200000);
  EXPECT_EQ(rows.form(), std::move(at_once).build(200000).form());
  rows.check_entries();
  EXPECT_EQ(entries_of(rows), entries_of(all));
}

TEST(RowsBuilder, CountsWhatItHolds) {
  RowsBuilder builder;
  builder.add(CsrMatrix{.offsets = {0, 2, 2}, .columns = {0, 7}, .values = {1, 1}});
  EXPECT_EQ(builder.num_rows(), 2u);
  EXPECT_EQ(builder.num_nonzeros(), 2u);
  EXPECT_EQ(builder.num_columns(), 8u);
}

TEST(RowsBuilder, RefusesColumnsBeyondTheLastAndFormsThatAreTooNarrow) {
  const auto with = [](const CsrMatrix& matrix) {
    RowsBuilder builder;
    builder.add(matrix);
    return builder;
  };
  const CsrMatrix two = {.offsets = {0, 2, 3}, .columns = {0, 7, 1}, .values = {1, 0.5, 1}};
  EXPECT_THROW(with(two).build(7), ContractError);
  EXPECT_NO_THROW(with(two).build(8));
  EXPECT_THROW(with(two).build_as(8, {.value_type = ValueType::u8}), ContractError);
  EXPECT_THROW(with(two).build_as(70000, {.column_type = ColumnType::u16}), ContractError);
  EXPECT_THROW(with(two).build_as(8, {.layout = RowLayout::slots}), ContractError);
  const CsrMatrix ones = {.offsets = {0, 1}, .columns = {0}, .values = {1}};
  EXPECT_THROW(with(ones).build_as(8, {.layout = RowLayout::blocks, .value_type = ValueType::ones}),
               ContractError);
}

RowLayout layout_of(const CsrMatrix& matrix, std::size_t num_columns) {
  RowsBuilder builder;
  builder.add(matrix);
  return std::move(builder).build(num_columns).arrays().layout;
}

CsrMatrix rows_of_lengths(const std::vector<std::size_t>& lengths, double value) {
  CsrMatrix matrix;
  for (const std::size_t length : lengths) {
    for (std::size_t e = 0; e < length; ++e) matrix.columns.push_back(static_cast<Key>(e));
    matrix.offsets.push_back(matrix.columns.size());
  }
  matrix.values.assign(matrix.columns.size(), value);
  return matrix;
}

TEST(RowsBuilder, LaysOutRowsByTheirLengths) {
  EXPECT_EQ(layout_of(rows_of_lengths({14, 13, 14, 11}, 1), 123), RowLayout::slots);
  EXPECT_EQ(layout_of(rows_of_lengths({14, 13, 14, 11}, 1), 513), RowLayout::compressed);
  EXPECT_EQ(layout_of(rows_of_lengths({14, 13, 14, 11}, 2), 123), RowLayout::compressed);
  EXPECT_EQ(layout_of(rows_of_lengths({14, 1, 2, 3}, 1), 123), RowLayout::compressed);
  EXPECT_EQ(layout_of(rows_of_lengths({5, 5, 5}, 0.1), 100000), RowLayout::slots);
  EXPECT_EQ(layout_of(rows_of_lengths({150, 40, 90}, 7), 784), RowLayout::compressed);
  EXPECT_EQ(layout_of(rows_of_lengths({150, 40, 90}, 1), 784), RowLayout::compressed);
  EXPECT_EQ(layout_of(rows_of_lengths({}, 1), 0), RowLayout::compressed);
}

}  // namespace
}  // namespace asynprox
