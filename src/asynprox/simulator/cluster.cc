#include "asynprox/simulator/cluster.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/base/shortened.h"
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

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + 1);
  }
  return parts;
}

Outage outage_from_text(std::string_view text, const std::string& what) {
  const std::vector<double> numbers = parse_numbers(text, what);
  const bool whole = std::abs(numbers[0]) <= std::numeric_limits<int>::max() &&
                     numbers[0] == std::trunc(numbers[0]);
  require(numbers.size() >= 2 && numbers.size() <= 3 && whole,
          fmt::format("{}: expected WORKER/FROM or WORKER/FROM/UNTIL, got '{}'", what,
                      shortened(text)));
  return {.worker = static_cast<int>(numbers[0]),
          .from = numbers[1],
          .until = numbers.size() == 3 ? numbers[2] : std::numeric_limits<double>::infinity()};
}

}  // namespace

Faults make_faults(const Spec& spec) {
  return make_from_family<Faults>(AllFaults{}, "kind of faults", spec, nullptr);
}

std::vector<Outage> outages_from_text(std::string_view text, const std::string& what,
                                      const ReadNumbers&) {
  std::vector<Outage> outages;
  for (const std::string_view outage : split(text, ','))
    outages.push_back(outage_from_text(outage, what));
  return outages;
}

std::string outages_text(const std::vector<Outage>& outages) {
  std::string text;
  for (const Outage& outage : outages) {
    text += fmt::format("{}{}/{}", text.empty() ? "" : ",", outage.worker, outage.from);
    if (std::isfinite(outage.until)) text += fmt::format("/{}", outage.until);
  }
  return text;
}

Faults faults_from_text(std::string_view text, const std::string&, const ReadNumbers&) {
  return make_faults(parse_spec(text));
}

std::string faults_text(const Faults& faults) {
  const Spec spec = spec_of(faults);
  return spec.settings.empty() ? "" : spec.text();
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
