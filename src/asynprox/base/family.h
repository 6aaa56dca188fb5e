// A family is a list of types (all losses, all regularisers, all step sizes), each with a name, a
// formula and declared parameters. This header turns a spec into a member, and a list into words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/parameters.h"
#include "asynprox/base/spec.h"
#include "asynprox/base/suggest.h"

namespace asynprox {

template <class... Members>
struct Family {
  static constexpr std::size_t size = sizeof...(Members);
};

// Reads a file of numbers that a spec names.
using ReadNumbers = std::function<std::vector<double>(const std::string& path)>;

struct ParameterDescription {
  std::string name;
  std::string default_value;  // "" if it must be given
  std::string
      bounds;  // ">= 0", "a whole number >= 0", "red or blue", "a file, one number per line"
  std::string meaning;
};

struct MemberDescription {
  std::string name;
  std::string formula;
  std::vector<ParameterDescription> parameters;
};

// Calls visit(std::type_identity<Member>{}) for each member, in the order of the list.
template <class... Members>
void for_each_member(Family<Members...>, auto&& visit) {
  (visit(std::type_identity<Members>{}), ...);
}

namespace family_detail {

ParameterDescription description(std::string_view name, const Bounds& bounds,
                                 std::string_view meaning, Presence presence, double default_value);
ParameterDescription description(std::string_view name, const Bounds& bounds,
                                 std::string_view meaning, Presence presence,
                                 std::int64_t default_value);
ParameterDescription description(std::string_view name, const Bounds& bounds,
                                 std::string_view meaning, Presence presence,
                                 const NumbersFile& default_value);
ParameterDescription description(std::string_view name, const Words& words,
                                 std::string_view meaning, Presence presence,
                                 const std::string& default_value);

void assign(double& field, std::string_view text, const Bounds& bounds, const std::string& what,
            const ReadNumbers& read);
void assign(std::int64_t& field, std::string_view text, const Bounds& bounds,
            const std::string& what, const ReadNumbers& read);
void assign(NumbersFile& field, std::string_view text, const Bounds& bounds,
            const std::string& what, const ReadNumbers& read);
void assign(std::string& field, std::string_view text, const Words& words, const std::string& what,
            const ReadNumbers& read);

void check_bounds(const std::string& member, std::string_view parameter, const Bounds& bounds,
                  double value);
void check_bounds(const std::string& member, std::string_view parameter, const Bounds& bounds,
                  std::int64_t value);
inline void check_bounds(const std::string&, std::string_view, const Bounds&, const NumbersFile&) {}
void check_bounds(const std::string& member, std::string_view parameter, const Words& words,
                  const std::string& value);

// A parameter's value as a spec writes it. Numbers that came from no file are named by their hash,
// which no file reader takes for a path.
std::string setting_text(double value);
std::string setting_text(std::int64_t value);
std::string setting_text(const NumbersFile& value);
inline std::string setting_text(const std::string& value) { return value; }

// The spec's settings with the bare value under the main parameter's name; throws on an unknown or
// repeated key, naming the nearest.
std::vector<Spec::Setting> named_settings(const Spec& spec, const std::vector<std::string>& keys);

[[noreturn]] void fail_unknown_name(const Spec& spec, std::string_view family,
                                    const std::vector<std::string>& names);
[[noreturn]] void fail_missing(const Spec& spec, std::string_view parameter,
                               std::string_view meaning);

}  // namespace family_detail

template <class Member>
std::vector<std::string> parameter_names() {
  return std::apply(
      [](const auto&... p) { return std::vector<std::string>{std::string(p.name)...}; },
      Member::parameters());
}

// The member that `spec` describes; its name is taken as already matched.
template <class Member>
Member make_member(const Spec& spec, const ReadNumbers& read) {
  Member member;
  const auto settings = family_detail::named_settings(spec, parameter_names<Member>());
  const auto set = [&](const auto& parameter) {
    for (const auto& [key, value] : settings) {
      if (key != parameter.name) continue;
      family_detail::assign(member.*parameter.field, value, parameter.bounds,
                            spec.name + ": " + key, read);
      return;
    }
    if (parameter.presence == Presence::required)
      family_detail::fail_missing(spec, parameter.name, parameter.meaning);
  };
  std::apply([&](const auto&... parameters) { (set(parameters), ...); }, Member::parameters());
  return member;
}

// The inverse of make_member: a spec that makes an equal member. A parameter that may be left out
// and has its default is left out.
template <class Member>
Spec spec_of(const Member& member) {
  const Member defaults;
  Spec spec{.name = std::string(Member::name), .settings = {}};
  const auto add = [&](const auto& parameter) {
    const auto& value = member.*parameter.field;
    if (parameter.presence == Presence::required || !(value == defaults.*parameter.field))
      spec.settings.push_back({std::string(parameter.name), family_detail::setting_text(value)});
  };
  std::apply([&](const auto&... parameters) { (add(parameters), ...); }, Member::parameters());
  return spec;
}

// Throws ContractError where a number of a member is out of the bounds it declares: members can be
// made without a spec.
template <class Member>
void check_parameters(const Member& member) {
  const auto check = [&](const auto& parameter) {
    family_detail::check_bounds(std::string(Member::name), parameter.name, parameter.bounds,
                                member.*parameter.field);
  };
  std::apply([&](const auto&... parameters) { (check(parameters), ...); }, Member::parameters());
}

template <class... Members>
std::vector<std::string> member_names(Family<Members...>) {
  return {std::string(Members::name)...};
}

// The member named by `spec`, as an Erased (the family's type-erased handle).
template <class Erased, class... Members>
Erased make_from_family(Family<Members...> family, std::string_view family_name, const Spec& spec,
                        const ReadNumbers& read) {
  std::vector<Erased> made;
  for_each_member(family, [&]<class Member>(std::type_identity<Member>) {
    if (made.empty() && spec.name == Member::name)
      made.emplace_back(make_member<Member>(spec, read));
  });
  if (made.empty()) family_detail::fail_unknown_name(spec, family_name, member_names(family));
  return made.front();
}

template <class... Members>
std::vector<MemberDescription> describe(Family<Members...> family) {
  std::vector<MemberDescription> descriptions;
  for_each_member(family, [&]<class Member>(std::type_identity<Member>) {
    const Member defaults;
    MemberDescription member{std::string(Member::name), std::string(Member::formula), {}};
    const auto add = [&](const auto& p) {
      member.parameters.push_back(
          family_detail::description(p.name, p.bounds, p.meaning, p.presence, defaults.*p.field));
    };
    std::apply([&](const auto&... parameters) { (add(parameters), ...); }, Member::parameters());
    descriptions.push_back(std::move(member));
  });
  return descriptions;
}

}  // namespace asynprox
