// The lazy form of a separable regulariser: many steps without a gradient, taken at once.
#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

// The prox in extended precision, of those that round.
long double soft(long double v, long double t) {
  return std::copysign(std::max(std::abs(v) - t, 0.0L), v);
}
long double exact_prox(const L1& h, long double v, double eta, std::size_t) {
  return soft(v, static_cast<long double>(eta) * h.lambda);
}
long double exact_prox(const NonNegL1& h, long double v, double eta, std::size_t) {
  return std::max(v - static_cast<long double>(eta) * h.lambda, 0.0L);
}
long double exact_prox(const WeightedL1& h, long double v, double eta, std::size_t j) {
  return soft(v, static_cast<long double>(eta) * h.lambda * h.weights.numbers[j]);
}
long double exact_prox(const SquaredL2& h, long double v, double eta, std::size_t) {
  return v / (1 + static_cast<long double>(eta) * h.lambda);
}
long double exact_prox(const ElasticNet& h, long double v, double eta, std::size_t) {
  const long double step = eta;
  return soft(v, step * h.l1) / (1 + step * h.l2);
}

// Steps spread evenly over the four decades below `largest`.
Vector varying_steps(std::size_t count, double largest) {
  Vector etas(count);
  for (std::size_t k = 0; k < count; ++k)
    etas[k] = largest * std::pow(10, -4 * Random(31).uniform_at(k));
  return etas;
}

template <class R>
class LazyLaws : public ::testing::Test {
 protected:
  static constexpr std::size_t kDimension = 5;

  // x after all steps, one by one.
  long double one_by_one(const R& h, double x, std::size_t j, const Vector& etas) const {
    if constexpr (requires { exact_prox(h, 1.0L, 1.0, j); }) {
      long double exact = x;
      for (const double eta : etas) exact = exact_prox(h, exact, eta, j);
      return exact;
    } else {
      for (const double eta : etas) x = h.prox(x, eta, j);
      return x;
    }
  }

  // To 1e-12 of where it started; where nothing is subtracted, of where it arrived. A new member
  // whose prox rounds, and of which no exact one is known here, gets more room.
  double tolerance(const R& h, double x, double expected) const {
    if constexpr (std::is_same_v<R, SquaredL2>) return 1e-12 * std::abs(expected);
    const bool exact = R::indicator || requires { exact_prox(h, 1.0L, 1.0, 0); };
    return (exact ? 1e-12 : 1e-9) * std::abs(x);
  }

  void expect_equal(const Vector& etas) const {
    for (R h : examples<R>(kDimension)) {
      if constexpr (requires { h.bind(kDimension); }) h.bind(kDimension);
      long double time = 0;
      for (const double eta : etas) time += h.lazy_time(eta);
      for (const double start : {0.0, 1e-3, -0.4, 2.0, -60.0, 1e3, 1e5})
        for (std::size_t j = 0; j < kDimension; ++j) {
          // A coordinate waits only after the prox of the step that touched it.
          const double x = h.prox(start, 0.1, j);
          const auto expected = static_cast<double>(one_by_one(h, x, j, etas));
          EXPECT_NEAR(h.prox_after(x, static_cast<double>(time), j), expected,
                      tolerance(h, x, expected))
              << "x " << x << ", j " << j << ", " << etas.size() << " steps";
        }
    }
  }
};

TYPED_TEST_SUITE(LazyLaws, SeparableOf<AllRegularizers>::type, MemberName);

TYPED_TEST(LazyLaws, VaryingStepsAtOnceEqualThemOneByOne) {
  for (const double largest : {1e-3, 0.1, 10.0})
    for (const std::size_t count : {1u, 2u, 100u})
      this->expect_equal(varying_steps(count, largest));
}

TYPED_TEST(LazyLaws, AHundredThousandStepsAtOnceEqualThemOneByOne) {
  this->expect_equal(varying_steps(100'000, 1e-4));
  this->expect_equal(varying_steps(100'000, 0.1));
}

TYPED_TEST(LazyLaws, NoTimeChangesNothing) {
  this->expect_equal({});
  this->expect_equal({0.0, 0.0});
}

TYPED_TEST(LazyLaws, AHugeStepEqualsItsProx) {
  this->expect_equal({1e30});
  this->expect_equal({0.1, 1e300});
}

TYPED_TEST(LazyLaws, ArraysEqualSingleCoordinates) {
  for (TypeParam h : examples<TypeParam>(3)) {
    if constexpr (requires { h.bind(3); }) h.bind(3);
    const std::vector<Key> keys = {2, 0, 1};
    const Vector times = {0.5, 0, 3}, x = {4, -1, 0.25};
    Vector after = x;
    AnyRegularizer(h).prox_after(keys, after, times);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(after[i], h.prox_after(x[i], times[i], keys[i]));
    EXPECT_EQ(AnyRegularizer(h).lazy_time(0.7), h.lazy_time(0.7));
  }
}

}  // namespace
}  // namespace asynprox
