#include "asynprox/models/fitted_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/kinds.h"

namespace asynprox {
namespace {

constexpr std::size_t kCoefficientsMax = std::size_t{1} << 32;

[[noreturn]] void fail(std::string_view field, std::string_view expected, const std::string& got) {
  throw ContractError(fmt::format("{}: expected {}, got {}", field, expected, got));
}

void in_field(std::string_view field, auto&& check) {
  try {
    check();
  } catch (const ContractError& error) {
    throw ContractError(fmt::format("{}: {}", field, error.what()));
  }
}

void check_finite(std::string_view field, const Vector& numbers) {
  const auto bad = std::ranges::find_if(numbers, [](double x_j) { return !std::isfinite(x_j); });
  if (bad != numbers.end())
    fail(fmt::format("{}[{}]", field, bad - numbers.begin()), "a finite number",
         fmt::format("{}", *bad));
}

void check_positive(std::string_view field, const Vector& numbers) {
  const auto bad = std::ranges::find_if(numbers, [](double number) { return !(number > 0); });
  if (bad != numbers.end())
    fail(fmt::format("{}[{}]", field, bad - numbers.begin()), "a number above 0",
         fmt::format("{}", *bad));
}

void check_label_column(const std::string& column) {
  const bool is_number = !column.empty() && column.front() != '0' && column.size() < 20 &&
                         std::ranges::all_of(column, [](char c) { return c >= '0' && c <= '9'; });
  if (!column.empty() && column != "none" && !is_number)
    fail("label_column", "a whole number of at least 1, or none", quoted_token(column));
}

// The first that was there before, as text.
template <class Items>
void check_different(std::string_view field, const Items& items, auto&& shown) {
  std::set<typename Items::value_type> seen;
  for (const auto& item : items)
    if (!seen.insert(item).second) fail(field, "different ones", shown(item) + " twice");
}

void check_names(const std::vector<std::string>& names, const Vector& labels) {
  check_different("label_names", names, [](const std::string& name) { return quoted_token(name); });
  if (names.empty()) return;
  for (const double label : labels)
    if (!(label >= 0 && label < static_cast<double>(names.size()) && label == std::trunc(label)))
      fail("label_names", fmt::format("one for the label {}", label),
           fmt::format("those of 0 to {}", names.size() - 1));
}

void check_labels(const AnyLoss& loss, const std::optional<SignLabelNames>& labels) {
  const bool wanted = loss.labels() == Labels::signs;
  if (wanted && !labels) fail("labels", fmt::format("two for the loss {}", loss.name()), "none");
  if (!wanted && labels) fail("labels", fmt::format("none for the loss {}", loss.name()), "two");
  if (!labels) return;
  for (const double label : {labels->negative, labels->positive})
    if (!std::isfinite(label)) fail("labels", "finite numbers", fmt::format("{}", label));
  if (labels->negative == labels->positive)
    fail("labels", "two different ones", fmt::format("{} twice", labels->positive));
}

void check_outputs(const AnyLoss& loss, const FittedModel& model) {
  const bool several = loss.labels() == Labels::classes;
  if (several ? model.outputs < 2 : model.outputs != 1)
    fail("outputs", fmt::format("{} for the loss {}", several ? "at least 2" : "1", loss.name()),
         fmt::format("{}", model.outputs));
  const std::size_t num_classes = several ? model.outputs : 0;
  if (model.classes.size() != num_classes)
    fail("classes", fmt::format("{} for the loss {}", num_classes, loss.name()),
         fmt::format("{}", model.classes.size()));
  check_finite("classes", model.classes);
  check_different("classes", model.classes, [](double label) { return fmt::format("{}", label); });
}

void check_labels(const FittedModel& model) {
  const AnyLoss loss = make_loss(parse_spec(model.loss));
  check_labels(loss, model.labels);
  check_outputs(loss, model);
  Vector labels = model.classes;
  if (model.labels) labels = {model.labels->negative, model.labels->positive};
  check_names(model.label_names, labels);
}

void check_size(std::string_view field, std::size_t size, std::size_t wanted,
                std::string_view unit) {
  if (size == 0 || size == wanted) return;
  fail(field, fmt::format("{} {}", wanted, unit), fmt::format("{}", size));
}

void check_coefficients(const FittedModel& model) {
  if (model.x.size() > kCoefficientsMax)
    fail("x", "at most 2^32 coefficients", fmt::format("{}", model.x.size()));
  const ModelKind kind = make_model_kind(parse_spec(model.model));
  if (!is_linear(kind))
    if (const std::size_t wanted =
            num_coefficients(kind, {model.features, model.outputs, model.ratings});
        model.x.size() != wanted)
      fail("x", fmt::format("{} coefficients for the model {}", wanted, model.model),
           fmt::format("{}", model.x.size()));
  if (model.linear() && model.x.size() % model.outputs != 0)
    fail("x", fmt::format("{} coefficients a feature", model.outputs),
         fmt::format("{}", model.x.size()));
  check_finite("x", model.x);
  check_size("intercept", model.intercept.size(), model.outputs, "numbers, one per output");
  check_finite("intercept", model.intercept);
  check_size("column_scale", model.column_scale.size(), model.dimension(),
             "numbers, one per feature");
  check_finite("column_scale", model.column_scale);
  check_positive("column_scale", model.column_scale);
  check_size("center", model.center.size(), model.dimension(), "numbers, one per feature");
  check_finite("center", model.center);
  check_size("feature_names", model.feature_names.size(), model.dimension(),
             "names, one per feature");
}

}  // namespace

void check_model(const FittedModel& model) {
  in_field("loss", [&] { make_loss(parse_spec(model.loss)); });
  in_field("model", [&] { make_model_kind(parse_spec(model.model)); });
  in_field("regularizer", [&] { parse_spec(model.regularizer); });
  check_labels(model);
  check_coefficients(model);
  check_label_column(model.label_column);
  if (model.picture && (model.picture->height < 1 || model.picture->width < 1))
    fail("picture", "a height and a width of at least 1",
         fmt::format("{} and {}", model.picture->height, model.picture->width));
}

}  // namespace asynprox
