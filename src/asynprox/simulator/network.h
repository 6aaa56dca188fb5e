// When a message arrives: after latency + bytes / rate, if nothing goes wrong.
#pragma once

#include <cstdint>

#include "asynprox/base/fields.h"
#include "asynprox/base/random.h"
#include "asynprox/simulator/cluster.h"

namespace asynprox {

enum class Direction { up, down };

// Seconds until it arrives, none, once or twice.
struct Travel {
  int arrivals = 1;
  double seconds[2] = {0, 0};
};

class VirtualNetwork {
 public:
  VirtualNetwork(const Cluster& cluster, std::uint64_t seed);

  // What becomes of the next message of this many bytes.
  Travel travel(Direction direction, double bytes);

  std::int64_t messages() const { return messages_; }
  double bytes() const { return bytes_; }
  std::int64_t lost() const { return lost_; }
  std::int64_t duplicated() const { return duplicated_; }
  std::int64_t late() const { return late_; }

  template <IsA<VirtualNetwork> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("messages", part.messages_);
    visit("lost", part.lost_);
    visit("duplicated", part.duplicated_);
    visit("late", part.late_);
    visit("bytes", part.bytes_);
  }

 private:
  double lateness(const Random& chance, std::uint64_t counter);

  const Cluster& cluster_;
  Random random_;
  std::int64_t messages_ = 0, lost_ = 0, duplicated_ = 0, late_ = 0;
  double bytes_ = 0;
};

}  // namespace asynprox
