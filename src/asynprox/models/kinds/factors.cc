#include "asynprox/models/kinds/factors.h"

#include "asynprox/base/errors.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/sums/factorization.h"

namespace asynprox {
namespace {

std::size_t rank_of(const FactorModel& model) {
  check_parameters(model);
  return static_cast<std::size_t>(model.rank);
}

}  // namespace

std::size_t FactorModel::num_coefficients(const ModelShape& shape) const {
  return FactorScores{.shape = ratings_of(shape), .rank = rank_of(*this)}.dimension();
}

ModelSum FactorModel::make_sum(const Dataset& data, const AnyLoss& loss, std::size_t /*outputs*/,
                               bool intercept) const {
  require(!intercept, "intercept: factors and networks have constants of their own");
  Factorization f(data, loss, rank_of(*this));
  const double offset = f.model().offset;
  return {.f = std::move(f), .offset = {offset}};
}

Vector FactorModel::scores(const FittedModel& model, const Dataset& data,
                           const Vector& /*row_scale*/) const {
  const FactorScores scores = {.shape = *model.ratings,
                               .rank = rank_of(*this),
                               .offset = model.intercept.empty() ? 0 : model.intercept[0]};
  return scores.scores(data.rows, model.x);
}

}  // namespace asynprox
