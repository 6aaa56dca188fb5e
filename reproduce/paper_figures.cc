// Figures 1 and 2 of the paper: proximal gradient and 1, 2, 4, 8 workers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/step_sizes/all.h"

#include "reproduce/experiments.h"
#include "reproduce/side_by_side.h"

namespace asynprox::reproduce {
namespace {

constexpr double kDownTo = 1e-6;

// At each step the geometric mean over seeds of what is left, and the mean time; as far as every
// seed goes.
std::vector<CurvePoint> mean_curve(const std::vector<Curve>& curves) {
  std::size_t length = curves.front().points.size();
  for (const Curve& curve : curves) length = std::min(length, curve.points.size());
  const auto count = static_cast<double>(curves.size());
  std::vector<CurvePoint> mean(length);
  for (std::size_t k = 0; k < length; ++k) {
    double logarithm = 0;
    mean[k].epochs = curves.front().points[k].epochs;
    for (const Curve& curve : curves) {
      mean[k].seconds += curve.points[k].seconds / count;
      logarithm += std::log(curve.points[k].suboptimality) / count;
    }
    mean[k].suboptimality = std::exp(logarithm);
  }
  return mean;
}

struct Line {
  std::string name;
  std::vector<CurvePoint> points;
};

Line proximal_gradient(const Study& study, const PaperProblem& problem) {
  const Options options = {.method = ProxGd{},
                           .step = ConstantStep{.value = 1 / problem.lipschitz()},
                           .workers = 1,
                           .stop = {.steps = 12},
                           .runtime = Runtime::simulated,
                           .cluster = study.cluster};
  return {"ProxGD", measure(problem, options, kDownTo, study.watch).points};
}

Line workers_line(const Study& study, const PaperProblem& problem, int workers, Options options) {
  study.watch.tell(fmt::format("{}: figures, {} workers", problem.name, workers));
  options.stop = {.steps = 30};
  const std::vector<std::uint64_t> seeds = study.seed_numbers();
  std::vector<Curve> curves(seeds.size());
  side_by_side(std::thread::hardware_concurrency(), seeds.size(), [&](std::size_t i) {
    Options own = options;
    own.seed = seeds[i];
    curves[i] = measure(problem, own, kDownTo, study.watch);
  });
  return {fmt::format("{} worker{}", workers, workers == 1 ? "" : "s"), mean_curve(curves)};
}

void add_figures(const PaperProblem& problem, const std::vector<Line>& lines,
                 const std::string& kind, const std::string& title, Findings& findings) {
  const auto chart = [&](const std::string& number, const std::string& x_label, auto x_of) {
    LineChart drawn{.title = fmt::format("Figure {}: {}, {}", number, problem.name, title),
                    .x_label = x_label,
                    .y_label = "suboptimality",
                    .y_scale = Scale::log,
                    .y_marks = {{.name = "10⁻³", .at = kTarget}}};
    for (const Line& line : lines) {
      ChartSeries series{.name = line.name, .markers = true};
      for (const CurvePoint& point : line.points)
        series.points.push_back({.x = x_of(point), .y = point.suboptimality});
      drawn.series.push_back(std::move(series));
    }
    return drawn;
  };
  findings.add(Figure{.name = "figure1" + kind + "_" + problem.name,
                      .how = "simulated",
                      .chart = chart("1", "sample gradients / n",
                                     [](const CurvePoint& point) { return point.epochs; })});
  findings.add(Figure{.name = "figure2" + kind + "_" + problem.name,
                      .how = "simulated",
                      .chart = chart("2", "seconds (virtual)",
                                     [](const CurvePoint& point) { return point.seconds; })});
}

}  // namespace

void draw_figures(const Study& study, const PaperProblem& problem, Findings& findings) {
  for (const bool whole_batch : {false, true}) {
    if (whole_batch && study.quick) return;
    std::vector<Line> lines = {proximal_gradient(study, problem)};
    for (const int workers : kPaperWorkers) {
      Options options = study.algorithm_1(problem, workers, 0.5);
      if (whole_batch) options.pushes_per_step = 1;
      lines.push_back(workers_line(study, problem, workers, options));
    }
    add_figures(problem, lines, whole_batch ? "_whole_batch" : "",
                whole_batch ? "m = 1, a push is a batch" : "Algorithm 1, m = p", findings);
  }
}

}  // namespace asynprox::reproduce
