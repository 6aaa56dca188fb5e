// Dense layers of units: see sums/network.h.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>

#include "asynprox/models/kinds/kind.h"
#include "asynprox/sums/network_shape.h"

namespace asynprox {

struct NetworkModel {
  static constexpr std::string_view name = "network";
  static constexpr std::string_view formula =
      "dense layers of units; h may prune them: group-lasso:LAMBDA,groups=units";
  static constexpr std::array<std::string_view, 2> activations = {"relu", "tanh"};
  static constexpr bool of_ratings = false;
  std::int64_t hidden = 128;
  std::int64_t layers = 1;
  std::string activation = "relu";

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&NetworkModel::hidden, "hidden", from_to(1, 1e6), "units of a hidden layer"),
        parameter(&NetworkModel::layers, "layers", from_to(0, 100), "how many hidden layers"),
        word_parameter(&NetworkModel::activation, "activation", activations, "of hidden units"));
  }

  NetworkShape shape(std::size_t features, std::size_t outputs) const;

  std::size_t num_coefficients(const ModelShape& shape) const;
  ModelSum make_sum(const Dataset& data, const AnyLoss& loss, std::size_t outputs,
                    bool intercept) const;
  Vector scores(const FittedModel& model, const Dataset& data, Vector row_scale) const;
  Vector unit_groups(std::size_t features, std::size_t outputs) const;
  HiddenUnits hidden_units(const FittedModel& model) const;
};
static_assert(Kind<NetworkModel> && HasSum<NetworkModel>);

}  // namespace asynprox
