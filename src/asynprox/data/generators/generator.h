// A generator makes a data set from numbers alone: the same ones on every compiler, because it uses
// asynprox::Random and no function of libm but sqrt, which is exact.
//
// Every row is a function of the parameters and its number, so rows can be made in any order, by
// several threads, and written to a file without being held.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "asynprox/base/parameters.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/readers/labelled_rows.h"

namespace asynprox {

// The rows of a generated data set, still to be made. Both functions may be called by several
// threads at once.
struct GeneratedRows {
  std::uint64_t num_rows = 0;
  std::size_t num_columns = 0;
  // Adds rows first to last - 1, with their labels, to the samples.
  std::function<void(std::uint64_t first, std::uint64_t last, LabelledRows& samples)> append = {};
  // How many entries those rows have, at less cost than making them where that can be.
  std::function<std::uint64_t(std::uint64_t first, std::uint64_t last)> count_nonzeros = {};
  std::optional<RatingsShape> ratings = {};  // as in Dataset
};

template <class G>
concept Generator = requires(const G& generator) {
  { generator.rows() } -> std::same_as<GeneratedRows>;
  { G::name } -> std::convertible_to<std::string_view>;
  { G::formula } -> std::convertible_to<std::string_view>;
  G::parameters();
};

// Any generator as a value.
class AnyGenerator {
 public:
  template <Generator G>
  AnyGenerator(G generator)  // NOLINT: converts
      : rows_([generator] { return generator.rows(); }) {}

  // Throws ContractError where a parameter makes no sense.
  GeneratedRows rows() const { return rows_(); }

 private:
  std::function<GeneratedRows()> rows_;
};

// All of them at once.
LabelledRows all_samples(const GeneratedRows& rows);

// Of mean 0 and variance 1, near a normal number and never 0, made of 64 random bits: a sum of four
// uniform numbers.
double normal_like(std::uint64_t bits);

// The largest n, d and seed, as bounds of parameters.
inline constexpr double kSamplesMax = 4294967295;
inline constexpr double kDimensionMax = 2147483647;
inline constexpr double kSeedMax = kWholeMax;

// A parameter that check_parameters has found not to be negative.
constexpr std::uint64_t checked(std::int64_t parameter) {
  return static_cast<std::uint64_t>(parameter);
}

}  // namespace asynprox
