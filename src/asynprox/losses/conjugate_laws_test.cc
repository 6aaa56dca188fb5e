// What the conjugate of every loss that has one must satisfy: phi*(theta) = sup_u theta'u - phi(u).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "asynprox/base/errors.h"
#include "asynprox/base/family_testing.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/losses/losses_testing.h"

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class Loss>
class ConjugateLaws : public ::testing::Test {};

TYPED_TEST_SUITE(ConjugateLaws, TypesOf<ScalarLosses>::type, MemberName);

// Only a convex loss is told by its conjugate; those that are convex all have one.
TYPED_TEST(ConjugateLaws, ExistsExactlyForConvexLosses) {
  EXPECT_EQ(HasLossConjugate<TypeParam>, TypeParam::convex);
  EXPECT_EQ(AnyLoss(TypeParam{}).has_conjugate(), TypeParam::convex);
  Vector out(1);
  if (!TypeParam::convex) {
    EXPECT_THROW(AnyLoss(TypeParam{}).conjugates(Vector{0}, Vector{1}, out), ContractError);
  }
}

// Fenchel and Young: inside the domain of phi*, outside it, and at its ends.
TYPED_TEST(ConjugateLaws, TogetherWithTheLossIsAtLeastTheProduct) {
  if constexpr (HasLossConjugate<TypeParam>) {
    const Random random(5);
    std::uint64_t draw = 0;
    int finite = 0, infinite = 0;
    for_many_points<TypeParam>([&](const TypeParam& loss, double u, double y) {
      for (const double theta :
           {4 * random.uniform_at(draw) - 2, 100 * random.uniform_at(draw + 1) - 50, 0.0, -y, y}) {
        const double conjugate = loss.conjugate(theta, y), value = loss.value(u, y);
        ASSERT_FALSE(std::isnan(conjugate));
        ASSERT_GT(conjugate, -kInfinity);
        const double size = value_size(loss, u, y) + std::abs(u * theta) + std::abs(conjugate);
        ASSERT_TRUE(value + conjugate - u * theta >= -1e-14 * size || conjugate == kInfinity)
            << u << " " << theta;
        ++(std::isfinite(conjugate) ? finite : infinite);
      }
      draw += 2;
    });
    EXPECT_GT(finite, 1000);
    EXPECT_TRUE(infinite > 1000 || TypeParam::name == SquaredLoss::name);
  }
}

TYPED_TEST(ConjugateLaws, EqualsTheProductAtTheDerivative) {
  if constexpr (HasLossConjugate<TypeParam>)
    for_many_points<TypeParam>([](const TypeParam& loss, double u, double y) {
      const double theta = loss.derivative(u, y);
      const double conjugate = loss.conjugate(theta, y);
      const double size = value_size(loss, u, y) + std::abs(u * theta) + std::abs(conjugate);
      ASSERT_NEAR(loss.value(u, y) + conjugate, u * theta, 1e-12 * size + 1e-300)
          << "u " << u << ", y " << y;
    });
}

// A certificate scales the derivatives down.
TYPED_TEST(ConjugateLaws, IsFiniteFromZeroToTheDerivative) {
  if constexpr (HasLossConjugate<TypeParam>) {
    const Random random(6);
    std::uint64_t draw = 0;
    for_many_points<TypeParam>([&](const TypeParam& loss, double u, double y) {
      for (const double s : {0.0, random.uniform_at(draw++), 1 - 1e-16, 1.0})
        ASSERT_TRUE(std::isfinite(loss.conjugate(s * loss.derivative(u, y), y)))
            << "u " << u << ", y " << y << ", s " << s;
    });
  }
}

