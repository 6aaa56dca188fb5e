#include "asynprox/data/borrow.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/binary_file.h"
#include "asynprox/data/fingerprint.h"
#include "asynprox/data/repack.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

//   z_0 = (2, 0, 3)   z_1 = (0, 0, 0)   z_2 = (0, 1, 0)
template <class Index, class Value>
struct Arrays {
  std::vector<Index> offsets = {0, 2, 2, 3};
  std::vector<Index> columns = {0, 2, 1};
  std::vector<Value> values = {2, 3, 1};
  Vector labels = {1, 0, 1};

  BorrowedCsr csr() const {
    return {.num_columns = 3,
            .offsets = std::span<const Index>(offsets),
            .columns = std::span<const Index>(columns),
            .values = std::span<const Value>(values)};
  }
  Dataset borrow() const { return borrow_csr(csr(), labels); }
};

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

const std::vector<std::vector<RowEntry>>& rows_expected() {
  static const std::vector<std::vector<RowEntry>> rows = {{{0, 2}, {2, 3}}, {}, {{1, 1}}};
  return rows;
}

template <class Index, class Value>
void expect_borrowed() {
  const Arrays<Index, Value> arrays;
  const Dataset data = arrays.borrow();
  EXPECT_EQ(data.labels, arrays.labels);
  EXPECT_EQ(data.dimension(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(data.rows.row(i), rows_expected()[i]);
  // Not copied.
  EXPECT_EQ(data.rows.arrays().values.data(), std::as_bytes(std::span(arrays.values)).data());
  EXPECT_EQ(data.rows.arrays().columns.data(), std::as_bytes(std::span(arrays.columns)).data());
  EXPECT_EQ(data.rows.arrays().offsets.data(), std::as_bytes(std::span(arrays.offsets)).data());
}

TEST(BorrowedCsr, IsTheCallersArraysWhateverTheirTypes) {
  expect_borrowed<std::int32_t, float>();
  expect_borrowed<std::int32_t, double>();
  expect_borrowed<std::int64_t, float>();
  expect_borrowed<std::int64_t, double>();
  expect_borrowed<std::uint32_t, double>();
  expect_borrowed<std::uint64_t, float>();
}

TEST(BorrowedDense, IsTheCallersArray) {
  const std::vector<float> values = {2, 0, 3, 0, 0, 0};
  const Dataset data = borrow_dense(
      {.num_rows = 2, .num_columns = 3, .values = std::span<const float>(values)}, {1, 2});
  EXPECT_EQ(data.rows.form(), "dense, floats");
  EXPECT_EQ(data.rows.row(0), (std::vector<RowEntry>{{0, 2}, {1, 0}, {2, 3}}));
  EXPECT_EQ(data.rows.arrays().values.data(), std::as_bytes(std::span(values)).data());
  EXPECT_EQ(data.rows.squared_norms(), (Vector{13, 0}));
}

TEST(Borrowing, KeepsTheOwner) {
  const auto owner = std::make_shared<Arrays<std::int32_t, double>>();
  const std::weak_ptr<const void> watched = owner;
  {
    const Dataset data = borrow_csr(owner->csr(), owner->labels, owner);
    EXPECT_EQ(owner.use_count(), 2);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(Borrowing, RefusesWhatAreNoRowsAndNamesTheRow) {
  using A = Arrays<std::int64_t, double>;
  const auto error = [](const std::function<void(A&)>& spoil) {
    A arrays;
    spoil(arrays);
    return error_of([&] { arrays.borrow(); });
  };
  EXPECT_EQ(error([](A&) {}), "no error");
  EXPECT_EQ(error([](A& a) { a.columns = {2, 0, 1}; }), "row 0 (from 0): columns do not rise");
  EXPECT_EQ(error([](A& a) { a.columns[2] = 3; }), "row 2 (from 0): a column is beyond the last");
  EXPECT_EQ(error([](A& a) { a.columns[2] = -1; }), "row 2 (from 0): a column is beyond the last");
  // 2^32 + 1 is not 1.
  EXPECT_EQ(error([](A& a) { a.columns[2] = (std::int64_t{1} << 32) + 1; }),
            "row 2 (from 0): a column is beyond the last");
  EXPECT_EQ(error([](A& a) { a.offsets[1] = -1; }),
            "row 0 (from 0): its offset is beyond the next or the last");
  EXPECT_EQ(error([](A& a) { a.offsets[3] = 2; }),
            "rows: the last offset must be the number of entries");
  EXPECT_EQ(error([](A& a) { a.offsets.clear(); }),
            "offsets: expected one per row and one more, got none");
  EXPECT_EQ(error([](A& a) { a.values[2] = std::numeric_limits<double>::infinity(); }),
            "row 2 (from 0): expected finite values, got inf");
  EXPECT_EQ(error([](A& a) { a.values.pop_back(); }),
            "rows: the values are not as many as the layout says");
  EXPECT_EQ(error([](A& a) { a.labels.pop_back(); }), "labels: expected 3, one per row, got 2");
  EXPECT_EQ(error([](A& a) { a.labels[1] = std::numeric_limits<double>::quiet_NaN(); }),
            "labels: expected finite numbers, got nan for row 1 (from 0)");
  const std::vector<double> values = {1, 2, 3};
  EXPECT_EQ(error_of([&] {
              borrow_dense(
                  {.num_rows = 2, .num_columns = 2, .values = std::span<const double>(values)},
                  {1, 2});
            }),
            "rows: the values are not as many as the layout says");
}

TEST(Borrowing, IsWrittenInTheBinaryFormAsItsEntriesAre) {
  const TemporaryFolder folder;
  const Arrays<std::int32_t, float> arrays;
  const std::vector<double> values = {2, 0, 3, 0.1, 0, 0};
  const Dataset dense = borrow_dense(
      {.num_rows = 2, .num_columns = 3, .values = std::span<const double>(values)}, {1, 2});
  for (const Dataset& data : {arrays.borrow(), dense}) {
    EXPECT_FALSE(is_storable(data.rows));
    write_binary_file(data, folder.path("file"));
    EXPECT_NO_THROW(verify_binary_file(folder.path("file")));
    const Dataset again = open_binary_file(folder.path("file"));
    EXPECT_EQ(fingerprint(again), fingerprint(data));
    for (std::size_t i = 0; i < data.num_samples(); ++i)
      EXPECT_EQ(again.rows.row(i), data.rows.row(i));
  }
}

}  // namespace
}  // namespace asynprox
