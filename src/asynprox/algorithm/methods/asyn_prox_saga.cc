#include "asynprox/algorithm/methods/asyn_prox_saga.h"

#include <algorithm>

#include "asynprox/problem/problem.h"

namespace asynprox {

std::string AsynProxSaga::obstacle(const Problem& problem) {
  if (problem.f.factored()) return {};
  return "needs a linear model, one dot product per sample; asyn-prox-svrg does not";
}

AsynProxSaga::WorkerPart::WorkerPart(const AsynProxSaga&, const WorkerSetup& setup)
    : first_(setup.shard.first),
      outputs_(setup.f.outputs()),
      table_(setup.shard.size() * setup.f.outputs()) {}

void AsynProxSaga::WorkerPart::note(const Batch& batch) {
  samples_.assign(batch.samples().begin(), batch.samples().end());
  scalars_.resize(batch.size() * outputs_);
  batch.scalars(scalars_);
}

void AsynProxSaga::WorkerPart::compute(const Batch& batch, Push& push) {
  note(batch);
  push.memory = batch.weights().empty() ? MemoryChange::values : MemoryChange::separate;
  changes_.resize(scalars_.size());
  for (std::size_t i = 0; i < samples_.size(); ++i)
    for (std::size_t c = 0; c < outputs_; ++c)
      changes_[i * outputs_ + c] = scalars_[i * outputs_ + c] - table_[place(samples_[i]) + c];
  if (batch.weights().empty()) return batch.scatter(changes_, push.values);
  push.memory_change.assign(batch.dimension(), 0);
  batch.scatter(changes_, push.memory_change);
  for (std::size_t i = 0; i < samples_.size(); ++i)
    scale(std::span(changes_).subspan(i * outputs_, outputs_), batch.weights()[i]);
  batch.scatter(changes_, push.values);
}

// Nothing is remembered before, so the change is all there is.
void AsynProxSaga::WorkerPart::compute_shard(const Batch& batch, Push& push) {
  note(batch);
  push.memory = MemoryChange::shard;
  push.values.clear();
  push.memory_change.assign(batch.dimension(), 0);
  batch.scatter(scalars_, push.memory_change);
}

void AsynProxSaga::WorkerPart::add_remembered(const AnyFiniteSum& f, std::span<double> g) const {
  const FactoredGradient& factored = *f.factored();
  for (std::size_t i = 0; i < table_.size() / outputs_; ++i) {
    const auto sample = static_cast<SampleIndex>(first_ + i);
    factored.scatter({&sample, 1}, std::span(table_).subspan(i * outputs_, outputs_), g);
  }
}

void AsynProxSaga::WorkerPart::accepted() {
  for (std::size_t i = 0; i < samples_.size(); ++i)
    std::copy_n(scalars_.begin() + static_cast<std::ptrdiff_t>(i * outputs_), outputs_,
                table_.begin() + static_cast<std::ptrdiff_t>(place(samples_[i])));
}

}  // namespace asynprox
