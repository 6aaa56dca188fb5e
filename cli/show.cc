// asynprox show: the coefficients of a model, by size, in the units of the data's columns.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/models/model_file.h"
#include "asynprox/models/predictions.h"
#include "asynprox/models/user_units.h"
#include "asynprox/report/json_text.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

// How many coefficients of an output people are shown unless they ask for all.
constexpr std::size_t kShown = 50;

// One output of a linear model.
struct Output {
  std::string label = {};               // the class, the positive label, or nothing
  double intercept = 0;                 // v
  Vector coefficients = {};             // w
  std::size_t nonzeros = 0;             // how many of them
  std::vector<std::size_t> order = {};  // columns to show, from 0, the largest |w_j| first
};

Output output_of(const FittedModel& model, const UserUnits& units, std::size_t c, bool zeros) {
  Output output{.intercept = units.intercepts[c], .coefficients = Vector(model.dimension())};
  if (!model.classes.empty()) output.label = label_text(model, model.classes[c]);
  if (model.labels) output.label = label_text(model, model.labels->positive);
  for (std::size_t j = 0; j < model.dimension(); ++j) {
    const double w_j = output.coefficients[j] = units.coefficients[j * model.outputs + c];
    if (w_j != 0) ++output.nonzeros;
    if (w_j != 0 || zeros) output.order.push_back(j);
  }
  std::ranges::sort(output.order, {},
                    [&](std::size_t j) { return std::pair(-std::abs(output.coefficients[j]), j); });
  return output;
}

// The name itself where it can be printed, else in quotes with what cannot be escaped.
std::string printable(const std::string& name) {
  const std::string quoted = quoted_token(name);
  return quoted == "'" + name + "'" ? name : quoted;
}

bool has_name(const FittedModel& model, std::size_t j) {
  return !model.feature_names.empty() && !model.feature_names[j].empty();
}

std::string feature_text(const FittedModel& model, std::size_t j) {
  return has_name(model, j) ? printable(model.feature_names[j]) : fmt::format("column {}", j + 1);
}

bool has_constant(const FittedModel& model) {
  return !model.intercept.empty() || !model.center.empty();
}

std::string line(std::string_view what, const std::string& text) {
  return fmt::format("{:<11} {}\n", what, text);
}

// What the signs of scores mean, for two labels.
std::string labels_text(const FittedModel& model) {
  return fmt::format("{} where the score is above 0, else {}",
                     printable(prediction_text(model, model.labels->positive)),
                     printable(prediction_text(model, model.labels->negative)));
}

std::string head_text(const FittedModel& model) {
  std::string text =
      line("model", fmt::format("{}, {} + {}", printable(model.model), printable(model.loss),
                                printable(model.regularizer)));
  if (model.labels) text += line("labels", labels_text(model));
  return text;
}

std::string output_text(const FittedModel& model, const Output& output, std::size_t shown) {
  std::string text;
  if (!model.classes.empty()) text += fmt::format("\nclass {}\n", printable(output.label));
  text += line("nonzeros", fmt::format("{} of {}", output.nonzeros, output.coefficients.size()));
  if (has_constant(model)) text += fmt::format("{:>14.6g}  (intercept)\n", output.intercept);
  shown = std::min(shown, output.order.size());
  for (std::size_t k = 0; k < shown; ++k)
    text += fmt::format("{:>14.6g}  {}\n", output.coefficients[output.order[k]],
                        feature_text(model, output.order[k]));
  if (const std::size_t more = output.order.size() - shown; more > 0)
    text += fmt::format("{:>14}  {} more, none of them larger; --all shows them\n", "...", more);
  return text;
}

std::string text_of(const FittedModel& model, const std::vector<Output>& outputs, bool all) {
  std::string text = head_text(model);
  text += line("units", model.normalize_rows
                            ? "coefficients apply to rows that are scaled to length 1"
                            : "coefficients apply to the columns as they are in the data");
  const std::size_t shown = all ? model.dimension() : kShown;
  for (const Output& output : outputs) text += output_text(model, output, shown);
  return text;
}

