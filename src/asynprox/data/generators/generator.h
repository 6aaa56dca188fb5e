// A generator makes a data set from numbers alone: the same ones on every compiler, because it uses
// asynprox::Random and no function of libm but sqrt, which is exact.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string_view>

#include "asynprox/data/labelled_rows.h"

namespace asynprox {

template <class G>
concept Generator = requires(const G& generator) {
  { generator.generate() } -> std::same_as<LabelledRows>;
  { G::name } -> std::convertible_to<std::string_view>;
  { G::formula } -> std::convertible_to<std::string_view>;
  G::parameters();
};

// Any generator as a value.
class AnyGenerator {
 public:
  template <Generator G>
  AnyGenerator(G generator)  // NOLINT: converts
      : generate_([generator] { return generator.generate(); }) {}

  LabelledRows generate() const { return generate_(); }

 private:
  std::function<LabelledRows()> generate_;
};

// The parameter as a whole number from 0 to `max`. Throws ContractError: "<what>: expected ...".
std::uint64_t whole_number(double parameter, std::string_view what, std::uint64_t max);

// Of mean 0 and variance 1, near a normal number and never 0, made of 64 random bits: a sum of four
// uniform numbers.
double normal_like(std::uint64_t bits);

// The largest n, d and seed.
inline constexpr std::uint64_t kSamplesMax = 4294967295;
inline constexpr std::uint64_t kDimensionMax = 2147483647;
inline constexpr std::uint64_t kSeedMax = std::uint64_t{1} << 53;

}  // namespace asynprox
