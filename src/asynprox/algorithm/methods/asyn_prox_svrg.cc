#include "asynprox/algorithm/methods/asyn_prox_svrg.h"

#include <algorithm>
#include <utility>

namespace asynprox {
namespace {

// Once a pass; but a step that moves an anchor does not move x, so most must not: with W workers,
// each of whom has a W-th of the samples, at most 1 / 2W.
double refresh_probability(const WorkerSetup& setup) {
  const auto shard = static_cast<double>(setup.shard.size());
  return std::min(static_cast<double>(setup.samples_per_push) / shard,
                  shard / (2 * static_cast<double>(setup.f.num_samples())));
}

}  // namespace

AsynProxSvrg::WorkerPart::WorkerPart(const AsynProxSvrg&, const WorkerSetup& setup)
    : random_(setup.random.stream(0x414e43484f52)),
      refresh_probability_(refresh_probability(setup)),
      sum_(setup.f.dimension(), 0) {}

bool AsynProxSvrg::WorkerPart::wants_shard(std::uint64_t number) const {
  return number == 0 || random_.uniform_at(number) < refresh_probability_;
}

void AsynProxSvrg::WorkerPart::compute(const Batch& batch, Push& push) {
  moves_anchor_ = false;
  push.num_samples *= 2;  // each at two models
  batch.add_gradient(push.values);
  at_anchor_.assign(push.values.size(), 0);
  batch.f().add_gradient(anchor_, batch.samples(), batch.weights(), at_anchor_);
  add_scaled(push.values, -1, at_anchor_);
}

void AsynProxSvrg::WorkerPart::compute_shard(const Batch& batch, Push& push) {
  moves_anchor_ = true;
  anchor_next_ = *batch.whole();
  sum_next_.assign(batch.dimension(), 0);
  batch.add_gradient(sum_next_);
  push.memory = MemoryChange::shard;
  push.values.clear();
  push.memory_change = sum_next_;
  add_scaled(push.memory_change, -1, sum_);
}

void AsynProxSvrg::WorkerPart::accepted() {
  if (!std::exchange(moves_anchor_, false)) return;
  anchor_.swap(anchor_next_);
  sum_.swap(sum_next_);
}

}  // namespace asynprox
