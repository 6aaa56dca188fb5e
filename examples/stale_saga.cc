// How staleness slows asyn-prox-saga down, and that it does no more: l1 logistic regression with
// T + 1 workers that take turns, one push a step, so that every gradient is T steps old.
//
//   example_stale_saga [DATA [PICTURE]]
//
// Prints the epochs after which F - F* has fallen below 1e-2, 1e-4, ... for each T, writes a
// picture (docs/images/stale_saga.svg is that of a9a), and ends with 0 if each comes to 1e-10.
#include <asynprox/charts.h>
#include <asynprox/dataset.h>
#include <asynprox/methods.h>
#include <asynprox/solve.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr std::array kTargets = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};

asynprox::Result run(const asynprox::Dataset& data, int T, const asynprox::StoppingRules& stop) {
  return asynprox::solve(data, asynprox::LogisticLoss{}, asynprox::L1{.lambda = 1e-4},
                         {.method = asynprox::AsynProxSaga{},
                          .workers = T + 1,
                          .pushes_per_step = 1,
                          .staleness_max = T,
                          .stop = stop,
                          .runtime = asynprox::Runtime::serial});
}

// F - F* of the best model so far, which is the one that a run holds on to, by epochs.
std::vector<asynprox::ChartPoint> curve(const asynprox::Trace& trace, double optimum) {
  std::vector<asynprox::ChartPoint> points;
  double least = trace.front().objective;
  for (const asynprox::Evaluation& at : trace) {
    least = std::min(least, at.objective);
    if (least - optimum < 1e-12) break;
    points.push_back({at.epochs, least - optimum});
  }
  return points;
}

// False if the last target was not reached.
bool print_row(int T, const std::vector<asynprox::ChartPoint>& points) {
  std::printf("| %d |", T);
  bool reached = true;
  for (const double target : kTargets) {
    const auto there =
        std::ranges::find_if(points, [&](const auto& point) { return point.y <= target; });
    reached = there != points.end();
    if (reached) std::printf(" %.0f |", there->x);
    if (!reached) std::printf(" - |");
  }
  std::printf("\n");
  return reached;
}

}  // namespace

int main(int argc, char** argv) {
  const asynprox::Dataset data =
      asynprox::read_dataset(argc > 1 ? argv[1] : "generate:sparse-logistic:n=3000,d=100,seed=2");
  const double optimum = run(data, 0, {.epochs = 2000, .tolerance = 1e-13}).objective;
  asynprox::LineChart chart = {.title = "asyn-prox-saga with gradients that are T steps old",
                               .x_label = "epochs",
                               .y_label = "F - F* of the best so far",
                               .y_scale = asynprox::Scale::log};
  std::printf("| T | 1e-2 | 1e-4 | 1e-6 | 1e-8 | 1e-10 |\n|---|---|---|---|---|---|\n");
  bool all = true;
  for (const int T : {0, 1, 4, 16}) {
    const auto points = curve(run(data, T, {.epochs = 200}).trace, optimum);
    chart.series.push_back({.name = "T = " + std::to_string(T), .points = points});
    all = print_row(T, points) && all;
  }
  if (argc > 2) std::ofstream(argv[2]) << asynprox::svg(chart);
  return all ? 0 : 1;
}
