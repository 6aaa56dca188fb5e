// The laws of treated columns; what they do to a sum of losses is tested there.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/weights.h"

namespace asynprox {
namespace {

// Each row as often as `copies` says.
Dataset random_data(const std::vector<int>& copies, const Vector& labels) {
  const Random random(3);
  Dataset data = {.name = "test"};
  CsrMatrix matrix = {.num_columns = 3};
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (int copy = 0; copy < copies[i]; ++copy) {
      for (Key j = 0; j < 3; ++j) {
        if (j == 2 && i % 2 == 0) continue;  // a sparse column
        matrix.columns.push_back(j);
        matrix.values.push_back(5 + random.uniform_at(3 * i + j));
      }
      matrix.offsets.push_back(matrix.columns.size());
      data.labels.push_back(labels[i]);
    }
  data.rows = Rows::narrowed(matrix);
  return data;
}

void expect_same_treatment(Dataset a, Dataset b) {
  for (Dataset* data : {&a, &b}) {
    standardize_columns(*data);
    center_columns(*data);
  }
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_NEAR(a.column_scale[j] / b.column_scale[j], 1, 1e-12) << j;
    EXPECT_NEAR(a.center[j] / b.center[j], 1, 1e-12) << j;
  }
}

// f is a mean by the weights, and a sample of weight 2 is in everything the same as two of it.
TEST(TreatedColumns, TakeAWholeWeightForThatManyCopies) {
  const Vector labels = {0, 0, 0, 0, 1};
  Dataset weighted = random_data({1, 1, 1, 1, 1}, labels);
  weighted.weights = {2, 1, 3, 1, 2};
  expect_same_treatment(weighted, random_data({2, 1, 3, 1, 2}, labels));
}

// Class weights are weights: four samples of one class and one of the other, balanced, are as four
// and four.
TEST(TreatedColumns, TakeBalancedClassesForAsManyCopies) {
  const Vector labels = {0, 0, 0, 0, 1};
  Dataset balanced = random_data({1, 1, 1, 1, 1}, labels);
  weigh_classes(balanced);
  expect_same_treatment(balanced, random_data({1, 1, 1, 1, 4}, labels));
  Dataset plain = random_data({1, 1, 1, 1, 1}, labels);
  standardize_columns(plain);
  standardize_columns(balanced);
  EXPECT_GT(std::abs(plain.column_scale[0] / balanced.column_scale[0] - 1), 1e-3);
}

}  // namespace
}  // namespace asynprox
