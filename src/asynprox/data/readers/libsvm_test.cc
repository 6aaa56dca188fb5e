#include "asynprox/data/readers/libsvm.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

LabelledRows parse(std::string_view text, const LibsvmOptions& options = {}) {
  const TemporaryFolder folder;
  InputStream stream(folder.write("file", text));
  CollectedRows samples = read_libsvm(stream, options);
  LabelledRows plain{{.num_columns = samples.num_columns}, samples.labels};
  CsrMatrix& matrix = plain.matrix;
  walk_rows(std::move(samples.rows).build(samples.num_columns),
            [&](std::size_t, std::span<const RowEntry> entries) {
              for (const auto& [column, value] : entries) {
                matrix.columns.push_back(column);
                matrix.values.push_back(value);
              }
              matrix.offsets.push_back(matrix.columns.size());
            });
  return plain;
}

// The message, without the folder.
std::string error_of(std::string_view text, const LibsvmOptions& options = {}) {
  try {
    parse(text, options);
  } catch (const DataError& error) {
    return std::filesystem::path(error.what()).filename().string();
  }
  return "no error";
}

void expect_same(const LabelledRows& a, const LabelledRows& b) {
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.matrix.num_columns, b.matrix.num_columns);
  EXPECT_EQ(a.matrix.offsets, b.matrix.offsets);
  EXPECT_EQ(a.matrix.columns, b.matrix.columns);
  EXPECT_EQ(a.matrix.values, b.matrix.values);
}

std::string random_file(int num_lines) {
  const Random random(7);
  std::uint64_t draw = 0;
  std::string text = "# made up\n";
  for (int i = 0; i < num_lines; ++i) {
    text += fmt::format("{}", random.index_at(draw++, 3));
    for (std::uint64_t column = 1; column < 40; column += 1 + random.index_at(draw++, 30))
      text += fmt::format(" {}:{}", column, random.uniform_at(draw++));
    text += i % 7 == 3 ? " # a comment\r\n" : "\n";
  }
  return text;
}

const std::vector<LibsvmOptions>& speeds() {
  static const std::vector<LibsvmOptions> all = {
      {.threads = 1, .block_bytes = 1},  {.threads = 3, .block_bytes = 1},
      {.threads = 1, .block_bytes = 64}, {.threads = 2, .block_bytes = 100},
      {.threads = 8, .block_bytes = 33}, {.threads = 0}};
  return all;
}

TEST(Libsvm, GivesTheSameSamplesWhateverTheThreadsAndBlocks) {
  const std::string text = random_file(100);
  const LabelledRows once = parse(text, {.threads = 1});
  EXPECT_EQ(once.labels.size(), 100u);
  for (const LibsvmOptions& options : speeds()) expect_same(parse(text, options), once);
}

TEST(Libsvm, ReportsTheFirstProblemWhateverTheThreadsAndBlocks) {
  std::vector<std::string> lines;
  for (int i = 0; i < 60; ++i) lines.push_back(fmt::format("1 1:2 {}:4.5", i + 2));
  lines[40] = "1 3=2";
  lines[41] = "nan 1:2";
  lines[59] = "1 0:1";
  const std::string text = fmt::format("{}\n", fmt::join(lines, "\n"));
  for (const LibsvmOptions& options : speeds())
    EXPECT_EQ(error_of(text, options), "file:41:3: expected <column>:<value>, got '3=2'");
}

TEST(Libsvm, ReportsAProblemBeforeTheDamageThatFollowsIt) {
  const TemporaryFolder folder;
  std::string text = random_file(5000);
  const auto error_when_cut = [&](const LibsvmOptions& options) -> std::string {
    const std::string packed = compressed(text, "gzip");
    InputStream stream(folder.write("cut", packed.substr(0, packed.size() / 2)));
    try {
      read_libsvm(stream, options);
    } catch (const DataError& error) {
      return error.what();
    }
    return "no error";
  };
  for (const LibsvmOptions& options : {LibsvmOptions{.threads = 1, .block_bytes = 50},
                                       LibsvmOptions{.threads = 4, .block_bytes = 5000},
                                       {}})
    EXPECT_TRUE(error_when_cut(options).ends_with(
        "cut: cannot be unpacked, damaged or cut short (truncated gzip input)"))
        << error_when_cut(options);
  text.insert(text.find('\n') + 1, "x\n");
  for (const LibsvmOptions& options : speeds())
    EXPECT_TRUE(error_when_cut(options).ends_with("cut:2:1: expected a label, got 'x'"))
        << error_when_cut(options);
}

