// The facet of an f that depends on x through C = outputs() linear outputs per sample:
//
//   F(x; xi_i) = F_i(u_i)      u_i = A_i x       grad F(x; xi_i) = A_i' c_i,   c_i = grad F_i(u_i)
//
// Outputs of several models can be combined instead of computed again, so that values and
// gradients along a span of models cost no pass over the data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>

#include "asynprox/base/errors.h"
#include "asynprox/sums/facets/factored_gradient.h"

namespace asynprox {

// The numbers of a sample stand side by side in u and c.
class LinearPredictor : public FactoredGradient {
 public:
  // u_i at x. Linear in x.
  virtual void outputs_at(std::span<const double> x, Samples samples,
                          std::span<double> u) const = 0;

  // sum_i F_i(u_i)
  virtual double value_of_outputs(Samples samples, std::span<const double> u) const = 0;

  // c_i = grad F_i(u_i). c may be u.
  virtual void scalars_of_outputs(Samples samples, std::span<const double> u,
                                  std::span<double> c) const = 0;

  // out_i = F_i''(u_i), C x C numbers per sample, of outputs u whose scalars are c. Where C > 1, of
  // an f that knows them by its scalars alone.
  virtual void curvatures_of_outputs(Samples samples, std::span<const double> u,
                                     std::span<const double> c, std::span<double> out) const = 0;

  // g += sum_i grad F(x; xi_i), u and c as above; returns sum_i F(x; xi_i). One pass.
  virtual double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g,
                                    std::span<double> u, std::span<double> c) const = 0;

  // Adding the same number to all outputs of a sample does not change its F_i.
  virtual bool ignores_common_shift() const = 0;
};

// F offers it by these four members. Where it has the following ones too, they are used instead of
// what is made of the four:
//   scalars(x, samples, c), value_and_gradient(x, samples, g, u, c), ignores_common_shift(),
//   curvatures_of_scalars(samples, c, out)   F_i'' by the scalars alone; false: they do not tell it
template <class F>
concept OffersLinearPredictor =
    requires(const F f, std::span<const double> x, Samples samples, std::span<double> u) {
      f.outputs_at(x, samples, u);
      { f.value_of_outputs(samples, x) } -> std::convertible_to<double>;
      f.scalars_of_outputs(samples, x, u);
      f.scatter(samples, x, u);
    };

template <class F>
concept MentionsLinearPredictor = requires { &F::outputs_at; } || requires {
  &F::value_of_outputs;
} || requires { &F::scalars_of_outputs; };

namespace facets_detail {

// For F'' by differences of the scalars.
inline constexpr double kOutputsStep = 1e-4;

template <class F>
struct LinearPredictorOf final : LinearPredictor {
  explicit LinearPredictorOf(const F& borrowed) : f(borrowed) {}

  void scalars(std::span<const double> x, Samples samples, std::span<double> c) const override {
    if constexpr (requires { f.scalars(x, samples, c); }) {
      f.scalars(x, samples, c);
    } else {
      f.outputs_at(x, samples, c);
      f.scalars_of_outputs(samples, c, c);
    }
  }
  void scatter(Samples samples, std::span<const double> c, std::span<double> g) const override {
    f.scatter(samples, c, g);
  }
  void outputs_at(std::span<const double> x, Samples samples, std::span<double> u) const override {
    f.outputs_at(x, samples, u);
  }
  double value_of_outputs(Samples samples, std::span<const double> u) const override {
    return f.value_of_outputs(samples, u);
  }
  void scalars_of_outputs(Samples samples, std::span<const double> u,
                          std::span<double> c) const override {
    f.scalars_of_outputs(samples, u, c);
  }
  void curvatures_of_outputs(Samples samples, std::span<const double> u, std::span<const double> c,
                             std::span<double> out) const override {
    if constexpr (requires { f.curvatures_of_scalars(samples, c, out); })
      if (f.curvatures_of_scalars(samples, c, out)) return;
    ensure(out.size() == u.size(), "second derivatives in several outputs are not known");
    std::ranges::transform(u, out.begin(), [](double u_i) { return u_i + kOutputsStep; });
    f.scalars_of_outputs(samples, out, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] - c[i]) / kOutputsStep;
  }
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g,
                            std::span<double> u, std::span<double> c) const override {
    if constexpr (requires { f.value_and_gradient(x, samples, g, u, c); }) {
      return f.value_and_gradient(x, samples, g, u, c);
    } else {
      f.outputs_at(x, samples, u);
      f.scalars_of_outputs(samples, u, c);
      f.scatter(samples, c, g);
      return f.value_of_outputs(samples, u);
    }
  }
  bool ignores_common_shift() const override {
    if constexpr (requires { f.ignores_common_shift(); })
      return f.ignores_common_shift();
    else
      return false;
  }

  const F& f;
};

}  // namespace facets_detail

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const LinearPredictor> linear_predictor_of([[maybe_unused]] const F& f) {
  static_assert(OffersLinearPredictor<F> || !MentionsLinearPredictor<F>,
                "this f has some of the facet LinearPredictor but not all: expected "
                "outputs_at(x, samples, u), value_of_outputs(samples, u), "
                "scalars_of_outputs(samples, u, c) and scatter(samples, c, g), all const");
  if constexpr (OffersLinearPredictor<F>)
    return std::make_unique<const facets_detail::LinearPredictorOf<F>>(f);
  else
    return nullptr;
}

}  // namespace asynprox
