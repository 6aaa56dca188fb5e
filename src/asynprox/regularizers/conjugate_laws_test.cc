// The conjugate h*(v) = sup_x <v, x> - h(x), by the laws that define it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asynprox/regularizers/regularizer_subjects_testing.h"

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector times(double factor, Vector v) {
  scale(v, factor);
  return v;
}

class ConjugateLaws : public ::testing::TestWithParam<RegularizerSubject> {
 protected:
  // Calls check(h, v, random) for every example that has a conjugate.
  void for_many_cases(auto&& check) const {
    std::uint64_t stream = 0;
    for (const std::size_t dimension : {1u, 2u, 7u, 40u})
      for (const AnyRegularizer& h : bound(GetParam().examples, dimension))
        for (const double scale : {1e-3, 0.1, 1.0, 30.0})
          for (int round = 0; round < 10; ++round) {
            const Random random = Random(71).stream(stream++);
            if (h.has_conjugate())
              check(h, random_vector(random, dimension, scale), random.stream(1));
          }
  }
};

INSTANTIATE_TEST_SUITE_P(All, ConjugateLaws, ::testing::ValuesIn(regularizer_subjects()),
                         subject_name);

// h(x) + h*(v) >= <x, v>, also for v that h* only just allows.
TEST_P(ConjugateLaws, FenchelAndYoung) {
  for_many_cases([](const AnyRegularizer& h, const Vector& v, Random random) {
    for (const double s : h.dual_scales(v)) {
      const Vector u = times(s, v);
      for (std::uint64_t i = 0; i < 8; ++i) {
        const double distance = std::pow(10.0, static_cast<double>(i % 4) - 2);
        const Vector x = prox_of(h, random_vector(random.stream(i), v.size(), distance), 1e-3);
        const double product = dot(x, u);
        ASSERT_GE(h.value(x) + h.conjugate(u), product - 1e-11 * (norm(x) * norm(u) + h.value(x)));
      }
    }
  });
}

// (v - p) / eta is a subgradient of h at p = prox(v): there the two sides are equal.
TEST_P(ConjugateLaws, TheProxAttainsIt) {
  for_many_cases([](const AnyRegularizer& h, const Vector& v, Random) {
    for (const double eta : {0.05, 1.0, 8.0}) {
      const Vector p = prox_of(h, v, eta);
      Vector u = times(1 / eta, difference(v, p));
      const double s = h.dual_scale(u);  // by rounding u may be a little outside
      ASSERT_GE(s, 1 - 1e-9);
      u = times(s, u);
      const double sum = h.value(p) + h.conjugate(u), size = norm(p) * norm(u);
      ASSERT_NEAR(sum, dot(p, u), 1e-9 * (size + h.value(p)) + 1e-15 * norm(v) * norm(u));
    }
  });
}

TEST_P(ConjugateLaws, IsFiniteUpToTheLargestScaleAndNotBeyond) {
  for_many_cases([](const AnyRegularizer& h, const Vector& v, Random) {
    const double s = h.dual_scale(v);
    ASSERT_GE(s, 0);
    ASSERT_LE(s, 1);
    ASSERT_LT(h.conjugate(times(s * (1 - 1e-12), v)), kInfinity);
    ASSERT_LT(h.conjugate(times(s, v)), kInfinity);
    if (s == 1) return;
    ASSERT_EQ(h.conjugate(times(s > 0 ? 1.001 * s : 1e-6, v)), kInfinity);
  });
}

TEST_P(ConjugateLaws, OtherScalesAreSmallerAndAllowedToo) {
  for_many_cases([](const AnyRegularizer& h, const Vector& v, Random) {
    const Vector scales = h.dual_scales(v);
    ASSERT_GE(scales.size(), 1u);
    ASSERT_LE(scales.size(), 2u);
    ASSERT_EQ(scales[0], h.dual_scale(v));
    if (scales.size() == 1) return;
    ASSERT_LT(scales[1], scales[0]);
    ASSERT_GE(scales[1], 0);
    ASSERT_NEAR(h.conjugate(times(scales[1], v)), 0, 1e-12);
  });
}

TEST_P(ConjugateLaws, IsZeroAtZeroWhereXMayBeZero) {
  for_many_cases([](const AnyRegularizer& h, const Vector& v, Random) {
    const Vector zero(v.size(), 0.0);
    if (h.value(zero) > 0) return;
    ASSERT_EQ(h.conjugate(zero), 0);
  });
}

template <class R>
class StrengthLaws : public ::testing::Test {};
TYPED_TEST_SUITE(StrengthLaws, TypesOf<AllRegularizers>::type, MemberName);

// x = 0 minimises <g, x> + h(x) at the largest useful strength and not below: -g is then in the
// domain of h*, and below not.
TYPED_TEST(StrengthLaws, TheLargestUsefulStrengthIsWhereZeroBecomesTheSolution) {
  if constexpr (HasZeroStrength<TypeParam>) {
    int checked = 0;
    for (const std::size_t dimension : {1u, 2u, 7u, 12u})
      for (TypeParam member : examples<TypeParam>(dimension))
        for (std::uint64_t i = 0; i < 20; ++i) {
          const Vector g = random_vector(Random(81).stream(i), dimension, 3);
          const double most = *AnyRegularizer(member).bound(dimension).strength_max(g);
          if (most == 0 || std::isinf(most)) continue;
          const auto solution = [&](double strength) {
            member.*std::get<0>(TypeParam::parameters()).field = strength;
            return prox_of(AnyRegularizer(member).bound(dimension), times(-1, g), 1);
          };
          ASSERT_EQ(count_nonzeros(solution(most * (1 + 1e-9))), 0u);
          ASSERT_GT(count_nonzeros(solution(most * (1 - 1e-6))), 0u);
          ++checked;
        }
    EXPECT_GT(checked, 50);
  } else {
    for (const AnyRegularizer& h : bound_examples<TypeParam>(3))
      EXPECT_EQ(h.strength_max(Vector{1, 2, 3}), std::nullopt);
  }
}

TEST(Conjugate, IsKnownForAllButThese) {
  std::vector<std::string> without;
  for_each_member(AllRegularizers{}, [&]<class Member>(std::type_identity<Member>) {
    if (!HasConjugate<Member>) without.emplace_back(Member::name);
  });
  EXPECT_EQ(without, (std::vector<std::string>{"zero", "tv-1d"}));
  const AnyRegularizer zero = Zero{};
  EXPECT_THROW(zero.conjugate(Vector{1}), BugError);
  EXPECT_THROW(zero.dual_scales(Vector{1}), BugError);
}

TEST(Conjugate, OfElasticNetOffersBothScales) {
  const AnyRegularizer h = ElasticNet{.l1 = 1, .l2 = 0.5};
  EXPECT_EQ(h.conjugate(Vector{2, -0.5}), 1);
  EXPECT_EQ(h.dual_scales(Vector{2, -4}), (Vector{1, 0.25}));
  EXPECT_EQ(h.dual_scales(Vector{1, -0.5}), Vector{1});
  EXPECT_EQ(AnyRegularizer(ElasticNet{.l1 = 1}).dual_scales(Vector{2, -4}), Vector{0.25});
}

TEST(Conjugate, OfABoxWithAnOpenSideMayBeInfinite) {
  const AnyRegularizer h = Box{.lower = -1};
  EXPECT_EQ(h.conjugate(Vector{-3, 0}), 3);
  EXPECT_EQ(h.conjugate(Vector{1e-9, 0}), kInfinity);
  EXPECT_EQ(h.dual_scale(Vector{1e-9, 0}), 0);
}

}  // namespace
}  // namespace asynprox
