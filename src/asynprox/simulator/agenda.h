// What will happen, in virtual time. Of what happens at the same time, that comes first which was
// noted first: so a simulation depends on nothing but its numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "asynprox/base/errors.h"

namespace asynprox {

// `What` is copied: it should be small.
template <class What>
class Agenda {
 public:
  struct Entry {
    double time = 0;
    std::uint64_t number = 0;
    What what = {};

    bool operator>(const Entry& other) const {
      return time > other.time || (time == other.time && number > other.number);
    }
  };

  void note(double time, const What& what) {
    ensure(std::isfinite(time), "what happens in virtual time happens at a time");
    entries_.push({time, noted_++, what});
  }
  bool empty() const { return entries_.empty(); }
  Entry take() {
    Entry next = entries_.top();
    entries_.pop();
    return next;
  }

 private:
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> entries_;
  std::uint64_t noted_ = 0;
};

}  // namespace asynprox
