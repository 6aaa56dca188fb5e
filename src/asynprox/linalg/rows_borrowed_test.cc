// Rows in memory of someone else's: what is checked when they are borrowed, and what when walked.
#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/rows.h"

namespace asynprox {
namespace {

using U64 = std::uint64_t;

// Arrays that a caller owns, with what describes them.
struct OwnArrays {
  std::vector<U64> offsets = {};
  std::vector<std::uint16_t> columns = {};
  std::vector<std::uint8_t> values = {};
  RowArrays description = {};

  Rows rows() const {
    RowArrays arrays = description;
    arrays.offsets = std::as_bytes(std::span(offsets));
    arrays.columns = std::as_bytes(std::span(columns));
    arrays.values = std::as_bytes(std::span(values));
    return Rows::borrowed(arrays, nullptr);
  }
};

//   z_0 = (2, 0, 3)   z_1 = (0, 0, 0)   z_2 = (0, 1, 0)
OwnArrays compressed() {
  return {.offsets = {0, 2, 2, 3},
          .columns = {0, 2, 1},
          .values = {2, 3, 1},
          .description = {
              .value_type = ValueType::u8, .num_rows = 3, .num_columns = 3, .num_nonzeros = 3}};
}

OwnArrays blocks() {
  OwnArrays own{
      .offsets = {0, 16, 16, 32},
      .columns = std::vector<std::uint16_t>(32, 2),
      .values = std::vector<std::uint8_t>(32, 0),
      .description = {
          .value_type = ValueType::u8, .num_rows = 3, .num_columns = 3, .num_nonzeros = 3}};
  own.description.layout = RowLayout::blocks;
  own.columns[0] = 0;
  std::fill(own.columns.begin() + 16, own.columns.end(), 1);
  own.values[0] = 2;
  own.values[1] = 3;
  own.values[16] = 1;
  return own;
}

//   z_0 = (1, 0, 1)   z_1 = (0, 0, 0)   z_2 = (0, 1, 0)
OwnArrays slots() {
  return {.columns = {0, 2, 3, 4, 1, 3},
          .description = {.layout = RowLayout::slots,
                          .num_rows = 3,
                          .num_columns = 3,
                          .num_nonzeros = 3,
                          .slots = 2}};
}

TEST(BorrowedRows, AreWorkedByHandInEveryLayout) {
  const std::vector<SampleIndex> samples = {0, 1, 2, 0};
  for (const OwnArrays& own : {compressed(), blocks(), slots()}) {
    const Rows rows = own.rows();
    const bool ones = own.values.empty();
    Vector u(4, -1), g(3, 0);
    KeySet keys(3);
    rows.check_entries();
    rows.dots(samples, Vector{1, 10, 100}, u);
    rows.scatter(samples, Vector{1, 1, 5, 10}, g);
    rows.add_keys(samples, keys);
    EXPECT_EQ(u, (ones ? Vector{101, 0, 10, 101} : Vector{302, 0, 10, 302}));
    EXPECT_EQ(g, (ones ? Vector{11, 5, 11} : Vector{22, 5, 33}));
    EXPECT_EQ(rows.squared_norms(), (ones ? Vector{2, 0, 1} : Vector{13, 0, 1}));
    EXPECT_TRUE(std::ranges::equal(keys.keys(), std::vector<Key>{0, 2, 1}));
    EXPECT_EQ(rows.row(0), (ones ? std::vector<RowEntry>{{0, 1}, {2, 1}}
                                 : std::vector<RowEntry>{{0, 2}, {2, 3}}));
    EXPECT_TRUE(rows.row(1).empty());
    EXPECT_EQ(rows.bytes(), 8 * own.offsets.size() + 2 * own.columns.size() + own.values.size());
  }
}

TEST(BorrowedRows, AreTheArraysThatWereGivenAndKeepTheirOwner) {
  auto own = std::make_shared<OwnArrays>(compressed());
  const std::weak_ptr<OwnArrays> watched = own;
  {
    const OwnArrays& arrays = *own;
    const RowArrays given = arrays.rows().arrays();
    EXPECT_EQ(given.columns.data(), std::as_bytes(std::span(arrays.columns)).data());
    const Rows rows = Rows::borrowed(given, std::move(own));
    EXPECT_FALSE(watched.expired());
    const Rows copy = Rows::borrowed(rows.arrays(), nullptr);
    EXPECT_EQ(copy.row(0), rows.row(0));
  }
  EXPECT_TRUE(watched.expired());
}

TEST(BorrowedRows, RefuseSizesThatDoNotFit) {
  const auto refuses = [](OwnArrays own, auto spoil) {
    spoil(own);
    EXPECT_THROW(own.rows(), ContractError);
  };
  for (const OwnArrays& own : {compressed(), blocks(), slots()}) {
    refuses(own, [](OwnArrays& o) { o.columns.pop_back(); });
    refuses(own, [](OwnArrays& o) { o.values.push_back(1); });
    refuses(own, [](OwnArrays& o) { o.offsets.push_back(3); });
    refuses(own, [](OwnArrays& o) { ++o.description.num_rows; });
    refuses(own, [](OwnArrays& o) { ++o.description.slots; });
    refuses(own, [](OwnArrays& o) { o.description.num_columns = 65537; });
    refuses(own, [](OwnArrays& o) { o.description.value_type = ValueType::f32; });
    refuses(own, [](OwnArrays& o) { o.description.num_rows = U64{1} << 62; });
  }
  refuses(blocks(), [](OwnArrays& o) { o.description.num_nonzeros = 33; });
  refuses(slots(), [](OwnArrays& o) { o.description.num_nonzeros = 7; });
  refuses(slots(), [](OwnArrays& o) { o.description.num_columns = kFilledColumnsMax + 1; });
  refuses(slots(), [](OwnArrays& o) {
    o.description.value_type = ValueType::u8;
    o.values.assign(6, 1);
  });
  refuses(blocks(), [](OwnArrays& o) {
    o.description.value_type = ValueType::ones;
    o.values.clear();
  });
}

TEST(BorrowedRows, RefuseFormsThatNoKernelIsFor) {
  const auto refuses = [](OwnArrays own, auto spoil) {
    spoil(own.description);
    EXPECT_THROW(own.rows(), ContractError);
  };
  refuses(compressed(), [](RowArrays& a) { a.offset_type = OffsetType::u32; });
  refuses(compressed(), [](RowArrays& a) { a.column_type = ColumnType::u64; });
  refuses(blocks(), [](RowArrays& a) { a.column_type = ColumnType::u64; });
  refuses(slots(), [](RowArrays& a) { a.layout = RowLayout::dense; });
  const Vector values(6, 1);
  RowArrays dense{.layout = RowLayout::dense,
                  .value_type = ValueType::f64,
                  .num_rows = 2,
                  .num_columns = 4,
                  .num_nonzeros = 6,
                  .slots = 3,
                  .values = std::as_bytes(std::span(values))};
  EXPECT_EQ(Rows::borrowed(dense, nullptr).row(1).size(), 3u);
  const auto refuses_dense = [&](auto spoil) {
    RowArrays arrays = dense;
    spoil(arrays);
    EXPECT_THROW(Rows::borrowed(arrays, nullptr), ContractError);
  };
  refuses_dense([](RowArrays& a) { a.num_columns = 2; });
  refuses_dense([](RowArrays& a) { a.num_nonzeros = 5; });
  refuses_dense([](RowArrays& a) { a.num_rows = 3; });
  refuses_dense([](RowArrays& a) { a.columns = a.values; });
  refuses_dense([](RowArrays& a) { a.value_type = ValueType::u8; });
}

TEST(BorrowedRows, RefuseArraysThatAreNotAligned) {
  const OwnArrays own = compressed();
  RowArrays arrays = own.rows().arrays();
  const std::vector<std::uint16_t> longer(5, 0);
  arrays.columns = std::as_bytes(std::span(longer)).subspan(1, 6);
  EXPECT_THROW(Rows::borrowed(arrays, nullptr), ContractError);
}

TEST(BorrowedRows, TellWhichRowIsNotARow) {
  const auto finds = [](OwnArrays own, const std::string& what, auto spoil) {
    spoil(own);
    try {
      own.rows().check_entries();
      FAIL() << "no error, expected one with " << what;
    } catch (const DataError& error) {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  finds(compressed(), "first offset", [](OwnArrays& o) { o.offsets[0] = 1; });
  finds(compressed(), "last offset", [](OwnArrays& o) { o.offsets[3] = 2; });
  finds(compressed(), "row 0", [](OwnArrays& o) { o.offsets[1] = 9; });
  finds(compressed(), "row 1", [](OwnArrays& o) { o.offsets[2] = 1; });
  finds(compressed(), "row 0", [](OwnArrays& o) { o.columns[1] = 0; });
  finds(compressed(), "row 2", [](OwnArrays& o) { o.columns[2] = 3; });
  finds(blocks(), "whole blocks", [](OwnArrays& o) { o.offsets[1] = 15; });
  finds(blocks(), "without entries", [](OwnArrays& o) {
    o.offsets[1] = o.offsets[2] = 0;
    o.columns.assign(32, 1);
    o.values.assign(32, 0);
  });
  finds(blocks(), "not filled up", [](OwnArrays& o) { o.values[31] = 7; });
  finds(blocks(), "do not rise", [](OwnArrays& o) { o.columns[1] = 0; });
  finds(blocks(), "entries in all", [](OwnArrays& o) { o.description.num_nonzeros = 4; });
  finds(slots(), "do not rise", [](OwnArrays& o) { o.columns[1] = 0; });
  finds(slots(), "beyond", [](OwnArrays& o) { o.columns = {3, 2, 3, 4, 1, 3}; });
  finds(slots(), "not filled up", [](OwnArrays& o) { o.columns[5] = 9; });
  finds(slots(), "not filled up", [](OwnArrays& o) { o.columns[3] = 3; });
}

}  // namespace
}  // namespace asynprox
