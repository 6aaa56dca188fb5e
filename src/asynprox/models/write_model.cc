#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <span>

#include "asynprox/models/model_file.h"
#include "asynprox/models/write_file.h"

namespace asynprox {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The shortest text that reads as the same double.
std::string number(double value) {
  // Without a point, JSON readers take it for an integer, which has no -0.
  if (value == 0 && std::signbit(value)) return "-0.0";
  return fmt::format("{}", value);
}

std::string labels_text(const std::optional<SignLabelNames>& labels) {
  if (!labels) return "null";
  return fmt::format(R"({{"negative": {}, "positive": {}, "one_against_rest": {}}})",
                     number(labels->negative), number(labels->positive), labels->one_against_rest);
}

std::string picture_text(const std::optional<PictureShape>& picture) {
  if (!picture) return "null";
  return fmt::format(R"({{"height": {}, "width": {}}})", picture->height, picture->width);
}

bool is_plain_zero(double value) { return std::bit_cast<std::uint64_t>(value) == 0; }

std::string numbers_text(std::span<const double> numbers) {
  std::string text = "[";
  for (const double value : numbers) {
    if (text.size() > 1) text += ", ";
    text += number(value);
  }
  return text + "]";
}

// By the nonzeros, however many there are: one layout for every model.
std::string coefficients_text(const Vector& x) {
  std::vector<std::size_t> indices;
  Vector values;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (is_plain_zero(x[j])) continue;
    indices.push_back(j);
    values.push_back(x[j]);
  }
  return fmt::format(R"({{"size": {}, "indices": [{}], "values": {}}})", x.size(),
                     fmt::join(indices, ", "), numbers_text(values));
}

std::string names_text(const std::vector<std::string>& names) {
  std::string text = "[";
  for (const std::string& name : names) {
    if (text.size() > 1) text += ", ";
    text += quoted(name);
  }
  return text + "]";
}

// Fields that are there only where the model has them, each as ",\n  \"name\": value".
std::string field(std::string_view name, const std::string& value) {
  return fmt::format(",\n  {}: {}", quoted(std::string(name)), value);
}

std::string fields_after_x(const FittedModel& model) {
  std::string text;
  if (!model.linear()) text += field("model", quoted(model.model));
  if (model.ratings)
    text += field("ratings", fmt::format(R"({{"users": {}, "items": {}}})",
                                         model.ratings->num_users, model.ratings->num_items));
  if (!model.intercept.empty()) text += field("intercept", numbers_text(model.intercept));
  if (!model.column_scale.empty()) text += field("column_scale", numbers_text(model.column_scale));
  if (!model.center.empty()) text += field("center", numbers_text(model.center));
  if (!model.classes.empty()) text += field("classes", numbers_text(model.classes));
  if (!model.label_names.empty()) text += field("label_names", names_text(model.label_names));
  if (!model.feature_names.empty()) text += field("feature_names", names_text(model.feature_names));
  if (!model.label_column.empty()) text += field("label_column", quoted(model.label_column));
  if (!model.label_column_name.empty())
    text += field("label_column_name", quoted(model.label_column_name));
  return text;
}

// The oldest that has all the fields, so that an older asynprox reads what it can.
int format_version(const FittedModel& model) { return model.label_column_name.empty() ? 3 : 4; }

}  // namespace

std::string model_json(const FittedModel& model) {
  check_model(model);
  constexpr std::string_view kFile = R"({{
  "format": "asynprox-model",
  "format_version": {},
  "version": {},
  "loss": {},
  "regularizer": {},
  "normalize_rows": {},
  "labels": {},
  "picture": {},
  "dimension": {}{},
  "x": {}{}
}}
)";
  const std::string outputs =
      model.outputs == 1 ? "" : field("outputs", fmt::format("{}", model.outputs));
  return fmt::format(kFile, format_version(model), quoted(model.version), quoted(model.loss),
                     quoted(model.regularizer), model.normalize_rows, labels_text(model.labels),
                     picture_text(model.picture), model.dimension(), outputs,
                     coefficients_text(model.x), fields_after_x(model));
}

void write_model(const FittedModel& model, const std::string& path) {
  write_whole_file(path, model_json(model));
}

}  // namespace asynprox
