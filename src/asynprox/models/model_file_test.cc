#include "asynprox/models/model_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/temporary_folder_testing.h"
#include "asynprox/losses/all.h"

namespace asynprox {
namespace {

std::vector<std::uint64_t> bits(const Vector& x) {
  std::vector<std::uint64_t> result;
  for (const double x_j : x) result.push_back(std::bit_cast<std::uint64_t>(x_j));
  return result;
}

void expect_same(const FittedModel& a, const FittedModel& b) {
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.regularizer, b.regularizer);
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(bits(a.x), bits(b.x));
  EXPECT_EQ(bits(a.intercept), bits(b.intercept));
  EXPECT_EQ(a.normalize_rows, b.normalize_rows);
  EXPECT_EQ(bits(a.column_scale), bits(b.column_scale));
  EXPECT_EQ(bits(a.center), bits(b.center));
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(bits(a.classes), bits(b.classes));
  EXPECT_EQ(a.label_names, b.label_names);
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.label_column, b.label_column);
  EXPECT_EQ(a.label_column_name, b.label_column_name);
  EXPECT_EQ(a.picture, b.picture);
  EXPECT_EQ(a.version, b.version);
}

FittedModel there_and_back(const FittedModel& model) {
  const TemporaryFolder folder;
  write_model(model, folder.path("model.json"));
  return read_model(folder.path("model.json"));
}

std::string text_of(const FittedModel& model) {
  const TemporaryFolder folder;
  write_model(model, folder.path("model.json"));
  std::ifstream stream(folder.path("model.json"));
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Any finite double: its 64 bits are random, so half of all exponents are tiny.
double any_finite(const Random& random, std::uint64_t& draw) {
  for (;;) {
    const auto value = std::bit_cast<double>(random.at(draw++));
    if (std::isfinite(value)) return value;
  }
}

TEST(ModelFile, GivesEveryDoubleBackBitForBit) {
  const Random random(11);
  std::uint64_t draw = 0;
  using Limits = std::numeric_limits<double>;
  Vector x = {0.0,
              -0.0,
              1e308,
              -1e308,
              Limits::max(),
              Limits::lowest(),
              Limits::min(),
              5e-324,
              -5e-324,
              Limits::min() / 3,
              0.1,
              1e15,
              1e16,
              9007199254740993e3,
              1.8446744073709552e19};
  for (int i = 0; i < 20000; ++i) x.push_back(any_finite(random, draw));
  for (std::uint64_t i = 0; i < 2000; ++i)  // denormals
    x.push_back(std::bit_cast<double>(random.at(draw++) >> (12 + i % 50)));
  expect_same(there_and_back({.loss = "squared", .x = x}), {.loss = "squared", .x = x});
}

TEST(ModelFile, GivesSparseCoefficientsBackBitForBitAtEveryDensity) {
  const Random random(12);
  std::uint64_t draw = 0;
  for (const std::size_t size : {0, 1, 2, 3, 10, 501}) {
    for (const double density : {0.0, 0.01, 0.3, 0.5, 0.6, 1.0}) {
      Vector x(size);
      for (double& x_j : x)
        if (random.uniform_at(draw++) < density) x_j = any_finite(random, draw);
      if (size > 2) x[1] = -0.0;
      expect_same(there_and_back({.loss = "pca", .x = x}), {.loss = "pca", .x = x});
    }
  }
}

TEST(ModelFile, GivesEveryFieldBackForEveryLoss) {
  for_each_member(AllLosses{}, []<class Loss>(std::type_identity<Loss>) {
    FittedModel model{.loss = std::string(Loss::name),
                      .regularizer = R"(weighted-l1:1e-3,weights="my,\file é.txt")",
                      .x = {1, 2},
                      .normalize_rows = true,
                      .center = {0.1, -1e-300},
                      .picture = PictureShape{.height = 1, .width = 2},
                      .version = "0.1.0"};
    if (Loss::labels == Labels::signs)
      model.labels = SignLabelNames{.negative = -0.25, .positive = 7, .one_against_rest = true};
    if (Loss::labels == Labels::classes) {
      model.outputs = 2;
      model.x = {1, 2, 3, 4};
      model.classes = {0.5, -3};
    }
    expect_same(there_and_back(model), model);
    model.intercept = Vector(model.outputs, 1e-310);
    model.column_scale = {5e-324, 0.1};
    model.feature_names = {"a \"b\"\n", "é"};
    expect_same(there_and_back(model), model);
    if (model.labels) model.labels = SignLabelNames{.negative = 1, .positive = 0};
    if (!model.classes.empty()) model.classes = {1, 0};
    model.label_names = {"", "x,y"};
    model.label_column = "12";
    model.label_column_name = "kind, \"é\"";
    expect_same(there_and_back(model), model);
  });
}

TEST(ModelFile, ReadsWhatWasCompressed) {
  const FittedModel model{.loss = "huber:delta=1.5", .x = {1, 2}};
  const std::string text = text_of(model);
  const TemporaryFolder folder;
  for (const char* filter : kFilters)
    expect_same(read_model(folder.write("model", compressed(text, filter))), model);
}

TEST(ModelFile, IsTextThatPeopleCanRead) {
  EXPECT_EQ(text_of({.loss = "logistic",
                     .regularizer = "l1:1e-4",
                     .x = {0, 0, 0.1, 0, -0.0, 0},
                     .labels = SignLabelNames{},
                     .picture = PictureShape{.height = 2, .width = 3},
                     .version = "0.1.0"}),
            R"({
  "format": "asynprox-model",
  "format_version": 3,
  "version": "0.1.0",
  "loss": "logistic",
  "regularizer": "l1:1e-4",
  "normalize_rows": false,
  "labels": {"negative": -1, "positive": 1, "one_against_rest": false},
  "picture": {"height": 2, "width": 3},
  "dimension": 6,
  "x": {"size": 6, "indices": [2, 4], "values": [0.1, -0.0]}
}
)");
}

