// The samples of a push, at the model that came for them, whichever way that model is kept: whole,
// or at the coordinates that the samples touch. Gradients have the model's coordinates, in its
// order.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "asynprox/algorithm/messages.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

// Somebody wants the run to end, in the middle of a gradient.
struct BatchInterrupted {};

class Batch {
 public:
  // Both of the model's size. x is set at the batch's coordinates only; the gradient starts as zeros.
  struct Scratch {
    Vector x, gradient;
  };

  // `rows`, where f has the facet local, are of the samples; else `scratch` is used. A gradient of
  // very many samples throws BatchInterrupted soon after `interrupted` says true.
  Batch(const AnyFiniteSum& f, Samples samples, std::span<const double> weights, const Model& model,
        const Keys& keys, const LocalRows* rows, Scratch& scratch,
        const std::function<bool()>* interrupted = nullptr);

  const AnyFiniteSum& f() const { return f_; }
  Samples samples() const { return samples_; }
  std::span<const double> weights() const { return weights_; }  // of the draw; empty: all 1
  std::size_t size() const { return samples_.size(); }

  // All of x; null where the model has some coordinates only.
  const Vector* whole() const { return whole_; }

  // The coordinates there are.
  std::size_t dimension() const { return whole_ ? whole_->size() : keys_.size(); }

  // g += sum_i weight_i grad F(x; xi_i)
  void add_gradient(std::span<double> g) const;

  // The two halves of that without weights, where f has them: see facets/factored_gradient.h.
  void scalars(std::span<double> c) const;
  void scatter(std::span<const double> c, std::span<double> g) const;

 private:
  // Calls work(first, count) for pieces of the samples, unless somebody interrupts it.
  template <class Work>
  void for_pieces(Work work) const;
  void add_gradient_at(std::span<const double> x, std::span<double> g) const;
  void scatter_into(std::span<const double> c, std::span<double> g) const;
  // g += what work(scratch gradient) leaves there.
  template <class Work>
  void by_way_of_scratch(std::span<double> g, Work work) const;

  const AnyFiniteSum& f_;
  Samples samples_;
  std::span<const double> weights_;
  const Vector* whole_;
  std::span<const double> values_;  // of the model at keys_, if not whole
  std::span<const Key> keys_;
  const LocalRows* rows_;
  Scratch& scratch_;
  const std::function<bool()>* interrupted_;  // null: never
};

}  // namespace asynprox
