#include "asynprox/data/readers/csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/readers/csv_start.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

struct Parsed {
  std::vector<Vector> rows;  // dense
  Vector labels;
  std::vector<std::string> feature_names;
  std::vector<std::string> label_names;
  bool operator==(const Parsed&) const = default;
};

Parsed parse(std::string_view text, const CsvOptions& options = {}) {
  const TemporaryFolder folder;
  InputStream stream(folder.write("file", text));
  CsvSamples csv = read_csv(stream, options);
  Parsed parsed{{}, csv.samples.labels, csv.feature_names, csv.label_names};
  const std::size_t d = csv.samples.num_columns;
  const Rows rows = std::move(csv.samples.rows).build(d);
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    parsed.rows.emplace_back(d, 0);
    for (const auto& [column, value] : rows.row(i)) parsed.rows.back()[column] = value;
  }
  return parsed;
}

// The message, without the folder.
std::string error_of(std::string_view text, const CsvOptions& options = {}) {
  try {
    parse(text, options);
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::size_t file = message.find("/file");
    return file == std::string::npos ? message : message.substr(file + 1);
  }
  return "no error";
}

const std::vector<CsvOptions>& speeds() {
  static const std::vector<CsvOptions> all = {
      {.threads = 1, .block_bytes = 1},  {.threads = 3, .block_bytes = 1},
      {.threads = 1, .block_bytes = 64}, {.threads = 2, .block_bytes = 100},
      {.threads = 8, .block_bytes = 33}, {.threads = 0}};
  return all;
}

std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// A table, and one of the many ways to write it: cells in quotes or not, LF or CRLF, blank lines.
struct Table {
  Parsed parsed;
  std::string text;
};

Table random_table(std::uint64_t seed, char separator, int num_rows) {
  const Random random(seed);
  std::uint64_t draw = 0;
  const auto chance = [&](std::uint64_t one_in) { return random.index_at(draw++, one_in) == 0; };
  const auto line_end = [&] {
    return std::string(chance(3) ? "\r\n" : "\n") + (chance(8) ? "\n" : "");
  };
  Table table{{{}, {}, {"a", "two\nlines", "\"said\" she", ""}, {"\"", "no", "yes, please\n"}}, ""};
  for (const std::string& name : table.parsed.feature_names)
    table.text += in_quotes(name) + separator;
  table.text += "label" + line_end();
  for (int i = 0; i < num_rows; ++i) {
    Vector row;
    for (int j = 0; j < 4; ++j) {
      const double whole = static_cast<double>(random.index_at(draw++, 300));
      row.push_back(chance(2) ? whole : random.uniform_at(draw++) - 0.5);
      const std::string number = fmt::format("{}", row.back());
      table.text += chance(4) ? in_quotes(number) : chance(4) ? "  " + number + " " : number;
      table.text += separator;
    }
    table.parsed.rows.push_back(row);
    table.parsed.labels.push_back(static_cast<double>(random.index_at(draw++, 3)));
    table.text +=
        in_quotes(table.parsed.label_names[static_cast<std::size_t>(table.parsed.labels.back())]) +
        line_end();
  }
  return table;
}

TEST(Csv, GivesBackATableHoweverItIsWrittenAndRead) {
  for (const char separator : {',', ';', '\t'})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Table table = random_table(seed, separator, 40);
      for (const CsvOptions& options : speeds()) {
        EXPECT_EQ(parse(table.text, options), table.parsed) << table.text;
        EXPECT_EQ(parse("\xef\xbb\xbf" + table.text, options), table.parsed);
      }
    }
}

TEST(Csv, ReportsTheFirstProblemWhateverTheThreadsAndBlocks) {
  std::string text = "a,b,c,label\n";
  for (int i = 0; i < 60; ++i)
    text += i == 40   ? "1,2,,yes\n"
            : i == 41 ? "1,2\n"
            : i == 50 ? "1,\"2,3,yes\n"
                      : fmt::format("1,{},3,\"y\nes\"\n", i);
  for (const CsvOptions& options : speeds())
    EXPECT_EQ(error_of(text, options), "file:82:3: expected a number, got ''");
}

