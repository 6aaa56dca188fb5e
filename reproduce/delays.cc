// Gradients that are all T steps old: how many steps that costs.
//
// T + 1 workers that all take the same time, every push a step: the gradient of step k is
// min(T, k) steps old, which is Algorithm 2 of the paper with a constant delay.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/simulator/compute_times/all.h"

#include "reproduce/experiments.h"
#include "reproduce/speedup.h"

namespace asynprox::reproduce {
namespace {

constexpr std::int64_t kStepsMax = 20000;

// Steps to the target, interpolated; infinite where it is not reached.
double steps_with(const Study& study, const PaperProblem& problem, int delay, double step_factor) {
  Options options = study.algorithm_1(problem, delay + 1, step_factor);
  options.pushes_per_step = 1;
  options.cluster.compute = ConstantTime{};
  options.stop = {.steps = kStepsMax};
  // What is slow need not be looked at after every step.
  options.trace_every = std::max<std::int64_t>(1, static_cast<std::int64_t>(0.2 / step_factor));
  const Passages runs = passages(problem, options, study.seed_numbers(), study.watch);
  return speedups({runs}).front().steps_interpolated.mean;
}

// The slope of log K against log(T + 1), over the delays from `first` on.
double fitted_exponent(const std::vector<ChartPoint>& points, double first) {
  double count = 0, x_mean = 0, y_mean = 0, xx = 0, xy = 0;
  for (const bool centred : {false, true})
    for (const ChartPoint& point : points) {
      if (point.x < first + 1 || !std::isfinite(point.y)) continue;
      const double x = std::log(point.x), y = std::log(point.y);
      if (!centred) {
        x_mean = (x_mean * count + x) / (count + 1);
        y_mean = (y_mean * count + y) / (count + 1);
        ++count;
        continue;
      }
      xx += (x - x_mean) * (x - x_mean);
      xy += (x - x_mean) * (y - y_mean);
    }
  return xy / xx;
}

struct Rule {
  std::string name;
  int delay_max;
  // The factors of 1/L to try with this delay; the best counts.
  std::vector<double> (*factors)(int delay);
};

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"eta = 0.5/L", 64, [](int) { return std::vector{0.5}; }},
      {"eta the best of 1/16, 1/8, ..., 8 over L", 64,
       [](int) { return std::vector{0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0}; }},
      {"the corollary's least step, 1/(16 L (T+1)^2)", 8,
       [](int delay) { return std::vector{1 / (16 * std::pow(delay + 1, 2))}; }}};
  return all;
}

}  // namespace

void study_delays(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{.name = "delays_" + problem.name,
              .title = "Steps to 1e-3 where every gradient is T steps old, on " + problem.about,
              .how = "simulated",
              .columns = {"T"}};
  LineChart chart{.title = fmt::format("Steps against delay: {}, columns centred", problem.name),
                  .x_label = "T + 1",
                  .y_label = "steps to 1e-3",
                  .x_scale = Scale::log,
                  .y_scale = Scale::log};
  for (const Rule& rule : rules()) {
    table.columns.push_back(rule.name);
    chart.series.push_back({.name = rule.name, .markers = true});
  }
  std::optional<double> crossing;  // the largest T that is at most K^(1/4), at eta = 0.5/L
  for (const int delay : {0, 1, 2, 3, 4, 6, 8, 16, 32, 64}) {
    std::vector<Cell> row = {delay};
    for (std::size_t i = 0; i < rules().size(); ++i) {
      if (delay > rules()[i].delay_max || (study.quick && i == 2 && delay > 2)) {
        row.emplace_back("");
        continue;
      }
      study.watch.tell(fmt::format("{}: delay {}, {}", problem.name, delay, rules()[i].name));
      double steps = std::numeric_limits<double>::infinity();
      for (const double factor : rules()[i].factors(delay))
        steps = std::min(steps, steps_with(study, problem, delay, factor));
      row.push_back(number(steps, 1));
      chart.series[i].points.push_back({.x = delay + 1.0, .y = steps});
      if (i == 0 && delay <= std::pow(steps, 0.25)) crossing = delay;
    }
    table.rows.push_back(std::move(row));
  }
  std::string exponents;
  for (std::size_t i = 0; i < rules().size(); ++i)
    exponents += fmt::format("{}{}: {}", i == 0 ? "" : "; ", rules()[i].name,
                             number(fitted_exponent(chart.series[i].points, 1), 2).text);
  if (crossing) chart.x_marks.push_back({.name = "T = K^(1/4)", .at = *crossing + 1});
  table.note = fmt::format(
      "N = 8192, interpolated, mean over {} seeds. Fitted exponents a of K ~ (T + 1)^a over "
      "T >= 1: {}. With eta = 0.5/L, T <= K^(1/4) holds up to T = {:.0f}.",
      study.seeds, exponents, crossing.value_or(0));
  const std::string name = table.name;
  findings.add(std::move(table));
  findings.add(Figure{.name = name, .how = "simulated", .chart = std::move(chart)});
}

}  // namespace asynprox::reproduce
