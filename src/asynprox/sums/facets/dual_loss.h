// The facet of a linear predictor (linear_predictor.h) whose F_i have known convex conjugates:
//
//   F_i(u) = w_i phi(u, y_i)        F_i*(w_i theta) = w_i phi*(theta, y_i)
//
// What a duality gap is made of.
#pragma once

#include <concepts>
#include <memory>
#include <span>

#include "asynprox/linalg/for_samples.h"
#include "asynprox/sums/facets/linear_predictor.h"

namespace asynprox {

class DualLoss {
 public:
  virtual ~DualLoss() = default;

  // sum_i w_i phi*(s phi'(u_i, y_i), y_i), with the derivatives at the outputs u as dual variables,
  // times s.
  virtual double conjugate_sum(Samples samples, std::span<const double> u, double s) const = 0;
};

// F, a linear predictor, offers it by conjugate_sum(samples, u, s), unless its has_conjugate() is
// false.
template <class F>
concept OffersDualLoss =
    OffersLinearPredictor<F> && requires(const F f, Samples samples, std::span<const double> u) {
      { f.conjugate_sum(samples, u, double{}) } -> std::convertible_to<double>;
    };

template <class F>
concept MentionsDualLoss = requires { &F::conjugate_sum; } || requires { &F::has_conjugate; };

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const DualLoss> dual_loss_of([[maybe_unused]] const F& f) {
  static_assert(OffersDualLoss<F> || !MentionsDualLoss<F>,
                "this f has some of the facet DualLoss but not all: expected "
                "conjugate_sum(samples, u, s) const, a number, and the facet LinearPredictor");
  if constexpr (OffersDualLoss<F>) {
    if constexpr (requires { f.has_conjugate(); })
      if (!f.has_conjugate()) return nullptr;
    struct Facet final : DualLoss {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      double conjugate_sum(Samples samples, std::span<const double> u, double s) const override {
        return f.conjugate_sum(samples, u, s);
      }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
