#include "asynprox/data/readers/match_columns.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

using Names = std::vector<std::string>;

std::string error_of(const Names& wanted, const Names& given) {
  try {
    require_all_columns(match_columns(wanted, given), wanted, "file");
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MatchColumns, FindsNamesInAnyOrderAndIgnoresOthers) {
  const ColumnMatch match = match_columns(Names{"a", "b", "c"}, Names{"c", "x", "a", "b", "y"});
  EXPECT_EQ(match.places, (std::vector<Key>{2, kNoColumn, 0, 1, kNoColumn}));
  EXPECT_EQ(match.ignored, (Names{"x", "y"}));
  EXPECT_TRUE(match.missing.empty());
}

TEST(MatchColumns, TakesColumnsOfTheSameNameInTheirOrder) {
  const ColumnMatch match = match_columns(Names{"a", "b", "a"}, Names{"a", "a", "b", "a"});
  EXPECT_EQ(match.places, (std::vector<Key>{0, 2, 1, kNoColumn}));
  EXPECT_EQ(match.ignored, (Names{"a"}));
}

TEST(MatchColumns, TakesColumnsWithoutANameByTheirNumber) {
  EXPECT_EQ(match_columns(Names{"a", "", "c"}, Names{"", "x", "c"}).places,
            (std::vector<Key>{0, 1, 2}));
  // What is found by its name does not stand for something else.
  const ColumnMatch match = match_columns(Names{"a", "b"}, Names{"", "a"});
  EXPECT_EQ(match.places, (std::vector<Key>{kNoColumn, 0}));
  EXPECT_EQ(match.missing, (std::vector<std::size_t>{1}));
}

TEST(MatchColumns, NamesWhatIsMissing) {
  EXPECT_EQ(error_of({"a", "b", "c"}, {"c", "a", "x"}),
            "file: expected the model's 3 features, got no column 'b'");
  EXPECT_EQ(error_of({"a", "b", "c"}, {}),
            "file: expected the model's 3 features, got no column 'a', 'b', 'c'");
  EXPECT_EQ(error_of({"a", "b", "c", "d", "e", "f", "g"}, {"c"}),
            "file: expected the model's 7 features, got no column 'a', 'b', 'd', 'e', 'f' and 1 "
            "more");
  EXPECT_EQ(error_of({"a", ""}, {"a"}),
            "file: expected the model's 2 features, got no column number 2, which has no name");
  EXPECT_EQ(error_of({"a"}, {"b", "a"}), "no error");
}

TEST(PlacedRows, HaveEveryEntryInItsPlaceAndNoOther) {
  // (3, 4, 5), then (0, 0, 6), then no entries.
  const CsrMatrix matrix{
      .num_columns = 3, .offsets = {0, 3, 4, 4}, .columns = {0, 1, 2, 2}, .values = {3, 4, 5, 6}};
  const Rows rows = placed_rows(Rows::narrowed(matrix), std::vector<Key>{1, kNoColumn, 0}, 4);
  EXPECT_EQ(rows.num_columns(), 4U);
  EXPECT_EQ(rows.num_rows(), 3U);
  const auto row = [&](std::size_t i) {
    Vector dense(4);
    for (const auto& [column, value] : rows.row(i)) dense[column] = value;
    return dense;
  };
  EXPECT_EQ(row(0), (Vector{5, 3, 0, 0}));
  EXPECT_EQ(row(1), (Vector{6, 0, 0, 0}));
  EXPECT_EQ(row(2), (Vector{0, 0, 0, 0}));
}

}  // namespace
}  // namespace asynprox
