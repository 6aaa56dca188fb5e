#include "asynprox/linalg/class_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/linalg/sparse_columns.h"

namespace asynprox {
namespace {

constexpr std::size_t kRows = 20000;

// A column of `length` entries, and a number or three per row.
struct Case {
  explicit Case(std::size_t length) {
    const Random random(3);
    std::uint64_t counter = 0;
    const auto number = [&] { return static_cast<float>(random.uniform_at(counter++) - 0.4); };
    for (std::size_t e = 0; e < length + SparseColumns::read_beyond; ++e) {
      rows.push_back(static_cast<std::uint32_t>(e < length ? e * (kRows / (length + 1)) : 0));
      values.push_back(number());
    }
    for (std::size_t i = 0; i < kRows; ++i) {
      p.push_back(std::abs(number()));
      v.push_back(number());
      s.push_back(number());
    }
    column = {rows.data(), values.data(), length};
  }

  std::vector<std::uint32_t> rows;
  std::vector<float> values, p, v, s;
  ColumnSpan column;
};

const std::vector<std::size_t>& lengths() {
  static const std::vector<std::size_t> all = {0, 1, 3, 4, 7, 8, 15, 16, 17, 100, 4096, 5001};
  return all;
}

TEST(ClassKernels, ComputeWhatTheirFormulasSay) {
  const ClassKernels kernels = class_kernels();
  for (const std::size_t length : lengths()) {
    SCOPED_TRACE(length);
    Case at(length);
    double product = 0, squares = 0, size = 0;
    for (std::size_t e = 0; e < length; ++e) {
      const std::uint32_t row = at.rows[e];
      const auto a = static_cast<double>(at.values[e]), p = static_cast<double>(at.p[row]);
      product += a * p * (static_cast<double>(at.v[row]) - static_cast<double>(at.s[row]));
      squares += a * a * p;
      size += std::abs(a);
    }
    EXPECT_NEAR(kernels.product(at.column, at.p.data(), at.v.data(), at.s.data()), product,
                1e-5 * (1e-3 + size));
    EXPECT_NEAR(kernels.squares(at.column, at.p.data()), squares, 1e-5 * (1e-3 + size));
    std::vector<float> v = at.v, s = at.s;
    kernels.add(0.5F, at.column, at.p.data(), v.data(), s.data());
    for (std::size_t e = 0; e < length; ++e) {
      const std::uint32_t row = at.rows[e];
      at.v[row] += 0.5F * at.values[e];
      at.s[row] += 0.5F * at.values[e] * at.p[row];
    }
    EXPECT_EQ(v, at.v);
    EXPECT_EQ(s, at.s);
  }
}

TEST(ClassKernels, GiveTheSameBitsAtEveryLevel) {
  const std::string level(simd_level());
  for (const std::size_t length : lengths()) {
    const Case at(length);
    const auto computed = [&] {
      const ClassKernels kernels = class_kernels();
      std::vector<float> v = at.v, s = at.s;
      kernels.add(0.3F, at.column, at.p.data(), v.data(), s.data());
      return std::tuple(kernels.product(at.column, at.p.data(), at.v.data(), at.s.data()),
                        kernels.squares(at.column, at.p.data()), v, s);
    };
    const auto expected = computed();
    for (const std::string& tried : simd_levels()) {
      set_simd_level(tried);
      EXPECT_EQ(computed(), expected) << tried << ", " << length;
    }
    set_simd_level(level);
  }
}

}  // namespace
}  // namespace asynprox