TEST(ModelFile, HasTheOldestVersionThatHasItsFields) {
  const auto version_of = [](const FittedModel& model) {
    const std::string text = text_of(model), field = "\"format_version\": ";
    return text.substr(text.find(field) + field.size(), 1);
  };
  EXPECT_EQ(version_of({.loss = "pca", .x = {1, 2}}), "3");
  EXPECT_EQ(version_of({.loss = "pca", .x = {1, 2}, .column_scale = {1, 2}}), "3");
  EXPECT_EQ(version_of({.loss = "pca", .x = {1, 2}, .label_column = "none"}), "3");
  EXPECT_EQ(version_of({.loss = "pca", .x = {1, 0, 0}}), "3");
  EXPECT_EQ(version_of({.loss = "pca", .x = {1, 2}, .label_column_name = "kind"}), "4");
}

TEST(ModelFile, HasTheFieldsThatTheModelHasAndThenAVersionOfItsOwn) {
  EXPECT_EQ(text_of({.loss = "multinomial",
                     .outputs = 2,
                     .x = {1, 2, 3, 4, 5, 6},
                     .intercept = {0.5, -0.5},
                     .column_scale = {1, 0.5, 2},
                     .center = {0, 0, 7},
                     .classes = {0, 2},
                     .label_names = {"cat", "dog", "owl"},
                     .feature_names = {"age", "size", "tail"},
                     .label_column = "2",
                     .label_column_name = "kind",
                     .version = "0.1.0"}),
            R"({
  "format": "asynprox-model",
  "format_version": 4,
  "version": "0.1.0",
  "loss": "multinomial",
  "regularizer": "zero",
  "normalize_rows": false,
  "labels": null,
  "picture": null,
  "dimension": 3,
  "outputs": 2,
  "x": {"size": 6, "indices": [0, 1, 2, 3, 4, 5], "values": [1, 2, 3, 4, 5, 6]},
  "intercept": [0.5, -0.5],
  "column_scale": [1, 0.5, 2],
  "center": [0, 0, 7],
  "classes": [0, 2],
  "label_names": ["cat", "dog", "owl"],
  "feature_names": ["age", "size", "tail"],
  "label_column": "2",
  "label_column_name": "kind"
}
)");
}

TEST(ModelFile, HasACenterOnlyWhereTheModelHas) {
  FittedModel model{.loss = "pca", .x = {1, 2, 3}};
  EXPECT_EQ(text_of(model).find("center"), std::string::npos);
  for (const double first : {0.5, 0.0}) {
    model.center = {first, 0, 7};
    EXPECT_NE(text_of(model).find(fmt::format(",\n  \"center\": [{}, 0, 7]\n}}", first)),
              std::string::npos)
        << text_of(model);
    expect_same(there_and_back(model), model);
  }
}

