// What every regulariser must satisfy, one of your own included:
//
//   TEST(MyRegularizer, ObeysTheLaws) { asynprox::expect_regularizer_laws<MyRegularizer>(); }
//
// One with parameters is tested with its defaults, or with what a specialisation of
// examples(dimension) returns.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace regularizer_laws {

// Calls check(h, v, eta, random) for every example, many sizes, scales and steps.
inline void for_many_cases(const RegularizerExamples& examples, auto&& check) {
  std::uint64_t stream = 0;
  for (const std::size_t dimension : {1u, 2u, 7u, 40u, 300u})
    for (const AnyRegularizer& h : bound(examples, dimension))
      for (const double scale : {1e-6, 1e-3, 1.0, 1e3, 1e6})
        for (const double eta : {1e-3, 0.4, 1.0, 50.0})
          for (int round = 0; round < 3; ++round) {
            const Random random = Random(21).stream(stream++);
            check(h, random_vector(random, dimension, scale), eta, random.stream(1));
          }
}

// Points of h's domain to compare p with: random ones, and near ones.
inline std::vector<Vector> rivals(const AnyRegularizer& h, const Vector& p, double scale,
                                  const Random& random) {
  std::vector<Vector> all;
  for (const double distance : {1e-6, 1e-2, 1.0, 3.0})
    for (std::uint64_t i = 0; i < 3; ++i) {
      Vector y = random_vector(random.stream(3 * all.size() + i), p.size(), distance * scale);
      if (distance < 1) add_scaled(y, 1, p);
      all.push_back(y);
      all.push_back(prox_of(h, y, 1e-3));
    }
  return all;
}

// What the lower bound on an objective rests on.
inline void is_nowhere_negative_and_finite_only_within_its_largest_norm(
    const RegularizerExamples& examples) {
  for_many_cases(examples, [&](const AnyRegularizer& h, const Vector& v, double eta, Random) {
    EXPECT_GE(h.value(v), 0);
    if (!h.norm_max()) return;
    EXPECT_LE(norm(prox_of(h, v, eta)), *h.norm_max() * (1 + 1e-9));
    const Vector outside(v.size(), 1.01 * *h.norm_max());
    EXPECT_EQ(h.value(outside), std::numeric_limits<double>::infinity());
  });
}

inline void no_other_point_is_better_than_the_prox(const RegularizerExamples& examples) {
  for_many_cases(
      examples, [&](const AnyRegularizer& h, const Vector& v, double eta, Random random) {
        const Vector p = prox_of(h, v, eta);
        const auto cost = [&](const Vector& y) {
          const Vector gap = difference(y, v);
          return eta * h.value(y) + 0.5 * dot(gap, gap);
        };
        const double scale = norm(v) + norm(p);
        ASSERT_TRUE(std::isfinite(cost(p)));
        for (const Vector& y : rivals(h, p, scale, random))
          ASSERT_LE(cost(p), cost(y) + 1e-13 * (cost(p) + scale * scale)) << "eta " << eta;
      });
}

// v - p is eta times a subgradient of h at p.
inline void the_prox_satisfies_its_variational_inequality(const RegularizerExamples& examples) {
  for_many_cases(examples,
                 [&](const AnyRegularizer& h, const Vector& v, double eta, Random random) {
                   const Vector p = prox_of(h, v, eta), residual = difference(v, p);
                   const double scale = norm(v) + norm(p);
                   for (const Vector& y : rivals(h, p, scale, random)) {
                     const double rise = eta * (h.value(y) - h.value(p));
                     const double tolerance =
                         1e-12 * (norm(residual) * scale + eta * h.value(p) + scale * scale * 1e-3);
                     ASSERT_LE(dot(residual, difference(y, p)), rise + tolerance) << "eta " << eta;
                   }
                 });
}

inline void the_prox_is_firmly_nonexpansive(const RegularizerExamples& examples) {
  for_many_cases(
      examples, [&](const AnyRegularizer& h, const Vector& v, double eta, Random random) {
        for (const double distance : {1e-3, 1.0}) {
          Vector w = random_vector(random, v.size(), distance * (norm(v) + 1e-9));
          add_scaled(w, 1, v);
          const Vector p = prox_of(h, v, eta), q = prox_of(h, w, eta);
          const Vector gap = difference(p, q), gap_before = difference(v, w);
          const double rounding = 2e-12 * (norm(v) + norm(w) + norm(p) + norm(q));
          ASSERT_LE(dot(gap, gap),
                    dot(gap, gap_before) + rounding * (norm(gap) + norm(gap_before) + rounding));
        }
      });
}

