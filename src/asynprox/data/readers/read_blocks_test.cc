#include "asynprox/data/readers/read_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/binary/binary_file.h"
#include "asynprox/data/row_slice.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

std::string label_of(const Dataset& data, std::size_t i) {
  return data.label_names.empty() ? std::to_string(data.labels[i])
                                  : data.label_names[static_cast<std::size_t>(data.labels[i])];
}

// Blocks, one after another, are the data set. Returns how many there were.
std::size_t expect_same_samples(const std::string& path, const ReadOptions& options = {}) {
  const Dataset whole = read_dataset(path, options);
  std::size_t blocks = 0, sample = 0;
  for_each_block(path, options, [&](const Dataset& block) {
    ++blocks;
    EXPECT_EQ(block.name, whole.name);
    EXPECT_LE(block.dimension(), whole.dimension());
    if (block.labels.size() != block.num_samples()) FAIL() << "one label a sample";
    for (std::size_t i = 0; i < block.num_samples(); ++i, ++sample) {
      ASSERT_EQ(block.rows.row(i), whole.rows.row(sample)) << sample;
      ASSERT_EQ(label_of(block, i), label_of(whole, sample)) << sample;
      if (!whole.weights.empty()) {
        ASSERT_EQ(block.weights.at(i), whole.weights[sample]);
      }
      if (!whole.row_scale.empty()) {
        ASSERT_EQ(block.row_scale.at(i), whole.row_scale[sample]);
      }
    }
  });
  EXPECT_EQ(sample, whole.num_samples());
  return blocks;
}

std::string large_libsvm(std::size_t num_lines) {
  const Random random(1);
  std::string text;
  for (std::size_t i = 0; i < num_lines; ++i)
    text += std::to_string(random.index_at(3 * i, 5)) + " " +
            std::to_string(1 + random.index_at(3 * i + 1, 20)) + ":0.5 " +
            std::to_string(30 + random.index_at(3 * i + 2, 1 + i)) + ":-1e-3\n";
  return text;
}

std::string large_csv(std::size_t num_lines) {
  const Random random(2);
  std::string text = "a,kind,\"b\n\"\n";
  for (std::size_t i = 0; i < num_lines; ++i)
    text += std::to_string(random.index_at(2 * i, 9)) +
            (random.index_at(2 * i + 1, 2) == 0 ? ",\"an\nant\"," : ",cat,") + std::to_string(i) +
            "\n";
  return text;
}

TEST(ForEachBlock, GivesTheSamplesOfLibsvmTextInTheirOrder) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x", large_libsvm(60'000));
  EXPECT_GT(expect_same_samples(path), 3U);
  EXPECT_GT(expect_same_samples(path, {.dimension = 70'000, .threads = 1}), 3U);
  EXPECT_GT(expect_same_samples(path, {.zero_based = true, .threads = 3}), 3U);
}

TEST(ForEachBlock, GivesTheSamplesOfCsvInTheirOrderAndFeatureNamesOnce) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x", large_csv(60'000));
  EXPECT_GT(expect_same_samples(path, {.label_column = "kind"}), 2U);
  EXPECT_GT(expect_same_samples(path, {.label_column = "kind", .threads = 1}), 2U);
  std::vector<std::vector<std::string>> names;
  for_each_block(path, {.label_column = "kind"},
                 [&](const Dataset& block) { names.push_back(block.feature_names); });
  EXPECT_EQ(names.at(0), (std::vector<std::string>{"a", "b\n"}));
  EXPECT_TRUE(names.at(1).empty());
}

TEST(ForEachBlock, GivesTheSamplesOfGeneratedData) {
  EXPECT_GT(expect_same_samples("generate:sparse-logistic:n=3000,d=40,nonzeros=5"), 2U);
}

TEST(ForEachBlock, GivesTheSamplesOfTheBinaryFormWithWeightsAndScales) {
  const TemporaryFolder folder;
  Dataset data = read_dataset("generate:sparse-logistic:n=40000,d=40,nonzeros=5");
  for (std::size_t i = 0; i < data.num_samples(); ++i)
    data.weights.push_back(static_cast<double>(1 + i % 7));
  normalize_rows(data);
  write_binary_file(data, folder.path("x.axp"));
  EXPECT_EQ(expect_same_samples(folder.path("x.axp")), 3U);
}

TEST(ForEachBlock, SaysWhatIsWrongWhereAReaderOfAllWouldAfterTheBlocksBefore) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x", large_libsvm(60'000) + "1 2:x\n");
  std::size_t samples = 0;
  try {
    for_each_block(path, {}, [&](const Dataset& block) { samples += block.num_samples(); });
    FAIL() << "read";
  } catch (const DataError& error) {
    EXPECT_EQ(error.what(), path + ":60001:3: expected <column>:<value>, got '2:x'");
  }
  EXPECT_GT(samples, 30'000U);
  EXPECT_THROW(for_each_block(folder.write("y", "# none\n"), {}, [](const Dataset&) {}), DataError);
  EXPECT_THROW(for_each_block(folder.write("y.csv", "a,b\n"), {}, [](const Dataset&) {}),
               DataError);
  EXPECT_THROW(for_each_block(folder.path("absent"), {}, [](const Dataset&) {}), DataError);
}

struct Shape {
  std::size_t columns = 0;
  double value = 1;  // of every other entry; the rest are 1
  std::size_t entries_max = 0;
  bool equal_lengths = false;
};

Rows rows_of(const Shape& shape) {
  const Random random(5);
  std::uint64_t draw = 0;
  CsrMatrix matrix{.num_columns = shape.columns};
  for (std::size_t i = 0; i < 23; ++i) {
    std::uint64_t count = std::min(shape.entries_max, shape.columns / 2);
    if (!shape.equal_lengths) count = random.index_at(draw++, count + 1);
    for (std::size_t e = 0; e < count; ++e) {
      matrix.columns.push_back(static_cast<Key>(2 * e + random.index_at(draw++, 2)));
      matrix.values.push_back(e % 2 == 0 ? shape.value : 1);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return Rows::narrowed(matrix);
}

double sum_of_row(const Rows& rows, std::size_t row) {
  const auto sample = static_cast<SampleIndex>(row);
  double sum = 0;
  rows.dots({&sample, 1}, Vector(rows.num_columns(), 1), {&sum, 1});
  return sum;
}

void expect_slice(const Rows& rows, std::size_t first, std::size_t last) {
  const Rows slice = row_slice(rows, first, last);
  ASSERT_EQ(slice.num_rows(), last - first);
  for (std::size_t i = first; i < last; ++i) {
    EXPECT_EQ(slice.row(i - first), rows.row(i)) << rows.form();
    EXPECT_EQ(sum_of_row(slice, i - first), sum_of_row(rows, i)) << rows.form();
  }
}

TEST(RowSlice, HasTheRowsOfEveryForm) {
  std::set<std::string> forms;
  for (const std::size_t columns : {20, 3000, 100'000})
    for (const double value : {1.0, 3.0, 0.5, 0.1})
      for (const std::size_t entries_max : {3, 40})
        for (const bool equal_lengths : {false, true}) {
          const Rows rows = rows_of({columns, value, entries_max, equal_lengths});
          forms.emplace(rows.form());
          expect_slice(rows, 0, 23);
          expect_slice(rows, 0, 0);
          expect_slice(rows, 7, 8);
          expect_slice(rows, 5, 23);
        }
  EXPECT_GE(forms.size(), 8U) << "16 and 32 bits; ones, bytes, floats and doubles";
}

}  // namespace
}  // namespace asynprox
