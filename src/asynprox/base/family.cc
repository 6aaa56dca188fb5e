#include "asynprox/base/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/hash.h"
#include "asynprox/base/other_names.h"
#include "asynprox/base/shortened.h"

namespace asynprox::family_detail {
namespace {

std::string words(const Bounds& bounds) {
  const bool has_lower = std::isfinite(bounds.lower), has_upper = std::isfinite(bounds.upper);
  std::string text;
  if (has_lower) text = fmt::format("{} {}", bounds.lower_excluded ? ">" : ">=", bounds.lower);
  if (has_upper) text += fmt::format("{}<= {}", has_lower ? " and " : "", bounds.upper);
  return text.empty() ? "a number" : text;
}

std::string words_of_whole(const Bounds& bounds) {
  const bool has_lower = std::isfinite(bounds.lower), has_upper = std::isfinite(bounds.upper);
  if (has_lower && has_upper && !bounds.lower_excluded)
    return fmt::format("a whole number from {:.0f} to {:.0f}", bounds.lower, bounds.upper);
  return has_lower || has_upper ? "a whole number " + words(bounds) : "a whole number";
}

bool holds_whole(const Bounds& bounds, double value) {
  return bounds.hold(value) && value == std::trunc(value) && std::abs(value) <= kWholeMax;
}

// What lies within the bounds that were declared is too large to be counted.
std::string expected_whole(const Bounds& bounds, double value) {
  if (bounds.hold(value) && std::abs(value) > kWholeMax)
    return fmt::format("a whole number of at most {:.0f}", kWholeMax);
  return words_of_whole(bounds);
}

void require_one_of(const Words& words, std::string_view text, const std::string& what) {
  if (std::ranges::find(words.all, text) != words.all.end()) return;
  const std::vector<std::string> names(words.all.begin(), words.all.end());
  throw ContractError(fmt::format("{}: expected {}, got '{}'{}", what, fmt::join(names, " or "),
                                  shortened(text), did_you_mean(text, names)));
}

}  // namespace

ParameterDescription description(std::string_view name, const Bounds& bounds,
                                 std::string_view meaning, Presence presence,
                                 double default_value) {
  const bool required = presence == Presence::required;
  const std::string usual =
      std::isfinite(default_value) ? fmt::format("{}", default_value) : "none";
  return {std::string(name), required ? "" : usual, words(bounds), std::string(meaning)};
}

ParameterDescription description(std::string_view name, const Bounds& bounds,
                                 std::string_view meaning, Presence presence,
                                 std::int64_t default_value) {
  const bool required = presence == Presence::required;
  return {std::string(name), required ? "" : fmt::format("{}", default_value),
          words_of_whole(bounds), std::string(meaning)};
}

ParameterDescription description(std::string_view name, const Bounds&, std::string_view meaning,
                                 Presence presence, const NumbersFile&) {
  return {std::string(name), presence == Presence::required ? "" : "none",
          "a file, one number per line", std::string(meaning)};
}

ParameterDescription description(std::string_view name, const Words& words,
                                 std::string_view meaning, Presence presence,
                                 const std::string& default_value) {
  return {std::string(name), presence == Presence::required ? "" : default_value,
          fmt::format("{}", fmt::join(words.all, " or ")), std::string(meaning)};
}

void assign(double& field, std::string_view text, const Bounds& bounds, const std::string& what,
            const ReadNumbers&) {
  const double value = parse_number(text, what);
  if (!bounds.hold(value))
    throw ContractError(fmt::format("{}: expected {}, got {}", what, words(bounds), text));
  field = value;
}

void assign(std::int64_t& field, std::string_view text, const Bounds& bounds,
            const std::string& what, const ReadNumbers&) {
  const double value = parse_number(text, what);
  if (!holds_whole(bounds, value))
    throw ContractError(
        fmt::format("{}: expected {}, got {}", what, expected_whole(bounds, value), text));
  field = static_cast<std::int64_t>(value);
}

void assign(NumbersFile& field, std::string_view text, const Bounds&, const std::string& what,
            const ReadNumbers& read) {
  require(read != nullptr, what + ": no files can be read here");
  field = {std::string(text), read(std::string(text))};
}

void check_bounds(const std::string& member, std::string_view parameter, const Bounds& bounds,
                  double value) {
  if (!bounds.hold(value))
    throw ContractError(
        fmt::format("{}: {}: expected {}, got {}", member, parameter, words(bounds), value));
}

void check_bounds(const std::string& member, std::string_view parameter, const Bounds& bounds,
                  std::int64_t value) {
  const auto number = static_cast<double>(value);
  if (!holds_whole(bounds, number))
    throw ContractError(fmt::format("{}: {}: expected {}, got {}", member, parameter,
                                    expected_whole(bounds, number), value));
}

void assign(std::string& field, std::string_view text, const Words& words, const std::string& what,
            const ReadNumbers&) {
  require_one_of(words, text, what);
  field = std::string(text);
}

void check_bounds(const std::string& member, std::string_view parameter, const Words& words,
                  const std::string& value) {
  require_one_of(words, value, fmt::format("{}: {}", member, parameter));
}

std::string setting_text(double value) { return fmt::format("{}", value); }
std::string setting_text(std::int64_t value) { return fmt::format("{}", value); }

std::string setting_text(const NumbersFile& value) {
  if (!value.path.empty()) return value.path;
  Hash hash;
  hash.add(value.numbers);
  return fmt::format("#{} numbers with hash {:016x}", value.numbers.size(), hash.value());
}

std::vector<Spec::Setting> named_settings(const Spec& spec, const std::vector<std::string>& keys) {
  std::vector<Spec::Setting> named;
  for (Spec::Setting setting : spec.settings) {
    if (keys.empty())
      throw ContractError(fmt::format("{}: takes no parameters, got '{}{}{}'", spec.name,
                                      shortened(setting.key), setting.key.empty() ? "" : "=",
                                      shortened(setting.value)));
    if (setting.key.empty()) setting.key = keys.front();
    if (std::ranges::find(keys, setting.key) == keys.end())
      throw ContractError(fmt::format("{}: no parameter '{}'{}; it has: {}", spec.name,
                                      shortened(setting.key), did_you_mean(setting.key, keys),
                                      joined(keys)));
    if (std::ranges::find(named, setting.key, &Spec::Setting::key) != named.end())
      throw ContractError(fmt::format("{}: '{}' is given twice", spec.name, setting.key));
    named.push_back(std::move(setting));
  }
  return named;
}

void fail_unknown_name(const Spec& spec, std::string_view family,
                       const std::vector<std::string>& names) {
  const std::string known = known_here_as(family, spec.name);
  throw ContractError(fmt::format("no {} '{}'{}; there are: {}", family, shortened(spec.name),
                                  known.empty() ? did_you_mean(spec.name, names) : known,
                                  joined(names)));
}

void fail_missing(const Spec& spec, std::string_view parameter, std::string_view meaning) {
  throw ContractError(fmt::format("{0}: '{1}' is missing ({2}); write {0}:{1}=VALUE", spec.name,
                                  parameter, meaning));
}

}  // namespace asynprox::family_detail
