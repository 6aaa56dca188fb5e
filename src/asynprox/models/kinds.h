// THE list of models: what the numbers x say of a sample. Each is chosen by a spec, --model SPEC; a
// finite sum is made of one to fit it, and scores when it is fitted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>

#include "asynprox/base/family.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/sums/any_finite_sum.h"
#include "asynprox/sums/network_shape.h"

namespace asynprox {

struct LinearModel {
  static constexpr std::string_view name = "linear";
  static constexpr std::string_view formula = "u_c = a'x_c + b_c";
  static constexpr auto parameters() { return std::tuple(); }
};

struct FactorModel {
  static constexpr std::string_view name = "factors";
  static constexpr std::string_view formula =
      "u = b0 + b_user + b_item + U_user'V_item, of ratings";
  std::int64_t rank = 8;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&FactorModel::rank, "rank", from_to(0, 1e6), "factors of a user or an item"));
  }
};

struct MatrixModel {
  static constexpr std::string_view name = "matrix";
  static constexpr std::string_view formula =
      "u = X[user, item] + b, of ratings; x is X row by row";
  static constexpr auto parameters() { return std::tuple(); }
};

struct NetworkModel {
  static constexpr std::string_view name = "network";
  static constexpr std::string_view formula =
      "dense layers of units; h may prune them: group-lasso:LAMBDA,groups=units";
  static constexpr std::array<std::string_view, 2> activations = {"relu", "tanh"};
  std::int64_t hidden = 128;
  std::int64_t layers = 1;
  std::string activation = "relu";

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&NetworkModel::hidden, "hidden", from_to(1, 1e6), "units of a hidden layer"),
        parameter(&NetworkModel::layers, "layers", from_to(0, 100), "how many hidden layers"),
        word_parameter(&NetworkModel::activation, "activation", activations, "of hidden units"));
  }
};

using AllModels = Family<LinearModel, FactorModel, MatrixModel, NetworkModel>;
using ModelKind = std::variant<LinearModel, FactorModel, MatrixModel, NetworkModel>;

// Throws ContractError.
ModelKind make_model_kind(const Spec& spec);

bool is_linear(const ModelKind& kind);
bool takes_ratings(const ModelKind& kind);

// Of a network only.
NetworkShape network_shape(const ModelKind& kind, std::size_t features, std::size_t outputs);

// How many numbers x has. ContractError for ratings without their shape, or a shape that does not
// have as many users and items as there are features.
std::size_t num_coefficients(const ModelKind& kind, std::size_t features, std::size_t outputs,
                             const std::optional<RatingsShape>& ratings);

struct ModelSum {
  AnyFiniteSum f;
  Vector offset = {};  // b0 of factors, which is not fitted
};

// What is minimised to fit a model that is not linear (those are made by solve()), with labels as
// the loss takes them. An intercept is for matrices; the others have constants of their own, and
// refuse one (ContractError). DataError, naming the data and the sample, for a label that the loss
// does not take.
ModelSum make_sum(const ModelKind& kind, const Dataset& data, Vector labels, const AnyLoss& loss,
                  std::size_t outputs, bool intercept);

// A regulariser as it is for a model: the nuclear norm of a matrix of ratings has a column for each
// item, which need not be written. ContractError where it is written otherwise.
Spec regularizer_for(const ModelKind& kind, const std::optional<RatingsShape>& ratings,
                     const Spec& typed);

struct FittedModel;

struct HiddenUnits {
  std::size_t zero = 0;  // those that are gone: all that comes in is zero
  std::size_t total = 0;
};

// Of a network; empty for other models.
std::optional<HiddenUnits> hidden_units(const FittedModel& model);

// u of a model that is not linear: C numbers a sample. Rows as `row_scale` scales them.
Vector kind_scores(const ModelKind& kind, const FittedModel& model, const Dataset& data,
                   Vector row_scale);

}  // namespace asynprox
