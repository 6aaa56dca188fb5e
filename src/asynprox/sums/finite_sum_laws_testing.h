// For tests: what every finite sum has to obey, at a point and for samples of the test's choice.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

inline Vector gradient_of(const AnyFiniteSum& f, const Vector& x, Samples samples,
                          std::span<const double> weights = {}) {
  Vector g(f.dimension(), 0);
  f.add_gradient(x, samples, weights, g);
  return g;
}

// By differences of the value over `step` both ways, in every coordinate.
inline void expect_gradient_matches_differences(const AnyFiniteSum& f, const Vector& x,
                                                Samples samples, double step = 1e-5,
                                                double tolerance = 1e-6) {
  const Vector g = gradient_of(f, x, samples);
  for (std::size_t j = 0; j < x.size(); ++j) {
    Vector up = x, down = x;
    up[j] += step;
    down[j] -= step;
    const double slope = (f.value(up, samples) - f.value(down, samples)) / (up[j] - down[j]);
    EXPECT_NEAR(g[j], slope, tolerance * (1 + std::abs(slope))) << "coordinate " << j;
  }
}

inline void expect_parts_fit_together(const AnyFiniteSum& f, const Vector& x, Samples samples) {
  const Vector g = gradient_of(f, x, samples);
  // Both at once are both.
  Vector both(f.dimension(), 0);
  const double value = f.value_and_gradient(x, samples, both);
  EXPECT_NEAR(value, f.value(x, samples), 1e-12 * (1 + std::abs(value)));
  // A batch is the sum of its samples, with weights or without, and is added to what is there.
  Vector weights(samples.size()), one_by_one(f.dimension(), 0), weighted_sum(f.dimension(), 7);
  double values = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    weights[i] = 0.5 * static_cast<double>(i % 5);
    const Vector single = gradient_of(f, x, samples.subspan(i, 1));
    add_scaled(one_by_one, 1, single);
    add_scaled(weighted_sum, weights[i], single);
    values += f.value(x, samples.subspan(i, 1));
  }
  Vector weighted(f.dimension(), 7);
  f.add_gradient(x, samples, weights, weighted);
  EXPECT_NEAR(value, values, 1e-11 * (1 + std::abs(value)));
  for (std::size_t j = 0; j < g.size(); ++j) {
    EXPECT_NEAR(both[j], g[j], 1e-12 * (1 + std::abs(g[j])));
    EXPECT_NEAR(one_by_one[j], g[j], 1e-10 * (1 + std::abs(g[j])));
    EXPECT_NEAR(weighted[j], weighted_sum[j], 1e-10 * (1 + std::abs(weighted_sum[j])));
  }
}

// A gradient is zero outside its keys, and nothing outside them is read.
inline void expect_keys_are_all_that_counts(const AnyFiniteSum& f, const Vector& x,
                                            Samples samples) {
  KeySet keys(f.dimension());
  ASSERT_TRUE(f.sparse());
  f.sparse()->add_keys(samples, keys);
  Vector elsewhere(f.dimension(), 1e6);
  for (const Key key : keys.keys()) elsewhere[key] = x[key];
  const Vector g = gradient_of(f, x, samples);
  EXPECT_EQ(gradient_of(f, elsewhere, samples), g);
  EXPECT_EQ(f.value(elsewhere, samples), f.value(x, samples));
  std::size_t touched = 0;
  for (const Key key : keys.keys()) touched += g[key] != 0 ? 1 : 0;
  EXPECT_EQ(count_nonzeros(g), touched);
  EXPECT_GT(touched, 0);
}

}  // namespace asynprox
