#include "cli/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asynprox/linalg/simd.h"

namespace asynprox::cli {
namespace {

template <class Value>
SettingValue or_unused(const std::optional<Value>& value) {
  if (!value) return {};
  return *value;
}

void add_cluster(const TrainArguments& arguments, const Cluster& cluster, SettingList& settings) {
  const ClusterArguments& typed = *arguments.cluster;
  const SettingList more = {
      {"compute", typed.compute.value_or(std::string(kDefaultCompute))},
      {"latency-up", cluster.latency_up},
      {"latency-down", cluster.latency_down},
      {"rate-up", cluster.rate_up},
      {"rate-down", cluster.rate_down},
      {"push-seconds", cluster.push_seconds},
      {"step-seconds", cluster.step_seconds},
      {"separate-pull", !cluster.fused},
      {"pipelined", cluster.pipelined},
      {"outages", or_unused(typed.outages)},
      {"faults", or_unused(typed.faults)},
      {"detection", cluster.detection},
      {"timeout", cluster.timeout},
      {"calibrate", typed.calibrate},
  };
  settings.insert(settings.end(), more.begin(), more.end());
}

}  // namespace

SettingList settings_of(const TrainArguments& arguments, const ProblemSpec& problem,
                        const Result& result) {
  const Plan& used = result.plan;
  const ExecutionPlan& execution = used.execution;
  SettingList settings = {
      {"loss", or_unused(problem.loss)},
      {"model", problem.model},
      {"regularizer", problem.regularizer},
      {"method", arguments.method == "auto" ? used.method.method.spec() : arguments.method},
      {"step", arguments.step},
      {"workers", std::int64_t{used.workers.workers}},
      {"batch-size", used.batch.size},
      {"pushes-per-step", std::int64_t{used.workers.pushes_per_step}},
      {"staleness-max", used.workers.staleness_max},
      {"staleness-policy", std::string(name(used.workers.staleness_policy))},
      {"delays", or_unused(arguments.delays)},
      {"sampling", arguments.sampling == "auto" ? used.batch.sampling.spec() : arguments.sampling},
      {"epochs", or_unused(used.stop.epochs)},
      {"steps", or_unused(used.stop.steps)},
      {"seconds", or_unused(used.stop.seconds)},
      {"tolerance", or_unused(used.stop.tolerance)},
      {"trace-every", or_unused(arguments.trace_every)},
      {"runtime", std::string(name(execution.runtime))},
      {"pin", std::string(execution.pin ? "cores" : "none")},
      {"pace", or_unused(execution.pace)},
      {"speeds", execution.speeds.empty()
                     ? SettingValue()
                     : SettingValue(fmt::format("{}", fmt::join(execution.speeds, "/")))},
      {"simd", std::string(simd_level())},
      {"model-state", std::string(name(used.state))},
      {"newton", std::string(used.refinements.newton ? "on" : "off")},
      {"fallback", std::string(used.refinements.fallback ? "on" : "off")},
      {"normalize", problem.normalize},
      {"standardize", problem.standardize},
      {"center", problem.center},
      {"intercept", problem.intercept},
      {"weights", or_unused(problem.weights)},
      {"class-weight", problem.class_weight},
      {"dimension", problem.data.dimension
                        ? SettingValue(static_cast<std::int64_t>(*problem.data.dimension))
                        : SettingValue()},
      {"zero-based", problem.data.zero_based},
      {"ratings", problem.data.ratings},
      {"labels", or_unused(problem.data.labels)},
      {"label-column", or_unused(problem.data.label_column)},
      {"header", problem.data.header},
      {"positive-label", or_unused(problem.positive_label)},
      {"start", problem.start ? *problem.start : std::string(name(used.start))},
      {"reference-step", result.plan.steps.reference_step},
      {"seed", used.seed},
      {"test", or_unused(arguments.test)},
      {"holdout", or_unused(problem.holdout)},
  };
  if (execution.runtime == Runtime::simulated) add_cluster(arguments, execution.cluster, settings);
  return settings;
}

}  // namespace asynprox::cli
