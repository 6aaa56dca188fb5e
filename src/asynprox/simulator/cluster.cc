#include "asynprox/simulator/cluster.h"

#include <fmt/format.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/runtimes/pacer.h"

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

// Products and sums of such times and of the numbers of samples, bytes and messages stay far below
// what a double holds: virtual time never overflows.
constexpr double kSecondsMax = 1 / kSpeedMin;

void check_seconds(std::string_view what, double seconds, const Bounds& bounds = at_least(0)) {
  check_number(what, seconds, bounds);
  require(seconds <= kSecondsMax,
          fmt::format("{}: expected a number of at most {}, got {}", what, kSecondsMax, seconds));
}

// A network may be infinitely fast, and so is a machine that --calibrate has yet to measure.
void check_rate(std::string_view what, double rate) {
  if (!std::isinf(rate) || rate < 0) require_speed(what, rate);
}

void check_faults(const Cluster& cluster) {
  const Faults& faults = cluster.faults;
  check_parameters(faults);
  check_seconds("faults: lateness", faults.lateness);
  check_seconds("faults: away", faults.away);
  if (faults.deaths != 0) require_speed("faults: deaths", faults.deaths);
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
  check_rate("compute: rate", cluster.compute.rate());
  check_seconds("latency-up", cluster.latency_up);
  check_seconds("latency-down", cluster.latency_down);
  check_rate("rate-up", cluster.rate_up);
  check_rate("rate-down", cluster.rate_down);
  check_seconds("push-seconds", cluster.push_seconds);
  check_seconds("step-seconds", cluster.step_seconds);
  check_seconds("detection", cluster.detection);
  check_seconds("timeout", cluster.timeout, above(0));
  check_faults(cluster);
  for (const Outage& outage : cluster.outages) check_outage(outage, workers);
}

}  // namespace asynprox
