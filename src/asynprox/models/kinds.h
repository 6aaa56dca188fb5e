// THE list of models: what the numbers x say of a sample. Each is chosen by a spec, --model SPEC; a
// finite sum is made of one to fit it, and scores when it is fitted. A new kind is one header in
// kinds/, which says what it has (kinds/kind.h), and one name here.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "asynprox/base/family.h"
#include "asynprox/models/kinds/factors.h"
#include "asynprox/models/kinds/linear.h"
#include "asynprox/models/kinds/matrix.h"
#include "asynprox/models/kinds/network.h"

namespace asynprox {

template <Kind... Kinds>
struct KindList {
  using List = Family<Kinds...>;
  using Any = std::variant<Kinds...>;
};

using ModelKinds = KindList<LinearModel, FactorModel, MatrixModel, NetworkModel>;
using AllModels = ModelKinds::List;
using ModelKind = ModelKinds::Any;

// Throws ContractError.
ModelKind make_model_kind(const Spec& spec);

// NAME:KEY=VALUE,... of all its parameters, also those that have their defaults.
std::string full_spec(const ModelKind& kind);

bool is_linear(const ModelKind& kind);
bool takes_ratings(const ModelKind& kind);

// How many numbers x has. ContractError for ratings without their shape, or a shape that does not
// have as many users and items as there are features.
std::size_t num_coefficients(const ModelKind& kind, const ModelShape& shape);

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

// The samples as those of a linear model, where a model is linear in x; else nothing.
std::optional<Dataset> linear_data(const ModelKind& kind, const Dataset& data);
bool is_linear_in_x(const ModelKind& kind);

// The groups of coordinates that belong to a unit, for models that have units (ContractError else).
bool has_units(const ModelKind& kind);
Vector unit_groups(const ModelKind& kind, std::size_t features, std::size_t outputs);

// Empty for models without units.
std::optional<HiddenUnits> hidden_units(const FittedModel& model);

// u of a model that is not linear: C numbers per sample. Rows as `row_scale` scales them.
Vector kind_scores(const ModelKind& kind, const FittedModel& model, const Dataset& data,
                   Vector row_scale);

}  // namespace asynprox