TEST(Csv, IsWorkedByHand) {
  EXPECT_EQ(parse("x,y,kind\n1,0,cat\n-2.5e1,+3,ant\n"),
            (Parsed{{{1, 0}, {-25, 3}}, {1, 0}, {"x", "y"}, {"ant", "cat"}}));
  EXPECT_EQ(parse("1,2,0\n3,4,1"), (Parsed{{{1, 2}, {3, 4}}, {0, 1}, {}, {}}));
}

TEST(Csv, TakesTheLabelFromAnyColumn) {
  const std::string text = "y;a;3\n1;2;3\n4;5;6\n";
  const Parsed first{{{2, 3}, {5, 6}}, {1, 4}, {"a", "3"}, {}};
  EXPECT_EQ(parse(text, {.label_column = "y"}), first);
  EXPECT_EQ(parse(text, {.label_column = "1"}), first);
  EXPECT_EQ(parse(text, {.label_column = "2"}).labels, (Vector{2, 5}));
  EXPECT_EQ(parse(text, {.label_column = "3"}), parse(text));
  EXPECT_EQ(parse(text, {.label_column = "none"}),
            (Parsed{{{1, 2, 3}, {4, 5, 6}}, {0, 0}, {"y", "a", "3"}, {}}));
  EXPECT_EQ(error_of(text, {.label_column = "4"}),
            "--label-column: expected the name of a column, a number from 1 to 3, or none, got "
            "'4'");
  EXPECT_EQ(error_of("label,b\n1,2\n", {.label_column = "labl"}),
            "--label-column: expected the name of a column, a number from 1 to 2, or none, got "
            "'labl' (did you mean 'label'?)");
  EXPECT_EQ(error_of("1,2\n", {.label_column = "0"}),
            "--label-column: expected a number from 1 to 2, or none, got '0'");
}

