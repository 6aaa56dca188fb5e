// The options that a struct declares (option.h) as a list: to be described, set from text, and
// written down as settings.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "asynprox/base/option.h"
#include "asynprox/base/suggest.h"

namespace asynprox {

// The value of an option. monostate: left open, or not used.
using SettingValue =
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string>;
// Options by their long names.
using SettingList = std::vector<std::pair<std::string, SettingValue>>;

// The text that sets the value again; none where it is left open.
std::optional<std::string> text_of(const SettingValue& value);

struct OptionDescription {
  std::string name;         // as users write it, without the two dashes: batch-size
  std::string type;         // flag, number, whole number, word, text, spec or list
  std::string placeholder;  // for a value, in help: NUMBER; "" of a flag
  std::string bounds;       // "at least 1", or ""
  std::vector<std::string> choices;
  std::optional<std::string> default_value;  // none: it is left open
  std::string usual;                         // what is used where it is left open, in words
  std::string meaning;
  std::string group;
  std::vector<std::string> commands;  // that take it
  bool recorded = true;               // among the settings of run.json

  bool optional() const { return !default_value; }
  bool taken_by(std::string_view command) const;
  // "at least 1; default: chosen": what help and tables say of the values, in words.
  std::string values() const;
};

template <class Owner>
struct DeclaredOption {
  OptionDescription about;
  // Throws ContractError that begins with `what`, the option as the user wrote it, or with the
  // member of a family that a spec names. `read` reads files that a spec names.
  std::function<void(Owner& owner, std::string_view text, const std::string& what,
                     const ReadNumbers& read)>
      set;
  std::function<SettingValue(const Owner& owner)> setting;
};

namespace option_detail {

void set_number(double& value, std::string_view text, const std::string& what,
                const Bounds& bounds);
void set_whole(int& value, std::string_view text, const std::string& what, const Whole& kind);
void set_whole(std::int64_t& value, std::string_view text, const std::string& what,
               const Whole& kind);
void set_whole(std::uint64_t& value, std::string_view text, const std::string& what,
               const Whole& kind);
bool flag_from_text(std::string_view text, const std::string& what);

// "at least 1", "a number above 0", or "".
std::string bounds_text(const Bounds& bounds);
std::string bounds_text(const Whole& kind);

// Where in `words` the text is. Throws ContractError, with a suggestion.
std::size_t index_of_word(std::string_view text, const std::string& what,
                          const std::vector<std::string>& words);

// How values of one type are read and written by a kind.
template <class Value, class Kind>
struct Codec;

template <>
struct Codec<double, Bounds> {
  static constexpr std::string_view type = "number", placeholder = "NUMBER";
  static void set(double& value, std::string_view text, const std::string& what, const Bounds& kind,
                  const ReadNumbers&) {
    set_number(value, text, what, kind);
  }
  static SettingValue setting(double value, const Bounds&) { return value; }
};

template <std::integral Value>
struct Codec<Value, Whole> {
  static constexpr std::string_view type = "whole number", placeholder = "NUMBER";
  static void set(Value& value, std::string_view text, const std::string& what, const Whole& kind,
                  const ReadNumbers&) {
    set_whole(value, text, what, kind);
  }
  static SettingValue setting(Value value, const Whole& kind) {
    if (kind.open && std::cmp_equal(value, *kind.open)) return {};
    if constexpr (std::is_signed_v<Value>)
      return std::int64_t{value};
    else
      return std::uint64_t{value};
  }
};

template <>
struct Codec<bool, Flag> {
  static constexpr std::string_view type = "flag", placeholder = "";
  static void set(bool& value, std::string_view text, const std::string& what, const Flag& kind,
                  const ReadNumbers&) {
    value = flag_from_text(text, what) == kind.value;
  }
  static SettingValue setting(bool value, const Flag& kind) { return value == kind.value; }
};

template <>
struct Codec<std::string, Words> {
  static constexpr std::string_view type = "word", placeholder = "NAME";
  static void set(std::string& value, std::string_view text, const std::string& what,
                  const Words& kind, const ReadNumbers&) {
    value = kind.all[index_of_word(text, what, words(kind))];
  }
  static SettingValue setting(const std::string& value, const Words&) { return value; }
  static std::vector<std::string> words(const Words& kind) {
    return {kind.all.begin(), kind.all.end()};
  }
};

template <class Value>
struct Codec<Value, Choices<Value>> {
  static constexpr std::string_view type = "word", placeholder = "NAME";
  static void set(Value& value, std::string_view text, const std::string& what,
                  const Choices<Value>& kind, const ReadNumbers&) {
    value = kind.all[index_of_word(text, what, words(kind))].value;
  }
  static SettingValue setting(const Value& value, const Choices<Value>& kind) {
    for (const Choice<Value>& choice : kind.all)
      if (choice.value == value) return std::string(choice.word);
    return {};
  }
  static std::vector<std::string> words(const Choices<Value>& kind) {
    std::vector<std::string> words;
    for (const Choice<Value>& choice : kind.all) words.emplace_back(choice.word);
    return words;
  }
};

template <class Value>
struct Codec<Value, Enumeration<Value>> {
  static constexpr std::string_view type = "word", placeholder = "NAME";
  static void set(Value& value, std::string_view text, const std::string& what,
                  const Enumeration<Value>& kind, const ReadNumbers&) {
    value = kind.all[index_of_word(text, what, words(kind))];
  }
  static SettingValue setting(Value value, const Enumeration<Value>&) {
    return std::string(name(value));
  }
  static std::vector<std::string> words(const Enumeration<Value>& kind) {
    std::vector<std::string> words;
    for (const Value value : kind.all) words.emplace_back(name(value));
    return words;
  }
};

template <>
struct Codec<std::string, AnyText> {
  static constexpr std::string_view type = "text", placeholder = "";
  static void set(std::string& value, std::string_view text, const std::string&, const AnyText&,
                  const ReadNumbers&) {
    value = text;
  }
  static SettingValue setting(const std::string& value, const AnyText&) { return value; }
};

template <class Value>
struct Codec<Value, Form<Value>> {
  static constexpr std::string_view type = "", placeholder = "";
  static void set(Value& value, std::string_view text, const std::string& what,
                  const Form<Value>& kind, const ReadNumbers& read) {
    value = kind.parse(text, what, read);
  }
  static SettingValue setting(const Value& value, const Form<Value>& kind) {
    std::string text = kind.text(value);
    if (text.empty()) return {};
    return text;
  }
};

template <class Kind, class Value>
concept KindOf = requires { requires std::same_as<typename Kind::ValueType, Value>; };

template <class Value, class Kind>
  requires(!KindOf<Kind, std::optional<Value>>)
struct Codec<std::optional<Value>, Kind> : Codec<Value, Kind> {
  static void set(std::optional<Value>& value, std::string_view text, const std::string& what,
                  const Kind& kind, const ReadNumbers& read) {
    std::optional<Value> made = value;
    if constexpr (requires { kind.parse; }) {
      made = kind.parse(text, what, read);
    } else {
      if (!made) made.emplace();
      Codec<Value, Kind>::set(*made, text, what, kind, read);
    }
    value = std::move(made);
  }
  static SettingValue setting(const std::optional<Value>& value, const Kind& kind) {
    return value ? Codec<Value, Kind>::setting(*value, kind) : SettingValue();
  }
};

// The words of a name with dashes between them.
std::string dashed(std::string_view name);

OptionDescription description(const OptionGroup& group, std::string_view name,
                              std::string_view meaning, std::string_view usual);

template <class Value, class Kind>
void describe_values(const Kind& kind, OptionDescription& about) {
  using ValueCodec = Codec<Value, Kind>;
  about.type = ValueCodec::type;
  about.placeholder = ValueCodec::placeholder;
  if constexpr (requires { kind.type; }) about.type = kind.type;
  if constexpr (requires { kind.placeholder; }) about.placeholder = kind.placeholder;
  if constexpr (requires { bounds_text(kind); }) about.bounds = bounds_text(kind);
  if constexpr (requires { ValueCodec::words(kind); }) about.choices = ValueCodec::words(kind);
}

[[noreturn]] void fail_unknown_option(std::string_view name, const std::vector<std::string>& names);

}  // namespace option_detail

// The options that Owner declares, in order.
template <class Owner>
std::vector<DeclaredOption<Owner>> declared_options() {
  std::vector<DeclaredOption<Owner>> all;
  for_each_option<Owner>([&](const OptionGroup& group, const auto& declared, const auto& access) {
    using Value = std::remove_cvref_t<decltype(access(std::declval<Owner&>()))>;
    using ValueCodec = option_detail::Codec<Value, std::remove_cvref_t<decltype(declared.kind)>>;
    DeclaredOption<Owner> option;
    option.about =
        option_detail::description(group, declared.name, declared.meaning, declared.usual);
    option_detail::describe_values<Value>(declared.kind, option.about);
    option.set = [access, kind = declared.kind](Owner& owner, std::string_view text,
                                                const std::string& what, const ReadNumbers& read) {
      ValueCodec::set(access(owner), text, what, kind, read);
    };
    option.setting = [access, kind = declared.kind](const Owner& owner) {
      return ValueCodec::setting(access(owner), kind);
    };
    option.about.default_value = text_of(option.setting(Owner{}));
    all.push_back(std::move(option));
  });
  return all;
}

}  // namespace asynprox
