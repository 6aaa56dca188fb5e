// How far it goes: speedup up to 1,024 workers, who share 8192 samples per step.
#include <fmt/format.h>

#include "reproduce/experiments.h"
#include "reproduce/speedup.h"

namespace asynprox::reproduce {
namespace {

constexpr double kFree = 1e18;  // bytes per second

struct Kind {
  std::string name;
  Cluster cluster;
};

std::vector<Kind> kinds(const Study& study) {
  Cluster free = study.cluster;
  free.latency_up = free.latency_down = 0;
  free.rate_up = free.rate_down = kFree;
  free.push_seconds = free.step_seconds = 0;
  Cluster pipelined = study.cluster;
  pipelined.pipelined = true;
  return {{"messages and steps cost nothing", free},
          {"measured costs", study.cluster},
          {"measured costs, pipelined", pipelined}};
}

}  // namespace

void study_many_workers(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{.name = "many_workers_" + problem.name,
              .title = "Time speedup up to 1,024 workers on " + problem.about,
              .how = "simulated",
              .note =
                  "To 1e-3, Algorithm 1 with m = p, eta = 0.5/L, N = 8192: with 1,024 workers "
                  "a push is 8 samples, which take 0.1 ms. Interpolated.",
              .columns = {"workers", "samples per push"}};
  LineChart chart{.title = fmt::format("Speedup to 1,024 workers: {}", problem.name),
                  .x_label = "workers",
                  .y_label = "time speedup (virtual)",
                  .x_scale = Scale::log,
                  .y_scale = Scale::log};
  const std::vector<Kind> all = kinds(study);
  chart.series.push_back({.name = "linear"});
  for (const Kind& kind : all) {
    table.columns.push_back(kind.name);
    chart.series.push_back({.name = kind.name, .markers = true});
  }
  std::vector<Passages> bases;
  for (int workers = 1; workers <= 1024; workers *= 2) {
    study.watch.tell(fmt::format("{}: {} workers", problem.name, workers));
    std::vector<Cell> row = {workers, static_cast<int>(kBatch / workers)};
    chart.series[0].points.push_back({.x = double(workers), .y = double(workers)});
    for (std::size_t i = 0; i < all.size(); ++i) {
      Options options = study.algorithm_1(problem, workers, 0.5);
      options.cluster = all[i].cluster;
      const Passages runs = passages(problem, options, study.seed_numbers(), study.watch);
      if (workers == 1) bases.push_back(runs);
      const Spread speedup = speedups({bases[i], runs}).back().time_interpolated;
      row.push_back(number(speedup, 1));
      chart.series[i + 1].points.push_back({.x = double(workers), .y = speedup.mean});
    }
    table.rows.push_back(std::move(row));
  }
  const std::string name = table.name;
  findings.add(std::move(table));
  findings.add(Figure{.name = name, .how = "simulated", .chart = std::move(chart)});
}

}  // namespace asynprox::reproduce
