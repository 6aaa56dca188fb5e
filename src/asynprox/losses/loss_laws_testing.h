// What every loss of one output must satisfy, one of your own included:
//
//   TEST(MyLoss, ObeysTheLaws) { asynprox::expect_loss_laws<MyLoss>(); }
//
// A loss with parameters is tested with its defaults, or with what a specialisation of examples()
// returns.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/losses/losses_testing.h"

namespace asynprox {
namespace loss_laws {

template <ScalarLoss Loss>
void derivative_matches_central_differences() {
  for_many_points<Loss>([](const Loss& loss, double u, double y) {
    const double step = 1e-5 * (1 + std::abs(u));
    const double difference = (loss.value(u + step, y) - loss.value(u - step, y)) / (2 * step);
    // The quotient errs by half a curvature times the step, and by what cancels in the values.
    double change = loss.derivative(u + step, y) - loss.derivative(u - step, y);
    if constexpr (HasCurvature<Loss>) change = Loss::curvature * step;
    const double tolerance = change + 1e-15 * (1 + value_size(loss, u, y)) / step;
    ASSERT_NEAR(loss.derivative(u, y), difference, tolerance) << "u " << u << ", y " << y;
  });
}

template <ScalarLoss Loss>
void curvature_bounds_the_change_of_the_derivative() {
  if constexpr (HasCurvature<Loss>)
    for_many_points<Loss>([](const Loss& loss, double u, double y) {
      for (const double gap : {1e-4, 0.1, 3.0}) {
        const double change = std::abs(loss.derivative(u + gap, y) - loss.derivative(u, y));
        ASSERT_LE(change, Loss::curvature * gap * (1 + 1e-8)) << "u " << u << ", y " << y;
      }
    });
}

template <ScalarLoss Loss>
void second_derivative_matches_differences_of_the_first() {
  if constexpr (HasSecondDerivative<Loss>)
    for_many_points<Loss>([](const Loss& loss, double u, double y) {
      const double step = 1e-5, derivative = loss.derivative(u, y);
      const double ahead = loss.derivative(u + step, y), behind = loss.derivative(u - step, y);
      const double second = loss.second_derivative(derivative, y);
      // What cancels in the difference, and a third derivative of no more than phi''.
      const double tolerance = 1e-15 * (1 + std::abs(derivative)) / step + step * std::abs(second);
      ASSERT_NEAR(second, (ahead - behind) / (2 * step), tolerance) << "u " << u << ", y " << y;
    });
}

// Where there is none, none would do.
template <ScalarLoss Loss>
void curvature_is_attained() {
  for (const Loss& loss : examples<Loss>())
    for (const double y : labels_of<Loss>()) {
      double largest = 0;
      const double gap = 1e-3;
      const double range = HasCurvature<Loss> ? 5 : 700;
      for (double u = y - range; u < y + range && u + gap < reach<Loss>(); u += gap)
        largest =
            std::max(largest, std::abs(loss.derivative(u + gap, y) - loss.derivative(u, y)) / gap);
      double expected = 1e100;
      if constexpr (HasCurvature<Loss>) expected = 0.99 * Loss::curvature;
      EXPECT_GE(largest, expected) << "y " << y;
    }
}

// A convex loss lies below each chord; of one that is not, some chord shows it.
template <ScalarLoss Loss>
void convex_exactly_if_it_says_so() {
  bool chord_below = false;
  const Random random(12);
  for (const Loss& loss : examples<Loss>())
    for (const double y : labels_of<Loss>())
      for (std::uint64_t i = 0; i < 2000; ++i) {
        const double a = 20 * random.uniform_at(2 * i) - 10;
        const double b = 20 * random.uniform_at(2 * i + 1) - 10;
        const double chord = 0.5 * (loss.value(a, y) + loss.value(b, y));
        const double excess = loss.value(0.5 * (a + b), y) - chord;
        if (excess > 1e-9 * (1 + std::abs(chord))) chord_below = true;
      }
  EXPECT_EQ(Loss::convex, !chord_below);
}

template <ScalarLoss Loss>
void nonnegative_exactly_if_it_says_so() {
  double least = 0;
  for_many_points<Loss>(
      [&](const Loss& loss, double u, double y) { least = std::min(least, loss.value(u, y)); });
  EXPECT_EQ(Loss::nonnegative, least >= 0);
}

template <ScalarLoss Loss>
void stays_finite_far_out_or_is_infinite_where_it_has_no_curvature() {
  for (const Loss& loss : examples<Loss>())
    for (const double y : labels_of<Loss>())
      for (const double u : {-1e3, -800.0, -400.0, 0.0, 400.0, 800.0, 1e3}) {
        const double value = loss.value(u, y), derivative = loss.derivative(u, y);
        SCOPED_TRACE(testing::Message() << "u " << u << ", y " << y);
        if (std::abs(u) <= reach<Loss>()) {
          EXPECT_TRUE(std::isfinite(value) && std::isfinite(derivative));
        } else {
          EXPECT_TRUE(std::isfinite(value) || value == HUGE_VAL) << value;
          EXPECT_TRUE(std::isfinite(derivative) || derivative == std::copysign(HUGE_VAL, u))
              << derivative;
        }
      }
}

template <ScalarLoss Loss>
void lets_a_nan_through_so_that_it_is_noticed() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Loss& loss : examples<Loss>()) {
    EXPECT_TRUE(std::isnan(loss.value(nan, 1)));
    EXPECT_TRUE(std::isnan(loss.derivative(nan, 1)));
  }
}

}  // namespace loss_laws

template <ScalarLoss Loss>
void expect_loss_laws() {
  loss_laws::derivative_matches_central_differences<Loss>();
  loss_laws::curvature_bounds_the_change_of_the_derivative<Loss>();
  loss_laws::second_derivative_matches_differences_of_the_first<Loss>();
  loss_laws::curvature_is_attained<Loss>();
  loss_laws::convex_exactly_if_it_says_so<Loss>();
  loss_laws::nonnegative_exactly_if_it_says_so<Loss>();
  loss_laws::stays_finite_far_out_or_is_infinite_where_it_has_no_curvature<Loss>();
  loss_laws::lets_a_nan_through_so_that_it_is_noticed<Loss>();
}

}  // namespace asynprox
