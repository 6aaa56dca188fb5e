// What the minimum of a quadratic with any separable regulariser must satisfy.
#include "asynprox/refinements/quadratic_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/regularizers/law_examples_testing.h"

namespace asynprox {
namespace {

constexpr double kEnough = 1e12;  // multiplications

// Of `rank` random vectors, and a little more so that it has an inverse.
Gram random_gram(const Random& random, std::size_t size, std::size_t rank) {
  Gram gram = {.entries = Vector(size * size, 0)};
  for (std::size_t i = 0; i < size; ++i) gram.entries[i * (size + 1)] = 1e-6;
  for (std::size_t r = 0; r < rank; ++r) {
    const Vector a = random_vector(random.stream(r), size, 1);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) gram.entries[i * size + j] += a[i] * a[j];
  }
  return gram;
}

struct Case {
  AnyRegularizer h;
  Vector x, gradient;
  Gram hessian;
  std::vector<Key> keys;
};

double value_at(const Case& in, const Vector& z) {
  const std::size_t size = in.keys.size();
  double value = in.h.value_each(in.keys, z);
  for (std::size_t i = 0; i < size; ++i) {
    const double d_i = z[i] - in.x[in.keys[i]];
    value += in.gradient[in.keys[i]] * d_i;
    for (std::size_t j = 0; j < size; ++j)
      value += 0.5 * d_i * in.hessian.entries[i * size + j] * (z[j] - in.x[in.keys[j]]);
  }
  return value;
}

template <class R>
class QuadraticLaws : public ::testing::Test {
 protected:
  // Every other coordinate, or all of them.
  void for_many_cases(auto&& check) const {
    std::uint64_t stream = 0;
    for (const std::size_t size : {1u, 3u, 12u, 40u})
      for (const std::size_t every : {1u, 2u})
        for (const std::size_t rank : {size, 2 * size, (size + 1) / 2})
          for (const AnyRegularizer& h : bound_examples<R>(size * every)) {
            const Random random = Random(31).stream(stream++);
            Case in = {.h = h,
                       .x = prox_of(h, random_vector(random.stream(1), size * every, 1), 0.5),
                       .gradient = random_vector(random.stream(2), size * every, 3),
                       .hessian = random_gram(random, size, rank),
                       .keys = {}};
            for (std::size_t i = 0; i < size; ++i) in.keys.push_back(static_cast<Key>(i * every));
            check(in);
          }
  }
};

TYPED_TEST_SUITE(QuadraticLaws, SeparableOf<AllRegularizers>::type, MemberName);

TYPED_TEST(QuadraticLaws, TheValueToldIsThatOfTheModelAndNotAboveTheFirst) {
  this->for_many_cases([](const Case& in) {
    const QuadraticMinimum found =
        minimize({in.h, in.keys, in.x, in.gradient, in.hessian}, {.work_max = kEnough});
    Vector x;
    for (const Key key : in.keys) x.push_back(in.x[key]);
    const double fall = value_at(in, found.z) - value_at(in, x);
    ASSERT_TRUE(std::isfinite(fall));
    EXPECT_NEAR(found.value, fall, 1e-9 * (1 + std::abs(value_at(in, x)) + std::abs(fall)));
    EXPECT_LE(found.value, 1e-12);
    if (found.found) {
      EXPECT_GE(-found.value, 0.99 * found.distance - 1e-12);
    }
  });
}

// The gain that is left is small beside that made: against ten thousand sweeps.
TYPED_TEST(QuadraticLaws, SweepsAloneComeNoLower) {
  this->for_many_cases([](const Case& in) {
    const QuadraticMinimum found =
        minimize({in.h, in.keys, in.x, in.gradient, in.hessian}, {.work_max = kEnough});
    EXPECT_TRUE(found.found);
    Vector z = found.z;
    const std::size_t size = in.keys.size();
    for (int sweep = 0; sweep < 10'000; ++sweep)
      for (std::size_t i = 0; i < size; ++i) {
        double slope = in.gradient[in.keys[i]];
        for (std::size_t j = 0; j < size; ++j)
          slope += in.hessian.entries[i * size + j] * (z[j] - in.x[in.keys[j]]);
        const double eta = 1 / in.hessian.entries[i * (size + 1)];
        z[i] -= eta * slope;
        in.h.prox_each(std::span(in.keys).subspan(i, 1), {&z[i], 1}, {&eta, 1});
      }
    const double lower = value_at(in, found.z) - value_at(in, z);
    EXPECT_LE(lower, 1e-4 * (std::abs(found.value) + 1e-9)) << in.h.name() << " of " << size;
  });
}

TYPED_TEST(QuadraticLaws, LittleWorkIsSaidToBeTooLittle) {
  this->for_many_cases([](const Case& in) {
    const QuadraticMinimum on_the_way =
        minimize({in.h, in.keys, in.x, in.gradient, in.hessian}, {.work_max = 1});
    EXPECT_LE(on_the_way.value, 1e-12);
    if (on_the_way.found) {
      EXPECT_EQ(on_the_way.value, 0) << "one sweep is enough only where nothing moves";
    }
  });
}

TEST(QuadraticModel, OfALassoIsSolvedToTheLastDigit) {
  // minimise |Ax - b|^2 / 2 + 2.9 |x|_1
  const double A[4][5] = {
      {1, -2, 3, -4, 5}, {2, -1, 0, -1, 3}, {-1, 0, 4, -3, 2}, {-1, -1, -1, 1, 3}};
  const double b[4] = {1, 2, 3, 4};
  Gram hessian = {.entries = Vector(25, 0)};
  Vector gradient(5, 0);
  for (int r = 0; r < 4; ++r)
    for (int i = 0; i < 5; ++i) {
      gradient[i] -= A[r][i] * b[r];
      for (int j = 0; j < 5; ++j) hessian.entries[i * 5 + j] += A[r][i] * A[r][j];
    }
  const std::vector<Key> keys = {0, 1, 2, 3, 4};
  const AnyRegularizer h = AnyRegularizer(L1{.lambda = 2.9}).bound(5);
  const Vector zeros(5, 0);
  const QuadraticMinimum found =
      minimize({h, keys, zeros, gradient, hessian}, {.work_max = kEnough});
  const Vector expected = {-0.3877278911564627, 0, 0, 0.02174149659863943, 0.6168435374149660};
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(found.z[j], expected[j], 1e-12);
  EXPECT_NEAR(found.value, 7.275772789115647 - 15, 1e-12);
}

// Along (1, 1) only a ridge of 1e-13 holds the model: the minimum without kinks is 10^9 away.
TEST(QuadraticModel, SeesAKinkBesideALongMove) {
  const Gram hessian = {.entries = {1 + 1e-13, -1, -1, 1 + 1e-13}};
  const std::vector<Key> keys = {0, 1};
  const AnyRegularizer h = AnyRegularizer(L1{.lambda = 1e-4}).bound(2);
  const Vector x = {3, 1}, zeros(2, 0);
  const QuadraticMinimum found = minimize({h, keys, x, zeros, hessian}, {.work_max = kEnough});
  EXPECT_NEAR(found.value, -2e-4, 1e-8);
  EXPECT_NEAR(found.z[0] - found.z[1], 2, 1e-3);
}

}  // namespace
}  // namespace asynprox
