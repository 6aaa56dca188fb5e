#include "asynprox/run/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/fields.h"
#include "asynprox/base/json_depth.h"
#include "asynprox/refinements/all.h"
#include "asynprox/run/result_fields.h"
#include "asynprox/run/result_text.h"

namespace asynprox {
namespace {

using Json = nlohmann::json;  // its keys are found in logarithmic time
using OrderedJson = nlohmann::ordered_json;

template <class Value>
concept HasSpec = requires(const Value& value) {
  { value.spec() } -> std::same_as<std::string>;
};

OrderedJson json_of(bool value) { return value; }
OrderedJson json_of(int value) { return value; }
OrderedJson json_of(std::int64_t value) { return value; }
OrderedJson json_of(std::uint64_t value) { return value; }
OrderedJson json_of(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}
OrderedJson json_of(const std::string& value) { return value; }
OrderedJson json_of(std::string_view value) { return value; }
OrderedJson json_of(const Faults& value) { return spec_of(value).text(); }

template <class Value>
  requires std::is_enum_v<Value>
OrderedJson json_of(Value value) {
  return name(value);
}
template <HasSpec Value>
OrderedJson json_of(const Value& value) {
  return value.spec();
}
template <class Value>
OrderedJson json_of(const std::optional<Value>& value);
template <class Value>
OrderedJson json_of(const std::vector<Value>& values);
template <class Value, std::size_t Count>
OrderedJson json_of(const std::array<Value, Count>& values) {
  return json_of(std::vector<Value>(values.begin(), values.end()));
}
template <HasFields Value>
OrderedJson json_of(const Value& value) {
  OrderedJson object = OrderedJson::object();
  visit_fields(value, [&](const char* field, const auto& part) { object[field] = json_of(part); });
  return object;
}
template <class Value>
OrderedJson json_of(const std::optional<Value>& value) {
  return value ? json_of(*value) : OrderedJson(nullptr);
}
template <class Value>
OrderedJson json_of(const std::vector<Value>& values) {
  OrderedJson array = OrderedJson::array();
  for (const Value& value : values) array.push_back(json_of(value));
  return array;
}

[[noreturn]] void fail_field(const std::string& where, std::string_view expected, const Json& got) {
  const std::string text = got.dump(-1, ' ', false, Json::error_handler_t::replace);
  throw DataError(fmt::format("{}: expected {}, got {}", where, expected,
                              text.size() > 60 ? text.substr(0, 60) + "..." : text));
}

template <class Words>
std::string names_of(const Words& words) {
  std::string names;
  for (const auto& word : words) {
    if (!names.empty()) names += " or ";
    names += name(word);
  }
  return names;
}

// One of `words`, by its name().
template <class Words>
auto word_of(const Json& json, const std::string& where, const Words& words) {
  const auto found =
      std::ranges::find_if(words, [&](const auto& value) { return json == name(value); });
  if (found == words.end()) fail_field(where, names_of(words), json);
  return *found;
}

// The member of a family that a spec makes.
template <class Make>
auto member_of(const Json& json, const std::string& where, Make make) {
  if (!json.is_string()) fail_field(where, "a spec", json);
  return naming<ContractError>(where, [&] { return make(parse_spec(json.get<std::string>())); });
}

// Reads values; `where` is the path of a field, for messages. DataError for what was not written by
// json_of().
class FieldReader {
 public:
  // `read`: the files that delays name. Borrowed.
  explicit FieldReader(const ReadNumbers& read) : read_(read) {}

  void read(const Json& json, const std::string& where, bool& value) const {
    if (!json.is_boolean()) fail_field(where, "true or false", json);
    value = json.get<bool>();
  }

  template <std::integral Value>
  void read(const Json& json, const std::string& where, Value& value) const {
    if (!json.is_number_integer()) fail_field(where, "a whole number", json);
    const bool fits = json.is_number_unsigned() ? std::in_range<Value>(json.get<std::uint64_t>())
                                                : std::in_range<Value>(json.get<std::int64_t>());
    if (!fits)
      fail_field(where,
                 fmt::format("a number from {} to {}", std::numeric_limits<Value>::min(),
                             std::numeric_limits<Value>::max()),
                 json);
    value = json.get<Value>();
  }

