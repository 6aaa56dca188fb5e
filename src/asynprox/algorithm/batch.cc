#include "asynprox/algorithm/batch.h"

#include "asynprox/linalg/prefetch.h"

namespace asynprox {
namespace {

// Coordinates lie anywhere in memory: they are asked for this many before they are used.
constexpr std::size_t kKeysAhead = 16;

}  // namespace

Batch::Batch(const AnyFiniteSum& f, Samples samples, std::span<const double> weights,
             const Model& model, const Keys& keys, const LocalRows* rows, Scratch& scratch)
    : f_(f),
      samples_(samples),
      weights_(weights),
      whole_(keys.all ? model.whole.get() : nullptr),
      values_(model.values),
      keys_(keys.list),
      rows_(rows),
      scratch_(scratch) {
  if (whole_ || rows) return;
  Vector& x = scratch.x;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (i + kKeysAhead < keys_.size()) {
      prefetch_to_write(&x[keys_[i + kKeysAhead]]);
      prefetch_to_write(&scratch.gradient[keys_[i + kKeysAhead]]);
    }
    x[keys_[i]] = values_[i];
  }
}

template <class Work>
void Batch::by_way_of_scratch(std::span<double> g, Work work) const {
  Vector& gradient = scratch_.gradient;
  work(gradient);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    g[i] += gradient[keys_[i]];
    gradient[keys_[i]] = 0;
  }
}

void Batch::add_gradient(std::span<double> g) const {
  if (whole_) return f_.add_gradient(*whole_, samples_, weights_, g);
  if (rows_) return f_.add_local_gradient(*rows_, values_, samples_, weights_, g);
  by_way_of_scratch(
      g, [&](Vector& gradient) { f_.add_gradient(scratch_.x, samples_, weights_, gradient); });
}

void Batch::scalars(std::span<double> c) const {
  if (whole_) return f_.scalars(*whole_, samples_, c);
  if (rows_) return f_.local_scalars(*rows_, values_, samples_, c);
  f_.scalars(scratch_.x, samples_, c);
}

void Batch::scatter(std::span<const double> c, std::span<double> g) const {
  if (whole_) return f_.scatter(samples_, c, g);
  if (rows_) return f_.local_scatter(*rows_, samples_, c, g);
  by_way_of_scratch(g, [&](Vector& gradient) { f_.scatter(samples_, c, gradient); });
}

}  // namespace asynprox
