#include "asynprox/simulator/cluster.h"

#include <fmt/format.h>

#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

void check_number(std::string_view what, double value, const Bounds& bounds) {
  require(
      bounds.hold(value),
      fmt::format("{}: expected a number {} {}{}, got {}", what,
                  bounds.lower_excluded ? "above" : "of at least", bounds.lower,
                  std::isfinite(bounds.upper) ? fmt::format(" and at most {}", bounds.upper) : "",
                  value));
}

void check_faults(const Cluster& cluster) {
  const Faults& faults = cluster.faults;
  check_parameters(faults);
  require(faults.loss < 1, "faults: with a loss of 1 no message ever arrives");
  require(cluster.fused || !faults.of_messages(),
          "faults: messages can be lost only where a push is answered by the model");
}

void check_outage(const Outage& outage, int workers) {
  require(
      outage.worker >= 0 && outage.worker < workers,
      fmt::format("outages: expected a worker from 0 to {}, got {}", workers - 1, outage.worker));
  check_number("outages: from", outage.from, at_least(0));
  check_number("outages: until", outage.until, at_least(outage.from));
}

}  // namespace

Faults make_faults(const Spec& spec) {
  return make_from_family<Faults>(AllFaults{}, "kind of faults", spec, nullptr);
}

void check_cluster(const Cluster& cluster, int workers) {
  check_number("latency-up", cluster.latency_up, at_least(0));
  check_number("latency-down", cluster.latency_down, at_least(0));
  check_number("rate-up", cluster.rate_up, above(0));
  check_number("rate-down", cluster.rate_down, above(0));
  check_number("push-seconds", cluster.push_seconds, at_least(0));
  check_number("step-seconds", cluster.step_seconds, at_least(0));
  check_number("detection", cluster.detection, at_least(0));
  check_number("timeout", cluster.timeout, above(0));
  check_faults(cluster);
  for (const Outage& outage : cluster.outages) check_outage(outage, workers);
}

}  // namespace asynprox
