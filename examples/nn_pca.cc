// Non-negative principal component: the paper's own problem, f not convex.
//
//   minimise  -(1/2n) sum_i (z_i'x)^2      over x >= 0, |x| <= 1
#include <asynprox/models.h>
#include <asynprox/solve.h>

#include <algorithm>
#include <cstdio>

int main() {
  asynprox::Dataset data = asynprox::read_dataset("generate:nn-pca:n=5000,d=100");
  asynprox::normalize_rows(data);

  const asynprox::Result result =
      asynprox::solve(data, asynprox::PcaLoss{}, asynprox::NonNegBall{.radius = 1},
                      {.workers = 2, .stop = {.epochs = 20}});

  const asynprox::FittedModel model{.loss = "pca", .x = result.x, .normalize_rows = true};
  const double share = *asynprox::evaluate(model, data).explained_variance;
  std::printf("objective %.6f, gradient mapping %.1e\n", result.objective, result.gradient_mapping);
  std::printf("the component has %lld entries above zero and explains %.1f %% of the variance\n",
              static_cast<long long>(result.nonzeros), 100 * share);
  const bool nonnegative = std::ranges::all_of(result.x, [](double x_j) { return x_j >= 0; });
  return nonnegative && result.gradient_mapping < 1e-2 ? 0 : 1;
}
