#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

std::string error_of(const std::string& path, const ReadOptions& options = {}) {
  try {
    read_dataset(path, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReadDataset, ReadsLibsvmTextWhateverTheNameAndCompression) {
  const TemporaryFolder folder;
  for (const char* filter : kFilters) {
    const Dataset data = read_dataset(folder.write("x.dat", compressed("1 2:1\n2 1:1\n", filter)));
    EXPECT_EQ(data.name, folder.path("x.dat"));
    EXPECT_EQ(data.labels, (Vector{1, 2}));
    EXPECT_EQ(data.rows.row(0), (std::vector<RowEntry>{{1, 1}}));
    EXPECT_EQ(data.rows.form(), "16-bit columns, all ones");
  }
}

TEST(ReadDataset, WidensToTheDimensionAskedFor) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x", "1 5:1\n");
  EXPECT_EQ(read_dataset(path).dimension(), 5u);
  EXPECT_EQ(read_dataset(path, {.dimension = 7}).dimension(), 7u);
  EXPECT_EQ(read_dataset(path, {.dimension = 5}).dimension(), 5u);
  EXPECT_EQ(read_dataset(path, {.zero_based = true}).dimension(), 6u);
  EXPECT_EQ(error_of(path, {.dimension = 4}),
            path + ": expected at most 4 columns (--dimension), got 5");
}

TEST(ReadDataset, ReadsCsvWhateverTheNameAndCompression) {
  const TemporaryFolder folder;
  for (const char* filter : kFilters) {
    const std::string path =
        folder.write("x.dat", compressed("a,b,kind\n1,0,cat\n0,2,ant\n", filter));
    const Dataset data = read_dataset(path, {.dimension = 3});
    EXPECT_EQ(data.labels, (Vector{1, 0}));
    EXPECT_EQ(data.label_names, (std::vector<std::string>{"ant", "cat"}));
    EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a", "b", ""}));
    EXPECT_EQ(data.rows.row(1), (std::vector<RowEntry>{{1, 2}}));
  }
  // By its name alone: without a separator no text looks like CSV.
  EXPECT_EQ(error_of(folder.write("x.csv", "1\n")),
            folder.path("x.csv") + ":1:1: expected at least 2 cells, features and a label, got 1");
}

TEST(ReadDataset, RefusesOptionsThatAreForOtherData) {
  const TemporaryFolder folder;
  const std::string csv = folder.write("x", "1,2\n"), libsvm = folder.write("y", "1 1:2\n");
  EXPECT_EQ(error_of(csv, {.zero_based = true}), csv + ": --zero-based is for LIBSVM text");
  EXPECT_EQ(error_of(libsvm, {.label_column = "1"}), libsvm + ": --label-column is for CSV");
  EXPECT_EQ(error_of(libsvm, {.header = CsvHeader::no}), libsvm + ": --header is for CSV");
  EXPECT_EQ(error_of("generate:nn-pca:n=2,d=2", {.labels_path = "z"}),
            "generate:nn-pca:n=2,d=2: --labels is for IDX pictures; here the labels stand with the "
            "samples");
}

TEST(ReadDataset, Generates) {
  const Dataset data = read_dataset("generate:sparse-logistic:n=20,d=30,nonzeros=3,seed=7");
  EXPECT_EQ(data.num_samples(), 20u);
  EXPECT_EQ(data.dimension(), 30u);
  EXPECT_EQ(data.name, "generate:sparse-logistic:n=20,d=30,nonzeros=3,seed=7");
  EXPECT_EQ(error_of("generate:nn-pcs"),
            "no generated data set 'nn-pcs' (did you mean 'nn-pca'?); there are: groups, "
            "lasso, nn-pca, poisson, ratings, sparse-logistic");
}

TEST(ReadDataset, SaysWhatIsNotThere) {
  EXPECT_EQ(error_of("no/such/file"),
            "no/such/file: no such file (a generated data set is written generate:SPEC, for "
            "example generate:sparse-logistic)");
}

// Whatever bytes a file holds, the reader gives a data set or a DataError that names the file.
void expect_handled(const TemporaryFolder& folder, const std::string& name,
                    const std::string& bytes) {
  const std::string path = folder.write(name, bytes);
  try {
    const Dataset data = read_dataset(path, {.threads = 2});
    EXPECT_EQ(data.labels.size(), data.num_samples());
  } catch (const DataError& error) {
    EXPECT_NE(std::string_view(error.what()).find(folder.path("")), std::string_view::npos)
        << error.what();
  }
}

void mutate(const std::string& name, const std::string& bytes, const TemporaryFolder& folder) {
  const Random random(11);
  std::uint64_t draw = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    expect_handled(folder, name, bytes.substr(0, at));
    for (const int flips : {1, 1, 4}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(random.at(draw++) & 0xff);
      for (int flip = 1; flip < flips; ++flip) {
        const std::size_t place = random.index_at(draw++, bytes.size());
        damaged[place] = static_cast<char>(random.at(draw++) & 0xff);
      }
      expect_handled(folder, name, damaged);
    }
    constexpr std::string_view kTokens[] = {" ", ":",     "\n", "#",  "-",
                                            ",", "1e999", "0",  "\"", "9999999999"};
    expect_handled(folder, name,
                   std::string(bytes).insert(at, kTokens[random.index_at(draw++, 10)]));
  }
}

TEST(ReadDataset, SurvivesDamagedText) {
  const TemporaryFolder folder;
  const std::string text = "+1 1:0.5 3:2 # a\n-1 2:1e-3 7:255\r\n\n2 1:1 2:1 65537:4\n";
  mutate("text", text, folder);
  for (const char* filter : kFilters) mutate("packed", compressed(text, filter), folder);
}

TEST(ReadDataset, SurvivesDamagedCsv) {
  const TemporaryFolder folder;
  const std::string text = "a,\"b\"\"\n\",kind\r\n1,2.5,\"x\"\n\n\" 3\",4,y\n";
  mutate("text.csv", text, folder);
  mutate("text", text, folder);
  mutate("packed", compressed(text, "zstd"), folder);
}

TEST(ReadDataset, SurvivesDamagedPictures) {
  const TemporaryFolder folder;
  const std::string images("\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03\0\1\2\0\0\3\4\0\0\0\0\5",
                           28);
  const std::string labels("\0\0\x08\x01\0\0\0\x02\x07\x09", 10);
  folder.write("a-labels", labels);
  mutate("a-images", images, folder);
  folder.write("b-labels", labels);
  for (std::size_t at = 0; at < labels.size(); ++at) {
    std::string damaged = labels;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    folder.write("b-labels", damaged);
    expect_handled(folder, "b-images", images);
  }
}

}  // namespace
}  // namespace asynprox