TEST(Csv, FindsAHeaderByACellThatIsNoNumberWhereTheNextIs) {
  EXPECT_EQ(parse("0,1,y\n5,6,7\n").feature_names, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(parse("a,b,c\n5,6,x\n").feature_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(parse("1,2,x\n5,6,y\n").labels, (Vector{0, 1}));
  EXPECT_EQ(parse("1,2,x\n5,6,7\n", {.header = CsvHeader::no}).label_names,
            (std::vector<std::string>{"7", "x"}));
  EXPECT_EQ(parse("1,2,3\n5,6,7\n", {.header = CsvHeader::yes}).labels, (Vector{7}));
  // A sample that lacks a value is no header.
  for (const char* missing : {"", "NA", "nan", "?", "NULL"})
    EXPECT_EQ(error_of(fmt::format("{},2,3\n5,6,7\n", missing)),
              fmt::format("file:1:1: expected a {}number, got '{}'",
                          std::string_view(missing) == "nan" ? "finite " : "", missing));
}

TEST(Csv, KeepsLabelsThatTurnOutToBeTextAsTheyAreSpelt) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += fmt::format("1,{}\n", i < 99 ? "1.0" : "1+");
  for (const CsvOptions& options : speeds()) {
    const Parsed parsed = parse(text, options);
    EXPECT_EQ(parsed.label_names, (std::vector<std::string>{"1+", "1.0"}));
    EXPECT_EQ(parsed.labels.front(), 1);
    EXPECT_EQ(parsed.labels.back(), 0);
  }
}

TEST(Csv, TakesAnyNumberOfNumbersForLabelsButNotOfText) {
  std::string text;
  for (std::size_t i = 0; i <= kTextLabelsMax; ++i) text += fmt::format("1,{}\n", i);
  const std::string block_sized = "1,0.5\n";
  for (const CsvOptions& options :
       {CsvOptions{.threads = 2, .block_bytes = 1000}, CsvOptions{.threads = 1}}) {
    EXPECT_EQ(parse(text, options).labels.back(), static_cast<double>(kTextLabelsMax));
    EXPECT_EQ(error_of(text + "1,x\n2,y\n", options),
              "file:10002:2: expected a number, or at most 10000 different labels, got 'x'");
  }
}

TEST(Csv, RefusesWhatItCannotRead) {
  EXPECT_EQ(error_of("1,2,3\n1,2\n"), "file:2:2: expected 3 cells, got 2");
  EXPECT_EQ(error_of("1,2,3\n1,2,3,4,5\n"), "file:2:5: expected 3 cells, got 5");
  EXPECT_EQ(error_of("1,2,3\n1,x,3\n"), "file:2:2: expected a number, got 'x'");
  EXPECT_EQ(error_of("1,2,3\n1,1e999,3\n"), "file:2:2: expected a finite number, got '1e999'");
  EXPECT_EQ(error_of("1,2,3\n1,2,\n"), "file:2:3: expected a label, got ''");
  EXPECT_EQ(error_of("1,2,3\n1,2,inf\n"), "file:2:3: expected a finite label, got 'inf'");
  EXPECT_EQ(error_of("1,2,3\n1,5\"2,3\n"),
            "file:2:2: expected quotes around all of a cell, got '5\"2,3'");
  EXPECT_EQ(error_of("1,2,3\n1,\"5\"2,3\n"),
            "file:2:2: expected the cell to end with its closing quote (one within is doubled), "
            "got '2,3'");
  EXPECT_EQ(error_of("1,2,3\n1,\"5,3\n"),
            "file:2:2: expected a closing quote before the end of the file, got '5,3'");
  EXPECT_EQ(error_of("1\n2\n"), "file:1:1: expected at least 2 cells, features and a label, got 1");
  EXPECT_EQ(error_of(""), "file: expected samples, got none in 0 lines");
  EXPECT_EQ(error_of("a,b\n", {.header = CsvHeader::yes}),
            "file: expected samples after the header, got none in 1 line");
  EXPECT_EQ(error_of("age,kind\n\n"),
            "file: expected samples after the header, got none in 2 lines");
}

TEST(Csv, TakesASampleWithoutASecondForASample) {
  EXPECT_EQ(parse("1,2,cat\n").rows, (std::vector<Vector>{{1, 2}}));
  EXPECT_EQ(error_of("1,age,cat\n"), "file:1:2: expected a number, got 'age'");
  EXPECT_EQ(error_of("NA,2,cat\n"), "file:1:1: expected a number, got 'NA'");
}

TEST(Csv, RefusesTextThatIsNotUtf8) {
  for (const CsvOptions& options : speeds()) {
    EXPECT_EQ(error_of("1,cat\n2,caf\xc3\xa9\n3,cat\n4,caf\xe9\n", options),
              "file:4:2: expected a label in UTF-8, got 'caf\\xe9'");
    EXPECT_EQ(error_of("1,caf\xe9\n", options),
              "file:1:2: expected a label in UTF-8, got 'caf\\xe9'");
  }
  EXPECT_EQ(error_of("a,\xe9t\xe9,kind\n1,2,cat\n"),
            "file:1:2: expected a name in UTF-8, got '\\xe9t\\xe9'");
  EXPECT_EQ(parse("a,\xc3\xa9t\xc3\xa9,kind\n1,2,cat\n").feature_names.at(1), "\xc3\xa9t\xc3\xa9");
}

TEST(Csv, HasTextForLabelsIfToldSoWhateverTheyAre) {
  for (CsvOptions options : speeds()) {
    options.text_labels = true;
    const Parsed parsed = parse("1,01\n1,1\n1,1.0\n1,1\n", options);
    EXPECT_EQ(parsed.label_names, (std::vector<std::string>{"01", "1", "1.0"}));
    EXPECT_EQ(parsed.labels, (Vector{0, 1, 2, 1}));
  }
}

// Label numbers of one block are not those of another: what counts is the spelling.
TEST(Csv, HasTextForLabelsInEveryBlockIfToldSo) {
  const TemporaryFolder folder;
  InputStream stream(folder.write("file", "1,01\n1,1\n1,1.0\n1,cat\n"));
  std::vector<std::string> spellings;
  read_csv_blocks(stream, {.text_labels = true, .threads = 2, .block_bytes = 1},
                  [&](const CsvSamples& block) {
                    for (const double label : block.samples.labels)
                      spellings.push_back(block.label_names.at(static_cast<std::size_t>(label)));
                  });
  EXPECT_EQ(spellings, (std::vector<std::string>{"01", "1", "1.0", "cat"}));
}

TEST(Csv, WithoutAHeaderHasItsLabelsWhereTheyUsuallyAre) {
  const auto column_of = [](std::string_view text, const CsvOptions& options) {
    const TemporaryFolder folder;
    InputStream stream(folder.write("file", text));
    return read_csv(stream, options).label_column;
  };
  const std::string text = "7,5,6\n8,6,5\n";
  EXPECT_EQ(parse(text, {.label_column_usual = "1"}).labels, (Vector{7, 8}));
  EXPECT_EQ(parse(text, {.label_column_usual = "none"}).rows.at(0), (Vector{7, 5, 6}));
  // What is said comes first.
  EXPECT_EQ(parse(text, {.label_column = "2", .label_column_usual = "1"}).labels, (Vector{5, 6}));
  // A header tells nothing to whoever does not know what the columns are called.
  EXPECT_EQ(parse("a,b,c\n" + text, {.label_column_usual = "1"}).labels, (Vector{7, 8}));
  EXPECT_EQ(error_of(text, {.label_column_usual = "4"}),
            "file:1:3: expected at least 4 cells, the last of them the label as in the model's "
            "data, got 3");
  EXPECT_EQ(column_of(text, {}), "");
  EXPECT_EQ(column_of(text, {.label_column = "3"}), "");
  EXPECT_EQ(column_of(text, {.label_column = "none"}), "none");
  EXPECT_EQ(column_of("a,b,c\n" + text, {.label_column = "b"}), "2");
  EXPECT_EQ(column_of(text, {.label_column_usual = "1"}), "1");
}

TEST(Csv, ReportsAProblemBeforeTheDamageThatFollowsIt) {
  const TemporaryFolder folder;
  const auto error_when_cut = [&](const std::string& text, const CsvOptions& options) {
    const std::string packed = compressed(text, "gzip");
    InputStream stream(folder.write("cut", packed.substr(0, packed.size() / 2)));
    try {
      read_csv(stream, options);
    } catch (const DataError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  std::string text = random_table(3, ',', 3000).text;
  for (const CsvOptions& options : {CsvOptions{.threads = 1, .block_bytes = 50},
                                    CsvOptions{.threads = 4, .block_bytes = 5000}, CsvOptions{}})
    EXPECT_TRUE(error_when_cut(text, options)
                    .ends_with("cut: cannot be unpacked, damaged or cut short (truncated gzip "
                               "input)"))
        << error_when_cut(text, options);
  text = "1,2\n1,2,3\n" + text;
  for (const CsvOptions& options : speeds())
    EXPECT_TRUE(error_when_cut(text, options).ends_with("cut:2:3: expected 2 cells, got 3"));
}

TEST(CsvDetection, LooksAtTheFirstLineThatCounts) {
  for (const char* text : {"1,2,3\n", "a;b\n", "\n1\t2\n", "\"a b:c\",2\n", "a 1b:2,3\n", "1, 2"})
    EXPECT_TRUE(looks_like_csv(text)) << text;
  for (const char* text : {"1 1:2\n", "1\t1:2\t3:4\n", "1,2 3:4\n", "# a,b\n1 2:3\n", "1\t\r\n", "",
                           "+1\n", "1 2 3\n"})
    EXPECT_FALSE(looks_like_csv(text)) << text;
}

TEST(CsvDetection, BelievesTheName) {
  for (const char* name : {"a.csv", "a.CSV.gz", "x/a.tsv.zst", "a.csv.xz", "a.csv.bz2"})
    EXPECT_TRUE(is_csv_name(name)) << name;
  for (const char* name : {"a", "a.csv.svm", "csv", "a.gz"})
    EXPECT_FALSE(is_csv_name(name)) << name;
}

TEST(CsvDetection, TakesATabThenASemicolonThenAComma) {
  EXPECT_EQ(csv_separator("a,b;c\td\n"), '\t');
  EXPECT_EQ(csv_separator("a,b;c\n\t"), ';');
  EXPECT_EQ(csv_separator("\n\"a;\tb\",c\n"), ',');
}

const std::vector<std::string> kWanted = {"a", "b", "c"};

TEST(Csv, GivesColumnsInTheOrderThatIsWanted) {
  const Parsed expected{{{1, 0, 3}, {4, 5, 6}}, {1, 0}, kWanted, {"ant", "cat"}};
  for (CsvOptions options : speeds()) {
    options.label_column_name = "kind";
    options.feature_names = kWanted;
    EXPECT_EQ(parse("a,b,c,kind\n1,0,3,cat\n4,5,6,ant\n", options), expected);
    EXPECT_EQ(parse("kind,c,a,b\ncat,3,1,0\nant,6,4,5\n", options), expected);
    // Columns that are not wanted may hold anything.
    EXPECT_EQ(parse("id,c,kind,b,a\n\"x,y\",3,cat,0,1\n,6,ant,5,4\n", options), expected);
    EXPECT_EQ(parse("id,a,b,c,kind\nx,1,0,3,cat\ny,4,5,6,ant\n", options), expected);
  }
  const CsvOptions wide{.label_column_name = "y", .feature_names = kWanted};
  EXPECT_EQ(error_of("c,y,x\n1,2,3\n", wide),
            "file: expected the model's 3 features, got no column 'a', 'b'");
  EXPECT_EQ(error_of("b,a,x,c\n1,2,3,4\n", wide),
            "file: expected the labels in the column 'y', as in the model's data, got no column of "
            "that name (--label-column chooses another)");
  EXPECT_EQ(error_of("b,a,y,c\n1,2,3,x\n", wide), "file:2:4: expected a number, got 'x'");
}

TEST(Csv, KnowsAHeaderOfNumbersByTheNamesThatAreWanted) {
  const CsvOptions options{
      .label_column_name = "y", .feature_names = {"2020", "2021"}, .labels_optional = true};
  EXPECT_EQ(parse("2021,2020\n1,2\n", options).rows, (std::vector<Vector>{{2, 1}}));
  EXPECT_EQ(parse("2021,2022,9\n1,2,9\n", options).rows.size(), 2U);
}

TEST(Csv, NamesTheColumnsThatAreIgnored) {
  const TemporaryFolder folder;
  InputStream stream(folder.write("file", "id,c,y,b,a,note\n1,2,3,4,5,6\n"));
  const CsvSamples csv = read_csv(stream, {.label_column_name = "y", .feature_names = kWanted});
  EXPECT_EQ(csv.columns_ignored, (std::vector<std::string>{"id", "note"}));
  EXPECT_EQ(csv.label_column, "3");
  EXPECT_EQ(csv.label_column_name, "y");
}

TEST(Csv, NeedsNoLabelsWhereTheyAreOptional) {
  const CsvOptions options{
      .label_column_name = "y", .feature_names = kWanted, .labels_optional = true};
  const Parsed expected{{{1, 2, 3}}, {0}, kWanted, {}};
  EXPECT_EQ(parse("c,b,a\n3,2,1\n", options), expected);
  EXPECT_EQ(parse("c,y,b,a\n3,,2,1\n", options), expected);
  EXPECT_EQ(parse("1,2,3,?\n", {.labels_optional = true}).rows, (std::vector<Vector>{{1, 2, 3}}));
}

// Of a model that does not know what its labels were called.
TEST(Csv, FindsLabelsThatHaveNoKnownName) {
  const auto labels_of = [](std::string_view text, std::string usual) {
    return parse(text, {.label_column_usual = std::move(usual), .feature_names = kWanted}).labels;
  };
  EXPECT_EQ(labels_of("a,b,c,y\n1,2,3,7\n", ""), (Vector{7}));
  EXPECT_EQ(labels_of("a,y,b,c\n1,7,2,3\n", "2"), (Vector{7}));
  EXPECT_EQ(labels_of("a,y,b,c\n1,7,2,3\n", ""), (Vector{7}));
  EXPECT_EQ(labels_of("x,a,y,b,c\n0,1,7,2,3\n", "3"), (Vector{7}));
  EXPECT_EQ(labels_of("c,b,a\n1,2,3\n", "none"), (Vector{0}));
  EXPECT_EQ(error_of("x,a,y,b,c\n0,1,7,2,3\n", {.feature_names = kWanted}),
            "file: the model does not say which column the labels are: expected one that is no "
            "feature of the model, got none or several (--label-column chooses)");
}

}  // namespace
}  // namespace asynprox
