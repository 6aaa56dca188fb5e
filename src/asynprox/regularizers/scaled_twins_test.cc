// Each prox in a diagonal metric against a slow twin: bisection for the multiplier or the length in
// extended precision, or a search in the plane that knows the objective alone.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

using LongVector = std::vector<long double>;

long double long_norm(const LongVector& x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0L));
}

// Where a falling function crosses zero.
long double root(long double low, long double high, auto&& falling) {
  for (int round = 0; round < 200; ++round) {
    const long double middle = low + (high - low) / 2;
    (falling(middle) > 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

// The same for 0 < low, by halving the ratio: relative accuracy, however small the root.
long double root_of_any_size(long double low, long double high, auto&& falling) {
  return std::exp(root(std::log(low), std::log(high),
                       [&](long double log_root) { return falling(std::exp(log_root)); }));
}

// x_j = max(a_j - theta s_j, 0) with sum x = radius; theta is measured from the least of the
// quotients a_k / s_k that are above it.
LongVector slow_simplex(const LongVector& a, const Vector& s, long double radius) {
  LongVector x(a.size());
  const auto sum_at = [&](long double quotient, long double below) {
    for (std::size_t j = 0; j < a.size(); ++j)
      x[j] = std::max((a[j] - quotient * s[j]) + below * s[j], 0.0L);
    return std::accumulate(x.begin(), x.end(), 0.0L);
  };
  long double quotient = std::numeric_limits<long double>::infinity(), step = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k] / s[k] < quotient && sum_at(a[k] / s[k], 0) <= radius) {
      quotient = a[k] / s[k];
      step = s[k];
    }
  const long double below = root(
      0, 2 * radius / step, [&](long double guess) { return radius - sum_at(quotient, guess); });
  sum_at(quotient, below);
  return x;
}

LongVector slow_prox(const Simplex& h, const Vector& v, const Vector& s) {
  return slow_simplex(LongVector(v.begin(), v.end()), s, h.radius);
}

LongVector slow_prox(const L1Ball& h, const Vector& v, const Vector& s) {
  LongVector sizes;
  for (const double v_j : v) sizes.push_back(std::abs(v_j));
  LongVector x(v.begin(), v.end());
  if (std::accumulate(sizes.begin(), sizes.end(), 0.0L) <= h.radius) return x;
  x = slow_simplex(sizes, s, h.radius);
  for (std::size_t j = 0; j < v.size(); ++j) x[j] = std::copysign(x[j], v[j]);
  return x;
}

LongVector slow_ball(const LongVector& v, const Vector& s, long double radius) {
  if (long_norm(v) <= radius) return v;
  const auto at = [&](long double theta) {
    LongVector x = v;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] /= 1 + theta * s[j];
    return x;
  };
  return at(root_of_any_size(1e-60L, 1e60L,
                             [&](long double theta) { return long_norm(at(theta)) - radius; }));
}

LongVector slow_prox(const L2Ball& h, const Vector& v, const Vector& s) {
  return slow_ball(LongVector(v.begin(), v.end()), s, h.radius);
}

LongVector slow_prox(const NonNegBall& h, const Vector& v, const Vector& s) {
  LongVector x(v.begin(), v.end());
  for (long double& x_j : x) x_j = std::max(x_j, 0.0L);
  return slow_ball(x, s, h.radius);
}

LongVector slow_prox(const L2Norm& h, const Vector& v, const Vector& s) {
  LongVector x(v.size());
  for (std::size_t j = 0; j < v.size(); ++j)
    x[j] = v[j] / (static_cast<long double>(h.lambda) * s[j]);
  if (long_norm(x) <= 1) return LongVector(v.size(), 0.0L);
  const auto at = [&](long double r) {
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = v[j] * (r / (r + static_cast<long double>(h.lambda) * s[j]));
    return x;
  };
  return at(root_of_any_size(1e-60L, 1e60L, [&](long double r) {
    return long_norm(at(r)) / r - 1;  // |z(r)| / r falls
  }));
}

