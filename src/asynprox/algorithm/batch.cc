#include "asynprox/algorithm/batch.h"

#include <algorithm>

#include "asynprox/linalg/prefetch.h"

namespace asynprox {
namespace {

// Coordinates lie anywhere in memory: they are asked for this many before they are used.
constexpr std::size_t kKeysAhead = 16;

// A gradient is summed so many samples at a time, and may be interrupted between them.
constexpr std::size_t kSamplesAtOnce = std::size_t{1} << 20;

}  // namespace

Batch::Batch(const AnyFiniteSum& f, Samples samples, std::span<const double> weights,
             const Model& model, const Keys& keys, const LocalRows* rows, Scratch& scratch,
             const std::function<bool()>* interrupted)
    : f_(f),
      samples_(samples),
      weights_(weights),
      whole_(keys.all ? model.whole.get() : nullptr),
      values_(model.values),
      keys_(keys.list),
      rows_(rows),
      scratch_(scratch),
      interrupted_(interrupted) {
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

template <class Work>
void Batch::for_pieces(Work work) const {
  for (std::size_t start = 0; start < samples_.size(); start += kSamplesAtOnce) {
    if (start > 0 && interrupted_ && (*interrupted_)()) throw BatchInterrupted();
    work(start, std::min(kSamplesAtOnce, samples_.size() - start));
  }
}

void Batch::add_gradient_at(std::span<const double> x, std::span<double> g) const {
  for_pieces([&](std::size_t start, std::size_t size) {
    f_.add_gradient(x, samples_.subspan(start, size),
                    weights_.empty() ? weights_ : weights_.subspan(start, size), g);
  });
}

void Batch::add_gradient(std::span<double> g) const {
  if (whole_) return add_gradient_at(*whole_, g);
  if (rows_) return f_.local()->add_gradient(*rows_, values_, samples_, weights_, g);
  by_way_of_scratch(g, [&](Vector& gradient) { add_gradient_at(scratch_.x, gradient); });
}

void Batch::scalars(std::span<double> c) const {
  if (!whole_ && rows_) return f_.local()->scalars(*rows_, values_, samples_, c);
  const Vector& x = whole_ ? *whole_ : scratch_.x;
  const FactoredGradient& factored = *f_.factored();
  const std::size_t C = f_.outputs();
  for_pieces([&](std::size_t start, std::size_t size) {
    factored.scalars(x, samples_.subspan(start, size), c.subspan(start * C, size * C));
  });
}

void Batch::scatter_into(std::span<const double> c, std::span<double> g) const {
  const FactoredGradient& factored = *f_.factored();
  const std::size_t C = f_.outputs();
  for_pieces([&](std::size_t start, std::size_t size) {
    factored.scatter(samples_.subspan(start, size), c.subspan(start * C, size * C), g);
  });
}

void Batch::scatter(std::span<const double> c, std::span<double> g) const {
  if (whole_) return scatter_into(c, g);
  if (rows_) return f_.local()->scatter(*rows_, samples_, c, g);
  by_way_of_scratch(g, [&](Vector& gradient) { scatter_into(c, gradient); });
}

}  // namespace asynprox
