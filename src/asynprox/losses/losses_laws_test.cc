// What every loss of one output must satisfy. A loss that joins the list is tested without a change
// here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/family_testing.h"
#include "asynprox/base/random.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/losses/losses_testing.h"

namespace asynprox {
namespace {

// phi in extended precision, where a formula safe from overflow at |u| = 1e3 is known.
long double exact(const PcaLoss&, long double u, long double) { return -u * u / 2; }
long double exact(const SquaredLoss&, long double u, long double y) {
  return (u - y) * (u - y) / 2;
}
long double exact(const LogisticLoss&, long double u, long double y) {
  return std::log1p(std::exp(-y * u));
}
long double exact(const SquaredHingeLoss&, long double u, long double y) {
  return y * u >= 1 ? 0 : (1 - y * u) * (1 - y * u) / 2;
}
long double exact(const SmoothedHingeLoss&, long double u, long double y) {
  const long double t = y * u;
  return t >= 1 ? 0 : t <= 0 ? 0.5L - t : (1 - t) * (1 - t) / 2;
}
long double exact(const HuberLoss& loss, long double u, long double y) {
  const long double r = std::abs(u - y), delta = loss.delta;
  return r <= delta ? r * r / 2 : delta * (r - delta / 2);
}
long double exact(const SigmoidLoss&, long double u, long double y) {
  return 2 / (1 + std::exp(2 * y * u));
}
long double exact(const SquaredSigmoidLoss&, long double u, long double y) {
  const long double s = 1 / (1 + std::exp(y * u));
  return s * s;
}
long double exact(const PoissonLoss&, long double u, long double y) { return std::exp(u) - y * u; }

// A loss with array functions of its own may round otherwise, by its size; below 1e-300 nothing is
// left to round.
template <class Loss>
void expect_same(double got, double expected, double size, double u) {
  if (HasArrays<Loss> && std::isfinite(expected))
    ASSERT_NEAR(got, expected, 4e-15 * size + 1e-300) << "u " << u;
  else
    ASSERT_EQ(got, expected) << "u " << u;
}

template <class Loss>
class LossLaws : public ::testing::Test {};

TYPED_TEST_SUITE(LossLaws, TypesOf<ScalarLosses>::type, MemberName);

TYPED_TEST(LossLaws, DerivativeMatchesCentralDifferences) {
  for_many_points<TypeParam>([](const TypeParam& loss, double u, double y) {
    const double step = 1e-5 * (1 + std::abs(u));
    const double difference = (loss.value(u + step, y) - loss.value(u - step, y)) / (2 * step);
    // The quotient errs by half a curvature times the step, and by what cancels in the values.
    double change = loss.derivative(u + step, y) - loss.derivative(u - step, y);
    if constexpr (HasCurvature<TypeParam>) change = TypeParam::curvature * step;
    const double tolerance = change + 1e-15 * (1 + value_size(loss, u, y)) / step;
    ASSERT_NEAR(loss.derivative(u, y), difference, tolerance) << "u " << u << ", y " << y;
  });
}

TYPED_TEST(LossLaws, CurvatureBoundsTheChangeOfTheDerivative) {
  if constexpr (HasCurvature<TypeParam>)
    for_many_points<TypeParam>([](const TypeParam& loss, double u, double y) {
      for (const double gap : {1e-4, 0.1, 3.0}) {
        const double change = std::abs(loss.derivative(u + gap, y) - loss.derivative(u, y));
        ASSERT_LE(change, TypeParam::curvature * gap * (1 + 1e-8)) << "u " << u << ", y " << y;
      }
    });
}

TYPED_TEST(LossLaws, SecondDerivativeMatchesDifferencesOfTheFirst) {
  if constexpr (HasSecondDerivative<TypeParam>)
    for_many_points<TypeParam>([](const TypeParam& loss, double u, double y) {
      const double step = 1e-5, derivative = loss.derivative(u, y);
      const double ahead = loss.derivative(u + step, y), behind = loss.derivative(u - step, y);
      const double second = loss.second_derivative(derivative, y);
      // What cancels in the difference, and a third derivative of no more than phi''.
      const double tolerance = 1e-15 * (1 + std::abs(derivative)) / step + step * std::abs(second);
      ASSERT_NEAR(second, (ahead - behind) / (2 * step), tolerance) << "u " << u << ", y " << y;
    });
}

TYPED_TEST(LossLaws, OfTheResidualIsWhatASharedShiftDoesNotChange) {
  bool changes = false;
  for_many_points<TypeParam>([&](const TypeParam& loss, double u, double y) {
    // Numbers that can be added without rounding, and labels that the loss takes.
    u = std::floor(u);
    const double shift = TypeParam::labels == Labels::number ? 64 : 0;
    const double value = loss.value(u, y);
    changes |= std::abs(loss.value(u + shift, y + shift) - value) > 1e-12 * (1 + std::abs(value));
  });
  if (TypeParam::labels == Labels::number)
    EXPECT_EQ(AnyLoss(TypeParam{}).of_residual(), !changes);
  else
    EXPECT_FALSE(AnyLoss(TypeParam{}).of_residual());
}

// Where there is none, none would do.
TYPED_TEST(LossLaws, CurvatureIsAttained) {
  for (const TypeParam& loss : examples<TypeParam>())
    for (const double y : labels_of<TypeParam>()) {
      double largest = 0;
      const double gap = 1e-3;
      const double range = HasCurvature<TypeParam> ? 5 : 700;
      for (double u = y - range; u < y + range && u + gap < reach<TypeParam>(); u += gap)
        largest =
            std::max(largest, std::abs(loss.derivative(u + gap, y) - loss.derivative(u, y)) / gap);
      double expected = 1e100;
      if constexpr (HasCurvature<TypeParam>) expected = 0.99 * TypeParam::curvature;
      EXPECT_GE(largest, expected) << "y " << y;
    }
}

// A convex loss lies below each chord; of one that is not, some chord shows it.
TYPED_TEST(LossLaws, ConvexExactlyIfItSaysSo) {
  bool chord_below = false;
  const Random random(12);
  for (const TypeParam& loss : examples<TypeParam>())
    for (const double y : labels_of<TypeParam>())
      for (std::uint64_t i = 0; i < 2000; ++i) {
        const double a = 20 * random.uniform_at(2 * i) - 10;
        const double b = 20 * random.uniform_at(2 * i + 1) - 10;
        const double chord = 0.5 * (loss.value(a, y) + loss.value(b, y));
        const double excess = loss.value(0.5 * (a + b), y) - chord;
        if (excess > 1e-9 * (1 + std::abs(chord))) chord_below = true;
      }
  EXPECT_EQ(TypeParam::convex, !chord_below);
}

TYPED_TEST(LossLaws, NonnegativeExactlyIfItSaysSo) {
  double least = 0;
  for_many_points<TypeParam>([&](const TypeParam& loss, double u, double y) {
    least = std::min(least, loss.value(u, y));
  });
  EXPECT_EQ(TypeParam::nonnegative, least >= 0);
}

TYPED_TEST(LossLaws, StationaryAtZeroExactlyIfItSaysSo) {
  for (const TypeParam& loss : examples<TypeParam>()) {
    bool stationary = true, minimum = true;
    for (const double y : labels_of<TypeParam>()) {
      stationary = stationary && loss.derivative(0, y) == 0;
      minimum = minimum && loss.value(1e-3, y) >= loss.value(0, y);
    }
    EXPECT_EQ(stationary && !minimum, AnyLoss(loss).stationary_at_zero());
  }
}

TYPED_TEST(LossLaws, StaysFiniteFarOutOrIsInfiniteWhereItHasNoCurvature) {
  for (const TypeParam& loss : examples<TypeParam>())
    for (const double y : labels_of<TypeParam>())
      for (const double u : {-1e3, -800.0, -400.0, 0.0, 400.0, 800.0, 1e3}) {
        const double value = loss.value(u, y), derivative = loss.derivative(u, y);
        SCOPED_TRACE(testing::Message() << "u " << u << ", y " << y);
        if (std::abs(u) <= reach<TypeParam>()) {
          EXPECT_TRUE(std::isfinite(value) && std::isfinite(derivative));
        } else {
          EXPECT_TRUE(std::isfinite(value) || value == HUGE_VAL) << value;
          EXPECT_TRUE(std::isfinite(derivative) || derivative == std::copysign(HUGE_VAL, u))
              << derivative;
        }
      }
}

TYPED_TEST(LossLaws, KeepsItsRelativeAccuracyFarOut) {
  if constexpr (requires(const TypeParam& loss) { exact(loss, 1.0L, 1.0L); })
    for_many_points<TypeParam>([](const TypeParam& loss, double u, double y) {
      const auto expected = static_cast<double>(exact(loss, u, y));
      ASSERT_NEAR(loss.value(u, y), expected, 4e-15 * value_size(loss, u, y) + 1e-306)
          << "u " << u << ", y " << y;
    });
}

TYPED_TEST(LossLaws, LetsANanThroughSoThatItIsNoticed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const TypeParam& loss : examples<TypeParam>()) {
    EXPECT_TRUE(std::isnan(loss.value(nan, 1)));
    EXPECT_TRUE(std::isnan(loss.derivative(nan, 1)));
  }
}

TYPED_TEST(LossLaws, IsMadeFromItsNameWithTheDescribedDefaults) {
  const Spec bare{std::string(TypeParam::name), {}};
  Spec spelled_out = bare;
  for (const MemberDescription& member : describe(Family<TypeParam>{}))
    for (const ParameterDescription& p : member.parameters)
      spelled_out.settings.push_back({p.name, p.default_value});
  const AnyLoss loss = make_loss(parse_spec(bare.text()));
  const AnyLoss same = make_loss(parse_spec(spelled_out.text()));
  EXPECT_EQ(loss.name(), TypeParam::name);
  EXPECT_EQ(loss.labels(), TypeParam::labels);
  EXPECT_FALSE(loss.several_outputs());
  EXPECT_EQ(loss.curvature().has_value(), HasCurvature<TypeParam>);
  if constexpr (HasCurvature<TypeParam>) {
    EXPECT_EQ(loss.curvature(), TypeParam::curvature);
  }
  EXPECT_EQ(loss.convex(), TypeParam::convex);
  EXPECT_EQ(loss.nonnegative(), TypeParam::nonnegative);
  const Vector u = {-2, 0.5, 3}, y = {1, -1, 1};
  Vector values(3), values_same(3);
  loss.values(u, y, values);
  same.values(u, y, values_same);
  for (std::size_t i = 0; i < u.size(); ++i)
    expect_same<TypeParam>(values[i], TypeParam{}.value(u[i], y[i]),
                           value_size(TypeParam{}, u[i], y[i]), u[i]);
  EXPECT_EQ(values, values_same);
}

TYPED_TEST(LossLaws, ArrayFunctionsEqualTheScalarOnes) {
  for (const TypeParam& loss : examples<TypeParam>()) {
    Vector u, y;
    for_many_points<TypeParam>([&](const TypeParam&, double u_i, double y_i) {
      u.push_back(u_i);
      y.push_back(y_i);
    });
    for (const double u_i : {0.0, -0.0, 1e-300, 1e-17, -1e-9, 708.5, 709.5, 1e3, -1e3, -745.0}) {
      u.push_back(u_i);
      y.push_back(1);
    }
    Vector values(u.size()), derivatives(u.size());
    AnyLoss(loss).values(u, y, values);
    AnyLoss(loss).derivatives(u, y, derivatives);
    for (std::size_t i = 0; i < u.size(); ++i) {
      expect_same<TypeParam>(values[i], loss.value(u[i], y[i]), value_size(loss, u[i], y[i]), u[i]);
      expect_same<TypeParam>(derivatives[i], loss.derivative(u[i], y[i]),
                             derivative_size(loss, u[i], y[i]), u[i]);
    }
  }
}

TYPED_TEST(LossLaws, ArrayFunctionsAreSaneWhereNumbersEnd) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Vector u = {infinity, -infinity, 1e300, -1e300, std::nan(""), 1}, y(u.size(), 1);
  Vector values(u.size()), derivatives(u.size());
  AnyLoss(TypeParam{}).values(u, y, values);
  AnyLoss(TypeParam{}).derivatives(u, y, derivatives);
  for (std::size_t i = 0; i < 4; ++i) {
    const double value = TypeParam{}.value(u[i], 1), derivative = TypeParam{}.derivative(u[i], 1);
    if (std::isfinite(value))
      EXPECT_NEAR(values[i], value, 4e-15 * std::abs(value) + 1e-300);
    else
      EXPECT_EQ(values[i], value);
    if (std::isfinite(derivative))
      EXPECT_NEAR(derivatives[i], derivative,
                  4e-15 * derivative_size(TypeParam{}, u[i], 1) + 1e-300);
    else
      EXPECT_EQ(derivatives[i], derivative);
  }
  EXPECT_TRUE(std::isnan(values[4]) && std::isnan(derivatives[4]));
  EXPECT_TRUE(std::isfinite(values[5]) && std::isfinite(derivatives[5]));
}

