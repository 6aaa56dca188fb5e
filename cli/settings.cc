#include "cli/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "asynprox/data/labels.h"
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

// As it is spelt in the data.
SettingValue positive_label(const Job& job) {
  if (!job.label_names) return {};
  return label_text(job.data.label_names, job.label_names->positive);
}

}  // namespace

SettingList settings_of(const TrainArguments& arguments, const Job& job, const Result& result) {
  const Settings& used = result.settings;
  SettingList settings = {
      {"loss", job.loss_spec},
      {"model", arguments.model},
      {"regularizer", job.regularizer_spec},
      {"method", arguments.method == "auto" ? std::string(used.method.name()) : arguments.method},
      {"step", arguments.step},
      {"workers", std::int64_t{used.workers}},
      {"batch-size", used.batch_size},
      {"pushes-per-step", std::int64_t{used.pushes_per_step}},
      {"staleness-max", used.staleness_max},
      {"staleness-policy", std::string(name(used.staleness_policy))},
      {"delays", or_unused(arguments.delays)},
      {"sampling", arguments.sampling == "auto" ? used.sampling : arguments.sampling},
      {"epochs", or_unused(used.stop.epochs)},
      {"steps", or_unused(used.stop.steps)},
      {"seconds", or_unused(used.stop.seconds)},
      {"tolerance", or_unused(used.stop.tolerance)},
      {"trace-every", or_unused(arguments.trace_every)},
      {"runtime", std::string(name(used.runtime))},
      {"pin", std::string(used.pin ? "cores" : "none")},
      {"pace", or_unused(used.pace)},
      {"speeds", used.speeds.empty()
                     ? SettingValue()
                     : SettingValue(fmt::format("{}", fmt::join(used.speeds, "/")))},
      {"simd", std::string(simd_level())},
      {"model-state", std::string(name(used.state))},
      {"newton", std::string(used.newton ? "on" : "off")},
      {"fallback", std::string(used.fallback ? "on" : "off")},
      {"normalize", arguments.normalize},
      {"standardize", arguments.standardize},
      {"center", arguments.center},
      {"intercept", arguments.intercept},
      {"weights", or_unused(arguments.weights)},
      {"class-weight", arguments.class_weight},
      {"dimension",
       job.data.ratings ? SettingValue() : static_cast<std::int64_t>(job.data.dimension())},
      {"zero-based", arguments.data.zero_based},
      {"ratings", arguments.data.ratings},
      {"labels", or_unused(arguments.data.labels)},
      {"label-column", or_unused(arguments.data.label_column)},
      {"header", arguments.data.header},
      {"positive-label", positive_label(job)},
      {"start", arguments.start ? *arguments.start : std::string(name(used.start))},
      {"reference-step", result.reference_step},
      {"seed", used.seed},
      {"test", or_unused(arguments.test)},
      {"holdout", or_unused(arguments.holdout)},
  };
  if (used.runtime == Runtime::simulated) add_cluster(arguments, used.cluster, settings);
  return settings;
}

}  // namespace asynprox::cli
