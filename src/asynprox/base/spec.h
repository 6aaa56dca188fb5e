// The one grammar for every choice a user makes:  NAME  or  NAME:KEY=VALUE,KEY=VALUE
//
//   The name ends at the first colon. Parameters are split at commas. The first value may be bare:
//   it is the member's main parameter. A value with a comma or an equals sign is written in double
//   quotes. Examples:  l1:1e-4    huber:delta=1.5    weighted-l1:1e-3,weights="my,file.txt"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace asynprox {

struct Spec {
  struct Setting {
    std::string key;  // empty for the bare first value
    std::string value;
    bool operator==(const Setting&) const = default;
  };

  std::string name;
  std::vector<Setting> settings;

  // The inverse of parse_spec: quotes what needs it.
  std::string text() const;
  bool operator==(const Spec&) const = default;
};

// Throws ContractError, naming the place in `text`.
Spec parse_spec(std::string_view text);

// The number that `text` is, all of it. Throws ContractError: "<what>: expected a number, got 'x'".
double parse_number(std::string_view text, std::string_view what);

// The numbers of a list, written a/b/c: at least one.
std::vector<double> parse_numbers(std::string_view text, std::string_view what);

}  // namespace asynprox
