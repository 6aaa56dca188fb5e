// The facet of a linear predictor, u_i = A_i x, that can sum Gram matrices: with weights
// W_i = F_i'' they are Hessians, which Newton's method needs.
//
//   sum_i A_i' W_i A_i      at some coordinates, rows and columns alike
#pragma once

#include <concepts>
#include <memory>
#include <span>

#include "asynprox/linalg/for_samples.h"
#include "asynprox/linalg/gram.h"
#include "asynprox/linalg/key_set.h"

namespace asynprox {

class WeightedGram {
 public:
  virtual ~WeightedGram() = default;

  // Over these samples. The keys rise. W_i is symmetric: C x C numbers per sample in `weights`.
  virtual Gram sum(Samples samples, std::span<const double> weights,
                   std::span<const Key> keys) const = 0;
};

// F offers it by gram(samples, weights, keys), unless its has_gram() is false: there is none after
// all, or C > 1 and F'' is not known.
template <class F>
concept OffersWeightedGram = requires(const F f, Samples samples, std::span<const double> weights,
                                      std::span<const Key> keys) {
  { f.gram(samples, weights, keys) } -> std::convertible_to<Gram>;
};

template <class F>
concept MentionsWeightedGram = requires { &F::gram; } || requires { &F::has_gram; };

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const WeightedGram> weighted_gram_of([[maybe_unused]] const F& f) {
  static_assert(OffersWeightedGram<F> || !MentionsWeightedGram<F>,
                "this f has some of the facet WeightedGram but not all: expected "
                "gram(samples, weights, keys) const, a Gram");
  if constexpr (OffersWeightedGram<F>) {
    if constexpr (requires { f.has_gram(); })
      if (!f.has_gram()) return nullptr;
    struct Facet final : WeightedGram {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      Gram sum(Samples samples, std::span<const double> weights,
               std::span<const Key> keys) const override {
        return f.gram(samples, weights, keys);
      }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
