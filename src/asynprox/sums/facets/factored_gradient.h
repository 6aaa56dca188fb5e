// The facet of an f whose gradients factor into fixed matrices and C = outputs() numbers per sample:
//
//   grad F(x; xi_i) = A_i' c_i(x)        A_i: C x d, does not depend on x
//
// A gradient is remembered by its c_i alone, as SAGA does. Every f that depends on x through the
// outputs A_i x has this form.
#pragma once

#include <memory>
#include <span>

#include "asynprox/linalg/for_samples.h"

namespace asynprox {

class FactoredGradient {
 public:
  virtual ~FactoredGradient() = default;

  // c_i(x) of these samples, the C numbers of a sample side by side.
  virtual void scalars(std::span<const double> x, Samples samples, std::span<double> c) const = 0;

  // g += sum_i A_i' c_i over these samples. Linear in c.
  virtual void scatter(Samples samples, std::span<const double> c, std::span<double> g) const = 0;
};

// F offers it by these two members.
template <class F>
concept OffersFactoredGradient =
    requires(const F f, std::span<const double> x, Samples samples, std::span<double> c) {
      f.scalars(x, samples, c);
      f.scatter(samples, x, c);
    };

template <class F>
concept MentionsFactoredGradient = requires { &F::scalars; };

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const FactoredGradient> factored_gradient_of([[maybe_unused]] const F& f) {
  static_assert(OffersFactoredGradient<F> || !MentionsFactoredGradient<F>,
                "this f has scalars() but not all of the facet FactoredGradient: expected "
                "scalars(x, samples, c) const and scatter(samples, c, g) const");
  if constexpr (OffersFactoredGradient<F>) {
    struct Facet final : FactoredGradient {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      void scalars(std::span<const double> x, Samples samples, std::span<double> c) const override {
        f.scalars(x, samples, c);
      }
      void scatter(Samples samples, std::span<const double> c, std::span<double> g) const override {
        f.scatter(samples, c, g);
      }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
