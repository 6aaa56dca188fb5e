// What every loss of several outputs must satisfy. A loss that joins the list is tested without a
// change here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "asynprox/base/errors.h"
#include "asynprox/base/family_testing.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/losses/losses_testing.h"

namespace asynprox {
namespace {

constexpr std::size_t kOutputs[] = {1, 2, 3, 10, 37};

// n samples of C outputs, within `range` of 0, and a class for each.
struct Points {
  std::size_t num_outputs;
  Vector u, y;
  std::span<const double> u_of(std::size_t i) const {
    return std::span(u).subspan(i * num_outputs, num_outputs);
  }
};

Points random_points(std::size_t num_outputs, std::size_t num_samples, double range) {
  const Random random(17 + num_outputs);
  Points points{.num_outputs = num_outputs, .u = Vector(num_samples * num_outputs), .y = {}};
  for (std::size_t k = 0; k < points.u.size(); ++k)
    points.u[k] = range * (2 * random.uniform_at(k) - 1);
  for (std::size_t i = 0; i < num_samples; ++i)
    points.y.push_back(static_cast<double>(random.stream(1).index_at(i, num_outputs)));
  return points;
}

// Calls check(u, y) for many samples of every C, near 0 and far out.
void for_many_points(auto&& check) {
  for (const std::size_t num_outputs : kOutputs)
    for (const double range : {0.1, 5.0, 1000.0}) {
      const Points points = random_points(num_outputs, 200, range);
      for (std::size_t i = 0; i < points.y.size(); ++i) check(points.u_of(i), points.y[i]);
    }
}

template <class Loss>
Vector derivative(const Loss& loss, std::span<const double> u, double y) {
  Vector out(u.size());
  loss.derivative(u, y, out);
  return out;
}

// log(sum exp(u_c - u_y)), in extended precision.
double exact(const MultinomialLoss&, std::span<const double> u, double y) {
  const auto y_class = static_cast<std::size_t>(y);
  long double others = 0;
  for (std::size_t c = 0; c < u.size(); ++c)
    if (c != y_class) others += std::exp(static_cast<long double>(u[c]) - u[y_class]);
  return static_cast<double>(std::log1p(others));
}

template <class Loss>
class VectorLossLaws : public ::testing::Test {};

TYPED_TEST_SUITE(VectorLossLaws, TypesOf<VectorLosses>::type, MemberName);

TYPED_TEST(VectorLossLaws, DerivativesMatchCentralDifferences) {
  for_many_points([](std::span<const double> u, double y) {
    const TypeParam loss;
    const Vector g = derivative(loss, u, y);
    for (std::size_t c = 0; c < u.size(); ++c) {
      const double step = 1e-5 * (1 + std::abs(u[c]));
      Vector up(u.begin(), u.end()), down = up;
      up[c] += step;
      down[c] -= step;
      const double slope = (loss.value(up, y) - loss.value(down, y)) / (2 * step);
      const double tolerance = TypeParam::curvature * step + 1e-15 * (1 + loss.value(u, y)) / step;
      ASSERT_NEAR(g[c], slope, tolerance) << "class " << c;
    }
  });
}

TYPED_TEST(VectorLossLaws, SecondDerivativesMatchDifferencesOfTheFirst) {
  for_many_points([](std::span<const double> u, double y) {
    const TypeParam loss;
    const std::size_t C = u.size();
    const double step = 1e-5;
    Vector second(C * C);
    loss.second_derivative(derivative(loss, u, y), y, second);
    for (std::size_t c = 0; c < C; ++c) {
      Vector up(u.begin(), u.end()), down = up;
      up[c] += step;
      down[c] -= step;
      const Vector ahead = derivative(loss, up, y), behind = derivative(loss, down, y);
      for (std::size_t k = 0; k < C; ++k)
        ASSERT_NEAR(second[c * C + k], (ahead[k] - behind[k]) / (up[c] - down[c]), 1e-9)
            << "classes " << c << " and " << k;
    }
  });
}

TYPED_TEST(VectorLossLaws, CurvatureBoundsTheChangeOfTheDerivativesAndIsAttained) {
  const Random random(3);
  double largest = 0;
  std::uint64_t draw = 0;
  for_many_points([&](std::span<const double> u, double y) {
    const TypeParam loss;
    for (const double gap : {1e-3, 0.1, 3.0}) {
      Vector moved(u.begin(), u.end()), change = moved;
      for (double& u_c : moved) u_c += gap * (2 * random.uniform_at(draw++) - 1);
      add_scaled(change, -1, moved);
      Vector difference = derivative(loss, u, y);
      add_scaled(difference, -1, derivative(loss, moved, y));
      if (u.size() > 1) largest = std::max(largest, norm(difference) / norm(change));
      ASSERT_LE(norm(difference), TypeParam::curvature * norm(change) * (1 + 1e-8));
    }
  });
  EXPECT_GE(largest, 0.99 * TypeParam::curvature);
}

TYPED_TEST(VectorLossLaws, LiesBelowEachChordIfItSaysThatItIsConvex) {
  const Random random(4);
  std::uint64_t draw = 0;
  bool chord_below = false;
  for_many_points([&](std::span<const double> u, double y) {
    Vector other(u.begin(), u.end()), middle = other;
    for (double& u_c : other) u_c += 10 * random.uniform_at(draw++) - 5;
    for (std::size_t c = 0; c < u.size(); ++c) middle[c] = 0.5 * (u[c] + other[c]);
    const TypeParam loss;
    const double chord = 0.5 * (loss.value(u, y) + loss.value(other, y));
    if (loss.value(middle, y) > chord + 1e-12 * (1 + std::abs(chord))) chord_below = true;
  });
  EXPECT_EQ(TypeParam::convex, !chord_below);
}

TYPED_TEST(VectorLossLaws, KeepsItsRelativeAccuracyFarOut) {
  for_many_points([](std::span<const double> u, double y) {
    const TypeParam loss;
    const double value = loss.value(u, y), expected = exact(loss, u, y);
    ASSERT_TRUE(std::isfinite(value));
    ASSERT_TRUE(all_finite(derivative(loss, u, y)));
    ASSERT_EQ(TypeParam::nonnegative, value >= 0);
    // The outputs' differences round by the outputs' size.
    const double largest = std::abs(
        *std::ranges::max_element(u, [](double a, double b) { return std::abs(a) < std::abs(b); }));
    ASSERT_NEAR(value, expected, 1e-15 * (4 + largest) * expected + 1e-306);
  });
}

// One class gains what the others lose, and adding the same to all outputs changes nothing.
TYPED_TEST(VectorLossLaws, KnowsOnlyTheDifferencesOfOutputs) {
  for_many_points([](std::span<const double> u, double y) {
    const TypeParam loss;
    const Vector g = derivative(loss, u, y);
    double total = 0, size = 0;
    for (const double g_c : g) {
      total += g_c;
      size += std::abs(g_c);
    }
    ASSERT_NEAR(total, 0, 1e-15 * static_cast<double>(u.size()) * size + 1e-300);
    for (const double shift : {-64.0, 0.5, 512.0}) {
      Vector moved(u.begin(), u.end());
      for (double& u_c : moved) u_c += shift;
      ASSERT_NEAR(loss.value(moved, y), loss.value(u, y), 1e-12 * (1 + loss.value(u, y)));
      const Vector g_moved = derivative(loss, moved, y);
      for (std::size_t c = 0; c < u.size(); ++c) ASSERT_NEAR(g_moved[c], g[c], 1e-12);
    }
  });
}

TYPED_TEST(VectorLossLaws, ArrayFunctionsEqualThoseOfOneSample) {
  for (const std::size_t num_outputs : {1UL, 2UL, 3UL, 10UL, 37UL, 1500UL})
    for (const double range : {1.0, 1000.0}) {
      const Points points = random_points(num_outputs, num_outputs > 1000 ? 3 : 400, range);
      const TypeParam loss;
      const AnyLoss any(loss);
      Vector values(points.y.size()), derivatives(points.u.size()), in_place = points.u;
      any.values(points.u, points.y, values);
      any.derivatives(points.u, points.y, derivatives);
      any.derivatives(in_place, points.y, in_place);
      EXPECT_EQ(derivatives, in_place);
      for (std::size_t i = 0; i < points.y.size(); ++i) {
        const double value = loss.value(points.u_of(i), points.y[i]);
        ASSERT_NEAR(values[i], value, 4e-15 * value + 1e-300);
        const Vector g = derivative(loss, points.u_of(i), points.y[i]);
        for (std::size_t c = 0; c < num_outputs; ++c)
          ASSERT_NEAR(derivatives[i * num_outputs + c], g[c], 4e-15 * std::abs(g[c]) + 1e-300);
      }
    }
}

TYPED_TEST(VectorLossLaws, ArrayFunctionsAlwaysGiveTheSameBits) {
  const AnyLoss loss(TypeParam{});
  const std::string level_before(simd_level());
  const Points points = random_points(5, 40, 20);
  Vector values(40), derivatives(200);
  loss.values(points.u, points.y, values);
  loss.derivatives(points.u, points.y, derivatives);
  for (const std::string& level : simd_levels()) {
    set_simd_level(level);
    for (const std::size_t size : {40UL, 1UL, 7UL})
      for (std::size_t first = 0; first + size <= 40; ++first) {
        const auto u = std::span(points.u).subspan(5 * first, 5 * size);
        const auto y = std::span(points.y).subspan(first, size);
        Vector got(size), got_derivatives(5 * size);
        loss.values(u, y, got);
        loss.derivatives(u, y, got_derivatives);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), &values[first])) << level;
        ASSERT_TRUE(
            std::equal(got_derivatives.begin(), got_derivatives.end(), &derivatives[5 * first]))
            << level;
        Vector both(size), both_derivatives(5 * size);
        loss.values_and_derivatives(u, y, both, both_derivatives);
        ASSERT_EQ(both, got) << level;
        ASSERT_EQ(both_derivatives, got_derivatives) << level;
      }
  }
  set_simd_level(level_before);
}

