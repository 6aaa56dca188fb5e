// How a member of a family declares its parameters, once. Parsing, help, errors and the docs table
// follow from the declaration:
//
//   struct HuberLoss {
//     double delta = 1;
//     static constexpr auto parameters() {
//       return std::tuple(parameter(&HuberLoss::delta, "delta", above(0), "where it bends"));
//     }
//   };
//
// The first parameter is the main one: its value may be written bare.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace asynprox {

// A parameter that is a file of numbers, one per line. A spec holds the path; whoever makes the
// member reads the file first.
struct NumbersFile {
  std::string path;
  std::vector<double> numbers;
  bool operator==(const NumbersFile&) const = default;
};

struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_excluded = false;

  constexpr bool hold(double value) const {
    return (lower_excluded ? value > lower : value >= lower) && value <= upper;
  }
};

constexpr Bounds any_number() { return {}; }
constexpr Bounds at_least(double lower) { return {.lower = lower}; }
constexpr Bounds from_to(double lower, double upper) { return {.lower = lower, .upper = upper}; }
constexpr Bounds above(double lower) { return {.lower = lower, .lower_excluded = true}; }

// What a parameter that is a word may be: one of these, which outlive it.
struct Words {
  std::span<const std::string_view> all;
};

enum class Presence { optional, required };

// Limits are Bounds for a number, Words for a word.
template <class Owner, class Value, class Limits = Bounds>
struct Parameter {
  Value Owner::* field;
  std::string_view name;
  Limits bounds;
  std::string_view meaning;
  Presence presence;
};

// The largest whole number that a parameter may be: larger ones are not all doubles.
inline constexpr double kWholeMax = 9007199254740992;  // 2^53

// An optional parameter's default is the one the struct itself gives the field. A field of type
// double is a number; one of type std::int64_t is a whole number, at most kWholeMax, which may also
// be written as 1e6.
template <class Owner, class Value>
constexpr Parameter<Owner, Value> parameter(Value Owner::* field, std::string_view name,
                                            Bounds bounds, std::string_view meaning,
                                            Presence presence = Presence::optional) {
  return {field, name, bounds, meaning, presence};
}

template <class Owner>
constexpr Parameter<Owner, std::string, Words> word_parameter(
    std::string Owner::* field, std::string_view name, std::span<const std::string_view> words,
    std::string_view meaning, Presence presence = Presence::optional) {
  return {field, name, {words}, meaning, presence};
}

template <class Owner>
constexpr Parameter<Owner, NumbersFile> file_parameter(NumbersFile Owner::* field,
                                                       std::string_view name,
                                                       std::string_view meaning,
                                                       Presence presence = Presence::optional) {
  return {field, name, any_number(), meaning, presence};
}

}  // namespace asynprox
