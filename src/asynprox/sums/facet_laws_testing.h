// For tests: what the facets of a finite sum have to obey. Each law compares a facet with the core
// of four, at points and for samples of the test's choice, and does nothing where f does not offer
// the facet.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "asynprox/sums/finite_sum_laws_testing.h"

namespace asynprox {

// Where laws are looked at: f and two points, for the gradients and what lies between them, and
// some samples.
struct LawCase {
  const AnyFiniteSum& f;
  const Vector& x;
  const Vector& y;
  Samples samples;

  Vector difference() const {
    Vector v = y;
    add_scaled(v, -1, x);
    return v;
  }
};

inline void expect_vectors_near(std::span<const double> got, std::span<const double> expected,
                                double tolerance = 1e-10) {
  ASSERT_EQ(got.size(), expected.size());
  double largest = 1;
  for (const double number : expected) largest = std::max(largest, std::abs(number));
  for (std::size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(got[i], expected[i], tolerance * largest) << "at " << i;
}

// scatter(scalars) is the gradient, and scatter is linear.
inline void expect_factors_make_the_gradient(const LawCase& at) {
  const FactoredGradient* factored = at.f.factored();
  if (!factored) return;
  Vector c(at.samples.size() * at.f.outputs());
  factored->scalars(at.x, at.samples, c);
  Vector g(at.f.dimension(), 0), more(at.f.dimension(), 1);
  factored->scatter(at.samples, c, g);
  expect_vectors_near(g, gradient_of(at.f, at.x, at.samples));
  scale(c, -3);
  factored->scatter(at.samples, c, more);
  scale(g, -3);
  for (double& number : g) number += 1;
  expect_vectors_near(more, g);
}

// Outputs are linear in x, and all that F depends on.
inline void expect_outputs_make_the_sum(const LawCase& at) {
  const LinearPredictor* linear = at.f.linear();
  if (!linear) return;
  const std::size_t size = at.samples.size() * at.f.outputs();
  Vector u(size), v(size), between(size), c(size), direct(size), in_place;
  linear->outputs_at(at.x, at.samples, u);
  linear->outputs_at(at.y, at.samples, v);
  Vector combined = at.x;
  add_scaled(combined, 2, at.y);
  linear->outputs_at(combined, at.samples, between);
  add_scaled(v, 0.5, u);
  scale(v, 2);
  expect_vectors_near(between, v);
  const double value = at.f.value(at.x, at.samples);
  EXPECT_NEAR(linear->value_of_outputs(at.samples, u), value, 1e-11 * (1 + std::abs(value)));
  linear->scalars_of_outputs(at.samples, u, c);
  linear->scalars(at.x, at.samples, direct);
  expect_vectors_near(c, direct, 1e-13);
  in_place = u;
  linear->scalars_of_outputs(at.samples, in_place, in_place);
  EXPECT_EQ(in_place, c);
  Vector kept_u(size), kept_c(size), g(at.f.dimension(), 0);
  EXPECT_NEAR(linear->value_and_gradient(at.x, at.samples, g, kept_u, kept_c), value,
              1e-11 * (1 + std::abs(value)));
  expect_vectors_near(kept_u, u, 1e-13);
  expect_vectors_near(kept_c, c, 1e-13);
  expect_vectors_near(g, gradient_of(at.f, at.x, at.samples));
}

// By differences of the scalars. Of one output.
inline void expect_curvatures_are_slopes_of_scalars(const LawCase& at) {
  const LinearPredictor* linear = at.f.linear();
  if (!linear || at.f.outputs() != 1) return;
  const double step = 1e-4;
  Vector u(at.samples.size()), c(u.size()), ahead(u.size()), curvatures(u.size());
  linear->outputs_at(at.x, at.samples, u);
  linear->scalars_of_outputs(at.samples, u, c);
  linear->curvatures_of_outputs(at.samples, u, c, curvatures);
  for (std::size_t i = 0; i < u.size(); ++i) ahead[i] = u[i] + step;
  linear->scalars_of_outputs(at.samples, ahead, ahead);
  for (std::size_t i = 0; i < u.size(); ++i)
    ASSERT_NEAR(curvatures[i], (ahead[i] - c[i]) / step, 1e-3 * (1 + std::abs(curvatures[i]))) << i;
}

// Taking means off the columns is taking them off the sum.
inline void expect_columns_fit_the_scatter(const LawCase& at) {
  const DataColumns* columns = at.f.columns();
  if (!columns) return;
  ASSERT_TRUE(at.f.factored()) << "columns are those of a linear model";
  const std::size_t C = at.f.outputs();
  Vector c(at.samples.size() * C), totals(C, 0);
  at.f.factored()->scalars(at.x, at.samples, c);
  for (std::size_t i = 0; i < c.size(); ++i) totals[i % C] += c[i];
  const ColumnMoments moments = columns->moments();
  Vector plain(at.f.dimension(), 0), centered(at.f.dimension(), 0);
  at.f.factored()->scatter(at.samples, c, plain);
  columns->centered_scatter(at.samples, c, moments.means, centered);
  for (std::size_t j = 0; j < plain.size(); ++j) plain[j] -= moments.means[j] * totals[j % C];
  expect_vectors_near(centered, plain);
  for (std::size_t j = 0; j < plain.size(); ++j)
    EXPECT_NEAR(moments.variances[j],
                moments.squares[j] - moments.weight * moments.means[j] * moments.means[j],
                1e-9 * (1 + moments.squares[j]))
        << "column " << j;
}

// v' (sum_i A_i' W_i A_i) v = sum_i u_i' W_i u_i, u_i = A_i v, for v that is 0 outside the keys.
inline void expect_gram_squares_the_outputs(const LawCase& at) {
  const WeightedGram* gram = at.f.gram();
  if (!gram) return;
  ASSERT_TRUE(at.f.linear());
  const std::size_t C = at.f.outputs();
  std::vector<Key> keys;
  Vector v(at.f.dimension(), 0), weights(at.samples.size() * C * C), u(at.samples.size() * C);
  for (std::size_t j = 0; j < v.size(); j += 2) keys.push_back(static_cast<Key>(j));
  for (const Key key : keys) v[key] = at.y[key];
  // W_i = w_i (I + 1 1' / 4)
  const auto weight = [&](std::size_t i, std::size_t c, std::size_t k) {
    return (0.5 + static_cast<double>(i % 3)) * ((c == k ? 1 : 0) + 0.25);
  };
  for (std::size_t i = 0; i < at.samples.size(); ++i)
    for (std::size_t c = 0; c < C; ++c)
      for (std::size_t k = 0; k < C; ++k) weights[(i * C + c) * C + k] = weight(i, c, k);
  const Gram sum = gram->sum(at.samples, weights, keys);
  double got = 0, expected = 0;
  for (std::size_t i = 0; i < keys.size(); ++i)
    for (std::size_t j = 0; j < keys.size(); ++j)
      got += v[keys[i]] * v[keys[j]] * sum.entries[i * keys.size() + j];
  at.f.linear()->outputs_at(v, at.samples, u);
  for (std::size_t i = 0; i < at.samples.size(); ++i)
    for (std::size_t c = 0; c < C; ++c)
      for (std::size_t k = 0; k < C; ++k) expected += weight(i, c, k) * u[i * C + c] * u[i * C + k];
  EXPECT_NEAR(got, expected, 1e-10 * (1 + expected));
}

// What is computed at the keys of a batch is what is computed everywhere, at those keys.
inline void expect_local_is_global(const LawCase& at) {
  const LocalGradient* local = at.f.local();
  if (!local) return;
  ASSERT_TRUE(at.f.sparse() && at.f.factored());
  KeySet keys(at.f.dimension()), listed(at.f.dimension());
  LocalRows rows;
  local->localize(at.samples, keys, rows);
  at.f.sparse()->add_keys(at.samples, listed);
  const auto at_keys = [&](const Vector& whole) {
    Vector some;
    for (const Key key : keys.keys()) some.push_back(whole[key]);
    return some;
  };
  EXPECT_TRUE(std::ranges::is_permutation(keys.keys(), listed.keys()));
  const Vector x = at_keys(at.x);
  Vector weights(at.samples.size()), g(x.size(), 0), c(at.samples.size() * at.f.outputs());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = 0.5 + static_cast<double>(i % 3);
  local->add_gradient(rows, x, at.samples, weights, g);
  expect_vectors_near(g, at_keys(gradient_of(at.f, at.x, at.samples, weights)));
  Vector expected(c.size()), halves(x.size(), 0);
  local->scalars(rows, x, at.samples, c);
  at.f.factored()->scalars(at.x, at.samples, expected);
  expect_vectors_near(c, expected, 1e-12);
  local->scatter(rows, at.samples, c, halves);
  expect_vectors_near(halves, at_keys(gradient_of(at.f, at.x, at.samples)));
}

// The second derivatives are those of the probabilities.
inline void expect_class_curvatures_are_curvatures(const LawCase& at) {
  const ClassCurvature* classes = at.f.class_curvature();
  if (!classes) return;
  ASSERT_TRUE(at.f.linear());
  const std::size_t C = at.f.outputs(), count = at.samples.size();
  Vector u(count * C), c(count * C), p(count * C), w(count), curvatures(count * C * C);
  at.f.linear()->outputs_at(at.x, at.samples, u);
  at.f.linear()->scalars_of_outputs(at.samples, u, c);
  at.f.linear()->curvatures_of_outputs(at.samples, u, c, curvatures);
  classes->of_scalars(at.samples, c, p, w);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_NEAR(sum(std::span(p).subspan(i * C, C)), 1, 1e-12);
    for (std::size_t j = 0; j < C; ++j)
      for (std::size_t k = 0; k < C; ++k) {
        const double p_j = p[i * C + j], p_k = p[i * C + k];
        EXPECT_NEAR(curvatures[(i * C + j) * C + k], w[i] * ((j == k ? p_j : 0) - p_j * p_k),
                    1e-12);
      }
  }
}

// L and L_i bound the changes of gradients between x and y, unless they are local.
inline void expect_lipschitz_bounds_gradient_changes(const LawCase& at) {
  const Curvature* curvature = at.f.curvature();
  if (!curvature) return;
  const std::size_t n = at.f.num_samples();
  const std::optional<Vector> samples_lipschitz = curvature->sample_lipschitz({});
  const std::optional<Vector> in_units_of_one =
      curvature->sample_lipschitz(Vector(at.f.dimension(), 1));
  if (samples_lipschitz && in_units_of_one)
    expect_vectors_near(*in_units_of_one, *samples_lipschitz);
  if (const auto diagonal = curvature->diagonal()) {
    ASSERT_EQ(diagonal->size(), at.f.dimension());
    for (const double entry : *diagonal) EXPECT_GE(entry, 0);
  }
  if (curvature->is_local()) return;
  const auto change = [&](Samples samples) {
    Vector g = gradient_of(at.f, at.x, samples);
    add_scaled(g, -1, gradient_of(at.f, at.y, samples));
    return norm(g);
  };
  const double distance = norm(at.difference()), slack = 1 + 1e-9;
  const double of_all = change(all_samples(n)) / static_cast<double>(n);
  if (const auto lipschitz = curvature->lipschitz()) {
    EXPECT_LE(of_all, slack * *lipschitz * distance);
  }
  if (!samples_lipschitz) return;
  ASSERT_EQ(samples_lipschitz->size(), n);
  for (const SampleIndex& i : at.samples)
    EXPECT_LE(change(Samples(&i, 1)), slack * (*samples_lipschitz)[i] * distance) << "sample " << i;
}

// B is symmetric, and bounds the Hessian: <grad F(y) - grad F(x), y - x> <= <B (y - x), y - x>.
inline void expect_products_bound_the_hessian(const LawCase& at) {
  const CurvatureProducts* products = at.f.curvature_products();
  if (!products) return;
  ASSERT_TRUE(at.f.curvature());
  const Vector v = at.difference();
  Vector of_v(v.size(), 0), of_x(v.size(), 0);
  products->add(v, at.samples, of_v);
  products->add(at.x, at.samples, of_x);
  const double size = norm(of_v) * norm(at.x) + norm(of_x) * norm(v);
  // By differences of gradients it is symmetric as nearly as these are exact.
  EXPECT_NEAR(dot(of_v, at.x), dot(of_x, v), 1e-6 * (1 + size));
  if (at.f.curvature()->is_local()) return;
  Vector change = gradient_of(at.f, at.y, at.samples);
  add_scaled(change, -1, gradient_of(at.f, at.x, at.samples));
  EXPECT_LE(dot(change, v), dot(of_v, v) + 1e-9 * (1 + size));
}

// Fenchel and Young: F_i(v) + F_i*(c) >= c'v, with equality where c is the derivative at v.
inline void expect_conjugates_obey_fenchel(const LawCase& at) {
  const DualLoss* dual = at.f.dual();
  if (!dual) return;
  ASSERT_TRUE(at.f.linear());
  const std::size_t size = at.samples.size() * at.f.outputs();
  Vector u(size), v(size), c(size);
  at.f.linear()->outputs_at(at.x, at.samples, u);
  at.f.linear()->outputs_at(at.y, at.samples, v);
  at.f.linear()->scalars_of_outputs(at.samples, u, c);
  const double here = at.f.value(at.x, at.samples), there = at.f.value(at.y, at.samples);
  const double scale_of_sums = 1e-9 * (1 + std::abs(here) + std::abs(dot(c, u)));
  EXPECT_NEAR(dual->conjugate_sum(at.samples, u, 1), dot(c, u) - here, scale_of_sums);
  for (const double s : {0.25, 1.0})
    EXPECT_GE(there + dual->conjugate_sum(at.samples, u, s), s * dot(c, v) - scale_of_sums) << s;
}

// No worse than x, and x but for the intercepts.
inline void expect_best_intercept_is_no_worse(const LawCase& at) {
  const std::optional<Vector> best = at.f.best_intercept(at.x);
  if (!best) return;
  const std::size_t seen = at.f.dimension() - at.f.num_free();
  ASSERT_EQ(best->size(), at.f.dimension());
  EXPECT_TRUE(
      std::equal(best->begin(), best->begin() + static_cast<std::ptrdiff_t>(seen), at.x.begin()));
  const std::vector<SampleIndex> all = all_samples(at.f.num_samples());
  const double value = at.f.value(at.x, all);
  EXPECT_LE(at.f.value(*best, all), value + 1e-10 * (1 + std::abs(value)));
}

// All of these, and those of finite_sum_laws_testing.h about keys.
inline void expect_facets_agree(const LawCase& at) {
  expect_factors_make_the_gradient(at);
  expect_outputs_make_the_sum(at);
  expect_curvatures_are_slopes_of_scalars(at);
  expect_columns_fit_the_scatter(at);
  expect_gram_squares_the_outputs(at);
  expect_class_curvatures_are_curvatures(at);
  if (at.f.sparse()) expect_keys_are_all_that_counts(at.f, at.x, at.samples.first(1));
  expect_local_is_global(at);
  expect_lipschitz_bounds_gradient_changes(at);
  expect_products_bound_the_hessian(at);
  expect_conjugates_obey_fenchel(at);
  expect_best_intercept_is_no_worse(at);
  if (const auto start = at.f.start(3)) {
    EXPECT_EQ(start->size(), at.f.dimension());
    EXPECT_EQ(at.f.start(3), start);
  }
}

}  // namespace asynprox
