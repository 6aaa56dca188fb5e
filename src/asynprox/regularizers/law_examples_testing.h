// For tests: which settings of a regulariser the laws are checked with, and on
// which vectors.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "asynprox/base/family_testing.h"
#include "asynprox/base/random.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/all.h"

namespace asynprox {

// The member with what must be given set to 0.3, or to a file of ones. A new member has the laws
// checked on this without a change here.
template <class R>
std::vector<R> examples(std::size_t dimension) {
  Spec spec{std::string(R::name), {}};
  for (const MemberDescription& member : describe(Family<R>{}))
    for (const ParameterDescription& p : member.parameters)
      if (p.default_value.empty()) spec.settings.push_back({p.name, "0.3"});
  return {make_member<R>(spec, [&](const std::string&) { return Vector(dimension, 1.0); })};
}

template <>
inline std::vector<L1> examples(std::size_t) {
  return {{.lambda = 0}, {.lambda = 0.3}, {.lambda = 20}};
}
template <>
inline std::vector<WeightedL1> examples(std::size_t dimension) {
  Vector rising(dimension), positive(dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    rising[j] = 0.5 * static_cast<double>(j);
    positive[j] = rising[j] + 0.25;
  }
  return {{.lambda = 0.3, .weights = {"", rising}},
          {.lambda = 0.3, .weights = {"", positive}},
          {.lambda = 2, .weights = {"", Vector(dimension, 0.0)}}};
}
template <>
inline std::vector<SquaredL2> examples(std::size_t) {
  return {{.lambda = 0}, {.lambda = 0.3}, {.lambda = 20}};
}
template <>
inline std::vector<ElasticNet> examples(std::size_t) {
  return {{.l1 = 0.3, .l2 = 0.2}, {.l1 = 0.3}, {.l2 = 2}, {.l1 = 0.3, .l2 = 1e-14}};
}
template <>
inline std::vector<Box> examples(std::size_t) {
  return {{}, {.lower = -0.5, .upper = 2}, {.lower = 1}, {.lower = 0.7, .upper = 0.7}};
}
template <>
inline std::vector<L2Ball> examples(std::size_t) {
  return {{}, {.radius = 1e-3}, {.radius = 100}};
}
template <>
inline std::vector<NonNegBall> examples(std::size_t) {
  return {{}, {.radius = 1e-3}, {.radius = 100}};
}
template <>
inline std::vector<Simplex> examples(std::size_t) {
  return {{}, {.radius = 1e-3}, {.radius = 100}};
}
template <>
inline std::vector<L1Ball> examples(std::size_t) {
  return {{}, {.radius = 1e-3}, {.radius = 100}};
}
template <>
inline std::vector<GroupLasso> examples(std::size_t dimension) {
  Vector alternating(dimension);
  for (std::size_t j = 0; j < dimension; ++j) alternating[j] = static_cast<double>(j % 3);
  std::vector<GroupLasso> all = {{.lambda = 0.3, .size = 1}, {.lambda = 0.1, .size = 4}};
  if (dimension > 0) all.push_back({.lambda = 0.3, .groups = {"", alternating}});
  return all;
}

template <>
inline std::vector<NonNegL1> examples(std::size_t) {
  return {{.lambda = 0}, {.lambda = 0.3}, {.lambda = 20}};
}
template <>
inline std::vector<LinfBall> examples(std::size_t) {
  return {{}, {.radius = 1e-3}, {.radius = 100}};
}
template <>
inline std::vector<L2Norm> examples(std::size_t) {
  return {{.lambda = 0}, {.lambda = 0.3}, {.lambda = 20}};
}
template <>
inline std::vector<SparseGroupLasso> examples(std::size_t dimension) {
  std::vector<SparseGroupLasso> all = {{.l1 = 0.3, .group = 0.2, .size = 1},
                                       {.l1 = 0.1, .group = 0, .size = 4},
                                       {.l1 = 0, .group = 0.3, .size = 3}};
  for (const GroupLasso& h : examples<GroupLasso>(dimension))
    all.push_back({.l1 = 0.2, .group = h.lambda, .groups = h.groups, .size = h.size});
  return all;
}
template <>
inline std::vector<Tv1d> examples(std::size_t) {
  return {{.lambda = 0}, {.lambda = 0.3}, {.lambda = 20}};
}
template <>
inline std::vector<Slope> examples(std::size_t dimension) {
  Vector steps(dimension);  // 2, 2, 1, 1, 0, 0, ...
  for (std::size_t j = 0; j < dimension; ++j) steps[j] = j < 2 ? 2 : j < 4 ? 1 : 0;
  std::vector<Slope> all = {
      {.lambda = 0, .q = 0.1}, {.lambda = 0.3, .q = 0.1}, {.lambda = 2, .q = 1}};
  if (dimension > 0) all.push_back({.lambda = 0.3, .weights = {"", steps}});
  return all;
}
template <>
inline std::vector<Nuclear> examples(std::size_t dimension) {
  std::size_t side = 1;  // the largest divisor up to the root: a matrix nearly square
  for (std::size_t c = 1; c * c <= dimension; ++c)
    if (dimension % c == 0) side = c;
  const auto columns = static_cast<std::int64_t>(side);
  return {{.lambda = 0.3, .columns = columns},
          {.lambda = 4,
           .columns = std::max<std::int64_t>(1, static_cast<std::int64_t>(dimension) / columns)},
          {.lambda = 0, .columns = 1}};
}

// Those of a family that are separable, as a list of types.
template <class Members, class... Kept>
struct SeparableOf {
  using type = ::testing::Types<Kept...>;
};
template <class Member, class... Others, class... Kept>
struct SeparableOf<Family<Member, Others...>, Kept...>
    : std::conditional_t<SeparableRegularizer<Member>,
                         SeparableOf<Family<Others...>, Kept..., Member>,
                         SeparableOf<Family<Others...>, Kept...>> {};

// What the laws of one regulariser are checked with: its examples for vectors of `dimension`
// coordinates, not bound yet.
using RegularizerExamples = std::function<std::vector<AnyRegularizer>(std::size_t dimension)>;

template <class R>
RegularizerExamples examples_of() {
  return [](std::size_t dimension) {
    const std::vector<R> all = examples<R>(dimension);
    return std::vector<AnyRegularizer>(all.begin(), all.end());
  };
}

// The examples, ready for `dimension` coordinates.
inline std::vector<AnyRegularizer> bound(const RegularizerExamples& examples,
                                         std::size_t dimension) {
  std::vector<AnyRegularizer> all;
  for (const AnyRegularizer& h : examples(dimension)) all.push_back(h.bound(dimension));
  return all;
}

template <class R>
std::vector<AnyRegularizer> bound_examples(std::size_t dimension) {
  return bound(examples_of<R>(), dimension);
}

// Entries in [-scale, scale]; every third vector is full of ties, zeros among them.
inline Vector random_vector(const Random& random, std::size_t dimension, double scale) {
  const bool ties = random.at(dimension) % 3 == 0;
  Vector v(dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    const double entry = 2 * random.uniform_at(j) - 1;
    v[j] = scale * (ties ? std::round(2 * entry) / 2 : entry);
  }
  return v;
}

inline Vector prox_of(const AnyRegularizer& h, Vector v, double eta) {
  h.prox(v, eta);
  return v;
}

inline Vector difference(const Vector& a, const Vector& b) {
  Vector c = a;
  add_scaled(c, -1, b);
  return c;
}

}  // namespace asynprox