  void read(const Json& json, const std::string& where, double& value) const {
    if (json == "inf" || json == "-inf")
      value = (json == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
    else if (json == "nan")
      value = std::numeric_limits<double>::quiet_NaN();
    else if (json.is_number())
      value = json.get<double>();
    else
      fail_field(where, "a number", json);
  }

  void read(const Json& json, const std::string& where, std::string& value) const {
    if (!json.is_string()) fail_field(where, "a string", json);
    value = json.get<std::string>();
  }

  void read(const Json& json, const std::string& where, Runtime& value) const {
    value = word_of(json, where, kRuntimes);
  }
  void read(const Json& json, const std::string& where, StateChoice& value) const {
    value = word_of(json, where, kStateChoices);
  }
  void read(const Json& json, const std::string& where, Start& value) const {
    value = word_of(json, where, kStarts);
  }
  void read(const Json& json, const std::string& where, StalenessPolicy& value) const {
    value = word_of(json, where, kStalenessPolicies);
  }
  void read(const Json& json, const std::string& where, StopReason& value) const {
    value = word_of(json, where, kStopReasons);
  }

  void read(const Json& json, const std::string& where, AnyMethod& value) const {
    value = member_of(json, where, [](const Spec& spec) { return make_method(spec); });
  }
  void read(const Json& json, const std::string& where, AnyStepSize& value) const {
    value = member_of(json, where, [](const Spec& spec) { return make_step_size(spec); });
  }
  void read(const Json& json, const std::string& where, AnySampling& value) const {
    value = member_of(json, where, [](const Spec& spec) { return make_sampling(spec); });
  }
  void read(const Json& json, const std::string& where, AnyComputeTime& value) const {
    value = member_of(json, where, [](const Spec& spec) { return make_compute_time(spec); });
  }
  void read(const Json& json, const std::string& where, Faults& value) const {
    value = member_of(json, where, [](const Spec& spec) { return make_faults(spec); });
  }
  void read(const Json& json, const std::string& where, std::optional<AnyDelay>& value) const {
    value.reset();
    if (!json.is_null())
      value = member_of(json, where, [&](const Spec& spec) { return make_delay(spec, read_); });
  }

  template <class Value>
  void read(const Json& json, const std::string& where, std::optional<Value>& value) const {
    value.reset();
    if (!json.is_null()) read(json, where, value.emplace());
  }

  // A text that is kept by reference is the name of a refinement.
  void read(const Json& json, const std::string& where, std::string_view& value) const {
    for_each_member(AllRefinements{}, [&]<class R>(std::type_identity<R>) {
      if (json == R::name) value = R::name;
    });
    if (value.empty()) fail_field(where, "the name of a refinement", json);
  }

  template <class Value>
  void read(const Json& json, const std::string& where, std::vector<Value>& values) const {
    if (!json.is_array()) fail_field(where, "a list", json);
    values.clear();
    for (const Json& item : json)
      read(item, fmt::format("{}[{}]", where, values.size()), values.emplace_back());
  }

  template <class Value, std::size_t Count>
  void read(const Json& json, const std::string& where, std::array<Value, Count>& values) const {
    std::vector<Value> list;
    read(json, where, list);
    if (list.size() != Count) fail_field(where, fmt::format("{} entries", Count), json);
    std::ranges::copy(list, values.begin());
  }

  template <HasFields Value>
  void read(const Json& json, const std::string& where, Value& value) const {
    if (!json.is_object()) fail_field(where, "an object", json);
    std::size_t known = 0;
    visit_fields(value, [&](const char* field, auto& part) {
      const std::string path = where.empty() ? field : where + "." + field;
      if (!json.contains(field)) throw DataError(fmt::format("{} is missing", path));
      read(json.at(field), path, part);
      ++known;
    });
    if (json.size() == known) return;
    for (const auto& [key, unused] : json.items()) {
      bool is_known = false;
      visit_fields(value, [&](const char* field, auto&) { is_known |= key == field; });
      if (!is_known) fail_field(where, "no such field", key);
    }
  }

 private:
  const ReadNumbers& read_;
};

// A value with fields as the text of a JSON object, and back: `what` it is, for messages.
template <HasFields Value>
std::string text_of(const Value& value) {
  return json_of(value).dump(2, ' ', false, OrderedJson::error_handler_t::replace);
}

template <class Value>
Value value_of(std::string_view text, const std::string& what, const ReadNumbers& read = nullptr) {
  check_json_depth(text, what);
  try {
    Value value;
    FieldReader(read).read(Json::parse(text), what, value);
    return value;
  } catch (const Json::exception& error) {
    throw DataError(fmt::format("{}: expected JSON: {}", what, error.what()));
  }
}

}  // namespace

std::string plan_json(const Plan& plan) { return text_of(plan); }

Plan plan_from_json(std::string_view text, const ReadNumbers& read) {
  Plan plan = value_of<Plan>(text, "plan", read);
  if (plan.version != kPlanVersion)
    throw DataError(fmt::format("plan.version: expected {}, got {}", kPlanVersion, plan.version));
  return plan;
}

std::string problem_json(const ProblemSpec& problem) { return text_of(problem); }

ProblemSpec problem_from_json(std::string_view text) {
  return value_of<ProblemSpec>(text, "problem");
}

std::string limits_json(const std::vector<StoppingRules>& limits) { return json_of(limits).dump(); }

std::vector<StoppingRules> limits_from_json(std::string_view text) {
  return value_of<std::vector<StoppingRules>>(text, "resumed");
}

std::string result_text(const Result& result) { return text_of(result); }

std::string evaluation_text(const Evaluation& evaluation) { return text_of(evaluation); }

Result result_from_text(std::string_view text) { return value_of<Result>(text, "result"); }

Evaluation evaluation_from_text(std::string_view text) {
  return value_of<Evaluation>(text, "evaluation");
}

}  // namespace asynprox
