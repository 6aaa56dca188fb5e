// minimise Psi(x) = f(x) + h(x), and what is asked of it: values, gradients, and
//
//   P(x, g, eta) = (x - prox_{eta h}(x - eta g)) / eta       the gradient mapping: 0 exactly at
//                                                            critical points of Psi
#pragma once

#include <span>

#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/any_regularizer.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

struct Problem {
  AnyFiniteSum f;
  AnyRegularizer h;  // bound to the dimension of f
};

struct Objective {
  double loss = 0;         // f(x)
  double regularizer = 0;  // h(x)
  double total() const { return loss + regularizer; }
};

// h is made ready for vectors of f's dimension, and does not see the intercepts.
Problem make_problem(AnyFiniteSum f, const AnyRegularizer& h);

Objective objective(const Problem& problem, std::span<const double> x);

// f(x), and grad f(x) written to `gradient`, in one pass over the data.
double value_and_gradient(const AnyFiniteSum& f, std::span<const double> x, Vector& gradient);

// A share of that pass, number `share` of `shares`: the sum of F(x; xi_i) over its samples, and
// their summed gradients written to `gradient`. The shares cover every sample once. Where `outputs`
// and `scalars` have room for those of all samples (and f has outputs), they are kept there.
double value_and_gradient_sums(const AnyFiniteSum& f, std::span<const double> x, int share,
                               int shares, Vector& gradient, std::span<double> outputs = {},
                               std::span<double> scalars = {});

// f where the outputs of all samples are u.
double loss_of_outputs(const AnyFiniteSum& f, std::span<const double> u);

// |P(x, g, eta)|
double gradient_mapping_norm(const AnyRegularizer& h, std::span<const double> x,
                             std::span<const double> g, double eta);

// (1/n) sum_i |grad F(x; xi_i) - grad f(x)|^2: sigma^2 at x.
double gradient_variance(const AnyFiniteSum& f, std::span<const double> x);

}  // namespace asynprox
