// Any loss, the library's or a user's own, as a value. The engine calls it once per batch with
// arrays, so a sample costs no virtual call.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "asynprox/base/erased.h"
#include "asynprox/losses/scalar_loss.h"
#include "asynprox/losses/vector_loss.h"

namespace asynprox {

// What AnyLoss says of a loss without looking at samples.
struct LossFacts {
  Labels labels = Labels::number;
  std::optional<double> label_least = {};
  bool convex = false;
  bool nonnegative = false;
  bool stationary_at_zero = false;
  bool several_outputs = false;
  bool ignores_common_shift = false;
  bool of_residual = false;
  std::optional<double> curvature = {};
  std::optional<double> slope = {};
  bool has_local_curvature = false;
  bool has_second_derivative = false;
  bool has_conjugate = false;
  bool class_curvature = false;
};

template <class Loss>
LossFacts loss_facts() {
  LossFacts facts = {.labels = Loss::labels,
                     .convex = Loss::convex,
                     .nonnegative = Loss::nonnegative,
                     .stationary_at_zero = is_stationary_at_zero<Loss>(),
                     .several_outputs = VectorLoss<Loss>,
                     .has_local_curvature = HasLocalCurvature<Loss>,
                     .has_second_derivative = HasSecondDerivative<Loss>,
                     .has_conjugate = HasLossConjugate<Loss>};
  if constexpr (HasLabelLeast<Loss>) facts.label_least = Loss::label_least;
  if constexpr (HasCurvature<Loss>) facts.curvature = Loss::curvature;
  if constexpr (HasSlope<Loss>) facts.slope = Loss::slope;
  if constexpr (requires { Loss::ignores_common_shift; })
    facts.ignores_common_shift = Loss::ignores_common_shift;
  if constexpr (requires { Loss::class_curvature; }) facts.class_curvature = Loss::class_curvature;
  if constexpr (requires { Loss::of_residual; }) facts.of_residual = Loss::of_residual;
  return facts;
}

struct LossInterface : MemberInterface {
  using Numbers = std::span<const double>;
  using Out = std::span<double>;

  LossFacts facts;
  virtual void values(Numbers u, Numbers y, Out out) const = 0;
  virtual void derivatives(Numbers u, Numbers y, Out out) const = 0;
  virtual void values_and_derivatives(Numbers u, Numbers y, Out values, Out derivatives) const = 0;

  // ContractError where the loss has none.
  virtual void local_curvatures(Numbers y, Out out) const;
  virtual void second_derivatives(Numbers derivatives, Numbers y, Out out) const;
  virtual void conjugates(Numbers theta, Numbers y, Out out) const;
};

template <class Loss>
struct LossAdapter final : Adapter<LossInterface, Loss> {
  using Base = Adapter<LossInterface, Loss>;
  using Base::held;
  using typename LossInterface::Numbers, typename LossInterface::Out;

  explicit LossAdapter(Loss loss) : Base(std::move(loss)) { this->facts = loss_facts<Loss>(); }
  void values(Numbers u, Numbers y, Out out) const override { values_of(held, u, y, out); }
  void derivatives(Numbers u, Numbers y, Out out) const override {
    derivatives_of(held, u, y, out);
  }
  void values_and_derivatives(Numbers u, Numbers y, Out values, Out derivatives) const override {
    if constexpr (requires { held.values_and_derivatives(u, y, values, derivatives); }) {
      held.values_and_derivatives(u, y, values, derivatives);
    } else {
      values_of(held, u, y, values);
      derivatives_of(held, u, y, derivatives);
    }
  }
  void local_curvatures(Numbers y, Out out) const override {
    if constexpr (HasLocalCurvature<Loss>)
      for (std::size_t i = 0; i < y.size(); ++i) out[i] = held.local_curvature(y[i]);
    else
      LossInterface::local_curvatures(y, out);
  }
  void second_derivatives(Numbers derivatives, Numbers y, Out out) const override {
    if constexpr (HasSecondDerivative<Loss>)
      second_derivatives_of(held, derivatives, y, out);
    else
      LossInterface::second_derivatives(derivatives, y, out);
  }
  void conjugates(Numbers theta, Numbers y, Out out) const override {
    if constexpr (HasLossConjugate<Loss>)
      conjugates_of(held, theta, y, out);
    else
      LossInterface::conjugates(theta, y, out);
  }
};

class AnyLoss : public Erased<LossInterface> {
 public:
  template <class Loss>
    requires(ScalarLoss<Loss> || VectorLoss<Loss>)
  AnyLoss(Loss loss)  // NOLINT: converts
      : Erased(std::make_shared<const LossAdapter<Loss>>(std::move(loss))) {}