// 2,000 vectors with steps over up to 14 decades. Entries are as large as their steps, their roots,
// or one another.
void expect_equal_to_twin(auto&& make) {
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Random random = Random(43).stream(i);
    const std::size_t dimension = 1 + random.index_at(1000, 20);
    const double power = 0.5 * static_cast<double>(i % 3), decades = 14 * random.uniform_at(1001);
    Vector v = random_vector(random, dimension, 1), etas(dimension);
    for (std::size_t j = 0; j < dimension; ++j) {
      etas[j] = std::pow(10, decades * (random.uniform_at(2000 + j) - 0.5));
      v[j] *= std::pow(etas[j], power);
    }
    const auto h = make(norm(v) * std::pow(10, 8 * random.uniform_at(1002) - 7));
    Vector fast = v;
    h.prox_scaled(fast, etas);
    const LongVector slow = slow_prox(h, v, etas);
    double largest = 0;
    for (const double v_j : v) largest = std::max(largest, std::abs(v_j));
    for (std::size_t j = 0; j < dimension; ++j)
      ASSERT_NEAR(fast[j], static_cast<double>(slow[j]),
                  1e-11 * static_cast<double>(long_norm(slow)) + 1e-15 * largest)
          << "vector " << i << ", coordinate " << j;
  }
}

TEST(ScaledTwins, Simplex) {
  expect_equal_to_twin([](double size) { return Simplex{.radius = size + 1e-9}; });
}
TEST(ScaledTwins, L1Ball) {
  expect_equal_to_twin([](double size) { return L1Ball{.radius = size + 1e-9}; });
}
TEST(ScaledTwins, L2Ball) {
  expect_equal_to_twin([](double size) { return L2Ball{.radius = size + 1e-9}; });
}
TEST(ScaledTwins, NonNegBall) {
  expect_equal_to_twin([](double size) { return NonNegBall{.radius = size + 1e-9}; });
}
TEST(ScaledTwins, L2Norm) {
  expect_equal_to_twin([](double size) { return L2Norm{.lambda = size}; });
}

// The least value of a convex function between `low` and `high`, and where.
std::pair<double, double> least_of(double low, double high, auto&& function) {
  for (int round = 0; round < 80; ++round) {
    const double a = low + 0.382 * (high - low), b = high - 0.382 * (high - low);
    (function(a) < function(b) ? high : low) = function(a) < function(b) ? b : a;
  }
  const double middle = 0.5 * (low + high);
  return {function(middle), middle};
}

// 300 vectors of two coordinates; the objective is all that the search knows.
void expect_as_low_as_a_search_in_the_plane(auto&& make) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Random random = Random(47).stream(i);
    const Vector v = random_vector(random, 2, 2);
    const Vector etas = {std::pow(10, 2 * random.uniform_at(11) - 1),
                         std::pow(10, 2 * random.uniform_at(12) - 1)};
    const AnyRegularizer h =
        AnyRegularizer(make(2 * random.uniform_at(13), 2 * random.uniform_at(14))).bound(2);
    const auto cost = [&](double a, double b) {
      const double gap_a = a - v[0], gap_b = b - v[1];
      return h.value(Vector{a, b}) + gap_a * gap_a / (2 * etas[0]) + gap_b * gap_b / (2 * etas[1]);
    };
    const double found = least_of(-2, 2, [&](double a) {
                           return least_of(-2, 2, [&](double b) { return cost(a, b); }).first;
                         }).first;
    Vector p = v;
    h.prox_scaled(p, etas);
    EXPECT_LE(cost(p[0], p[1]), found + 1e-12 * (1 + found)) << i;
    EXPECT_GE(cost(p[0], p[1]), found - 1e-6 * (1 + found)) << i;
  }
}

TEST(ScaledTwins, SparseGroupLasso) {
  expect_as_low_as_a_search_in_the_plane([](double l1, double group) {
    return SparseGroupLasso{.l1 = l1, .group = group, .size = 2};
  });
}
TEST(ScaledTwins, Slope) {
  expect_as_low_as_a_search_in_the_plane([](double lambda, double ratio) {
    return Slope{.lambda = lambda, .weights = {"", {1, std::min(ratio, 1.0)}}};
  });
}
TEST(ScaledTwins, Tv1d) {
  expect_as_low_as_a_search_in_the_plane(
      [](double lambda, double) { return Tv1d{.lambda = lambda}; });
}

}  // namespace
}  // namespace asynprox