// At every level of vector instructions, and wherever in an array the sample stands.
TYPED_TEST(LossLaws, ArrayFunctionsAlwaysGiveTheSameBits) {
  const AnyLoss loss(TypeParam{});
  const std::string level_before(simd_level());
  Vector u, y;
  for (int i = -50; i <= 50; ++i) {
    u.push_back(0.37 * i * std::abs(i));
    y.push_back(i % 2 == 0 ? 1 : -1);
  }
  Vector values(u.size()), derivatives(u.size());
  loss.values(u, y, values);
  loss.derivatives(u, y, derivatives);
  for (const std::string& level : simd_levels()) {
    set_simd_level(level);
    for (const std::size_t size : {u.size(), std::size_t{1}, std::size_t{6}})
      for (std::size_t first = 0; first + size <= u.size(); ++first) {
        Vector got(size);
        loss.values(std::span(u).subspan(first, size), std::span(y).subspan(first, size), got);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), values.begin() + first)) << level;
        loss.derivatives(std::span(u).subspan(first, size), std::span(y).subspan(first, size), got);
        ASSERT_TRUE(std::equal(got.begin(), got.end(), derivatives.begin() + first)) << level;
        Vector got_values(size);
        loss.values_and_derivatives(std::span(u).subspan(first, size),
                                    std::span(y).subspan(first, size), got_values, got);
        ASSERT_TRUE(std::equal(got_values.begin(), got_values.end(), values.begin() + first));
        ASSERT_TRUE(std::equal(got.begin(), got.end(), derivatives.begin() + first)) << level;
      }
  }
  set_simd_level(level_before);
}

