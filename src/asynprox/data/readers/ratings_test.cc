#include "asynprox/data/readers/ratings.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

using Names = std::vector<std::string>;
using Row = std::vector<RowEntry>;

Dataset read(std::string_view text, const RatingsOptions& options = {}) {
  const TemporaryFolder folder;
  return read_ratings(folder.write("file", text), options);
}

std::string error_of(std::string_view text) {
  try {
    read(text);
  } catch (const DataError& error) {
    return std::filesystem::path(error.what()).filename().string();
  }
  return "no error";
}

TEST(Ratings, AreRowsOfTwoOnes) {
  const Dataset data = read("196\t242\t3\t881250949\n186\t302\t2.5\t891717742\n196\t302\t1\t0\n");
  EXPECT_EQ(data.labels, (Vector{3, 2.5, 1}));
  EXPECT_EQ(data.ratings, (RatingsShape{2, 2}));
  EXPECT_EQ(data.feature_names, (Names{"user:196", "user:186", "item:242", "item:302"}));
  EXPECT_EQ(data.dimension(), 4);
  EXPECT_EQ(data.rows.row(0), (Row{{0, 1}, {2, 1}}));
  EXPECT_EQ(data.rows.row(1), (Row{{1, 1}, {3, 1}}));
  EXPECT_EQ(data.rows.row(2), (Row{{0, 1}, {3, 1}}));
}

TEST(Ratings, ComeInTabsOrCommasWithOrWithoutHeaderPlainOrPacked) {
  const std::string tabs = "Ann\tJaws\t4\nBob\tJaws\t2";
  const Dataset plain = read(tabs);
  for (const std::string& text :
       {std::string("user\titem\trating\n") + tabs, std::string("Ann,Jaws,4\r\n\r\nBob,Jaws,2\r\n"),
        "\xef\xbb\xbf" + tabs,
        std::string("who,what,rating,time\nAnn, Jaws ,4,7\n\"Bob\",\"Jaws\",2,8\n"),
        compressed(tabs, "xz")}) {
    const Dataset data = read(text);
    EXPECT_EQ(data.labels, (Vector{4, 2}));
    EXPECT_EQ(data.feature_names, plain.feature_names);
    EXPECT_EQ(data.rows.row(1), plain.rows.row(1));
  }
}

TEST(Ratings, KeepNamesOfAnySpelling) {
  const Dataset data = read("\"O'Hara, \"\"Jr\"\"\",a b,1\nuser:1,\xc3\xa9t\xc3\xa9,2\n");
  EXPECT_EQ(data.feature_names,
            (Names{"user:O'Hara, \"Jr\"", "user:user:1", "item:a b", "item:\xc3\xa9t\xc3\xa9"}));
}

// A user "1" and an item "1" are two things, and so are "1" and "01".
TEST(Ratings, NumberUsersAndItemsApart) {
  const Dataset data = read("1\t1\t5\n01\t1\t4\n");
  EXPECT_EQ(data.ratings, (RatingsShape{2, 1}));
}

TEST(Ratings, AreReadIntoTheColumnsOfAModel) {
  const Dataset known = read("a\tx\t1\nb\ty\t2\n");
  const Dataset data = read("b\tx\t3\nc\ty\t4\na\tz\t5\nc\tz\t6\n",
                            {.feature_names = known.feature_names, .shape = *known.ratings});
  EXPECT_EQ(data.feature_names, known.feature_names);
  EXPECT_EQ(data.ratings, known.ratings);
  EXPECT_EQ(data.dimension(), 4);
  EXPECT_EQ(data.rows.row(0), (Row{{1, 1}, {2, 1}}));
  EXPECT_EQ(data.rows.row(1), (Row{{3, 1}}));
  EXPECT_EQ(data.rows.row(2), (Row{{0, 1}}));
  EXPECT_TRUE(data.rows.row(3).empty());
  EXPECT_THROW(read("a\tx\t1\n", {.feature_names = {"user:a"}, .shape = {1, 1}}), ContractError);
  EXPECT_THROW(read("a\tx\t1\n", {.feature_names = {"a", "item:x"}, .shape = {1, 1}}),
               ContractError);
}

TEST(Ratings, MayBeLeftOutWhereTheyAreNotNeeded) {
  const Dataset data = read("a\tx\nb\tx\t2\n", {.rating_optional = true});
  EXPECT_EQ(data.labels, (Vector{0, 2}));
  EXPECT_THROW(read("a\n", {.rating_optional = true}), DataError);
  EXPECT_THROW(read("a\tx\n"), DataError);
}

TEST(Ratings, SayWhatIsWrongAndWhere) {
  EXPECT_EQ(error_of("1\t2\t3\n1\t2\n"),
            "file:2:1: expected user, item, rating and maybe a time between tabs, got 2 fields");
  EXPECT_EQ(error_of("1 2 3\n"),
            "file:1:1: expected user, item, rating and maybe a time between commas or tabs, got 1 "
            "field");
  EXPECT_EQ(error_of("1\t2\t3\n1\t22\tgood\n"),
            "file:2:3: expected a rating, a finite number, got 'good'");
  EXPECT_EQ(error_of("1,2,3\n1,2,nan\n"),
            "file:2:3: expected a rating, a finite number, got 'nan'");
  EXPECT_EQ(error_of("1,2,1e999\n"), "file:1:3: expected a rating, a finite number, got '1e999'");
  EXPECT_EQ(error_of("a,b,1\n1,,3\n"), "file:2:2: expected an item, got nothing");
  EXPECT_EQ(error_of("a,b,1\n,2,3\n"), "file:2:1: expected a user, got nothing");
  EXPECT_EQ(error_of("a,b,1\na,\"b,1\n"),
            "file:2:2: expected a closing quote on the same line, got '\"b,1'");
  EXPECT_EQ(error_of("a,b,1\n\"a\"c,b,1\n"),
            "file:2:1: expected a comma behind the quotes, got 'c,b,1'");
  EXPECT_EQ(error_of("\"O'Hara, Jr\",a,1\n\"O'Hara, Jr\",a,good\n"),
            "file:2:3: expected a rating, a finite number, got 'good'");
  EXPECT_EQ(error_of("Ann,caf\xe9,1\n"), "file:1:2: expected an item in UTF-8, got 'caf\\xe9'");
  EXPECT_EQ(error_of(""), "file: expected ratings, got none");
  EXPECT_EQ(error_of("user,item,rating\n"), "file: expected ratings, got none");
}

}  // namespace
}  // namespace asynprox