TEST(Libsvm, IsWorkedByHand) {
  const LabelledRows samples = parse("+1 1:0.5 3:2\n-1\n2.5e0 2:-1\n");
  EXPECT_EQ(samples.labels, (Vector{1, -1, 2.5}));
  EXPECT_EQ(samples.matrix.num_columns, 3u);
  EXPECT_EQ(samples.matrix.offsets, (std::vector<std::uint64_t>{0, 2, 2, 3}));
  EXPECT_EQ(samples.matrix.columns, (std::vector<Key>{0, 2, 1}));
  EXPECT_EQ(samples.matrix.values, (Vector{0.5, 2, -1}));
}

TEST(Libsvm, TakesWhatFilesInTheWildHold) {
  const LabelledRows expected = parse("1 1:2 5:3\n-1 2:4\n");
  for (const std::string text : {
           "1 1:2 5:3\n-1 2:4",        // no last newline
           "1 1:2 5:3\r\n-1 2:4\r\n",  // CRLF
           "1 1:2 5:3\r\n-1 2:4\r",    //
           "\xef\xbb\xbf"
           "1 1:2 5:3\n-1 2:4\n",                                 // byte order mark
           "# head\n\n1 1:2 5:3 # x:y\n  \t\n-1 2:4#z\n\n#tail",  // comments, blank lines
           " +1\t1:2   5:3 \t\n-1  2:+4\t\n",                     // blanks
           "1 1:2 3:0 5:3\n-1 1:-0 2:4 4:0.0\n",                  // explicit zeros are not stored
           "1.0 01:2.000 0005:3e0\n-1 2:.4E1\n",                  // other spellings
       })
    expect_same(parse(text), expected);
}

TEST(Libsvm, CountsAnExplicitZeroAsAColumn) {
  const LabelledRows samples = parse("1 1:2 9:0\n");
  EXPECT_EQ(samples.matrix.num_columns, 9u);
  EXPECT_EQ(samples.matrix.columns, (std::vector<Key>{0}));
}

TEST(Libsvm, CountsColumnsFromZeroIfTold) {
  const LabelledRows samples = parse("1 0:5 2:6\n", {.zero_based = true});
  EXPECT_EQ(samples.matrix.columns, (std::vector<Key>{0, 2}));
  EXPECT_EQ(samples.matrix.num_columns, 3u);
  EXPECT_EQ(error_of("1 -1:5\n", {.zero_based = true}),
            "file:1:3: expected a column of at least 0, got '-1:5'");
}

TEST(Libsvm, TakesALineOfTenMegabytes) {
  std::string text = "1 1:1\n-1";
  std::size_t columns = 0;
  while (text.size() < 10'000'000) text += fmt::format(" {}:1", ++columns);
  for (const std::size_t block_bytes : {std::size_t{1} << 12, std::size_t{1} << 18}) {
    const LabelledRows samples = parse(text + "\n1 2:1\n", {.block_bytes = block_bytes});
    EXPECT_EQ(samples.labels, (Vector{1, -1, 1}));
    EXPECT_EQ(samples.matrix.num_columns, columns);
    EXPECT_EQ(samples.matrix.offsets, (std::vector<std::uint64_t>{0, 1, 1 + columns, 2 + columns}));
  }
}

TEST(Libsvm, TakesColumnsUpToTheLast) {
  EXPECT_EQ(parse("1 2147483647:1\n").matrix.num_columns, 2147483647u);
  EXPECT_EQ(parse("1 2147483647:1\n").matrix.columns.front(), 2147483646u);
}

