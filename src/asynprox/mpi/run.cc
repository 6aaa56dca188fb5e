#include "asynprox/mpi/run.h"

#include <fmt/format.h>

#include <utility>

#include "asynprox/data/fingerprint.h"
#include "asynprox/fit/run_problem.h"
#include "asynprox/messages/notices.h"
#include "asynprox/mpi/ports.h"
#include "asynprox/run/json.h"
#include "asynprox/run/option_list.h"
#include "asynprox/run/planning.h"
#include "asynprox/transports/greeting.h"
#include "asynprox/transports/working.h"
#include "asynprox/version.h"

namespace asynprox::mpi {
namespace {

Options options_for(const FitProblem& fit, const RunProblem& problem, Options options,
                    int workers) {
  require(workers >= 1, "mpi: expected at least 2 ranks, a server and a worker, got 1");
  require(options.workers == 0 || options.workers == workers,
          fmt::format("workers: expected {}, one per rank but rank 0, got {}", workers,
                      options.workers));
  options.workers = workers;
  options = run_options(fit, std::move(options));
  options.x0 = problem.x0;
  return options;
}

// The first option of the problem in which the two differ, in words; empty: none.
template <class Owner>
std::string difference(const Owner& theirs, const Owner& ours) {
  for (const DeclaredOption<Owner>& option : declared_options<Owner>()) {
    const auto expected = text_of(option.setting(theirs)), got = text_of(option.setting(ours));
    if (expected != got)
      return fmt::format("--{}: rank 0 has '{}', this rank has '{}'", option.about.name,
                         expected.value_or(""), got.value_or(""));
  }
  return "";
}

void require_same(const ProblemSpec& theirs, const ProblemSpec& ours) {
  std::string words = difference(theirs, ours);
  if (words.empty()) words = difference(theirs.data, ours.data);
  require(words.empty(), words);
}

}  // namespace

Result serve_ranks(const FitProblem& fit, const Options& options, Mail& mail,
                   Attendance& attendance) {
  const RunProblem problem = run_problem(fit);
  const int workers = mail.world().size() - 1;
  const Options used = options_for(fit, problem, options, workers);
  const Plan plan = make_plan(problem.problem, used).plan;
  if (used.on_start) used.on_start(plan);
  const std::size_t dimension = problem.problem.f.dimension();
  mail.expect(dimension);
  const Assignment assignment = {
      .version = std::string(kVersion), .problem = problem_json(fit.spec), .plan = plan_json(plan)};
  RankZeroPort port(mail);
  std::vector<std::byte> frame;
  for (int worker = 0; worker < workers; ++worker) {
    encode(assignment, frame);
    port.send(worker, frame);
  }
  ServedRun run(problem.problem, plan, problem.x0, hooks_of(used), /*keep_models=*/false);
  attendance =
      serve(run, hello_of(plan, dimension, fingerprint(fit.data)), workers, port, used.interrupt);
  Result result = problem.result(run.finish());
  result.warnings.insert(result.warnings.end(), attendance.warnings.begin(),
                         attendance.warnings.end());
  return result;
}

void work_as_rank(const FitProblem& fit, Mail& mail, const std::atomic<bool>* interrupt) {
  const RunProblem problem = run_problem(fit);
  const std::size_t dimension = problem.problem.f.dimension();
  mail.expect(dimension);
  WorkerRankPort port(mail);
  Assignment assignment;
  decode(port.receive("the plan"), assignment);
  // Of another version nothing else is read: rank 0 refuses it by its hello.
  const bool same_version = assignment.version == kVersion;
  const Plan plan = same_version ? plan_from_json(assignment.plan) : Plan();
  std::vector<std::byte> frame;
  encode(hello_of(plan, dimension, fingerprint(fit.data)), frame);
  port.send(frame);
  if (!same_version) return;
  require_same(problem_from_json(assignment.problem), fit.spec);
  const int number = mail.world().rank() - 1;
  Worker worker = make_worker(problem.problem, plan, vectors_of(problem.problem, plan, problem.x0),
                              number, interrupt);
  work(worker, working_options(plan, dimension, number, interrupt), port);
}

}  // namespace asynprox::mpi
