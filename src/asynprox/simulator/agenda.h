// What will happen, in virtual time. Of what happens at the same time, that comes first which was
// noted first: so a simulation depends on nothing but its numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/fields.h"

namespace asynprox {

// `What` is copied: it should be small.
template <class What>
class Agenda {
 public:
  struct Entry {
    double time = 0;
    std::uint64_t number = 0;
    What what = {};

    template <IsA<Entry> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("time", part.time);
      visit("number", part.number);
      visit("what", part.what);
    }

    bool operator>(const Entry& other) const {
      return time > other.time || (time == other.time && number > other.number);
    }
  };

  void note(double time, const What& what) {
    ensure(std::isfinite(time), "what happens in virtual time happens at a time");
    entries_.push_back({time, noted_++, what});
    std::ranges::push_heap(entries_, std::greater<>());
  }
  bool empty() const { return entries_.empty(); }
  Entry take() {
    std::ranges::pop_heap(entries_, std::greater<>());
    const Entry next = entries_.back();
    entries_.pop_back();
    return next;
  }

  template <IsA<Agenda> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("entries", part.entries_);
    visit("noted", part.noted_);
  }

 private:
  std::vector<Entry> entries_;  // a heap, the next one first
  std::uint64_t noted_ = 0;
};

}  // namespace asynprox
