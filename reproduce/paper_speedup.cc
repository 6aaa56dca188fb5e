// Tables 2 and 3 of the paper, in three readings of what it ran.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "asynprox/step_sizes/all.h"

#include "reproduce/experiments.h"
#include "reproduce/speedup.h"

namespace asynprox::reproduce {
namespace {

struct PaperRow {
  std::array<double, 4> iteration, time;
};

// Tables 2 and 3: 1, 2, 4, 8 workers.
const std::map<std::string, PaperRow>& paper_rows() {
  static const std::map<std::string, PaperRow> rows = {
      {"a9a", {{1.000, 1.982, 3.584, 5.973}, {1.000, 2.219, 3.857, 5.876}}},
      {"mnist", {{1.000, 2.031, 3.783, 7.352}, {1.000, 2.285, 4.103, 5.714}}}};
  return rows;
}

std::vector<Cell> row_of(const std::string& reading, const Speedup& speedup) {
  return {reading,
          speedup.workers,
          number(speedup.steps, 1),
          number(speedup.iteration, 2),
          number(speedup.iteration_interpolated, 2),
          number(speedup.time, 2),
          number(speedup.time_interpolated, 2),
          number(speedup.staleness, 2)};
}

void add_reading(const std::string& reading, const std::vector<Passages>& runs, Table& table) {
  for (const Speedup& speedup : speedups(runs)) table.rows.push_back(row_of(reading, speedup));
}

std::vector<Passages> runs_of(const Study& study, const PaperProblem& problem,
                              const std::string& reading,
                              const std::function<Options(int workers)>& options_of) {
  std::vector<Passages> runs;
  for (const int workers : kPaperWorkers) {
    study.watch.tell(fmt::format("{}: {}, {} workers", problem.name, reading, workers));
    runs.push_back(passages(problem, options_of(workers), study.seed_numbers(), study.watch));
  }
  return runs;
}

Options whole_batch_a_push(const Study& study, const PaperProblem& problem, int workers,
                           double step_factor) {
  Options options = study.algorithm_1(problem, workers, step_factor);
  options.pushes_per_step = 1;
  return options;
}

// For each number of workers the step, among a few, that is there first.
std::vector<Passages> tuned_apart(const Study& study, const PaperProblem& problem) {
  std::vector<Passages> best;
  for (const int workers : kPaperWorkers) {
    study.watch.tell(fmt::format("{}: tuned apart, {} workers", problem.name, workers));
    std::vector<Passages> tried;
    for (const double factor : {0.5, 1.0, 1.5, 2.0, 4.0, 8.0})
      tried.push_back(passages(problem, study.algorithm_1(problem, workers, factor),
                               study.seed_numbers(), study.watch));
    best.push_back(*std::ranges::min_element(tried, {}, mean_seconds));
  }
  return best;
}

void add_paper_rows(const PaperProblem& problem, Table& table) {
  const auto found = paper_rows().find(problem.name);
  if (found == paper_rows().end()) return;
  for (std::size_t i = 0; i < kPaperWorkers.size(); ++i)
    table.rows.push_back({"the paper", kPaperWorkers[i], "", number(found->second.iteration[i], 3),
                          "", number(found->second.time[i], 3), "", ""});
}

}  // namespace

void report_reference(const PaperProblem& problem, Findings& findings) {
  const Reference& reference = problem.reference;
  Table table{.name = "reference_" + problem.name,
              .title = "The reference point on " + problem.about,
              .how = "computed",
              .note =
                  "Rows are scaled to length 1. -L/2 is never above the minimum, and is the "
                  "minimum where no entry of the data is negative.",
              .columns = {"quantity", "value"}};
  const auto exact = [](double value) {
    Cell cell(fmt::format("{:.12f}", value));
    cell.value = value;
    return cell;
  };
  table.rows.push_back({"L, the largest eigenvalue of Z'Z/n", exact(reference.lipschitz)});
  table.rows.push_back({"-L/2", exact(reference.eigenvalue_answer)});
  if (!reference.from_starts.empty()) {
    const auto [least, most] = std::ranges::minmax(reference.from_starts);
    const std::string starts =
        fmt::format("proximal gradient from {} random starts", reference.from_starts.size());
    table.rows.push_back({starts + ", least", exact(least)});
    table.rows.push_back({starts + ", most", exact(most)});
  }
  table.rows.push_back({"used as Psi*", exact(reference.optimum)});
  findings.add(std::move(table));
}

void study_speedup(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{
      .name = "speedup_" + problem.name,
      .title = "Speedup to a suboptimality of 1e-3 on " + problem.about,
      .how = "simulated",
      .note = fmt::format(
          "Mean ± standard deviation over {} seeds. N = 8192; times are virtual: {:.0f} "
          "samples per second and worker, lognormal with a deviation of a fifth of the mean, "
          "{:.1f} us for a push and {:.1f} us for a step at the server.",
          study.seeds, study.cluster.compute.rate(), 1e6 * study.cluster.push_seconds,
          1e6 * study.cluster.step_seconds),
      .columns = {"reading", "workers", "steps", "iteration speedup", "iteration, interpolated",
                  "time speedup", "time, interpolated", "mean staleness"}};
  add_paper_rows(problem, table);
  const auto add = [&](const std::string& reading, auto options_of) {
    add_reading(reading, runs_of(study, problem, reading, options_of), table);
  };
  for (const double factor : {0.5, 1.0})
    add(fmt::format("Algorithm 1, m = p, eta = {}/L", factor),
        [&](int workers) { return study.algorithm_1(problem, workers, factor); });
  for (const double factor : {0.5, 0.08})
    add(fmt::format("a push is a whole batch (m = 1), eta = {}/L", factor),
        [&](int workers) { return whole_batch_a_push(study, problem, workers, factor); });
  add_reading("m = p, eta tuned apart for each p", tuned_apart(study, problem), table);
  findings.add(std::move(table));
}

void study_schedules(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{.name = "schedule_" + problem.name,
              .title = "The paper's step sizes on " + problem.about,
              .how = "simulated",
              .note =
                  "Algorithm 1 with m = p and N = 8192. eta_k = eta0 / (1 + eta' k / k'), and "
                  "as a staircase with k / k' rounded down. The paper does not print its "
                  "values; these are ours.",
              .columns = {"schedule", "eta0", "eta'", "k'", "workers", "steps",
                          "iteration, interpolated", "time, interpolated"}};
  struct Schedule {
    double factor, decay, period;
  };
  for (const bool staircase : {false, true})
    for (const Schedule& schedule : {Schedule{1, 0.1, 1}, Schedule{1, 0.5, 4}}) {
      const double eta0 = schedule.factor / problem.lipschitz();
      const auto options_of = [&](int workers) {
        Options options = study.algorithm_1(problem, workers, schedule.factor);
        if (staircase)
          options.step = TInverseStaircaseStep{
              .eta0 = eta0, .decay = schedule.decay, .period = schedule.period};
        else
          options.step =
              TInverseStep{.eta0 = eta0, .decay = schedule.decay, .period = schedule.period};
        return options;
      };
      const std::string name = staircase ? "t-inverse-staircase" : "t-inverse";
      for (const Speedup& speedup : speedups(runs_of(study, problem, name, options_of)))
        table.rows.push_back({name, number(eta0, 4), number(schedule.decay, 2),
                              number(schedule.period, 0), speedup.workers, number(speedup.steps, 1),
                              number(speedup.iteration_interpolated, 2),
                              number(speedup.time_interpolated, 2)});
    }
  findings.add(std::move(table));
}

}  // namespace asynprox::reproduce
