// What a kind of model is: what the numbers x say of a sample. A kind is a struct with
//
//   name, formula, parameters()           see base/family.h
//   of_ratings                            its data is ratings: a user and an item in each row
//   num_coefficients(shape)               how many numbers x has. ContractError for a shape that does
//                                         not fit
//
// and, unless it is the linear model, which the front door fits (solve.h) and scores.h scores,
//
//   make_sum(data, loss, outputs, intercept)   what is minimised to fit it, of labelled data
//   scores(model, data, row_scale)             u of a fitted one: C numbers per sample
//
// and, where it has such a thing,
//
//   regularizer(ratings, typed)           a regulariser's spec with what the kind knows of it
//   linear_data(data)                     the same samples as those of a linear model in x: a strength
//                                         may then be a share of the largest useful one
//   unit_groups(features, outputs)        the groups of coordinates that `groups=units` names
//   hidden_units(model)                   how many of its units are gone
//
// models/kinds.h has the list, and functions that ask any kind.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>

#include "asynprox/base/family.h"
#include "asynprox/data/dataset.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

struct FittedModel;

struct ModelShape {
  std::size_t features = 0;
  std::size_t outputs = 1;
  std::optional<RatingsShape> ratings = {};
};

struct ModelSum {
  AnyFiniteSum f;
  Vector offset = {};  // b0 of factors, which is not fitted
};

struct HiddenUnits {
  std::size_t zero = 0;  // those that are gone: all that comes in is zero
  std::size_t total = 0;
};

template <class K>
concept HasSum = requires(const K& kind, const Dataset& data, const AnyLoss& loss,
                          const FittedModel& model, Vector row_scale) {
  { kind.make_sum(data, loss, std::size_t{}, bool{}) } -> std::same_as<ModelSum>;
  { kind.scores(model, data, row_scale) } -> std::same_as<Vector>;
};

template <class K>
concept Kind = std::default_initializable<K> && requires(const K& kind, const ModelShape& shape) {
  { K::name } -> std::convertible_to<std::string_view>;
  { K::formula } -> std::convertible_to<std::string_view>;
  { K::of_ratings } -> std::convertible_to<bool>;
  K::parameters();
  { kind.num_coefficients(shape) } -> std::same_as<std::size_t>;
};

// The shape of the ratings. ContractError where there is none, or it does not have as many users
// and items as there are features.
RatingsShape ratings_of(const ModelShape& shape);

}  // namespace asynprox
