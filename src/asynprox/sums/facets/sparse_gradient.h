// The facet of an f whose samples read and touch few coordinates: models can then be kept, sent and
// stepped at these alone.
#pragma once

#include <concepts>
#include <memory>

#include "asynprox/linalg/for_samples.h"
#include "asynprox/linalg/key_set.h"

namespace asynprox {

class SparseGradient {
 public:
  virtual ~SparseGradient() = default;

  // Adds the coordinates that these samples read and that their gradients touch. Outside of them
  // the gradients are 0, whatever x is there.
  virtual void add_keys(Samples samples, KeySet& keys) const = 0;
};

// F offers it by add_keys(samples, keys) and mean_keys() (see finite_sum.h), unless its has_keys()
// is false.
template <class F>
concept OffersSparseGradient = requires(const F f, Samples samples, KeySet& keys) {
  f.add_keys(samples, keys);
  { f.mean_keys() } -> std::convertible_to<double>;
};

template <class F>
concept MentionsSparseGradient = requires { &F::add_keys; } || requires { &F::has_keys; };

template <class F>
bool has_sparse_gradient(const F& f) {
  if constexpr (requires { f.has_keys(); })
    return f.has_keys();
  else
    return OffersSparseGradient<F>;
}

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const SparseGradient> sparse_gradient_of([[maybe_unused]] const F& f) {
  static_assert(OffersSparseGradient<F> || !MentionsSparseGradient<F>,
                "this f has some of the facet SparseGradient but not all: expected "
                "add_keys(samples, keys) const and mean_keys() const");
  if constexpr (OffersSparseGradient<F>) {
    if (!has_sparse_gradient(f)) return nullptr;
    struct Facet final : SparseGradient {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      void add_keys(Samples samples, KeySet& keys) const override { f.add_keys(samples, keys); }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
