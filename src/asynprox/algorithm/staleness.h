// The bound T on staleness, and the rule that enforces it for every T >= 0.
//
//   Order all gradients in flight, pending at the server or outstanding at a worker, oldest first.
//   A step applies m of them, so number i (from 0) is applied at step k + floor(i / m) at the
//   earliest. Every gradient is on time while, for all i,
//
//       k + floor(i / m) - version_i <= T.
//
//   A step may be taken, and a gradient accepted, only if that still holds afterwards. A worker is
//   handed the newest model only while floor(in flight / m), plus 1 if a step is under way, is at most
//   T (has_room) and fewer than m pushes are pending. Looking at the outstanding gradients alone is not
//   enough: pending ones wait too (docs/decisions/0002-staleness-bound.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asynprox/base/fields.h"

namespace asynprox {

enum class StalenessPolicy {
  hold,       // steps and models wait until no gradient can come too late
  recompute,  // a push that comes too late is refused, and its samples are computed anew
};

// The versions of the gradients in flight that must be applied in time.
class InFlight {
 public:
  InFlight(int pushes_per_step, std::int64_t staleness_max)
      : pushes_per_step_(pushes_per_step), staleness_max_(staleness_max) {}

  // From now on a step applies so many, no fewer than before: all that was on time still is.
  void set_pushes_per_step(int pushes_per_step) { pushes_per_step_ = pushes_per_step; }
  int pushes_per_step() const { return pushes_per_step_; }

  void add(std::int64_t version);
  void remove(std::int64_t version);
  std::int64_t size() const { return size_; }

  // Can every gradient still be applied in time, the next step being number k?
  bool on_time(std::int64_t k) const { return on_time(groups_, k); }

  // The same, once a step has taken the gradients of versions `taken`, and k is the step after it;
  // and with one more gradient of `version`.
  bool on_time_without(std::span<const std::int64_t> taken, std::int64_t k) const;
  bool on_time_with(std::int64_t version, std::int64_t k) const;

  // Would a gradient started now, at the newest version, be on time?
  bool has_room(bool step_under_way) const {
    return size_ / pushes_per_step_ + (step_under_way ? 1 : 0) <= staleness_max_;
  }

  template <IsA<InFlight> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("pushes_per_step", part.pushes_per_step_);
    visit("groups", part.groups_);
    visit("size", part.size_);
  }

 private:
  struct Group {
    std::int64_t version = 0;
    std::int64_t count = 0;

    template <IsA<Group> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("version", part.version);
      visit("count", part.count);
    }
  };

  static void add(std::vector<Group>& groups, std::int64_t version);
  static void remove(std::vector<Group>& groups, std::int64_t version);
  bool on_time(const std::vector<Group>& groups, std::int64_t k) const;

  int pushes_per_step_;
  std::int64_t staleness_max_;
  std::vector<Group> groups_;           // oldest first
  mutable std::vector<Group> scratch_;  // for the questions that begin with "if"
  std::int64_t size_ = 0;
};

// How old the gradients were that steps applied.
struct StalenessStatistics {
  std::int64_t max = 0;
  std::vector<std::int64_t> histogram;  // count of staleness 0, 1, 2, ...

  void add(std::int64_t staleness);
  double mean() const;
};

// ceil((W - 1) / m): the staleness of a gradient when W equally fast workers take turns.
std::int64_t expected_staleness(int workers, int pushes_per_step);

}  // namespace asynprox
