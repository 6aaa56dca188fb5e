#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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

std::string coefficients_text(const Vector& x) {
  const auto zeros = static_cast<std::size_t>(std::ranges::count_if(x, is_plain_zero));
  if (2 * (x.size() - zeros) >= x.size()) return numbers_text(x);
  std::vector<std::size_t> indices;
  Vector values;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (is_plain_zero(x[j])) continue;
    indices.push_back(j);
    values.push_back(x[j]);
  }
  return fmt::format(R"({{"indices": [{}], "values": {}}})", fmt::join(indices, ", "),
                     numbers_text(values));
}

}  // namespace

void write_model(const FittedModel& model, const std::string& path) {
  check_model(model);
  constexpr std::string_view kFile = R"({{
  "format": "asynprox-model",
  "format_version": 1,
  "version": {},
  "loss": {},
  "regularizer": {},
  "normalize_rows": {},
  "labels": {},
  "picture": {},
  "dimension": {},
  "x": {}{}
}}
)";
  const std::string center =
      model.center.empty() ? "" : ",\n  \"center\": " + coefficients_text(model.center);
  write_whole_file(path, fmt::format(kFile, quoted(model.version), quoted(model.loss),
                                     quoted(model.regularizer), model.normalize_rows,
                                     labels_text(model.labels), picture_text(model.picture),
                                     model.x.size(), coefficients_text(model.x), center));
}

}  // namespace asynprox
