#include "asynprox/base/option_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/shortened.h"

namespace asynprox {

std::optional<std::string> text_of(const SettingValue& value) {
  const auto text = []<class Value>(const Value& given) -> std::optional<std::string> {
    if constexpr (std::is_same_v<Value, std::monostate>)
      return std::nullopt;
    else
      return fmt::format("{}", given);
  };
  return std::visit(text, value);
}

bool OptionDescription::taken_by(std::string_view command) const {
  return std::ranges::find(commands, command) != commands.end();
}

std::string OptionDescription::values() const {
  std::vector<std::string> parts;
  if (!choices.empty()) parts.push_back(fmt::format("{}", fmt::join(choices, ", ")));
  if (!bounds.empty()) parts.push_back(bounds);
  const std::string& value = default_value && usual.empty() ? *default_value : usual;
  if (type != "flag" && !value.empty()) parts.push_back("default: " + value);
  return fmt::format("{}", fmt::join(parts, "; "));
}

namespace option_detail {
namespace {

// Octal, hexadecimal, fractions, overflow and nothing at all are refused.
template <std::integral Value>
void set_whole_number(Value& value, std::string_view text, const std::string& what,
                      const Whole& kind) {
  Value read = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, read);
  if (error != std::errc() || stop != end) {
    const bool too_large = error == std::errc::result_out_of_range && stop == end;
    const char* const sign = std::is_unsigned_v<Value> ? " of at least 0" : "";
    throw ContractError(fmt::format("{}: expected a whole number{}, got '{}'{}", what, sign,
                                    shortened(text), too_large ? ", which is too large" : ""));
  }
  if (std::cmp_less(read, kind.least))
    throw ContractError(fmt::format("{}: expected at least {}, got {}", what, kind.least, read));
  value = read;
}

}  // namespace

std::vector<double> numbers_from_text(std::string_view text, const std::string& what,
                                      const ReadNumbers&) {
  return parse_numbers(text, what);
}

std::string numbers_text(const std::vector<double>& numbers) {
  return fmt::format("{}", fmt::join(numbers, "/"));
}

void set_number(double& value, std::string_view text, const std::string& what,
                const Bounds& bounds) {
  const double read = parse_number(text, what);
  if (!bounds.hold(read))
    throw ContractError(fmt::format("{}: expected {}, got {}", what, bounds_text(bounds), text));
  value = read;
}

void set_whole(int& value, std::string_view text, const std::string& what, const Whole& kind) {
  set_whole_number(value, text, what, kind);
}
void set_whole(std::int64_t& value, std::string_view text, const std::string& what,
               const Whole& kind) {
  set_whole_number(value, text, what, kind);
}
void set_whole(std::uint64_t& value, std::string_view text, const std::string& what,
               const Whole& kind) {
  set_whole_number(value, text, what, kind);
}

bool flag_from_text(std::string_view text, const std::string& what) {
  if (text == "true" || text == "false") return text == "true";
  throw ContractError(fmt::format("{}: expected true or false, got '{}'", what, shortened(text)));
}

std::string bounds_text(const Bounds& bounds) {
  std::string text;
  if (std::isfinite(bounds.lower))
    text =
        fmt::format("{} {}", bounds.lower_excluded ? "a number above" : "at least", bounds.lower);
  if (std::isfinite(bounds.upper))
    text += fmt::format("{}at most {}", text.empty() ? "" : " and ", bounds.upper);
  return text;
}

std::string bounds_text(const Whole& kind) {
  const bool bounded = kind.least != Whole{}.least;
  return bounded ? fmt::format("at least {}", kind.least) : "";
}

std::size_t index_of_word(std::string_view text, const std::string& what,
                          const std::vector<std::string>& words) {
  const auto found = std::ranges::find(words, text);
  if (found == words.end())
    throw ContractError(fmt::format("{}: no '{}'{}; there are: {}", what, shortened(text),
                                    did_you_mean(text, words), joined(words)));
  return static_cast<std::size_t>(found - words.begin());
}

std::string dashed(std::string_view name) {
  std::string text(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

OptionDescription description(const OptionGroup& group, std::string_view name,
                              std::string_view meaning, std::string_view usual) {
  OptionDescription about;
  about.name = dashed(name);
  about.usual = usual;
  about.meaning = meaning;
  about.group = group.title;
  about.commands.assign(group.commands.begin(), group.commands.end());
  about.recorded = group.recorded;
  return about;
}

void fail_unknown_option(std::string_view name, const std::vector<std::string>& names) {
  throw ContractError(fmt::format("no option '{}'{}", shortened(name), did_you_mean(name, names)));
}

}  // namespace option_detail
}  // namespace asynprox
