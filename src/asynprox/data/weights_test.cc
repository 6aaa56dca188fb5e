#include "asynprox/data/weights.h"

#include <gtest/gtest.h>

#include <functional>

#include "asynprox/base/errors.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Dataset with_labels(Vector labels) {
  CsrMatrix matrix;
  matrix.offsets = std::vector<std::uint64_t>(labels.size() + 1, 0);
  return {.name = "data", .rows = Rows::plain(matrix), .labels = std::move(labels)};
}

TEST(Weights, AreOneForEverySampleAndNotAllZero) {
  Dataset data = with_labels({1, 2, 3});
  set_weights(data, {0, 2.5, 1});
  EXPECT_EQ(data.weights, (Vector{0, 2.5, 1}));
  const auto error = [&](Vector weights) {
    return error_of([&] { set_weights(data, std::move(weights), "w.txt"); });
  };
  EXPECT_EQ(error({1, 2}), "w.txt: expected 3 weights, one for each sample of data, got 2");
  EXPECT_EQ(error({1, -2, 1}), "w.txt: expected weights of at least 0, got -2 for sample 2");
  EXPECT_EQ(error({0, 0, 0}), "w.txt: expected weights with a sum above 0, got 0");
  // What cannot be divided by its mean.
  EXPECT_TRUE(error({1e-320, 1e-320, 0})
                  .starts_with("w.txt: expected weights with a sum of at least 1e-290, got "));
  EXPECT_EQ(data.weights, (Vector{0, 2.5, 1}));
}

TEST(Weights, OfAFileAreRefusedByTheLine) {
  const TemporaryFolder folder;
  const std::string path = folder.write("w", "1\n# a comment\n0\n-0.5\n");
  EXPECT_EQ(error_of([&] { read_weights(path); }),
            path + ":4: expected a number of at least 0, got '-0.5'");
  EXPECT_EQ(read_weights(folder.write("v", "1\n\n0\n")), (Vector{1, 0}));
}

TEST(BalancedClasses, CountTheSameAndAllTogetherAsBefore) {
  Dataset data = with_labels({7, 7, 7, -1, 2, 2});
  weigh_classes(data);
  // n / (C n_c) = 6 / (3 * 3), 6 / (3 * 1), 6 / (3 * 2)
  EXPECT_EQ(data.weights, (Vector{2. / 3, 2. / 3, 2. / 3, 2, 1, 1}));
  // By weights that are there: classes weigh 4 and 2 of 6.
  data = with_labels({0, 0, 1});
  data.weights = {1, 3, 2};
  weigh_classes(data);
  EXPECT_EQ(data.weights, (Vector{0.75, 2.25, 3}));
}

TEST(BalancedClasses, NeedClasses) {
  Vector labels;
  for (int i = 0; i < 1001; ++i) labels.push_back(i);
  Dataset many = with_labels(labels);
  EXPECT_EQ(error_of([&] { weigh_classes(many); }),
            "data: expected classes, got more than 1000 different labels");
  Dataset empty = with_labels({0, 1});
  empty.label_names = {"no", "yes"};
  empty.weights = {1, 0};
  EXPECT_EQ(error_of([&] { weigh_classes(empty); }),
            "data: expected a weight above 0 in each class, got 0 for yes");
  empty.weights = {1, 1e-310};
  EXPECT_TRUE(error_of([&] {
                weigh_classes(empty);
              }).starts_with("data: expected weights of like sizes in each class, got "));
}

}  // namespace
}  // namespace asynprox