// As RFC 4180 has it.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_text(const FittedModel& model, const std::vector<Output>& outputs) {
  const bool classes = !model.classes.empty();
  std::string text =
      classes ? "class,column,feature,coefficient\n" : "column,feature,coefficient\n";
  for (const Output& output : outputs) {
    const std::string label = classes ? csv_cell(output.label) + "," : "";
    if (has_constant(model)) text += fmt::format("{}0,(intercept),{}\n", label, output.intercept);
    for (const std::size_t j : output.order)
      text += fmt::format("{}{},{},{}\n", label, j + 1,
                          has_name(model, j) ? csv_cell(model.feature_names[j]) : "",
                          output.coefficients[j]);
  }
  return text;
}

std::string coefficients_json(const FittedModel& model, const Output& output) {
  std::vector<std::string> entries;
  entries.reserve(output.order.size());
  for (const std::size_t j : output.order)
    entries.push_back(fmt::format(R"({{"column": {}, "feature": {}, "coefficient": {}}})", j + 1,
                                  has_name(model, j) ? json_string(model.feature_names[j]) : "null",
                                  json_number(output.coefficients[j])));
  return fmt::format("[{}]", fmt::join(entries, ", "));
}

// The fields that models of every kind have.
std::string head_json(const FittedModel& model) {
  return fmt::format(R"("model": {}, "loss": {}, "regularizer": {}, "dimension": {})",
                     json_string(model.model), json_string(model.loss),
                     json_string(model.regularizer), model.dimension());
}

std::string json_text(const FittedModel& model, const std::vector<Output>& outputs) {
  std::vector<std::string> all;
  all.reserve(outputs.size());
  for (const Output& output : outputs)
    all.push_back(fmt::format(
        R"({{"label": {}, "intercept": {}, "nonzeros": {}, "coefficients": {}}})",
        model.labels || !model.classes.empty() ? json_string(output.label) : "null",
        json_number(output.intercept), output.nonzeros, coefficients_json(model, output)));
  return fmt::format("{{{}, \"normalize_rows\": {}, \"outputs\": [{}]}}\n", head_json(model),
                     model.normalize_rows, fmt::join(all, ", "));
}

// A model that is not linear has no coefficients of columns: what it is, and its sizes.
std::string other_text(const FittedModel& model, bool json) {
  const auto nonzeros = model.x.size() - static_cast<std::size_t>(std::ranges::count(model.x, 0.0));
  if (json)
    return fmt::format("{{{}, \"numbers\": {}, \"nonzeros\": {}, \"outputs\": null}}\n",
                       head_json(model), model.x.size(), nonzeros);
  std::string text = head_text(model);
  text += model.ratings
              ? line("ratings", fmt::format("{} users, {} items", model.ratings->num_users,
                                            model.ratings->num_items))
              : line("features", fmt::format("{}, {} outputs", model.dimension(), model.outputs));
  text += line("nonzeros", fmt::format("{} of {} numbers", nonzeros, model.x.size()));
  return text + "only linear models have a coefficient for each column\n";
}

}  // namespace

int run(const ShowArguments& arguments) {
  require(!arguments.csv || !arguments.json, "--csv: expected it or --json, got both");
  const FittedModel model = read_model(arguments.model);
  require(model.linear() || !arguments.csv,
          "--csv: expected a linear model, whose columns have coefficients, got " + model.model);
  if (!model.linear()) {
    print(other_text(model, arguments.json));
    flush_output();
    return kDone;
  }
  const UserUnits units = in_user_units(model);
  std::vector<Output> outputs;
  outputs.reserve(model.outputs);
  for (std::size_t c = 0; c < model.outputs; ++c)
    outputs.push_back(output_of(model, units, c, arguments.all));
  if (arguments.csv)
    print(csv_text(model, outputs));
  else
    print(arguments.json ? json_text(model, outputs) : text_of(model, outputs, arguments.all));
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
