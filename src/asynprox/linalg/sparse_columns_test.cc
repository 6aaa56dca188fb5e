#include "asynprox/linalg/sparse_columns.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/linalg/column_kernels.h"
#include "asynprox/linalg/simd.h"

namespace asynprox {
namespace {

// Row i has column j with a chance of 1 / (1 + j), so that columns differ in length.
CsrMatrix random_matrix(std::size_t num_rows, std::size_t num_columns) {
  const Random random(3);
  CsrMatrix matrix{.num_columns = num_columns};
  std::uint64_t counter = 0;
  for (std::size_t i = 0; i < num_rows; ++i) {
    for (Key j = 0; j < num_columns; ++j) {
      if (random.uniform_at(counter++) * static_cast<double>(1 + j) > 1) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(2 * random.uniform_at(counter++) - 1);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

// By walking the rows, for every form of these.
TEST(SparseColumns, HaveTheScaledEntriesOfTheirColumns) {
  const CsrMatrix matrix = random_matrix(70, 9);
  CsrMatrix ones = matrix;
  ones.values.assign(ones.values.size(), 1);
  Vector row_scale(70), column_scale(9);
  for (std::size_t i = 0; i < row_scale.size(); ++i)
    row_scale[i] = 1 + 0.1 * static_cast<double>(i);
  for (std::size_t j = 0; j < column_scale.size(); ++j)
    column_scale[j] = 2.0 / static_cast<double>(1 + j);
  const std::vector<Key> wanted = {0, 3, 4, 8};
  for (const Rows& rows : {Rows::plain(matrix), Rows::narrowed(matrix), Rows::narrowed(ones)})
    for (const bool scaled : {false, true}) {
      const std::vector<std::uint32_t> lengths = column_lengths(rows);
      const SparseColumns columns = scaled
                                        ? columns_of(rows, wanted, lengths, row_scale, column_scale)
                                        : columns_of(rows, wanted, lengths);
      ASSERT_EQ(columns.size(), wanted.size());
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        std::uint64_t at = columns.offsets[k];
        for (std::size_t i = 0; i < rows.num_rows(); ++i)
          for (const auto& [column, value] : rows.row(i)) {
            if (column != wanted[k]) continue;
            ASSERT_LT(at, columns.offsets[k + 1]);
            EXPECT_EQ(columns.rows[at], i);
            const double unit = scaled ? row_scale[i] * column_scale[column] : 1;
            EXPECT_FLOAT_EQ(columns.values[at], static_cast<float>(value * unit));
            ++at;
          }
        EXPECT_EQ(at, columns.offsets[k + 1]) << rows.form();
      }
      EXPECT_EQ(columns.values.size(), columns.offsets.back() + SparseColumns::read_beyond);
    }
}

TEST(SparseColumns, OfNoColumnsAreNone) {
  const Rows rows = Rows::narrowed(random_matrix(5, 3));
  const SparseColumns columns = columns_of(rows, {}, column_lengths(rows));
  EXPECT_EQ(columns.size(), 0U);
  EXPECT_EQ(columns.offsets.back(), 0U);
}

struct Column {
  std::vector<std::uint32_t> rows;
  std::vector<float> values, v;
  ColumnSpan span(std::size_t length) const { return {rows.data(), values.data(), length}; }
};

Column random_column(std::size_t length) {
  const Random random(5);
  Column column;
  for (std::size_t e = 0; e < length + SparseColumns::read_beyond; ++e) {
    column.rows.push_back(
        static_cast<std::uint32_t>(e < length ? 2 * e + random.index_at(e, 2) : 0));
    column.values.push_back(static_cast<float>(random.uniform_at(e) - 0.5));
    column.v.push_back(static_cast<float>(random.uniform_at(1'000'000 + e)));
    column.v.push_back(static_cast<float>(random.uniform_at(2'000'000 + e)));
  }
  return column;
}

// The formulas of column_kernels.h in doubles, and at every level the same bits.
TEST(ColumnKernels, FollowTheirFormulasAndGiveTheSameBitsAtEveryLevel) {
  const std::string level(simd_level());
  for (const std::size_t length : {0, 1, 3, 4, 15, 16, 17, 33, 100, 5000}) {
    const Column column = random_column(length);
    const ColumnSpan span = column.span(length);
    double expected_dot = 0, expected_squares = 0;
    for (std::size_t e = 0; e < length; ++e) {
      const double product =
          static_cast<double>(column.values[e]) * static_cast<double>(column.v[column.rows[e]]);
      expected_dot += product;
      expected_squares += product * product;
    }
    std::vector<double> dots, squares;
    std::vector<std::vector<float>> sums, scaled;
    for (const std::string& tried : simd_levels()) {
      set_simd_level(tried);
      const ColumnKernels kernels = column_kernels();
      dots.push_back(kernels.dot(span, column.v.data()));
      EXPECT_NEAR(dots.back(), expected_dot, 1e-5 * (1 + std::sqrt(static_cast<double>(length))));
      EXPECT_EQ(dots.back(), dots.front()) << tried << ", length " << length;
      kernels.add(0.3F, span, sums.emplace_back(column.v).data());
      for (std::size_t e = 0; e < length; ++e)
        EXPECT_FLOAT_EQ(sums.back()[column.rows[e]],
                        column.v[column.rows[e]] + 0.3F * column.values[e]);
      EXPECT_EQ(sums.back(), sums.front()) << tried << ", length " << length;
      scaled.emplace_back(length + 1, 7.0F);
      squares.push_back(kernels.scale(span, column.v.data(), scaled.back().data()));
      EXPECT_NEAR(squares.back(), expected_squares, 1e-5 * (1 + expected_squares));
      EXPECT_EQ(squares.back(), squares.front()) << tried << ", length " << length;
      for (std::size_t e = 0; e < length; ++e)
        EXPECT_EQ(scaled.back()[e], column.values[e] * column.v[column.rows[e]]);
      EXPECT_EQ(scaled.back()[length], 7.0F) << "written beyond the column";
      EXPECT_EQ(scaled.back(), scaled.front()) << tried << ", length " << length;
    }
  }
  set_simd_level(level);
}

}  // namespace
}  // namespace asynprox
