#include "asynprox/models/kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/regularizers/nuclear.h"
#include "asynprox/sums/factorization.h"
#include "asynprox/sums/matrix_completion.h"
#include "asynprox/sums/network.h"

namespace asynprox {
namespace {

std::size_t rank_of(const FactorModel& model) {
  check_parameters(model);
  return static_cast<std::size_t>(model.rank);
}

// X_uv; nothing for a user or an item that the model does not know.
Vector matrix_scores(const FittedModel& model, const Rows& rows) {
  const auto [num_users, num_items] = *model.ratings;
  Vector scores(rows.num_rows(), model.intercept.empty() ? 0 : model.intercept[0]);
  walk_rows(rows, [&](std::size_t i, std::span<const RowEntry> row) {
    if (row.size() != 2 || row[0].column >= num_users || row[1].column < num_users ||
        row[1].column >= num_users + num_items)
      return;
    scores[i] += model.x[row[0].column * num_items + (row[1].column - num_users)];
  });
  return scores;
}

}  // namespace

ModelKind make_model_kind(const Spec& spec) {
  return make_from_family<ModelKind>(AllModels{}, "model", spec, nullptr);
}

bool is_linear(const ModelKind& kind) { return std::holds_alternative<LinearModel>(kind); }

bool takes_ratings(const ModelKind& kind) {
  return std::holds_alternative<FactorModel>(kind) || std::holds_alternative<MatrixModel>(kind);
}

NetworkShape network_shape(const ModelKind& kind, std::size_t features, std::size_t outputs) {
  const NetworkModel& model = std::get<NetworkModel>(kind);
  check_parameters(model);
  const auto layers = static_cast<std::size_t>(model.layers);
  return {.inputs = features,
          .hidden = std::vector<std::size_t>(layers, static_cast<std::size_t>(model.hidden)),
          .outputs = outputs,
          .activation = model.activation == "relu" ? Activation::relu : Activation::tanh};
}

std::size_t num_coefficients(const ModelKind& kind, std::size_t features, std::size_t outputs,
                             const std::optional<RatingsShape>& ratings) {
  if (is_linear(kind)) return features * outputs;
  if (std::holds_alternative<NetworkModel>(kind))
    return network_shape(kind, features, outputs).dimension();
  require(ratings && ratings->num_users + ratings->num_items == features,
          "ratings: expected as many users and items as there are features");
  if (const auto* factors = std::get_if<FactorModel>(&kind))
    return FactorScores{.shape = *ratings, .rank = rank_of(*factors)}.dimension();
  return ratings->num_users * ratings->num_items;
}

ModelSum make_sum(const ModelKind& kind, const Dataset& data, Vector labels, const AnyLoss& loss,
                  std::size_t outputs, bool intercept) {
  require(loss.labels() != Labels::none,
          fmt::format("{} looks at no labels, and fits linear models only", loss.name()));
  require(!loss.several_outputs() || !std::holds_alternative<MatrixModel>(kind),
          fmt::format("a matrix of ratings takes a loss of one number, got {}", loss.name()));
  try {
    loss.check_labels(labels, outputs);
  } catch (const DataError& error) {
    throw DataError(data.name + ": " + error.what());
  }
  Dataset labelled = data;
  labelled.labels = std::move(labels);
  if (std::holds_alternative<MatrixModel>(kind))
    return {.f = matrix_completion(labelled, loss, {.intercept = intercept})};
  require(!intercept, "intercept: factors and networks have constants of their own");
  if (const auto* factors = std::get_if<FactorModel>(&kind)) {
    Factorization f(labelled, loss, rank_of(*factors));
    const double offset = f.model().offset;
    return {.f = std::move(f), .offset = {offset}};
  }
  const NetworkShape shape = network_shape(kind, data.dimension(), outputs);
  return {.f = Network(data, std::move(labelled.labels), loss, shape)};
}

Spec regularizer_for(const ModelKind& kind, const std::optional<RatingsShape>& ratings,
                     const Spec& typed) {
  if (!std::holds_alternative<MatrixModel>(kind) || !ratings || typed.name != Nuclear::name)
    return typed;
  constexpr const char* kColumns = "columns";
  const auto columns = std::ranges::find(typed.settings, kColumns, &Spec::Setting::key);
  if (columns == typed.settings.end()) {
    Spec whole = typed;
    whole.settings.push_back({kColumns, fmt::format("{}", ratings->num_items)});
    return whole;
  }
  const double number = parse_number(columns->value, "nuclear: columns");
  require(number == static_cast<double>(ratings->num_items),
          fmt::format("nuclear: columns: expected {}, one an item (it need not be written), got {}",
                      ratings->num_items, columns->value));
  return typed;
}

std::optional<HiddenUnits> hidden_units(const FittedModel& model) {
  const ModelKind kind = make_model_kind(parse_spec(model.model));
  if (!std::holds_alternative<NetworkModel>(kind)) return std::nullopt;
  const NetworkShape shape = network_shape(kind, model.features, model.outputs);
  const std::vector<std::size_t> zero = shape.zero_units(model.x);
  return HiddenUnits{
      .zero = std::accumulate(zero.begin(), zero.end(), std::size_t{0}),
      .total = std::accumulate(shape.hidden.begin(), shape.hidden.end(), std::size_t{0})};
}

Vector kind_scores(const ModelKind& kind, const FittedModel& model, const Dataset& data,
                   Vector row_scale) {
  if (std::holds_alternative<MatrixModel>(kind)) return matrix_scores(model, data.rows);
  if (const auto* factors = std::get_if<FactorModel>(&kind)) {
    const FactorScores scores = {.shape = *model.ratings,
                                 .rank = rank_of(*factors),
                                 .offset = model.intercept.empty() ? 0 : model.intercept[0]};
    return scores.scores(data.rows, model.x);
  }
  const Dataset treated = {.name = data.name,
                           .rows = data.rows,
                           .row_scale = std::move(row_scale),
                           .column_scale = model.column_scale,
                           .center = model.center};
  return network_outputs(network_shape(kind, model.features, model.outputs), model.x, treated);
}

}  // namespace asynprox
