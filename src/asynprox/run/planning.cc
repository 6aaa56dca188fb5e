#include "asynprox/run/planning.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"
#include "asynprox/base/hash.h"
#include "asynprox/problem/scaling.h"
#include "asynprox/run/check_plan.h"
#include "asynprox/run/plan_batch.h"
#include "asynprox/run/plan_curvature.h"
#include "asynprox/run/plan_method.h"
#include "asynprox/run/plan_steps.h"
#include "asynprox/run/plan_workers.h"

namespace asynprox {
namespace {

std::string hash_text(std::span<const double> numbers) {
  if (numbers.empty()) return "";
  Hash hash;
  hash.add(numbers);
  return fmt::format("{:016x}", hash.value());
}

std::string hash_text(const std::shared_ptr<const Vector>& numbers) {
  return numbers ? hash_text(*numbers) : "";
}

VectorHashes hashes_of(const PlanVectors& vectors, const std::optional<Vector>& given_start) {
  return {.scales = hash_text(vectors.scales),
          .sample_lipschitz = hash_text(vectors.sample_lipschitz),
          .support_weights = hash_text(vectors.support_weights),
          .start = given_start ? hash_text(*given_start) : ""};
}

// The part, and what there is to say about it into the plan.
template <class Part>
Part take(Chosen<Part> chosen, Plan& plan) {
  for (std::string& choice : chosen.choices) plan.choices.push_back(std::move(choice));
  for (std::string& warning : chosen.warnings) plan.warnings.push_back(std::move(warning));
  return std::move(chosen.value);
}

void warn_about_long_rows(const Options& options, Plan& plan) {
  const Smoothness& smoothness = plan.curvature.plain;
  if (options.rows_as_read && smoothness.sample_max > kUneven * smoothness.sample_mean)
    plan.warnings.emplace_back(
        "a few rows are far longer than the others; if they are texts or counts, --normalize rows "
        "gives each the same influence");
}

Start start_of(const Problem& problem, const Options& options) {
  if (options.x0) return Start::given;
  if (options.start == Start::automatic && !problem.f.has_start()) return Start::zeros;
  return options.start;
}

void require_same(const std::string& recorded, const std::string& now, std::string_view what) {
  if (recorded != now)
    throw DataError(
        fmt::format("the plan is for another problem: expected {} with hash '{}', got '{}'", what,
                    recorded, now));
}

}  // namespace

ProblemMark mark_of(const Problem& problem) {
  return {.samples = problem.f.num_samples(),
          .dimension = problem.f.dimension(),
          .intercepts = problem.f.num_free(),
          .regularizer = problem.h.spec()};
}

Planned make_plan(const Problem& problem, const Options& options) {
  require(problem.f.num_samples() > 0, "f: expected at least one sample, got none");
  Planned planned;
  Plan& plan = planned.plan;
  PlanVectors& vectors = planned.vectors;
  plan.problem = mark_of(problem);
  plan.seed = options.seed;
  plan.start = start_of(problem, options);
  plan.method = take(plan_method(problem, options), plan);
  plan.refinements = take(plan_refinements(problem, options, plan.method), plan);
  plan.stop = plan_stop(options, plan.method, plan.refinements);
  plan.workers = take(plan_workers(problem, options, plan.method), plan);
  plan.execution = plan_execution(options, plan.workers);
  plan.evaluation = plan_evaluation(problem, options, plan.refinements);

  plan.curvature.plain = take(plan_smoothness(problem, options, plan.method, plan.start), plan);
  ScalePlan scales = take(plan_scales(problem, options, plan.method, plan.curvature.plain), plan);
  plan.curvature.scaled = scales.smoothness;
  vectors.scales = std::move(scales.scales);
  vectors.column_curvatures = std::move(scales.column_curvatures);

  const SampleCurvature curvature = plan_balance(options, plan.method, plan.curvature.scaled);
  plan.state = plan_state(problem, options, plan.method, curvature, !vectors.scales.empty());
  BatchChoice batch = take(plan_batch(problem, options,
                                      {.method = plan.method,
                                       .workers = plan.workers,
                                       .curvature = curvature,
                                       .state = plan.state,
                                       .scales = vectors.scales}),
                           plan);
  plan.batch = std::move(batch.plan);
  vectors.sample_lipschitz = std::move(batch.sample_lipschitz);
  vectors.support_weights = support_weights_for(problem, plan.method, plan.state, plan.batch.size);
  plan.execution.steps_outside_lock =
      steps_outside_lock(problem, runtime_of(options), plan.state, plan.batch.size);

  if (options.on_events) check_recordable(plan);
  plan.steps = plan_steps(problem, options, plan, curvature);
  warn_about_long_rows(options, plan);
  plan.hashes = hashes_of(vectors, options.x0);
  return planned;
}

PlanVectors vectors_of(const Problem& problem, const Plan& plan,
                       const std::optional<Vector>& given_start) {
  check_plan(problem, plan);
  PlanVectors vectors;
  if (!plan.hashes.scales.empty()) {
    vectors.column_curvatures = std::make_shared<const Vector>(column_curvatures(problem.f));
    vectors.scales = chosen_scales(problem, *vectors.column_curvatures);
  }
  vectors.sample_lipschitz = sample_lipschitz_for(problem, plan.batch.sampling, vectors.scales);
  vectors.support_weights = support_weights_for(problem, plan.method, plan.state, plan.batch.size);
  const VectorHashes now = hashes_of(vectors, given_start);
  require_same(plan.hashes.scales, now.scales, "scales of the columns");
  require_same(plan.hashes.sample_lipschitz, now.sample_lipschitz, "curvatures of the samples");
  require_same(plan.hashes.support_weights, now.support_weights, "weights of the coordinates");
  require_same(plan.hashes.start, now.start, "numbers of the start");
  return vectors;
}

void check_recordable(const Plan& plan) {
  require(plan.workers.slots <= kRecordedWorkersMax,
          fmt::format("workers: a run of more than {}, pipelined half as many, cannot be recorded",
                      kRecordedWorkersMax));
  const Cluster& cluster = plan.execution.cluster;
  const bool replayable = cluster.fused && !cluster.faults.of_messages();
  require(plan.execution.runtime != Runtime::simulated || replayable,
          "a simulated run with faults of messages, or with a pull apart from the push, cannot be "
          "recorded; it is the same whenever it is run");
}

}  // namespace asynprox