inline void a_null_step_projects_onto_where_h_is_finite(const RegularizerExamples& examples) {
  for_many_cases(examples, [&](const AnyRegularizer& h, const Vector& v, double eta, Random) {
    const Vector p = prox_of(h, v, 0);
    ASSERT_TRUE(std::isfinite(h.value(p)));
    ASSERT_EQ(prox_of(h, p, 0), p);
    ASSERT_TRUE(p == v || std::isinf(h.value(v)));
    ASSERT_TRUE(std::isfinite(h.value(prox_of(h, v, eta))));
  });
}

inline void an_indicator_projects_at_every_step(const RegularizerExamples& examples) {
  for_many_cases(examples, [&](const AnyRegularizer& h, const Vector& v, double eta, Random) {
    if (!h.indicator()) return;
    const Vector p = prox_of(h, v, eta);
    ASSERT_EQ(h.value(p), 0);
    for (const double other : {0.0, 1e-3, 1e300}) {
      ASSERT_EQ(prox_of(h, v, other), p);
      ASSERT_EQ(prox_of(h, p, other), p);
    }
    ASSERT_TRUE(h.value(v) == 0 || std::isinf(h.value(v)));
  });
}

inline void is_convex_and_nowhere_negative(const RegularizerExamples& examples) {
  for_many_cases(examples,
                 [&](const AnyRegularizer& h, const Vector& v, double eta, Random random) {
                   const Vector a = prox_of(h, v, eta);
                   const Vector b = prox_of(h, random_vector(random, v.size(), 1), eta);
                   Vector middle = a;
                   add_scaled(middle, 1, b);
                   scale(middle, 0.5);
                   const double chord = 0.5 * (h.value(a) + h.value(b));
                   ASSERT_GE(h.value(a), 0);
                   ASSERT_LE(h.value(middle), chord * (1 + 1e-12));
                 });
}

inline void huge_entries_and_steps_give_no_nan(const RegularizerExamples& examples) {
  for (const std::size_t dimension : {1u, 2u, 50u})
    for (const AnyRegularizer& h : bound(examples, dimension))
      for (const double scale : {1e-300, 1.0, 1e200})
        for (const double eta : {0.0, 1e-300, 1.0, 1e300, std::numeric_limits<double>::max()}) {
          const Vector v = random_vector(Random(5), dimension, scale);
          const Vector p = prox_of(h, v, eta);
          EXPECT_TRUE(all_finite(p)) << "scale " << scale << ", eta " << eta;
          EXPECT_FALSE(std::isnan(h.value(v)));
          EXPECT_TRUE(!h.indicator() || h.value(p) == 0) << "scale " << scale << ", eta " << eta;
          EXPECT_TRUE(!h.separable() || std::isfinite(h.lazy_time(eta))) << "eta " << eta;
        }
}

inline void a_nan_comes_out_as_a_nan(const RegularizerExamples& examples) {
  for (const AnyRegularizer& h : bound(examples, 4)) {
    const Vector v = {1, std::numeric_limits<double>::quiet_NaN(), -2, 0.5};
    EXPECT_FALSE(all_finite(prox_of(h, v, 0.1)));
  }
}

inline void takes_empty_vectors(const RegularizerExamples& examples) {
  for (const AnyRegularizer& h : bound(examples, 0)) {
    EXPECT_TRUE(prox_of(h, {}, 1).empty());
    EXPECT_FALSE(std::isnan(h.value({})));
  }
}

inline void one_coordinate_at_a_time_equals_all_at_once(const RegularizerExamples& examples) {
  for_many_cases(examples, [&](const AnyRegularizer& h, const Vector& v, double eta, Random) {
    if (!h.separable()) return;
    std::vector<Key> keys;
    Vector entries, expected = prox_of(h, v, eta);
    for (std::size_t j = v.size(); j-- > 0;) {
      keys.push_back(static_cast<Key>(j));
      entries.push_back(v[j]);
    }
    h.prox_each(keys, entries, Vector(v.size(), eta));
    std::ranges::reverse(expected);
    ASSERT_EQ(entries, expected);
  });
}

}  // namespace regularizer_laws

template <class R>
void expect_regularizer_laws() {
  const RegularizerExamples examples = examples_of<R>();
  regularizer_laws::is_nowhere_negative_and_finite_only_within_its_largest_norm(examples);
  regularizer_laws::no_other_point_is_better_than_the_prox(examples);
  regularizer_laws::the_prox_satisfies_its_variational_inequality(examples);
  regularizer_laws::the_prox_is_firmly_nonexpansive(examples);
  regularizer_laws::a_null_step_projects_onto_where_h_is_finite(examples);
  regularizer_laws::an_indicator_projects_at_every_step(examples);
  regularizer_laws::is_convex_and_nowhere_negative(examples);
  regularizer_laws::huge_entries_and_steps_give_no_nan(examples);
  regularizer_laws::a_nan_comes_out_as_a_nan(examples);
  regularizer_laws::takes_empty_vectors(examples);
  regularizer_laws::one_coordinate_at_a_time_equals_all_at_once(examples);
}

}  // namespace asynprox
