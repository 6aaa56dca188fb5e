// The parts of a method that keeps and remembers nothing: G is the direction, and a push is the
// summed gradient of its samples.
#pragma once

#include "asynprox/algorithm/methods/method.h"

namespace asynprox {

struct PlainServer {
  template <class M>
  PlainServer(const M&, const ServerSetup&) {}

  bool direct(const StepPushes&, const StepDirection&) { return true; }
  void forget() {}
  void restored() {}
};

struct PlainWorker {
  template <class M>
  PlainWorker(const M&, const WorkerSetup&) {}

  bool wants_shard(std::uint64_t) const { return false; }
  void compute(const Batch& batch, Push& push) { batch.add_gradient(push.values); }
  void compute_shard(const Batch& batch, Push& push) { batch.add_gradient(push.values); }
  void accepted() {}
};

// The same, of all samples of the worker.
struct WholeShardWorker : PlainWorker {
  using PlainWorker::PlainWorker;

  bool wants_shard(std::uint64_t) const { return true; }
};

}  // namespace asynprox