TEST(ModelFile, WritesTheNonzerosHoweverManyThereAre) {
  EXPECT_NE(text_of({.loss = "pca", .x = {0, 0, 1, 2}})
                .find(R"("x": {"size": 4, "indices": [2, 3], "values": [1, 2]})"),
            std::string::npos);
  EXPECT_NE(text_of({.loss = "pca", .x = {1, 2}})
                .find(R"("x": {"size": 2, "indices": [0, 1], "values": [1, 2]})"),
            std::string::npos);
  EXPECT_NE(text_of({.loss = "pca", .x = {0, 0}})
                .find(R"("x": {"size": 2, "indices": [], "values": []})"),
            std::string::npos);
}

// Files that older programs wrote, in each of their layouts.
TEST(ModelFile, ReadsTheLayoutsOfOlderVersions) {
  const TemporaryFolder folder;
  const auto read = [&](int version, std::string_view fields) {
    return read_model(
        folder.write("old.json", fmt::format(R"({{"format": "asynprox-model", "format_version": {},
          "version": "0.1.0", "loss": "pca", "regularizer": "zero", "normalize_rows": false,
          "labels": null, "picture": null, "dimension": 3, {}}})",
                                             version, fields)));
  };
  const Vector x = {0, 2, 0};
  EXPECT_EQ(read(1, R"("x": [0, 2, 0])").x, x);
  EXPECT_EQ(read(1, R"("x": {"indices": [1], "values": [2]})").x, x);
  EXPECT_EQ(read(1, R"("x": [0, 2, 0], "center": {"indices": [1], "values": [2]})").center, x);
  const FittedModel second = read(2, R"("x": [0, 2, 0], "intercept": [0.5],
      "column_scale": [1, 2, 3], "feature_names": ["a", "b", "c"])");
  EXPECT_EQ(second.column_scale, (Vector{1, 2, 3}));
  EXPECT_EQ(second.feature_names, (std::vector<std::string>{"a", "b", "c"}));
  const FittedModel third = read(3, R"("x": {"size": 3, "indices": [1], "values": [2]},
      "center": {"size": 3, "indices": [1], "values": [2]}, "label_column": "2")");
  EXPECT_EQ(third.x, x);
  EXPECT_EQ(third.center, x);
  EXPECT_EQ(third.label_column, "2");
  EXPECT_EQ(third.label_column_name, "");
}

TEST(ModelFile, KeepsAFileNameThatIsNotUtf8Readable) {
  const FittedModel model{.loss = "squared", .regularizer = "group-lasso:1,groups=caf\xe9"};
  EXPECT_EQ(there_and_back(model).regularizer, "group-lasso:1,groups=caf\xef\xbf\xbd");
}

TEST(ModelFile, RefusesToWriteWhatItWouldNotRead) {
  const TemporaryFolder folder;
  const std::string path = folder.path("model.json");
  EXPECT_THROW(write_model({.loss = "pca", .x = {NAN}}, path), ContractError);
  EXPECT_THROW(write_model({.loss = "logistic", .x = {1}}, path), ContractError);
  EXPECT_THROW(write_model({.loss = "pca", .x = {1}, .center = {INFINITY}}, path), ContractError);
  EXPECT_THROW(write_model({.loss = "pca", .x = {1}, .center = {1, 2}}, path), ContractError);
  for (const double scale : {0.0, -0.0, -1.0})
    EXPECT_THROW(write_model({.loss = "pca", .x = {1}, .column_scale = {scale}}, path),
                 ContractError);
  for (const char* column : {"0", "-1", "1.5", "last", "01"})
    EXPECT_THROW(write_model({.loss = "pca", .x = {1}, .label_column = column}, path),
                 ContractError);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(ModelFile, SaysWhereItCannotBeWritten) {
  const TemporaryFolder folder;
  const std::string path = folder.path("absent/model.json");
  try {
    write_model({.loss = "pca", .x = {1}}, path);
    FAIL() << "written";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), path + ": cannot be written: No such file or directory");
  }
}

}  // namespace
}  // namespace asynprox
