// A regulariser of one's own: negative coefficients cost, positive ones are free.
#include <asynprox/solve.h>

#include <algorithm>
#include <cstdio>

namespace {

//   h(x) = lambda sum_j max(0, -x_j)
//   prox: a negative coordinate moves up by eta * lambda and stops at zero
struct NegativeCost {
  static constexpr std::string_view name = "negative-cost";
  static constexpr std::string_view formula = "lambda sum_j max(0, -x_j)";
  static constexpr bool indicator = false;
  double lambda = 0;

  static constexpr auto parameters() {
    return std::tuple(asynprox::parameter(&NegativeCost::lambda, "lambda", asynprox::at_least(0),
                                          "strength", asynprox::Presence::required));
  }

  double value(double x, std::size_t) const { return lambda * std::max(0.0, -x); }
  double prox(double v, double eta, std::size_t) const {
    return v < 0 ? std::min(0.0, v + eta * lambda) : v;
  }

  // Steps without a gradient add up, so that wide sparse data costs what its nonzeros cost.
  double lazy_time(double eta) const { return eta; }
  double prox_after(double x, double time, std::size_t j) const { return prox(x, time, j); }
};
static_assert(asynprox::SeparableRegularizer<NegativeCost>);

std::ptrdiff_t num_negative(const asynprox::Vector& x) {
  return std::ranges::count_if(x, [](double x_j) { return x_j < 0; });
}

}  // namespace

int main() {
  const auto data = asynprox::read_dataset("generate:sparse-logistic:n=5000,d=100,nonzeros=10");
  const asynprox::Options options = {.workers = 2, .stop = {.epochs = 10}};
  const auto free = asynprox::solve(data, asynprox::LogisticLoss{}, asynprox::Zero{}, options);
  const auto costly =
      asynprox::solve(data, asynprox::LogisticLoss{}, NegativeCost{.lambda = 0.02}, options);
  std::printf("negative coefficients: %td, and %td when they cost\n", num_negative(free.x),
              num_negative(costly.x));
  return num_negative(costly.x) < num_negative(free.x) ? 0 : 1;
}
