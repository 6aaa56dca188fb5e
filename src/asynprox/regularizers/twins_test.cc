// Each fast prox against a slow twin: the multiplier of the constraint, or the length of a group,
// found by bisection in extended precision.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

using LongVector = std::vector<long double>;

// Where a falling function crosses zero.
long double root(long double low, long double high, auto&& falling) {
  for (int round = 0; round < 300; ++round) {
    const long double middle = low + (high - low) / 2;
    (falling(middle) > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

// x_j = max(s_j - theta, 0) with theta such that sum x = radius, measured from the largest s_j.
LongVector slow_simplex(LongVector s, long double radius) {
  const long double largest = *std::ranges::max_element(s);
  const auto lowered = [&](long double theta) {
    LongVector x;
    for (const long double s_j : s) x.push_back(std::max(s_j - largest - theta, 0.0L));
    return x;
  };
  return lowered(root(-radius, 0, [&](long double theta) {
    const LongVector x = lowered(theta);
    return std::accumulate(x.begin(), x.end(), 0.0L) - radius;
  }));
}

LongVector slow_prox(const Simplex& h, const Vector& v, double) {
  return slow_simplex(LongVector(v.begin(), v.end()), h.radius);
}

LongVector slow_prox(const L1Ball& h, const Vector& v, double) {
  LongVector sizes;
  for (const double v_j : v) sizes.push_back(std::abs(v_j));
  LongVector x(v.begin(), v.end());
  if (std::accumulate(sizes.begin(), sizes.end(), 0.0L) <= h.radius) return x;
  x = slow_simplex(sizes, h.radius);
  for (std::size_t j = 0; j < v.size(); ++j) x[j] = std::copysign(x[j], v[j]);
  return x;
}

long double long_norm(const LongVector& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0L));
}

// x = v / (1 + mu), mu >= 0, with |x| = radius unless v is inside.
LongVector slow_ball(LongVector v, long double radius) {
  const long double size = long_norm(v);
  if (size <= radius) return v;
  const long double mu =
      root(0, size / radius, [&](long double guess) { return size / (1 + guess) - radius; });
  for (long double& v_j : v) v_j /= 1 + mu;
  return v;
}

LongVector slow_prox(const L2Ball& h, const Vector& v, double) {
  return slow_ball(LongVector(v.begin(), v.end()), h.radius);
}

LongVector slow_prox(const NonNegBall& h, const Vector& v, double) {
  LongVector x(v.begin(), v.end());
  for (long double& x_j : x) x_j = std::max(x_j, 0.0L);
  return slow_ball(x, h.radius);
}

// In each group the length s minimises threshold s + (s - |v_g|)^2 / 2 over s >= 0.
LongVector slow_prox(const GroupLasso& h, const Vector& v, double eta) {
  LongVector x(v.begin(), v.end());
  for (double group = 0; group < 5; ++group) {
    LongVector block;
    for (std::size_t j = 0; j < v.size(); ++j)
      if (h.groups.numbers[j] == group) block.push_back(v[j]);
    const long double threshold = static_cast<long double>(eta) * h.lambda *
                                  std::sqrt(static_cast<long double>(block.size()));
    const long double size = long_norm(block);
    const long double length =
        size == 0 ? 0 : root(0, size, [&](long double s) { return size - s - threshold; });
    for (std::size_t j = 0; j < v.size(); ++j)
      if (h.groups.numbers[j] == group) x[j] = size == 0 ? 0 : x[j] / size * length;
  }
  return x;
}

// 2,000 vectors of 1 to 60 coordinates, with ties, at scales from 1e-6 to 1e6 (and so radii, which
// are of the vector's scale or of another).
void expect_equal_to_twin(auto&& make) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Random random = Random(41).stream(i);
    const std::size_t dimension = 1 + random.index_at(1000, 60);
    const double scale = std::pow(10, 12 * random.uniform_at(1001) - 6);
    const double other_scale = std::pow(10, 12 * random.uniform_at(1002) - 6);
    const Vector v = random_vector(random, dimension, scale);
    const auto h = make(i % 2 == 0 ? scale * (0.05 + 3 * random.uniform_at(1003)) : other_scale,
                        dimension, random);
    const double eta = 0.7;
    const Vector fast = prox_of(AnyRegularizer(h).bound(dimension), v, eta);
    const LongVector slow = slow_prox(h, v, eta);
    for (std::size_t j = 0; j < dimension; ++j)
      ASSERT_NEAR(fast[j], static_cast<double>(slow[j]),
                  1e-10 * static_cast<double>(long_norm(slow)) + 1e-16 * scale)
          << "vector " << i << ", coordinate " << j;
  }
}

TEST(SimplexProx, EqualsItsSlowTwin) {
  expect_equal_to_twin([](double size, std::size_t, Random) { return Simplex{.radius = size}; });
}

TEST(L1BallProx, EqualsItsSlowTwin) {
  expect_equal_to_twin([](double size, std::size_t, Random) { return L1Ball{.radius = size}; });
}

TEST(L2BallProx, EqualsItsSlowTwin) {
  expect_equal_to_twin([](double size, std::size_t, Random) { return L2Ball{.radius = size}; });
}

TEST(NonNegBallProx, EqualsItsSlowTwin) {
  expect_equal_to_twin([](double size, std::size_t, Random) { return NonNegBall{.radius = size}; });
}

TEST(GroupLassoProx, EqualsItsSlowTwin) {
  expect_equal_to_twin([](double size, std::size_t dimension, Random random) {
    Vector groups(dimension);
    for (std::size_t j = 0; j < dimension; ++j)
      groups[j] = static_cast<double>(random.stream(9).index_at(j, 5));
    return GroupLasso{.lambda = size, .groups = {"", groups}};
  });
}

// Nearly all of the mass on one coordinate, the others a rounding error away from zero.
TEST(SimplexProx, KeepsItsSumOverAMillionCoordinates) {
  Vector v(1'000'000, -1 + 1e-7);
  v[7] = 0;
  const Simplex simplex;
  simplex.prox(v, 1);
  EXPECT_EQ(simplex.value(v), 0);
  for (std::size_t j = 0; j < v.size(); ++j) v[j] = Random(3).uniform_at(j);
  simplex.prox(v, 1);
  EXPECT_EQ(simplex.value(v), 0);
}

TEST(SimplexProx, KeepsTheDifferencesOfHugeEntries) {
  Vector v = {1e200, 0, 1e200, -1e200};
  Simplex{}.prox(v, 1);
  EXPECT_EQ(v, (Vector{0.5, 0, 0.5, 0}));
}

}  // namespace
}  // namespace asynprox
