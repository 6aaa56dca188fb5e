#include <gtest/gtest.h>

#include "asynprox/base/random.h"
#include "asynprox/linalg/rows.h"
#include "asynprox/linalg/simd.h"

namespace asynprox {
namespace {

constexpr std::size_t kRows = 40, kColumns = 9;

CsrMatrix some_matrix() {
  const Random random(31);
  std::uint64_t draw = 0;
  CsrMatrix matrix{.num_columns = kColumns};
  for (std::size_t i = 0; i < kRows; ++i) {
    for (Key j = 0; j < kColumns; ++j) {
      if (random.uniform_at(draw++) < 0.5) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(random.uniform_at(draw++) - 0.5);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return matrix;
}

Vector some_numbers(std::size_t size, std::uint64_t seed) {
  Vector numbers(size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = Random(seed).uniform_at(i) - 0.5;
  return numbers;
}

// Numbers of outputs that need every way of putting vectors together.
TEST(RowsOfOutputs, GiveTheSumsOfTheirDefinitionToTheBitAtEveryLevelOfVectorInstructions) {
  const std::string level_before(simd_level());
  const CsrMatrix matrix = some_matrix();
  const Rows rows = Rows::narrowed(matrix);
  const std::vector<SampleIndex> samples = {3, 0, 39, 3, 17};
  for (const std::string& level : simd_levels()) {
    set_simd_level(level);
    for (const std::size_t C : {2, 3, 4, 5, 7, 8, 10, 15, 16, 17, 31, 40}) {
      SCOPED_TRACE(testing::Message() << level << ", " << C << " outputs");
      const Vector x = some_numbers(kColumns * C, 1), c = some_numbers(samples.size() * C, 2);
      Vector u(samples.size() * C, 7), g = some_numbers(kColumns * C, 3);
      Vector expected_u(u.size(), 0), expected_g = g;
      for (std::size_t i = 0; i < samples.size(); ++i)
        for (const auto& [column, value] : rows.row(samples[i]))
          for (std::size_t output = 0; output < C; ++output) {
            expected_u[i * C + output] += value * x[column * C + output];
            expected_g[column * C + output] += value * c[i * C + output];
          }
      rows.dots_of_outputs(samples, x, C, u);
      rows.scatter_of_outputs(samples, c, C, g);
      EXPECT_EQ(u, expected_u);
      EXPECT_EQ(g, expected_g);
    }
  }
  set_simd_level(level_before);
}

}  // namespace
}  // namespace asynprox
