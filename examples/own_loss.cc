// A loss of one's own: robust regression with log cosh, on data with a few wild labels.
#include <asynprox/methods.h>
#include <asynprox/solve.h>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace {

using asynprox::Labels;
using asynprox::ScalarLoss;

//   phi(u, y) = log cosh(u - y)         nearly squared inside, nearly absolute outside
struct LogCoshLoss {
  static constexpr std::string_view name = "log-cosh";
  static constexpr std::string_view formula = "log(cosh(u - y))";
  static constexpr Labels labels = Labels::number;
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
static_assert(ScalarLoss<LogCoshLoss>);

// y = 2 z for z = 0.01, 0.02, ..., 1; every tenth label is off by 50.
asynprox::Dataset data_with_outliers() {
  asynprox::CsrMatrix matrix;
  matrix.num_columns = 1;
  asynprox::Dataset data;
  for (int i = 1; i <= 100; ++i) {
    const double z = i / 100.0;
    matrix.columns.push_back(0);
    matrix.values.push_back(z);
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(2 * z + (i % 10 == 0 ? 50 : 0));
  }
  data.rows = asynprox::Rows::narrowed(matrix);
  return data;
}

}  // namespace

int main() {
  const asynprox::Dataset data = data_with_outliers();
  const asynprox::Options options = {.method = asynprox::Fista{}, .stop = {.steps = 500}};
  const auto squared = asynprox::solve(data, asynprox::SquaredLoss{}, asynprox::Zero{}, options);
  const auto robust = asynprox::solve(data, LogCoshLoss{}, asynprox::Zero{}, options);
  std::printf("slope by squared loss  %.3f\n", squared.x[0]);
  std::printf("slope by log cosh      %.3f   (the truth is 2)\n", robust.x[0]);
  return std::abs(robust.x[0] - 2) < 0.5 ? 0 : 1;
}
