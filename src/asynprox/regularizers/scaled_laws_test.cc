// What the prox in a diagonal metric must satisfy, wherever a regulariser has one.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "asynprox/regularizers/regularizer_subjects_testing.h"

namespace asynprox {
namespace {

Vector scaled_prox_of(const AnyRegularizer& h, Vector v, const Vector& etas) {
  h.prox_scaled(v, etas);
  return v;
}

// sum_j a_j b_j / s_j
double product(const Vector& a, const Vector& b, const Vector& etas) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j] / etas[j];
  return sum;
}

double absolute_product(Vector a, Vector b, const Vector& etas) {
  for (double& a_j : a) a_j = std::abs(a_j);
  for (double& b_j : b) b_j = std::abs(b_j);
  return product(a, b, etas);
}

double metric_norm(const Vector& a, const Vector& etas) { return std::sqrt(product(a, a, etas)); }

// Steps over so many decades about 1.
Vector random_steps(const Random& random, std::size_t dimension, double decades) {
  Vector etas(dimension);
  for (std::size_t j = 0; j < dimension; ++j)
    etas[j] = std::pow(10, decades * (random.uniform_at(j) - 0.5));
  return etas;
}

class ScaledLaws : public ::testing::TestWithParam<RegularizerSubject> {
 protected:
  // Calls check(h, v, etas, random) for many sizes, scales and steps. The entries are of one size,
  // or as the gradient steps of columns in different units are: in proportion to s_j or its root.
  void for_many_cases(auto&& check) const {
    if (!GetParam().has_scaled_prox) return;
    std::uint64_t stream = 0;
    for (const std::size_t dimension : {1u, 2u, 7u, 40u, 300u})
      for (const AnyRegularizer& h : bound(GetParam().examples, dimension))
        for (const double scale : {1e-3, 1.0, 1e3})
          for (const double decades : {0.0, 1.0, 6.0, 12.0, 15.0})
            for (const double power : {0.0, 0.5, 1.0}) {
              const Random random = Random(23).stream(stream++);
              const Vector etas = random_steps(random.stream(2), dimension, decades);
              Vector v = random_vector(random, dimension, scale);
              for (std::size_t j = 0; j < dimension; ++j) v[j] *= std::pow(etas[j], power);
              check(h, v, etas, random.stream(1));
            }
  }

