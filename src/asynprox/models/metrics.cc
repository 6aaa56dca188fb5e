#include "asynprox/models/metrics.h"

#include "asynprox/models/evaluation.h"

namespace asynprox {
namespace {

void add_classes(const Metrics& metrics, Figures& all) {
  all.emplace_back("accuracy", metrics.classes->accuracy);
  all.emplace_back("balanced_accuracy", metrics.classes->balanced_accuracy);
  if (metrics.signs || metrics.outputs == 2) all.emplace_back("auc", metrics.classes->auc);
  if (metrics.classes->log_loss) all.emplace_back("log_loss", metrics.classes->log_loss);
}

}  // namespace

Metrics evaluate(const FittedModel& model, const Dataset& data) {
  Evaluator evaluation(model);
  evaluation.add(data);
  return evaluation.metrics();
}

Figures figures(const Metrics& metrics) {
  Figures all = {{"samples", static_cast<double>(metrics.samples)}, {"loss", metrics.loss}};
  if (metrics.classes) add_classes(metrics, all);
  if (metrics.signs) {
    all.emplace_back("positives", static_cast<double>(metrics.signs->positives));
    all.emplace_back("negatives", static_cast<double>(metrics.signs->negatives));
  }
  if (metrics.numbers) {
    all.emplace_back("rmse", metrics.numbers->rmse);
    all.emplace_back("mae", metrics.numbers->mae);
    all.emplace_back("r2", metrics.numbers->r2);
    if (metrics.numbers->counts)
      all.emplace_back("poisson_deviance", metrics.numbers->poisson_deviance);
  }
  if (metrics.explained_variance)
    all.emplace_back("explained_variance", metrics.explained_variance);
  return all;
}

}  // namespace asynprox
