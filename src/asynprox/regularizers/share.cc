#include "asynprox/regularizers/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "asynprox/regularizers/all.h"

namespace asynprox {
namespace {

constexpr std::string_view kEnding = "max";

// The 0.1 of 0.1max.
std::optional<double> share_of(std::string_view value) {
  if (!value.ends_with(kEnding)) return std::nullopt;
  try {
    return parse_number(value.substr(0, value.size() - kEnding.size()), "share");
  } catch (const ContractError&) {
    return std::nullopt;
  }
}

// "l1:lambda, weighted-l1:lambda, ...": what can be a share.
std::string capable() {
  std::vector<std::string> names;
  for_each_member(AllRegularizers{}, [&]<class Member>(std::type_identity<Member>) {
    if constexpr (HasZeroStrength<Member>)
      names.push_back(fmt::format("{}:{}", Member::name, parameter_names<Member>().front()));
  });
  return joined(names);
}

// Where the parameters of one member may be a share.
struct Places {
  std::vector<std::string> numbers;  // parameters that are numbers
  std::string capable;               // the one of them that can be a share, or ""
};

Places places_of(std::string_view name) {
  Places places;
  for_each_member(AllRegularizers{}, [&]<class Member>(std::type_identity<Member>) {
    if (name != Member::name) return;
    const auto add = [&](const auto& p) {
      if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(Member{}.*p.field)>>)
        places.numbers.emplace_back(p.name);
    };
    std::apply([&](const auto&... parameters) { (add(parameters), ...); }, Member::parameters());
    if constexpr (HasZeroStrength<Member>) places.capable = parameter_names<Member>().front();
  });
  return places;
}

// The setting that is a share, if one is.
std::optional<std::size_t> find_share(const Spec& spec) {
  const Places places = places_of(spec.name);
  if (places.numbers.empty()) return std::nullopt;
  for (std::size_t i = 0; i < spec.settings.size(); ++i) {
    const auto& [key, value] = spec.settings[i];
    const std::optional<double> share = share_of(value);
    const std::string& parameter = key.empty() ? places.numbers.front() : key;
    if (!share || std::ranges::find(places.numbers, parameter) == places.numbers.end()) continue;
    if (parameter != places.capable)
      throw ContractError(fmt::format(
          "{}: {}: expected a number, got '{}'; only these can be a share of the largest useful "
          "strength: {}",
          spec.name, parameter, value, capable()));
    if (!(*share >= 0))
      throw ContractError(
          fmt::format("{}: {}: expected a share >= 0, got '{}'", spec.name, parameter, value));
    return i;
  }
  return std::nullopt;
}

}  // namespace

std::string share_parameter(std::string_view regularizer) { return places_of(regularizer).capable; }

bool has_share(const Spec& spec) { return find_share(spec).has_value(); }

void require_no_share(const Spec& spec) {
  if (const auto place = find_share(spec))
    throw ContractError(
        fmt::format("{}: '{}' is a share of the largest useful strength, which only data can tell",
                    spec.name, spec.settings[*place].value));
}

Spec with_strength(const Spec& spec, double strength) {
  Spec plain = spec;
  if (const auto place = find_share(spec))
    plain.settings[*place].value = fmt::format("{}", strength);
  return plain;
}

Spec resolve_share(const Spec& spec, const ReadNumbers& read,
                   const std::function<Vector()>& gradient_at_zero) {
  const auto place = find_share(spec);
  if (!place) return spec;
  // The largest useful strength does not depend on the strength.
  const AnyRegularizer h = make_regularizer(with_strength(spec, 1), read);
  const Vector gradient = gradient_at_zero();
  const std::optional<double> largest = h.bound(gradient.size()).strength_max(gradient);
  ensure(largest.has_value(), "a regulariser without zero_strength was taken for one with it");
  const std::string& value = spec.settings[*place].value;
  if (!std::isfinite(*largest))
    throw ContractError(
        fmt::format("{}: no strength makes x = 0 a solution, so that '{}' stands for no number",
                    spec.name, value));
  return with_strength(spec, *share_of(value) * *largest);
}

}  // namespace asynprox