TYPED_TEST(ConjugateLaws, OfArraysIsThatOfEachSample) {
  if constexpr (HasLossConjugate<TypeParam>)
    for (const TypeParam& loss : examples<TypeParam>()) {
      Vector theta, y;
      for (const double y_i : labels_of<TypeParam>())
        for (double theta_i = -3; theta_i <= 3; theta_i += 0.25) {
          theta.push_back(theta_i);
          y.push_back(y_i);
        }
      Vector out(y.size());
      AnyLoss(loss).conjugates(theta, y, out);
      for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(out[i], loss.conjugate(theta[i], y[i]));
    }
}

// The supremum itself, by a search over u.
TYPED_TEST(ConjugateLaws, IsTheSupremum) {
  if constexpr (HasLossConjugate<TypeParam>)
    for (const TypeParam& loss : examples<TypeParam>())
      for (const double y : labels_of<TypeParam>())
        for (const double theta : {-0.9, -0.3, 0.0, 0.05, 0.7}) {
          const double conjugate = loss.conjugate(theta, y);
          double largest = -kInfinity;
          for (double u = -60; u <= 60; u += 1.0 / 1024)
            largest = std::max(largest, theta * u - loss.value(u, y));
          if (std::isfinite(conjugate))
            EXPECT_NEAR(largest, conjugate, 1e-5) << "theta " << theta << ", y " << y;
          else
            EXPECT_GT(largest, 1) << "theta " << theta << ", y " << y;
        }
}

template <class Loss>
class VectorConjugateLaws : public ::testing::Test {};

TYPED_TEST_SUITE(VectorConjugateLaws, TypesOf<VectorLosses>::type, MemberName);

Vector random_outputs(const Random& random, std::uint64_t sample, std::size_t size, double range) {
  Vector u(size);
  for (std::size_t c = 0; c < size; ++c)
    u[c] = range * (2 * random.uniform_at(sample * 64 + c) - 1);
  return u;
}

TYPED_TEST(VectorConjugateLaws, MeetsFenchelAndYoung) {
  const Random random(7);
  const TypeParam loss;
  for (std::uint64_t sample = 0; sample < 3000; ++sample) {
    const std::size_t size = 1 + sample % 12;
    const double range = sample % 3 == 0 ? 1000 : 3;
    const auto y = static_cast<double>(sample % size);
    const Vector u = random_outputs(random, sample, size, range);
    Vector theta(size);
    loss.derivative(u, y, theta);
    const auto size_of = [&](const Vector& at, const Vector& dual, double conjugate) {
      double total = std::abs(loss.value(at, y)) + std::abs(conjugate) + 1e-288;
      for (std::size_t c = 0; c < size; ++c) total += std::abs(at[c] * dual[c]);
      return total;
    };
    const double conjugate = loss.conjugate(theta, y);
    ASSERT_NEAR(loss.value(u, y) + conjugate, dot(u, theta), 1e-12 * size_of(u, theta, conjugate));
    // Elsewhere, and from a part of theta.
    const Vector other = random_outputs(random.stream(1), sample, size, range);
    for (const double s : {0.0, random.uniform_at(sample), 1.0}) {
      Vector part = theta;
      scale(part, s);
      const double of_part = loss.conjugate(part, y);
      ASSERT_TRUE(std::isfinite(of_part)) << s;
      ASSERT_GE(loss.value(other, y) + of_part - dot(other, part),
                -1e-13 * size_of(other, part, of_part));
    }
  }
}

TYPED_TEST(VectorConjugateLaws, IsInfiniteOutsideItsDomain) {
  const AnyLoss loss(TypeParam{});
  ASSERT_TRUE(loss.has_conjugate());
  // Off the plane where the sum is 0, and where a probability is negative.
  const Vector theta = {0.1, -0.2, 0, 0.3, -0.2, -0.1, 0.6, 0.5, -1.1, 0, 0, 0}, y = {1, 0, 2, 2};
  Vector out(4);
  loss.conjugates(theta, y, out);
  EXPECT_EQ(out, (Vector{kInfinity, kInfinity, kInfinity, 0}));
}

}  // namespace
}  // namespace asynprox