struct Refusal {
  std::string text;
  std::string message;
};

TEST(Libsvm, RefusesALabelThatIsNone) {
  for (const auto& [text, message] : std::vector<Refusal>{
           {"abc 1:2", "file:1:1: expected a label, got 'abc'"},
           {"1 1:1\n 0x10 1:2", "file:2:2: expected a label, got '0x10'"},
           {"1,2 1:2", "file:1:1: expected a label, got '1,2'"},
           {"nan 1:2", "file:1:1: expected a finite label, got 'nan'"},
           {"-inf 1:2", "file:1:1: expected a finite label, got '-inf'"},
           {"1e999 1:2", "file:1:1: expected a finite label, got '1e999'"},
           {"3:1 4:2", "file:1:1: expected a label, got '3:1' (a line starts with its label)"},
           {"1\r1:2\n",
            "file:1:1: expected a label, got '1\\x0d1:2' (a line starts with its label)"},
           {std::string("1\0 1:2", 6), "file:1:1: expected a label, got '1\\x00'"}})
    EXPECT_EQ(error_of(text), message);
}

TEST(Libsvm, RefusesAFeatureThatIsNone) {
  const std::string expected = "file:1:3: expected <column>:<value>, got ";
  for (const std::string token : {"3=2", "3", "3:", ":2", "3:x", "3:1x", "3:0x10", "3:1:2", "x:2",
                                  "+3:1", "3.0:1", "3:--1", "3:1,2"})
    EXPECT_EQ(error_of("1 " + token + " 4:1\n"), expected + "'" + token + "'");
  EXPECT_EQ(error_of("1 qid:3 1:2\n"), expected + "'qid:3' (queries are for ranking)");
  EXPECT_EQ(error_of(std::string("1 2:3\0\n", 7)), expected + "'2:3\\x00'");
  EXPECT_EQ(error_of("1 1:1 # fine\n-1  1:2 \t 3 :4"),
            "file:2:11: expected <column>:<value>, got '3'");
  EXPECT_EQ(error_of("1 " + std::string(1000, 'x')),
            expected + "'" + std::string(40, 'x') + "...'");
}

TEST(Libsvm, RefusesAValueThatIsNotFinite) {
  for (const std::string token : {"3:nan", "3:inf", "3:-inf", "3:1e999", "3:-1e999"})
    EXPECT_EQ(error_of("1 " + token), "file:1:3: expected a finite value, got '" + token + "'");
}

TEST(Libsvm, RefusesAColumnOutOfRangeOrOrder) {
  for (const auto& [text, message] : std::vector<Refusal>{
           {"1 0:1",
            "file:1:3: expected a column of at least 1, got '0:1' (--zero-based: count from 0)"},
           {"1 -3:1", "file:1:3: expected a column of at least 1, got '-3:1'"},
           {"1 7:1 3:1",
            "file:1:7: expected a column above 7, got '3:1' (columns rise within a line)"},
           {"1 7:1 7:2",
            "file:1:7: expected a column above 7, got '7:2' (columns rise within a line)"},
           {"1 7:0 7:2",
            "file:1:7: expected a column above 7, got '7:2' (columns rise within a line)"}})
    EXPECT_EQ(error_of(text), message);
  for (const std::string column : {"2147483648", "4294967296", "4294967297", "18446744073709551616",
                                   "18446744073709551617", "99999999999999999999999999"})
    EXPECT_EQ(error_of("1 " + column + ":1"),
              "file:1:3: expected a column of at most 2147483647, got '" + column + ":1'");
}

TEST(Libsvm, RefusesAFileWithoutSamples) {
  EXPECT_EQ(error_of(""), "file: expected samples, got none in 0 lines");
  EXPECT_EQ(error_of("\n"), "file: expected samples, got none in 1 line");
  EXPECT_EQ(error_of("# nothing\n\n"), "file: expected samples, got none in 2 lines");
}

}  // namespace
}  // namespace asynprox