TYPED_TEST(LossLaws, SlopeIsTheDerivativeOverU) {
  const std::optional<double> slope = AnyLoss(TypeParam{}).slope();
  EXPECT_EQ(slope.has_value(), HasSlope<TypeParam>);
  if (slope)
    for_many_points<TypeParam>([&](const TypeParam& loss, double u, double y) {
      ASSERT_EQ(loss.derivative(u, y), *slope * u);
    });
}

// Only where there is no curvature, and then between u = 0 and where phi is least.
TYPED_TEST(LossLaws, LocalCurvatureBoundsTheChangeOfTheDerivativeOnTheWayToTheMinimum) {
  const AnyLoss any(TypeParam{});
  EXPECT_EQ(any.has_local_curvature(), !HasCurvature<TypeParam>);
  const std::vector<double> labels = labels_of<TypeParam>();
  Vector local(labels.size());
  if constexpr (HasLocalCurvature<TypeParam>) {
    any.local_curvatures(labels, local);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const TypeParam loss;
      double u = 0;
      const double gap = loss.derivative(0, labels[i]) > 0 ? -1e-3 : 1e-3;
      for (; std::abs(u) < 20 && loss.derivative(u + gap, labels[i]) * gap < 0; u += gap)
        EXPECT_LE(std::abs(loss.derivative(u + gap, labels[i]) - loss.derivative(u, labels[i])),
                  local[i] * std::abs(gap) * (1 + 1e-9));
    }
  } else {
    EXPECT_THROW(any.local_curvatures(labels, local), ContractError);
  }
}

TYPED_TEST(LossLaws, TakesEmptyArrays) {
  AnyLoss(TypeParam{}).values({}, {}, {});
  AnyLoss(TypeParam{}).derivatives({}, {}, {});
}

}  // namespace
}  // namespace asynprox
