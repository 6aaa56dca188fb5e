// Pieces of somebody else's, tested by the library's laws; one of them breaks a law.
#include <asynprox/testing.h>
#include <gtest/gtest-spi.h>

#include <cmath>
#include <numbers>

namespace {

//   phi(u, y) = log cosh(u - y)
struct LogCoshLoss {
  static constexpr std::string_view name = "log-cosh";
  static constexpr std::string_view formula = "log(cosh(u - y))";
  static constexpr asynprox::Labels labels = asynprox::Labels::number;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = true;
  static constexpr double curvature = 1;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double u, double y) const {
    const double r = std::abs(u - y);
    return r + std::log1p(std::exp(-2 * r)) - std::numbers::ln2;
  }
  double derivative(double u, double y) const { return std::tanh(u - y); }
};

// The same with a curvature that is too small.
struct FlatLogCoshLoss : LogCoshLoss {
  static constexpr double curvature = 0.5;
};

TEST(LogCosh, ObeysTheLaws) { asynprox::expect_loss_laws<LogCoshLoss>(); }

TEST(LogCosh, BreaksALawWithTooSmallACurvature) {
  using Reporter = testing::ScopedFakeTestPartResultReporter;
  testing::TestPartResultArray failures;
  {
    const Reporter reporter(Reporter::INTERCEPT_ONLY_CURRENT_THREAD, &failures);
    asynprox::expect_loss_laws<FlatLogCoshLoss>();
  }
  EXPECT_GT(failures.size(), 0);
}

TEST(L1, ObeysTheLaws) { asynprox::expect_regularizer_laws<asynprox::L1>(); }

}  // namespace
