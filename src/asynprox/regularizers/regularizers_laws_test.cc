// What every regulariser must satisfy. One that joins the list is tested without a change here.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

template <class R>
class RegularizerLaws : public ::testing::Test {
 protected:
  // Calls check(h, v, eta, random) for every example, many sizes, scales and steps.
  void for_many_cases(auto&& check) const {
    std::uint64_t stream = 0;
    for (const std::size_t dimension : {1u, 2u, 7u, 40u, 300u})
      for (const AnyRegularizer& h : bound_examples<R>(dimension))
        for (const double scale : {1e-6, 1e-3, 1.0, 1e3, 1e6})
          for (const double eta : {1e-3, 0.4, 1.0, 50.0})
            for (int round = 0; round < 3; ++round) {
              const Random random = Random(21).stream(stream++);
              check(h, random_vector(random, dimension, scale), eta, random.stream(1));
            }
  }

  // Points of h's domain to compare p with: random ones, and near ones.
  std::vector<Vector> rivals(const AnyRegularizer& h, const Vector& p, double scale,
                             const Random& random) const {
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
};

TYPED_TEST_SUITE(RegularizerLaws, TypesOf<AllRegularizers>::type, MemberName);

// What the lower bound on an objective rests on.
TYPED_TEST(RegularizerLaws, IsNowhereNegativeAndFiniteOnlyWithinItsLargestNorm) {
  this->for_many_cases([&](const AnyRegularizer& h, const Vector& v, double eta, Random) {
    EXPECT_GE(h.value(v), 0);
    if (!h.norm_max()) return;
    EXPECT_LE(norm(prox_of(h, v, eta)), *h.norm_max() * (1 + 1e-9));
    const Vector outside(v.size(), 1.01 * *h.norm_max());
    EXPECT_EQ(h.value(outside), std::numeric_limits<double>::infinity());
  });
}

TYPED_TEST(RegularizerLaws, NoOtherPointIsBetterThanTheProx) {
  this->for_many_cases([&](const AnyRegularizer& h, const Vector& v, double eta, Random random) {
    const Vector p = prox_of(h, v, eta);
    const auto cost = [&](const Vector& y) {
      const Vector gap = difference(y, v);
      return eta * h.value(y) + 0.5 * dot(gap, gap);
    };
    const double scale = norm(v) + norm(p);
    ASSERT_TRUE(std::isfinite(cost(p)));
    for (const Vector& y : this->rivals(h, p, scale, random))
      ASSERT_LE(cost(p), cost(y) + 1e-13 * (cost(p) + scale * scale)) << "eta " << eta;
  });
}

// v - p is eta times a subgradient of h at p.
TYPED_TEST(RegularizerLaws, TheProxSatisfiesItsVariationalInequality) {
  this->for_many_cases([&](const AnyRegularizer& h, const Vector& v, double eta, Random random) {
    const Vector p = prox_of(h, v, eta), residual = difference(v, p);
    const double scale = norm(v) + norm(p);
    for (const Vector& y : this->rivals(h, p, scale, random)) {
      const double rise = eta * (h.value(y) - h.value(p));
      const double tolerance =
          1e-12 * (norm(residual) * scale + eta * h.value(p) + scale * scale * 1e-3);
      ASSERT_LE(dot(residual, difference(y, p)), rise + tolerance) << "eta " << eta;
    }
  });
}

TYPED_TEST(RegularizerLaws, TheProxIsFirmlyNonexpansive) {
  this->for_many_cases([&](const AnyRegularizer& h, const Vector& v, double eta, Random random) {
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

TYPED_TEST(RegularizerLaws, ANullStepProjectsOntoWhereHIsFinite) {
  this->for_many_cases([&](const AnyRegularizer& h, const Vector& v, double eta, Random) {
    const Vector p = prox_of(h, v, 0);
    ASSERT_TRUE(std::isfinite(h.value(p)));
    ASSERT_EQ(prox_of(h, p, 0), p);
    ASSERT_TRUE(p == v || std::isinf(h.value(v)));
    ASSERT_TRUE(std::isfinite(h.value(prox_of(h, v, eta))));
  });
}

TYPED_TEST(RegularizerLaws, AnIndicatorProjectsAtEveryStep) {
  this->for_many_cases([&](const AnyRegularizer& h, const Vector& v, double eta, Random) {
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

TYPED_TEST(RegularizerLaws, IsConvexAndNowhereNegative) {
  this->for_many_cases([&](const AnyRegularizer& h, const Vector& v, double eta, Random random) {
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

TYPED_TEST(RegularizerLaws, HugeEntriesAndStepsGiveNoNan) {
  for (const std::size_t dimension : {1u, 2u, 50u})
    for (const AnyRegularizer& h : bound_examples<TypeParam>(dimension))
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

TYPED_TEST(RegularizerLaws, ANanComesOutAsANan) {
  for (const AnyRegularizer& h : bound_examples<TypeParam>(4)) {
    const Vector v = {1, std::numeric_limits<double>::quiet_NaN(), -2, 0.5};
    EXPECT_FALSE(all_finite(prox_of(h, v, 0.1)));
  }
}

TYPED_TEST(RegularizerLaws, TakesEmptyVectors) {
  for (const AnyRegularizer& h : bound_examples<TypeParam>(0)) {
    EXPECT_TRUE(prox_of(h, {}, 1).empty());
    EXPECT_FALSE(std::isnan(h.value({})));
  }
}

TYPED_TEST(RegularizerLaws, OneCoordinateAtATimeEqualsAllAtOnce) {
  if constexpr (SeparableRegularizer<TypeParam>)
    this->for_many_cases([&](const AnyRegularizer& h, const Vector& v, double eta, Random) {
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

TYPED_TEST(RegularizerLaws, OnlySeparableOnesHaveALazyForm) {
  for (const AnyRegularizer& h : bound_examples<TypeParam>(3)) {
    EXPECT_EQ(h.name(), TypeParam::name);
    EXPECT_EQ(h.separable(), SeparableRegularizer<TypeParam>);
    if (h.separable()) continue;
    EXPECT_THROW(h.lazy_time(1), BugError);
  }
}

}  // namespace
}  // namespace asynprox
