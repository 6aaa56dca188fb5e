#include "asynprox/simulator/network.h"

namespace asynprox {
namespace {

constexpr std::uint64_t kNetworkStream = 0x4e4554;

// Which number of a message's own stream decides what.
enum Chance : std::uint64_t { kLoss, kDuplication, kReordering, kLateness = 4 };

}  // namespace

VirtualNetwork::VirtualNetwork(const Cluster& cluster, std::uint64_t seed)
    : cluster_(cluster), random_(Random(seed).stream(kNetworkStream)) {}

Travel VirtualNetwork::travel(Direction direction, double bytes) {
  const bool up = direction == Direction::up;
  const double seconds = up ? cluster_.latency_up + bytes / cluster_.rate_up
                            : cluster_.latency_down + bytes / cluster_.rate_down;
  const Random chance = random_.stream(static_cast<std::uint64_t>(messages_++));
  bytes_ += bytes;
  Travel travel = {.arrivals = 1, .seconds = {seconds, seconds}};
  const Faults& faults = cluster_.faults;
  if (!faults.of_messages()) return travel;
  if (chance.uniform_at(kLoss) < faults.loss) {
    ++lost_;
    travel.arrivals = 0;
    return travel;
  }
  if (chance.uniform_at(kDuplication) < faults.duplication) {
    ++duplicated_;
    travel.arrivals = 2;
  }
  for (int i = 0; i < travel.arrivals; ++i) travel.seconds[i] += lateness(chance, i);
  return travel;
}

double VirtualNetwork::lateness(const Random& chance, std::uint64_t counter) {
  if (chance.uniform_at(kReordering + counter) >= cluster_.faults.reordering) return 0;
  ++late_;
  return cluster_.faults.lateness * chance.uniform_at(kLateness + counter);
}

}  // namespace asynprox
