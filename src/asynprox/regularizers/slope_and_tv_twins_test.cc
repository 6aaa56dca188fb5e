// slope and tv-1d against slow twins that share nothing with them: a minimum of maxima over all
// averages, and a bisection for each coordinate over problems of two values. Ten thousand vectors
// each, most of them full of ties.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

using LongVector = std::vector<long double>;

// Whole numbers, a few repeated values, or all different; 1 to 30 of them.
Vector vector_with_ties(const Random& random) {
  const std::size_t dimension = 1 + random.index_at(1000, 30);
  const std::uint64_t kind = random.index_at(1001, 4);
  Vector v(dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    const double entry = 2 * random.uniform_at(j) - 1;
    v[j] = kind == 0 ? entry * 5 : kind == 1 ? std::round(5 * entry) : std::round(2 * entry) / 3;
    if (kind == 3 && j > 0 && random.index_at(2000 + j, 2) == 0) v[j] = v[j - 1];
  }
  return v;
}

void expect_equal(const Vector& fast, const LongVector& slow, double scale, std::uint64_t number) {
  ASSERT_EQ(fast.size(), slow.size());
  for (std::size_t j = 0; j < fast.size(); ++j)
    ASSERT_NEAR(fast[j], static_cast<double>(slow[j]), 1e-12 * scale)
        << "vector " << number << ", coordinate " << j;
}

// The falling sequence nearest to z: entry i is the least over a <= i of the largest over b >= i of
// the averages of z_a, ..., z_b.
LongVector nearest_falling(const LongVector& z) {
  LongVector sums = {0};
  for (const long double z_i : z) sums.push_back(sums.back() + z_i);
  LongVector x;
  for (std::size_t i = 0; i < z.size(); ++i) {
    long double least = INFINITY;
    for (std::size_t a = 0; a <= i; ++a) {
      long double most = -INFINITY;
      for (std::size_t b = i + 1; b <= z.size(); ++b)
        most = std::max(most, (sums[b] - sums[a]) / static_cast<long double>(b - a));
      least = std::min(least, most);
    }
    x.push_back(least);
  }
  return x;
}

LongVector slow_slope(const Vector& v, const Vector& strengths) {
  std::vector<std::size_t> order(v.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(-std::abs(v[a]), a) < std::pair(-std::abs(v[b]), b);
  });
  LongVector z;
  for (std::size_t i = 0; i < v.size(); ++i)
    z.push_back(std::abs(static_cast<long double>(v[order[i]])) - strengths[i]);
  const LongVector falling = nearest_falling(z);
  LongVector x(v.size());
  for (std::size_t i = 0; i < v.size(); ++i)
    x[order[i]] = std::copysign(std::max(falling[i], 0.0L), v[order[i]]);
  return x;
}

TEST(SlopeProx, EqualsItsSlowTwin) {
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Random random = Random(91).stream(i);
    const Vector v = vector_with_ties(random);
    Vector weights(v.size());
    for (std::size_t j = 0; j < v.size(); ++j)
      weights[j] = std::round(4 * random.stream(1).uniform_at(j)) / 2;
    std::ranges::sort(weights, std::greater());
    const Slope h{.lambda = random.uniform_at(3000), .weights = {"", weights}};
    const double eta = 1.5;
    Vector strengths = weights;
    scale(strengths, eta * h.lambda);
    const Vector x = prox_of(AnyRegularizer(h).bound(v.size()), v, eta);
    ASSERT_NO_FATAL_FAILURE(expect_equal(x, slow_slope(v, strengths), 10, i));
    for (std::size_t j = 1; j < v.size(); ++j) {  // ties stay ties, to the bit
      if (std::abs(v[j]) != std::abs(v[0])) continue;
      ASSERT_EQ(std::abs(x[j]), std::abs(x[0])) << i;
    }
  }
}

// Whether x_place > level: where only `level` or more against less is asked for, the problem
// min sum_{j in S} (level - v_j) + threshold (how often S begins or ends) has two states a
// coordinate. S is chosen as large as it can be.
bool is_above(const Vector& v, double threshold, std::size_t place, double level) {
  const auto best_with = [&](bool inside_at_place) {
    double in = 0, out = 0;
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double into = j == 0 ? 0 : threshold;
      const double next_in = std::min(in, out + into) + (level - v[j]);
      const double next_out = std::min(out, in + into);
      in = j == place && !inside_at_place ? INFINITY : next_in;
      out = j == place && inside_at_place ? INFINITY : next_out;
    }
    return std::min(in, out);
  };
  return best_with(true) <= best_with(false);
}

LongVector slow_tv(const Vector& v, double threshold) {
  LongVector x;
  for (std::size_t j = 0; j < v.size(); ++j) {
    double low = -6, high = 6;  // all entries are within -5 and 5
    for (int round = 0; round < 45; ++round) {
      const double middle = (low + high) / 2;
      (is_above(v, threshold, j, middle) ? low : high) = middle;
    }
    x.push_back((low + high) / 2);
  }
  return x;
}

TEST(Tv1dProx, EqualsItsSlowTwin) {
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const Random random = Random(92).stream(i);
    const Vector v = vector_with_ties(random);
    const double strength = 6 * std::pow(random.uniform_at(3000), 3);
    const Tv1d h{.lambda = i % 2 == 0 ? strength : std::round(4 * strength) / 4};
    const Vector x = prox_of(h, v, 0.5);
    ASSERT_NO_FATAL_FAILURE(expect_equal(x, slow_tv(v, 0.5 * h.lambda), 10, i));
  }
}

// The optimality conditions of a long vector: the running sums of v - x stay within the threshold,
// reach it (with the jump's sign) wherever x jumps, and end at zero.
TEST(Tv1dProx, IsOptimalForAHundredThousandCoordinates) {
  const std::size_t dimension = 100'000;
  Vector v(dimension);
  for (std::size_t j = 0; j < dimension; ++j)
    v[j] = std::round(3 * std::sin(static_cast<double>(j) / 9e3)) +
           std::round(8 * Random(93).uniform_at(j)) / 4;
  for (const double threshold : {0.3, 5.0, 300.0}) {
    const Vector x = prox_of(Tv1d{.lambda = threshold}, v, 1);
    long double sum = 0;
    std::size_t jumps = 0;
    for (std::size_t j = 0; j < dimension; ++j) {
      sum += static_cast<long double>(v[j]) - x[j];
      ASSERT_LE(std::abs(sum), threshold * (1 + 1e-9));
      if (j + 1 == dimension || x[j + 1] == x[j]) continue;
      ++jumps;
      ASSERT_NEAR(static_cast<double>(sum), x[j + 1] > x[j] ? -threshold : threshold, 1e-8);
    }
    EXPECT_NEAR(static_cast<double>(sum), 0, 1e-8);
    EXPECT_GT(jumps, 3u);
    EXPECT_LT(jumps, dimension / 2);
  }
}

}  // namespace
}  // namespace asynprox