  Labels labels() const { return held().facts.labels; }
  bool convex() const { return held().facts.convex; }
  bool nonnegative() const { return held().facts.nonnegative; }

  // x = 0 is a critical point and no minimum: a run must begin elsewhere.
  bool stationary_at_zero() const { return held().facts.stationary_at_zero; }

  // A sample has C numbers u, and the loss takes any C.
  bool several_outputs() const { return held().facts.several_outputs; }

  // To add the same number to each of them changes nothing.
  bool ignores_common_shift() const { return held().facts.ignores_common_shift; }

  // phi'' = diag(p) - p p' with p = phi' + e_y, probabilities; y is the number of a class.
  bool class_curvature() const { return held().facts.class_curvature; }

  // phi depends on u - y alone.
  bool of_residual() const { return held().facts.of_residual; }

  // A bound on |phi''|; empty where there is none.
  std::optional<double> curvature() const { return held().facts.curvature; }

  // Instead of a curvature: where |phi''| is likely to be, out_i for the label y_i, to choose steps
  // by. No bound. ContractError without.
  bool has_local_curvature() const { return held().facts.has_local_curvature; }
  void local_curvatures(std::span<const double> y, std::span<double> out) const {
    held().local_curvatures(y, out);
  }

  // Where the derivative is slope * u.
  std::optional<double> slope() const { return held().facts.slope; }

  // Throws ContractError, naming the sample, where a label is below the least that has a meaning,
  // or where classes are expected and it is not one of 0 to C - 1.
  void check_labels(std::span<const double> y, std::size_t num_outputs = 1) const;

  // out_i = phi(u_i, y_i) of n samples, and its derivatives in u_i, which are as many as u has: n,
  // or n C, sample by sample. The derivatives may take the place of u.
  void values(std::span<const double> u, std::span<const double> y, std::span<double> out) const {
    held().values(u, y, out);
  }
  void derivatives(std::span<const double> u, std::span<const double> y,
                   std::span<double> out) const {
    held().derivatives(u, y, out);
  }
  // Both at once. Here the derivatives need a place of their own.
  void values_and_derivatives(std::span<const double> u, std::span<const double> y,
                              std::span<double> values, std::span<double> derivatives) const {
    held().values_and_derivatives(u, y, values, derivatives);
  }

  // out_i = phi''(u_i, y_i) by the derivatives there, where those tell it: a number per sample, or C
  // x C numbers. ContractError without.
  bool has_second_derivative() const { return held().facts.has_second_derivative; }
  void second_derivatives(std::span<const double> derivatives, std::span<const double> y,
                          std::span<double> out) const {
    held().second_derivatives(derivatives, y, out);
  }

  // out_i = phi*(theta_i, y_i), the conjugate in u; +inf outside its domain. theta has as many
  // numbers as u. ContractError where there is none.
  bool has_conjugate() const { return held().facts.has_conjugate; }
  void conjugates(std::span<const double> theta, std::span<const double> y,
                  std::span<double> out) const {
    held().conjugates(theta, y, out);
  }
};

}  // namespace asynprox
