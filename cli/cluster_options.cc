#include "cli/cluster_options.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string_view>

#include "asynprox/base/errors.h"
#include "asynprox/base/shortened.h"
#include "asynprox/base/spec.h"

namespace asynprox::cli {
namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

Outage outage_of(std::string_view text) {
  const std::vector<double> numbers = parse_numbers(text, "--outages");
  const bool whole = std::abs(numbers[0]) <= std::numeric_limits<int>::max() &&
                     numbers[0] == std::trunc(numbers[0]);
  require(numbers.size() >= 2 && numbers.size() <= 3 && whole,
          fmt::format("--outages: expected WORKER/FROM or WORKER/FROM/UNTIL, got '{}'",
                      shortened(text)));
  return {.worker = static_cast<int>(numbers[0]),
          .from = numbers[1],
          .until = numbers.size() == 3 ? numbers[2] : std::numeric_limits<double>::infinity()};
}

// With --calibrate and no --compute, workers are as fast as this machine.
AnyComputeTime compute_of(const ClusterArguments& arguments) {
  if (!arguments.compute && arguments.calibrate)
    return LognormalTime{.rate = std::numeric_limits<double>::infinity()};
  return make_compute_time(parse_spec(arguments.compute.value_or(std::string(kDefaultCompute))));
}

}  // namespace

Cluster cluster_of(const ClusterArguments& arguments) {
  Cluster cluster;
  cluster.compute = compute_of(arguments);
  cluster.latency_up = arguments.latency_up.value_or(cluster.latency_up);
  cluster.latency_down = arguments.latency_down.value_or(cluster.latency_down);
  cluster.rate_up = arguments.rate_up.value_or(cluster.rate_up);
  cluster.rate_down = arguments.rate_down.value_or(cluster.rate_down);
  cluster.push_seconds = arguments.push_seconds.value_or(cluster.push_seconds);
  cluster.step_seconds = arguments.step_seconds.value_or(cluster.step_seconds);
  cluster.fused = !arguments.separate_pull;
  cluster.pipelined = arguments.pipelined;
  if (arguments.outages)
    for (const std::string_view outage : split(*arguments.outages, ','))
      cluster.outages.push_back(outage_of(outage));
  if (arguments.faults) cluster.faults = make_faults(parse_spec(*arguments.faults));
  cluster.detection = arguments.detection.value_or(cluster.detection);
  cluster.timeout = arguments.timeout.value_or(cluster.timeout);
  return cluster;
}

}  // namespace asynprox::cli
