// How an option of a run is declared, once, beside the field that holds it. The command line and its
// help, the TOML file, run.json, the table in the documentation and set_option() follow from the
// declaration (option_list.h):
//
//   struct Options {
//     std::optional<std::int64_t> batch_size = {};
//     bool calibrate = false;
//     StoppingRules stop = {};
//
//     static constexpr auto options() {
//       return std::tuple(
//           group("Method", kRunCommands,
//                 option(&Options::batch_size, "batch_size", Whole{.least = 1},
//                        "samples per step, over all pushes", "chosen"),
//                 option(&Options::calibrate, "calibrate", Flag{}, "measure this machine first")),
//           group("Stopping", kRunCommands, part(&Options::stop)));
//     }
//   };
//
// The default is the one that the struct gives the field. The name is a field's name; users write it
// with dashes (--batch-size).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/base/parameters.h"
#include "asynprox/base/spec.h"

namespace asynprox {

// What may be written for an option is told by the type of its kind. A kind for values of type V
// also serves a field of type std::optional<V>, which may be left open.
//
//   Bounds         a number (double)
//   Words          one word of a few, held as a string
//   and those below.

// A whole number. `open` is a value of the field that stands for "left open".
struct Whole {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::optional<std::int64_t> open = {};
};

// A switch without a value of its own. Giving it sets the field to `value`.
struct Flag {
  bool value = true;
};

// One word of a few, each of which stands for a value.
template <class Value>
struct Choice {
  std::string_view word;
  Value value;
};
template <class Value>
struct Choices {
  using ValueType = Value;
  std::span<const Choice<Value>> all;
};

// Some members of an enumeration, spelt as name(member) says.
template <class Value>
struct Enumeration {
  std::span<const Value> all;
};

// Any text: a path, a label. `placeholder` stands for it in help.
struct AnyText {
  std::string_view placeholder;
};

// Text in a form of its own: a spec, a list of numbers. Settings repeat it as it was written.
template <class Value>
struct Form {
  using ValueType = Value;
  using Parse = Value (*)(std::string_view text, const std::string& what, const ReadNumbers& read);
  using Text = std::string (*)(const Value& value);

  std::string_view type;         // "spec", "list"
  std::string_view placeholder;  // SPEC, A/B/C
  Parse parse;
  Text text;  // what parse() makes an equal value of; "" where the value is left open
};

// The spec of a member of a family.
template <class Value, auto Make>
constexpr Form<Value> spec_form() {
  return {.type = "spec",
          .placeholder = "SPEC",
          .parse = [](std::string_view text, const std::string&, const ReadNumbers& read) -> Value {
            return Make(parse_spec(text), read);
          },
          .text = [](const Value& value) { return value.spec(); }};
}

// The same, or the word auto, which leaves the choice open.
template <class Value, auto Make>
constexpr Form<std::optional<Value>> spec_or_auto_form() {
  return {.type = "spec",
          .placeholder = "SPEC",
          .parse = [](std::string_view text, const std::string&,
                      const ReadNumbers& read) -> std::optional<Value> {
            if (text == "auto") return std::nullopt;
            return Make(parse_spec(text), read);
          },
          .text =
              [](const std::optional<Value>& value) {
                return value ? value->spec() : std::string("auto");
              }};
}

namespace option_detail {
std::vector<double> numbers_from_text(std::string_view text, const std::string& what,
                                      const ReadNumbers& read);
std::string numbers_text(const std::vector<double>& numbers);
}  // namespace option_detail

// Numbers, written a/b/c; none: left open.
constexpr Form<std::vector<double>> numbers_form(std::string_view placeholder) {
  return {.type = "list",
          .placeholder = placeholder,
          .parse = option_detail::numbers_from_text,
          .text = option_detail::numbers_text};
}

template <class Owner, class Value, class Kind>
struct OptionDeclaration {
  Value Owner::* field;
  const char* name;
  Kind kind;
  std::string_view meaning;
  std::string_view usual;  // what is used where it is left open, in words
};

template <class Owner, class Value, class Kind>
constexpr OptionDeclaration<Owner, Value, Kind> option(Value Owner::* field, const char* name,
                                                       Kind kind, std::string_view meaning,
                                                       std::string_view usual = "") {
  return {field, name, kind, meaning, usual};
}

// A part of the struct that declares options of its own: its options() is a tuple of declarations.
template <class Owner, class Part>
struct OptionPart {
  Part Owner::* field;
};

template <class Owner, class Part>
constexpr OptionPart<Owner, Part> part(Part Owner::* field) {
  return {field};
}

// Options that stand together in help, and the commands that take them.
struct OptionGroup {
  std::string_view title;
  std::span<const std::string_view> commands;
  bool recorded = true;  // whether run.json names them among the settings of the run
};

template <class... Entries>
struct GroupedOptions {
  OptionGroup group;
  std::tuple<Entries...> entries;
};

template <class... Entries>
constexpr GroupedOptions<Entries...> group(std::string_view title,
                                           std::span<const std::string_view> commands,
                                           Entries... entries) {
  return {{title, commands}, std::tuple(entries...)};
}

// Of those that say what is told of a run, not what it does.
template <class... Entries>
constexpr GroupedOptions<Entries...> unrecorded_group(std::string_view title,
                                                      std::span<const std::string_view> commands,
                                                      Entries... entries) {
  return {{title, commands, /*recorded=*/false}, std::tuple(entries...)};
}

// Calls visit(group, declaration, access) for each option of Owner in the order of the declarations,
// where access(owner) is its field.
template <class Owner, class Visit>
constexpr void for_each_option(Visit&& visit) {
  const auto visit_entry = [&]<class Entry>(const OptionGroup& group, const Entry& entry) {
    const auto of_owner = [field = entry.field](auto& owner) -> auto& { return owner.*field; };
    if constexpr (requires { entry.meaning; }) {
      visit(group, entry, of_owner);
    } else {
      using Part = std::remove_cvref_t<decltype(std::declval<Owner&>().*entry.field)>;
      const auto visit_inner = [&](const auto& inner) {
        visit(group, inner, [of_owner, field = inner.field](auto& owner) -> auto& {
          return of_owner(owner).*field;
        });
      };
      std::apply([&](const auto&... inner) { (visit_inner(inner), ...); }, Part::options());
    }
  };
  const auto visit_group = [&](const auto& grouped) {
    std::apply([&](const auto&... entries) { (visit_entry(grouped.group, entries), ...); },
               grouped.entries);
  };
  std::apply([&](const auto&... groups) { (visit_group(groups), ...); }, Owner::options());
}

// visit("name", field) for each option: the list of fields that JSON is written and read by.
template <class Owner, class Visit>
void visit_option_fields(Owner& owner, Visit&& visit) {
  for_each_option<std::remove_const_t<Owner>>(
      [&](const OptionGroup&, const auto& declaration, const auto& access) {
        visit(declaration.name, access(owner));
      });
}

}  // namespace asynprox
