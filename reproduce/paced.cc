// The same in real time: threads that take as long as machines of the assumed pace would, so that
// two cores show what eight such machines do.
#include <fmt/format.h>

#include <cstdlib>
#include <thread>

#include "asynprox/algorithm/methods/all.h"

#include "reproduce/experiments.h"
#include "reproduce/speedup.h"

namespace asynprox::reproduce {
namespace {

constexpr const char* kHow = "paced in real time";

Options paced(const Study& study, const PaperProblem& problem, int workers, double step_factor) {
  Options options = study.algorithm_1(problem, workers, step_factor);
  options.runtime = Runtime::threads;
  options.pace = kPaperRate;
  return options;
}

// What else this machine is doing: how many threads want to run, on average of a minute.
double load() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : 0;
}

std::string conditions(const Study& study) {
  return fmt::format(
      "Real seconds, mean ± standard deviation over {} runs. A worker is a thread that takes at "
      "least {:.0f} ms for 8192 samples; evaluations are off the clock. They mean something on an "
      "idle machine only; the load of this one, itself included, was {:.1f} on {} cores.",
      study.seeds, 1e3 * kBatch / kPaperRate, load(), std::thread::hardware_concurrency());
}

void add_speedup(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{
      .name = "paced_speedup_" + problem.name,
      .title = "Speedup to a suboptimality of 1e-3 on " + problem.about,
      .how = kHow,
      .note = "Algorithm 1, m = p, eta = 0.5/L, N = 8192. " + conditions(study),
      .columns = {"workers", "steps", "seconds", "iteration speedup", "iteration, interpolated",
                  "time speedup", "time, interpolated", "mean staleness"}};
  std::vector<Passages> runs;
  for (const int workers : kPaperWorkers) {
    study.watch.tell(fmt::format("{}: paced, {} workers", problem.name, workers));
    runs.push_back(
        passages(problem, paced(study, problem, workers, 0.5), study.seed_numbers(), study.watch));
  }
  const std::vector<Speedup> found = speedups(runs);
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::vector<double> seconds;
    for (const CurvePoint& point : runs[i].first) seconds.push_back(point.seconds);
    table.rows.push_back({found[i].workers, number(found[i].steps, 1),
                          number(spread_of(seconds), 3), number(found[i].iteration, 2),
                          number(found[i].iteration_interpolated, 2), number(found[i].time, 2),
                          number(found[i].time_interpolated, 2), number(found[i].staleness, 2)});
  }
  findings.add(std::move(table));
}

void add_uneven(const Study& study, const PaperProblem& problem, Findings& findings) {
  study.watch.tell(fmt::format("{}: paced, one of 8 workers is slow", problem.name));
  Options many = paced(study, problem, 8, 1);
  many.speeds = {0.25};
  Options waiting = many;
  waiting.method = ProxSgd{};
  waiting.staleness_max = {};
  const auto run = [&](const Options& options) {
    return passages(problem, options, study.seed_numbers(), study.watch);
  };
  const std::vector<Speedup> found =
      speedups({run(paced(study, problem, 1, 1)), run(many), run(waiting)});
  Table table{.name = "paced_uneven_" + problem.name,
              .title = "Time speedup of 8 workers over one, one of them 4 times slower, on " +
                       problem.about,
              .how = kHow,
              .note = "To 1e-3, eta = 1/L, N = 8192, interpolated. " + conditions(study),
              .columns = {"asynchronous", "synchronous", "asynchronous : synchronous"}};
  const Spread fast = found[1].time_interpolated, slow = found[2].time_interpolated;
  table.rows.push_back({number(fast, 2), number(slow, 2), number(fast.mean / slow.mean, 2)});
  findings.add(std::move(table));
}

}  // namespace

void study_paced(const Study& study, const PaperProblem& problem, Findings& findings) {
  add_speedup(study, problem, findings);
  add_uneven(study, problem, findings);
}

}  // namespace asynprox::reproduce
