// The facet of a sparse f with a factored gradient (sparse_gradient.h, factored_gradient.h) that can
// compute where vectors have the coordinates of a batch only, in the order of its keys. So a push
// costs what its samples have, whatever the dimension is.
#pragma once

#include <memory>
#include <span>

#include "asynprox/linalg/for_samples.h"
#include "asynprox/linalg/key_set.h"
#include "asynprox/linalg/local_rows.h"
#include "asynprox/sums/facets/sparse_gradient.h"

namespace asynprox {

// `batch` is what localize() made of the same samples; x and g have one number per key.
class LocalGradient {
 public:
  virtual ~LocalGradient() = default;

  // Adds the keys of these samples, as add_keys() does, and notes in `batch` where they stand.
  virtual void localize(Samples samples, KeySet& keys, LocalRows& batch) const = 0;

  // g += sum_i weights_i grad F(x; xi_i); no weights: 1.
  virtual void add_gradient(const LocalRows& batch, std::span<const double> x, Samples samples,
                            std::span<const double> weights, std::span<double> g) const = 0;

  // The two halves of that: c_i(x), and g += sum_i A_i' c_i.
  virtual void scalars(const LocalRows& batch, std::span<const double> x, Samples samples,
                       std::span<double> c) const = 0;
  virtual void scatter(const LocalRows& batch, Samples samples, std::span<const double> c,
                       std::span<double> g) const = 0;
};

// F offers it by these four members, unless its has_local_gradient() is false or it is not sparse
// after all.
template <class F>
concept OffersLocalGradient = requires(const F f, std::span<const double> x, Samples samples,
                                       KeySet& keys, LocalRows& batch, std::span<double> g) {
  f.localize(samples, keys, batch);
  f.add_local_gradient(batch, x, samples, x, g);
  f.local_scalars(batch, x, samples, g);
  f.local_scatter(batch, samples, x, g);
};

template <class F>
concept MentionsLocalGradient = requires { &F::localize; } || requires {
  &F::add_local_gradient;
} || requires { &F::local_scalars; } || requires { &F::local_scatter; };

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const LocalGradient> local_gradient_of([[maybe_unused]] const F& f) {
  static_assert(
      OffersLocalGradient<F> || !MentionsLocalGradient<F>,
      "this f has some of the facet LocalGradient but not all: expected "
      "localize(samples, keys, batch), add_local_gradient(batch, x, samples, weights, g), "
      "local_scalars(batch, x, samples, c) and local_scatter(batch, samples, c, g), all "
      "const");
  if constexpr (OffersLocalGradient<F>) {
    if constexpr (requires { f.has_local_gradient(); })
      if (!f.has_local_gradient()) return nullptr;
    if (!has_sparse_gradient(f)) return nullptr;
    struct Facet final : LocalGradient {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      void localize(Samples samples, KeySet& keys, LocalRows& batch) const override {
        f.localize(samples, keys, batch);
      }
      void add_gradient(const LocalRows& batch, std::span<const double> x, Samples samples,
                        std::span<const double> weights, std::span<double> g) const override {
        f.add_local_gradient(batch, x, samples, weights, g);
      }
      void scalars(const LocalRows& batch, std::span<const double> x, Samples samples,
                   std::span<double> c) const override {
        f.local_scalars(batch, x, samples, c);
      }
      void scatter(const LocalRows& batch, Samples samples, std::span<const double> c,
                   std::span<double> g) const override {
        f.local_scatter(batch, samples, c, g);
      }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
