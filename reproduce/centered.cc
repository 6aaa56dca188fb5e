// Columns of mean 0: a hard instance, with several local minima.
#include <fmt/format.h>

#include "reproduce/experiments.h"
#include "reproduce/speedup.h"

namespace asynprox::reproduce {

void study_centered(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{
      .name = "centered_" + problem.name,
      .title = "Speedup to a suboptimality of 1e-3 on " + problem.about,
      .how = "simulated",
      .note = fmt::format("Algorithm 1, m = p, eta = 1/L, N = 8192, L = {:.7f}; suboptimality from "
                          "the best value known, {:.12f}. Mean ± standard deviation over {} seeds.",
                          problem.lipschitz(), problem.reference.optimum, study.seeds),
      .columns = {"workers", "steps", "steps, interpolated", "iteration speedup",
                  "iteration, interpolated", "time speedup", "time, interpolated"}};
  std::vector<Passages> runs;
  for (const int workers : kPaperWorkers) {
    study.watch.tell(fmt::format("{}: centred, {} workers", problem.name, workers));
    runs.push_back(passages(problem, study.algorithm_1(problem, workers, 1), study.seed_numbers(),
                            study.watch));
  }
  for (const Speedup& speedup : speedups(runs))
    table.rows.push_back({speedup.workers, number(speedup.steps, 1),
                          number(speedup.steps_interpolated, 2), number(speedup.iteration, 2),
                          number(speedup.iteration_interpolated, 2), number(speedup.time, 2),
                          number(speedup.time_interpolated, 2)});
  findings.add(std::move(table));
}

}  // namespace asynprox::reproduce