TYPED_TEST(VectorLossLaws, LetsANanThroughSoThatItIsNoticed) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()})
    for (std::size_t at = 0; at < 3; ++at) {
      Vector u = {0.5, -1, 2}, y = {1}, value(1), g(3);
      u[at] = bad;
      AnyLoss(TypeParam{}).values(u, y, value);
      AnyLoss(TypeParam{}).derivatives(u, y, g);
      EXPECT_FALSE(std::isfinite(value[0]));
      EXPECT_FALSE(all_finite(g));
      EXPECT_FALSE(std::isfinite(TypeParam{}.value(u, 1)));
      EXPECT_FALSE(all_finite(derivative(TypeParam{}, u, 1)));
    }
}

TYPED_TEST(VectorLossLaws, IsMadeFromItsNameAndSaysWhatItIs) {
  const AnyLoss loss = make_loss(parse_spec(std::string(TypeParam::name)));
  EXPECT_EQ(loss.name(), TypeParam::name);
  EXPECT_TRUE(loss.several_outputs());
  EXPECT_EQ(loss.labels(), Labels::classes);
  EXPECT_EQ(loss.curvature(), TypeParam::curvature);
  EXPECT_EQ(loss.convex(), TypeParam::convex);
  EXPECT_EQ(loss.nonnegative(), TypeParam::nonnegative);
  EXPECT_EQ(loss.slope(), std::nullopt);
  loss.values({}, {}, {});
  loss.derivatives({}, {}, {});
}

TYPED_TEST(VectorLossLaws, RefusesWhatIsNotTheNumberOfAnOutput) {
  const AnyLoss loss(TypeParam{});
  const Vector u = {1, 2, 3};
  Vector value(1), g(3);
  for (const double y : {-1.0, 3.0, 1e300, std::nan("")}) {
    EXPECT_THROW(loss.values(u, Vector{y}, value), ContractError) << y;
    EXPECT_THROW(loss.derivatives(u, Vector{y}, g), ContractError) << y;
    EXPECT_THROW(loss.check_labels(Vector{0, y}, 3), ContractError) << y;
  }
  EXPECT_THROW(loss.check_labels(Vector{0.5}, 3), ContractError);
  EXPECT_NO_THROW(loss.check_labels(Vector{0, 2, 1}, 3));
}

}  // namespace
}  // namespace asynprox
