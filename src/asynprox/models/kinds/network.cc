#include "asynprox/models/kinds/network.h"

#include <numeric>
#include <utility>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/sums/network.h"

namespace asynprox {

NetworkShape NetworkModel::shape(std::size_t features, std::size_t outputs) const {
  check_parameters(*this);
  return {.inputs = features,
          .hidden = std::vector<std::size_t>(static_cast<std::size_t>(layers),
                                             static_cast<std::size_t>(hidden)),
          .outputs = outputs,
          .activation = activation == "relu" ? Activation::relu : Activation::tanh};
}

std::size_t NetworkModel::num_coefficients(const ModelShape& of) const {
  return shape(of.features, of.outputs).dimension();
}

ModelSum NetworkModel::make_sum(const Dataset& data, const AnyLoss& loss, std::size_t outputs,
                                bool intercept) const {
  require(!intercept, "intercept: factors and networks have constants of their own");
  return {.f = Network(data, data.labels, loss, shape(data.dimension(), outputs))};
}

Vector NetworkModel::scores(const FittedModel& model, const Dataset& data, Vector row_scale) const {
  const Dataset treated = {.name = data.name,
                           .rows = data.rows,
                           .row_scale = std::move(row_scale),
                           .column_scale = model.column_scale,
                           .center = model.center};
  return network_outputs(shape(model.features, model.outputs), model.x, treated);
}

Vector NetworkModel::unit_groups(std::size_t features, std::size_t outputs) const {
  return shape(features, outputs).unit_groups();
}

HiddenUnits NetworkModel::hidden_units(const FittedModel& model) const {
  const NetworkShape layers_of = shape(model.features, model.outputs);
  const std::vector<std::size_t> zero = layers_of.zero_units(model.x);
  return {
      .zero = std::accumulate(zero.begin(), zero.end(), std::size_t{0}),
      .total = std::accumulate(layers_of.hidden.begin(), layers_of.hidden.end(), std::size_t{0})};
}

}  // namespace asynprox
