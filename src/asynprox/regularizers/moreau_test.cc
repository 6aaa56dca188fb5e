// Moreau's identity, v = prox_{eta h}(v) + eta prox_{h*/eta}(v / eta), for those h whose conjugate
// h* has a prox that is known independently.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

// conjugate_prox(z, t) is prox_{t h*}(z).
void expect_identity(const AnyRegularizer& unbound, auto&& conjugate_prox) {
  const std::size_t dimension = 9;
  const AnyRegularizer h = unbound.bound(dimension);
  for (std::uint64_t i = 0; i < 300; ++i)
    for (const double eta : {0.1, 1.0, 5.0}) {
      const double magnitude = std::pow(10, static_cast<double>(i % 5) - 2);
      const Vector v = random_vector(Random(51).stream(i), dimension, magnitude);
      Vector z = v;
      scale(z, 1 / eta);
      Vector sum = prox_of(h, v, eta);
      add_scaled(sum, eta, conjugate_prox(z, 1 / eta));
      const double tolerance = 1e-12 * (norm(v) + norm(prox_of(h, v, eta)));
      for (std::size_t j = 0; j < dimension; ++j)
        ASSERT_NEAR(sum[j], v[j], tolerance) << "vector " << i << ", eta " << eta;
    }
}

Vector each(Vector z, auto&& function) {
  for (double& z_j : z) z_j = function(z_j);
  return z;
}

Vector ball_clip(const Vector& z, double radius) {
  const double size = norm(z);
  return each(z, [&](double z_j) { return size > radius ? z_j * radius / size : z_j; });
}

// The c at which sum_j max(s_j - c, 0) = amount, for s_j <= top.
double water_level(const Vector& s, double amount) {
  const double top = *std::ranges::max_element(s);
  double low = top - amount, high = top;
  for (int round = 0; round < 200; ++round) {
    const double middle = low + (high - low) / 2;
    double above = 0;
    for (const double s_j : s) above += std::max(s_j - middle, 0.0);
    (above > amount ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

// The conjugate of lambda |x|_1 is the indicator of the box [-lambda, lambda].
TEST(Moreau, L1AndTheBoxOfItsStrength) {
  expect_identity(L1{.lambda = 0.3}, [](const Vector& z, double) {
    return each(z, [](double z_j) { return std::max(-0.3, std::min(z_j, 0.3)); });
  });
}

// The conjugate of (lambda / 2) |x|^2 is |z|^2 / (2 lambda).
TEST(Moreau, SquaredL2AndItsInverse) {
  expect_identity(SquaredL2{.lambda = 0.3}, [](const Vector& z, double t) {
    return each(z, [&](double z_j) { return z_j / (1 + t / 0.3); });
  });
}

// The conjugate of the non-negative cone is the non-positive one.
TEST(Moreau, NonNegAndTheNegativePart) {
  expect_identity(NonNeg{}, [](const Vector& z, double) {
    return each(z, [](double z_j) { return z_j < 0 ? z_j : 0; });
  });
}

// The conjugate of the ball of radius r is r |z|.
TEST(Moreau, L2BallAndTheNorm) {
  expect_identity(L2Ball{.radius = 2}, [](const Vector& z, double t) {
    const double factor = std::max(0.0, 1 - 2 * t / std::max(norm(z), 1e-300));
    return each(z, [&](double z_j) { return factor * z_j; });
  });
}

// The conjugate of the l1 ball of radius r is r max |z_j|: its prox clips at a water level.
TEST(Moreau, L1BallAndTheLargestEntry) {
  expect_identity(L1Ball{.radius = 2}, [](const Vector& z, double t) {
    const double c = water_level(each(z, [](double z_j) { return std::abs(z_j); }), 2 * t);
    return each(z, [&](double z_j) { return c <= 0 ? 0 : std::max(-c, std::min(z_j, c)); });
  });
}

// The conjugate of the simplex is r max z_j.
TEST(Moreau, SimplexAndTheMaximum) {
  expect_identity(Simplex{.radius = 2}, [](const Vector& z, double t) {
    const double c = water_level(z, 2 * t);
    return each(z, [&](double z_j) { return std::min(z_j, c); });
  });
}

// The conjugate of x >= 0, |x| <= r is r |max(z, 0)|: z keeps its negative part.
TEST(Moreau, NonNegBallAndTheNormOfThePositivePart) {
  expect_identity(NonNegBall{.radius = 2}, [](const Vector& z, double t) {
    const double size = norm(each(z, [](double z_j) { return std::max(z_j, 0.0); }));
    const double factor = std::max(0.0, 1 - 2 * t / std::max(size, 1e-300));
    return each(z, [&](double z_j) { return z_j < 0 ? z_j : factor * z_j; });
  });
}

// The conjugate of lambda |x| is the indicator of the ball of radius lambda.
TEST(Moreau, L2NormAndTheBall) {
  expect_identity(L2Norm{.lambda = 0.3}, [](const Vector& z, double) { return ball_clip(z, 0.3); });
}

// The conjugate of the box [-r, r] is r |z|_1.
TEST(Moreau, LinfBallAndTheSumOfSizes) {
  expect_identity(LinfBall{.radius = 2}, [](const Vector& z, double t) {
    return each(z, [&](double z_j) {
      return z_j > 2 * t ? z_j - 2 * t : z_j < -2 * t ? z_j + 2 * t : 0;
    });
  });
}

// The conjugate of lambda sum x_j over x >= 0 is the indicator of z <= lambda.
TEST(Moreau, NonNegL1AndTheHalfLine) {
  expect_identity(NonNegL1{.lambda = 0.3}, [](const Vector& z, double) {
    return each(z, [](double z_j) { return std::min(z_j, 0.3); });
  });
}

// The conjugate of group-lasso is the indicator of |z_g| <= lambda sqrt(|g|) in each group.
TEST(Moreau, GroupLassoAndABallForEachGroup) {
  expect_identity(GroupLasso{.lambda = 0.3, .size = 3}, [](const Vector& z, double) {
    Vector all;
    for (std::size_t start = 0; start < z.size(); start += 3) {
      const Vector block(z.begin() + start, z.begin() + start + 3);
      for (const double z_j : ball_clip(block, 0.3 * std::sqrt(3))) all.push_back(z_j);
    }
    return all;
  });
}

}  // namespace
}  // namespace asynprox
