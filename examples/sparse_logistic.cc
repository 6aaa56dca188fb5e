// Sparse logistic regression: which of 500 features matter, and a model to keep.
#include <asynprox/methods.h>
#include <asynprox/models.h>
#include <asynprox/solve.h>

#include <cstdio>

namespace {

void show(const char* how, const asynprox::Result& result) {
  std::printf("%s: objective %.4f, %td of %zu coefficients are not zero\n", how, result.objective,
              static_cast<std::ptrdiff_t>(result.nonzeros), result.dimension);
}

}  // namespace

int main() {
  // Any file would do: read_dataset("a9a.xz").
  const auto data = asynprox::read_dataset("generate:sparse-logistic:n=10000,d=500,nonzeros=20");
  const asynprox::LogisticLoss loss;
  const asynprox::L1 h{.lambda = 1e-3};

  // Two workers that do not wait for each other come close to the optimum ...
  const asynprox::Result result = asynprox::solve(data, loss, h, {.workers = 2});
  show("asynchronous", result);
  // ... and fista, which looks at all samples in every step, finds its exact zeros.
  const asynprox::Result exact = asynprox::solve(data, loss, h, {.method = asynprox::Fista{}});
  show("fista", exact);

  const asynprox::FittedModel model{
      .loss = "logistic", .x = exact.x, .labels = asynprox::SignLabelNames{}};
  asynprox::write_model(model, "sparse_logistic.json");
  const asynprox::ClassMetrics metrics = *asynprox::evaluate(model, data).classes;
  std::printf("accuracy %.3f, area under the curve %.3f\n", metrics.accuracy, *metrics.auc);
  return result.objective < 1.01 * exact.objective && metrics.accuracy > 0.7 ? 0 : 1;
}