  // Points where h is finite to compare p with: near and far ones, in the units of the steps and in
  // those of p.
  std::vector<Vector> rivals(const AnyRegularizer& h, const Vector& v, const Vector& p,
                             const Vector& etas, const Random& random) const {
    std::vector<Vector> all;
    const double size = metric_norm(v, etas) + metric_norm(p, etas);
    for (const double distance : {1e-9, 1e-5, 1e-2, 1.0})
      for (const bool steps : {false, true}) {
        Vector y = random_vector(random.stream(all.size()), p.size(), distance);
        for (std::size_t j = 0; j < y.size(); ++j)
          y[j] =
              p[j] + y[j] * (steps ? size * std::sqrt(etas[j]) : std::abs(p[j]) + std::abs(v[j]));
        all.push_back(prox_of(h, y, 0));
        all.push_back(scaled_prox_of(h, y, etas));
      }
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(All, ScaledLaws, ::testing::ValuesIn(regularizer_subjects()),
                         subject_name);

TEST_P(ScaledLaws, WithEqualStepsItIsTheProx) {
  for_many_cases([](const AnyRegularizer& h, const Vector& v, const Vector& etas, Random) {
    for (const double eta : {1e-3, 1.0, etas.front()}) {
      const Vector p = prox_of(h, v, eta), q = scaled_prox_of(h, v, Vector(v.size(), eta));
      const double rounding = 1e-13 * norm(p) + 1e-15 * norm(v);
      for (std::size_t j = 0; j < v.size(); ++j) ASSERT_NEAR(q[j], p[j], rounding) << j;
    }
  });
}

// (v_j - p_j) / s_j is a subgradient of h at p, so that no other point is better.
TEST_P(ScaledLaws, ItSatisfiesItsVariationalInequality) {
  for_many_cases(
      [this](const AnyRegularizer& h, const Vector& v, const Vector& etas, Random random) {
        const Vector p = scaled_prox_of(h, v, etas), residual = difference(v, p);
        ASSERT_TRUE(std::isfinite(h.value(p)));
        for (const Vector& y : rivals(h, v, p, etas, random)) {
          const double rounding = absolute_product(residual, y, etas) +
                                  absolute_product(residual, p, etas) + h.value(y) + h.value(p) +
                                  1e-3 * product(v, v, etas);
          ASSERT_LE(product(residual, difference(y, p), etas),
                    h.value(y) - h.value(p) + 1e-12 * rounding);
        }
      });
}

TEST_P(ScaledLaws, ItIsFirmlyNonexpansiveInTheMetric) {
  for_many_cases([](const AnyRegularizer& h, const Vector& v, const Vector& etas, Random random) {
    for (const double distance : {1e-6, 1e-2, 1.0}) {
      Vector w = random_vector(random, v.size(), distance * metric_norm(v, etas));
      for (std::size_t j = 0; j < w.size(); ++j) w[j] = v[j] + w[j] * std::sqrt(etas[j]);
      const Vector p = scaled_prox_of(h, v, etas), q = scaled_prox_of(h, w, etas);
      const Vector gap = difference(p, q), gap_before = difference(v, w);
      const double size = metric_norm(v, etas) + metric_norm(w, etas) + metric_norm(p, etas);
      const double rounding = 2e-12 * size;
      ASSERT_LE(product(gap, gap, etas),
                product(gap, gap_before, etas) +
                    rounding * (metric_norm(gap, etas) + metric_norm(gap_before, etas)) +
                    rounding * rounding);
    }
  });
}

TEST_P(ScaledLaws, APointInsideIsItsOwnProjection) {
  for_many_cases([](const AnyRegularizer& h, const Vector& v, const Vector& etas, Random) {
    if (!h.indicator()) return;
    const Vector p = scaled_prox_of(h, v, etas);
    ASSERT_EQ(h.value(p), 0);
    ASSERT_EQ(scaled_prox_of(h, p, etas), p);
  });
}

TEST_P(ScaledLaws, HugeEntriesAndStepsGiveNoNan) {
  if (GetParam().has_scaled_prox)
    for (const std::size_t dimension : {1u, 2u, 50u})
      for (const AnyRegularizer& h : bound(GetParam().examples, dimension))
        for (const double scale : {0.0, 1e-300, 1.0, 1e200})
          for (const double eta : {1e-300, 1.0, 1e295})
            for (const double decades : {0.0, 12.0, 24.0}) {
              Vector etas = random_steps(Random(7), dimension, decades);
              for (double& eta_j : etas) eta_j *= eta;
              const Vector v = random_vector(Random(5), dimension, scale);
              const Vector p = scaled_prox_of(h, v, etas);
              EXPECT_TRUE(all_finite(p)) << "scale " << scale << ", eta " << eta;
              EXPECT_FALSE(std::isnan(h.value(p)));
              EXPECT_TRUE(!h.indicator() || h.value(p) == 0)
                  << "scale " << scale << ", eta " << eta << ", decades " << decades;
            }
}

TEST_P(ScaledLaws, ANanComesOutAsANanAndEmptyVectorsAreTaken) {
  if (GetParam().has_scaled_prox) {
    for (const AnyRegularizer& h : bound(GetParam().examples, 4)) {
      const Vector v = {1, std::numeric_limits<double>::quiet_NaN(), -2, 0.5};
      EXPECT_FALSE(all_finite(scaled_prox_of(h, v, {0.1, 0.2, 3, 1e5})));
    }
    for (const AnyRegularizer& h : bound(GetParam().examples, 0))
      EXPECT_TRUE(scaled_prox_of(h, {}, {}).empty());
  }
}

TEST_P(ScaledLaws, FreeCoordinatesAreLeftAlone) {
  if (GetParam().has_scaled_prox)
    for (const AnyRegularizer& member : GetParam().examples(6)) {
      const AnyRegularizer h = member.bound(8, 2);
      const Vector etas = random_steps(Random(8), 8, 6), v = random_vector(Random(9), 8, 3);
      ASSERT_TRUE(h.has_scaled_prox());
      Vector expected = scaled_prox_of(member.bound(6), {v.begin(), v.begin() + 6},
                                       {etas.begin(), etas.begin() + 6});
      expected.insert(expected.end(), v.begin() + 6, v.end());
      EXPECT_EQ(scaled_prox_of(h, v, etas), expected);
    }
}

TEST_P(ScaledLaws, OnlyThoseThatHaveOneSaySo) {
  const std::vector<AnyRegularizer> all = bound(GetParam().examples, 4);
  for (const AnyRegularizer& h : all) {
    EXPECT_EQ(h.has_scaled_prox(), GetParam().has_scaled_prox);
    if (!h.has_scaled_prox()) {
      EXPECT_THROW(scaled_prox_of(h, Vector(4, 1.0), Vector(4, 1.0)), BugError);
    }
  }
}

TEST(ScaledProx, IsKnownForAllButThese) {
  std::set<std::string> without;
  for_each_member(AllRegularizers{}, [&]<class Member>(std::type_identity<Member>) {
    if (!HasScaledProx<Member>) without.emplace(Member::name);
  });
  EXPECT_EQ(without, (std::set<std::string>{"nuclear"}));
}

// By hand: theta = 1 lowers 3 by 1 and 5 by 2 * 1, and 0.1 by more than it is.
TEST(ScaledProx, OfTheL1BallLowersInProportionToTheSteps) {
  Vector v = {3, -5, 0.1};
  L1Ball{.radius = 5}.prox_scaled(v, Vector{1, 2, 1});
  EXPECT_EQ(v, (Vector{2, -3, 0}));
}

// By hand: z = (3, 4) is 5 long, and v_j = z_j (5 + 2 s_j) / 5.
TEST(ScaledProx, OfTheNormAndTheBallAreOnOneCurve) {
  Vector v = {3 * 1.4, 4 * 5.0}, w = v;
  const Vector etas = {1, 10};
  L2Norm{.lambda = 2}.prox_scaled(v, etas);
  L2Ball{.radius = 5}.prox_scaled(w, etas);
  for (const Vector& z : {v, w}) {
    EXPECT_NEAR(z[0], 3, 1e-14);
    EXPECT_NEAR(z[1], 4, 1e-14);
  }
}

}  // namespace
}  // namespace asynprox
