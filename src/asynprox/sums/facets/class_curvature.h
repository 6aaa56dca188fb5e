// The facet of a linear predictor of several outputs whose second derivatives are those of classes:
//
//   F_i''(u_i) = w_i (diag(p_i) - p_i p_i')      p_i: C probabilities, w_i >= 0
//
// C numbers per sample then tell what F'' tells in C x C.
#pragma once

#include <memory>
#include <span>

#include "asynprox/linalg/for_samples.h"

namespace asynprox {

class ClassCurvature {
 public:
  virtual ~ClassCurvature() = default;

  // p_i and w_i of these samples, whose scalars (linear_predictor.h) are c: C, 1 and C numbers each.
  // Where w_i is 0, p_i is of no matter.
  virtual void of_scalars(Samples samples, std::span<const double> c, std::span<double> p,
                          std::span<double> w) const = 0;
};

// F offers it by class_curvature(samples, c, p, w), unless its has_class_curvature() is false.
template <class F>
concept OffersClassCurvature =
    requires(const F f, Samples samples, std::span<const double> c, std::span<double> p) {
      f.class_curvature(samples, c, p, p);
    };

template <class F>
concept MentionsClassCurvature =
    requires { &F::class_curvature; } || requires { &F::has_class_curvature; };

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const ClassCurvature> class_curvature_of([[maybe_unused]] const F& f) {
  static_assert(OffersClassCurvature<F> || !MentionsClassCurvature<F>,
                "this f has some of the facet ClassCurvature but not all: expected "
                "class_curvature(samples, c, p, w) const");
  if constexpr (OffersClassCurvature<F>) {
    if constexpr (requires { f.has_class_curvature(); })
      if (!f.has_class_curvature()) return nullptr;
    struct Facet final : ClassCurvature {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      void of_scalars(Samples samples, std::span<const double> c, std::span<double> p,
                      std::span<double> w) const override {
        f.class_curvature(samples, c, p, w);
      }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
