#include "asynprox/linalg/picked_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/linalg/simd.h"

namespace asynprox {
namespace {

constexpr std::size_t kRows = 9, kStride = 80;

Vector random_numbers(std::size_t count, std::uint64_t seed) {
  const Random random(seed);
  Vector numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = 2 * random.uniform_at(i) - 1;
  return numbers;
}

// By the definition, at every level and every width up to several chunks: the same bits.
TEST(PickedRows, GiveTheSameBitsAsTheirDefinition) {
  const std::vector<Key> rows = {7, 0, 3, 3, 8};
  const Vector factors = random_numbers(rows.size(), 1);
  const std::string level(simd_level());
  for (const std::string& tried : simd_levels()) {
    set_simd_level(tried);
    for (std::size_t width = 0; width <= 75; ++width) {
      const Vector v = random_numbers(width, 2);
      Vector matrix = random_numbers(kRows * kStride, 3), expected_matrix = matrix;
      Vector out = random_numbers(width + 3, 4), expected = out;
      for (std::size_t j = 0; j < width; ++j)
        for (std::size_t e = 0; e < rows.size(); ++e)
          expected[j] += factors[e] * matrix[rows[e] * kStride + j];
      add_combination({rows, factors}, matrix.data(), kStride, std::span(out).first(width));
      EXPECT_EQ(out, expected) << tried << ", width " << width;
      for (std::size_t e = 0; e < rows.size(); ++e)
        for (std::size_t j = 0; j < width; ++j)
          expected_matrix[rows[e] * kStride + j] += factors[e] * v[j];
      add_outer_product({rows, factors}, v, matrix.data(), kStride);
      EXPECT_EQ(matrix, expected_matrix) << tried << ", width " << width;
    }
  }
  set_simd_level(level);
}

}  // namespace
}  // namespace asynprox
