#include "asynprox/algorithm/methods/mean_gradient.h"

#include <algorithm>

#include "asynprox/linalg/prefetch.h"

namespace asynprox {

bool MeanGradient::direct(const StepPushes& step, const StepDirection& direction) {
  if (simple(step)) {
    // G is of the same values as the change of the mean.
    const double share = batch_size_ / num_samples_;
    const double* const weights = support_weights_ ? support_weights_->data() : nullptr;
    direction.for_each(
        [&](double& v, std::size_t j) {
          const double change = share * v;
          v += (weights ? weights[j] : 1) * mean_[j];
          mean_[j] += change;
        },
        [&](std::size_t j) { prefetch_to_write(&mean_[j]); });
    return true;
  }
  bool moves = true;
  for (const Push* push : step.pushes)
    moves = moves && push->memory != MemoryChange::shard && push->share.round == step.round;
  moves = moves && shards_known(step.pushes.front()->share);
  if (moves) add_mean(direction);
  for (const Push* push : step.pushes)
    if (push->share.round == step.round) learn(*push);
  return moves;
}

void MeanGradient::forget() {
  mean_.assign(mean_.size(), 0);
  known_.clear();
}

bool MeanGradient::simple(const StepPushes& step) const {
  return std::ranges::all_of(step.pushes, [&](const Push* push) {
    return push->memory == MemoryChange::values && push->share.round == step.round &&
           shards_known(push->share);
  });
}

bool MeanGradient::shards_known(const Share& share) const {
  return known_.size() == static_cast<std::size_t>(share.of) &&
         std::ranges::all_of(known_, [](bool known) { return known; });
}

void MeanGradient::add_mean(const StepDirection& direction) const {
  direction.for_each([&](double& v, std::size_t j) {
    v += support_weights_ ? (*support_weights_)[j] * mean_[j] : mean_[j];
  });
}

void MeanGradient::learn(const Push& push) {
  if (push.memory == MemoryChange::nothing) return;
  if (push.memory == MemoryChange::shard) {
    known_.resize(push.share.of);
    known_[push.share.number] = true;
  }
  const Vector& change = push.memory == MemoryChange::values ? push.values : push.memory_change;
  for (std::size_t i = 0; i < change.size(); ++i)
    mean_[push.keys.all ? i : push.keys.list[i]] += change[i] / num_samples_;
}

}  // namespace asynprox
