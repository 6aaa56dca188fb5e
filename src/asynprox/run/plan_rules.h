// The rules that every plan keeps. Planning refuses options that would break one, in the words of
// options; check_plan.h refuses a plan that breaks one, in the words of its fields.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/plan.h"

namespace asynprox {

// A pipelined worker computes its next gradient while its push is under way.
inline int slots_of(int workers, bool pipelined) {
  require(workers <= std::numeric_limits<int>::max() / 2, "workers: too many");
  return pipelined ? 2 * workers : workers;
}

// Where the samples are shared out, each worker needs one.
inline bool enough_samples(const MethodPlan& method, int slots, std::size_t num_samples) {
  const bool shared_out = method.whole_gradient() || method.owns_samples();
  return !shared_out || static_cast<std::size_t>(slots) <= num_samples;
}

// A synchronous step may leave the slowest workers out, unless it needs the part of each.
inline bool pushes_suit(const MethodPlan& method, int workers, std::int64_t pushes_per_step) {
  if (method.whole_gradient()) return pushes_per_step == workers;
  return !method.synchronous() || pushes_per_step <= workers;
}

// Synchronous, but a step does not wait for the slowest: what they bring late is computed anew.
inline bool has_backup_workers(const MethodPlan& method, const WorkerPlan& workers) {
  return method.synchronous() && !method.whole_gradient() &&
         workers.pushes_per_step < workers.workers;
}

// The largest N where workers draw from their own samples alone, none twice.
inline std::int64_t own_batch_max(std::int64_t num_samples, const WorkerPlan& workers) {
  return num_samples / workers.slots * workers.pushes_per_step;
}

// The pieces of a pass over so many samples, m to begin with.
inline bool pieces_suit(double pieces, int pushes_per_step, double pass_size) {
  return pieces >= pushes_per_step && std::fmod(pieces, pushes_per_step) == 0 &&
         pieces <= 2 * pass_size;
}

inline bool lazy_possible(const Problem& problem, const MethodPlan& method) {
  return problem.h.separable() && problem.f.sparse() && method.traits().lazy != LazyForm::none;
}

}  // namespace asynprox
