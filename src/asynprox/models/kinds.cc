#include "asynprox/models/kinds.h"

#include <fmt/format.h>

#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

RatingsShape ratings_of(const ModelShape& shape) {
  require(shape.ratings && shape.ratings->num_users + shape.ratings->num_items == shape.features,
          "ratings: expected as many users and items as there are features");
  return *shape.ratings;
}

ModelKind make_model_kind(const Spec& spec) {
  return make_from_family<ModelKind>(AllModels{}, "model", spec, nullptr);
}

std::string full_spec(const ModelKind& kind) {
  return std::visit(
      []<class K>(const K& member) {
        Spec spec{.name = std::string(K::name), .settings = {}};
        const auto add = [&](const auto& parameter) {
          spec.settings.push_back(
              {std::string(parameter.name), family_detail::setting_text(member.*parameter.field)});
        };
        std::apply([&](const auto&... parameters) { (add(parameters), ...); }, K::parameters());
        return spec.text();
      },
      kind);
}

bool is_linear(const ModelKind& kind) {
  return std::visit([]<class K>(const K&) { return !HasSum<K>; }, kind);
}

bool takes_ratings(const ModelKind& kind) {
  return std::visit([]<class K>(const K&) { return K::of_ratings; }, kind);
}

std::size_t num_coefficients(const ModelKind& kind, const ModelShape& shape) {
  return std::visit([&](const auto& member) { return member.num_coefficients(shape); }, kind);
}

ModelSum make_sum(const ModelKind& kind, const Dataset& data, Vector labels, const AnyLoss& loss,
                  std::size_t outputs, bool intercept) {
  require(loss.labels() != Labels::none,
          fmt::format("{} looks at no labels, and fits linear models only", loss.name()));
  naming<DataError>(data.name, [&] { loss.check_labels(labels, outputs); });
  Dataset labelled = data;
  labelled.labels = std::move(labels);
  return std::visit(
      [&]<class K>(const K& member) -> ModelSum {
        if constexpr (HasSum<K>) return member.make_sum(labelled, loss, outputs, intercept);
        throw ContractError(fmt::format("the model {} has no sum of its own", K::name));
      },
      kind);
}

Spec regularizer_for(const ModelKind& kind, const std::optional<RatingsShape>& ratings,
                     const Spec& typed) {
  return std::visit(
      [&]([[maybe_unused]] const auto& member) {
        if constexpr (requires { member.regularizer(*ratings, typed); })
          if (ratings) return member.regularizer(*ratings, typed);
        return typed;
      },
      kind);
}

std::optional<Dataset> linear_data(const ModelKind& kind, const Dataset& data) {
  return std::visit(
      [&]([[maybe_unused]] const auto& member) -> std::optional<Dataset> {
        if constexpr (requires { member.linear_data(data); }) return member.linear_data(data);
        return std::nullopt;
      },
      kind);
}

bool is_linear_in_x(const ModelKind& kind) {
  return std::visit(
      [](const auto& member) {
        return requires(const Dataset& data) { member.linear_data(data); };
      },
      kind);
}

bool has_units(const ModelKind& kind) {
  return std::visit([](const auto& member) { return requires { member.unit_groups(1, 1); }; },
                    kind);
}

Vector unit_groups(const ModelKind& kind, std::size_t features, std::size_t outputs) {
  return std::visit(
      [&]<class K>([[maybe_unused]] const K& member) -> Vector {
        if constexpr (requires { member.unit_groups(features, outputs); })
          return member.unit_groups(features, outputs);
        throw ContractError(fmt::format("groups: the model {} has no units", K::name));
      },
      kind);
}

std::optional<HiddenUnits> hidden_units(const FittedModel& model) {
  return std::visit(
      [&]([[maybe_unused]] const auto& member) -> std::optional<HiddenUnits> {
        if constexpr (requires { member.hidden_units(model); }) return member.hidden_units(model);
        return std::nullopt;
      },
      make_model_kind(parse_spec(model.model)));
}

Vector kind_scores(const ModelKind& kind, const FittedModel& model, const Dataset& data,
                   Vector row_scale) {
  return std::visit(
      [&]<class K>(const K& member) -> Vector {
        if constexpr (HasSum<K>) return member.scores(model, data, std::move(row_scale));
        throw ContractError(fmt::format("the model {} is scored by Scorer", K::name));
      },
      kind);
}

}  // namespace asynprox
