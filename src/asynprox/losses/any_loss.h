// Any loss, the library's or a user's own, as a value. The engine calls it once a batch with
// arrays, so a sample costs no virtual call.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "asynprox/base/family.h"
#include "asynprox/losses/scalar_loss.h"
#include "asynprox/losses/vector_loss.h"

namespace asynprox {

class AnyLoss {
 public:
  template <class Loss>
    requires(ScalarLoss<Loss> || VectorLoss<Loss>)
  AnyLoss(Loss loss) : loss_(std::make_shared<const Holder<Loss>>(loss)) {  // NOLINT: converts
    check_parameters(loss);
  }

  std::string_view name() const { return loss_->name(); }
  // The spec that makes it again: NAME:KEY=VALUE,... of what differs from its defaults.
  std::string spec() const { return loss_->spec(); }
  Labels labels() const { return loss_->labels(); }
  bool convex() const { return loss_->convex(); }
  bool nonnegative() const { return loss_->nonnegative(); }

  // x = 0 is a critical point and no minimum: a run must begin elsewhere.
  bool stationary_at_zero() const { return loss_->stationary_at_zero(); }

  // A sample has C numbers u, and the loss takes any C.
  bool several_outputs() const { return loss_->several_outputs(); }

  // To add the same number to each of them changes nothing.
  bool ignores_common_shift() const { return loss_->ignores_common_shift(); }

  // phi depends on u - y alone.
  bool of_residual() const { return loss_->of_residual(); }

  // A bound on |phi''|; empty where there is none.
  std::optional<double> curvature() const { return loss_->curvature(); }

  // Instead of a curvature: where |phi''| is likely to be, out_i for the label y_i, to choose steps
  // by. No bound. ContractError without.
  bool has_local_curvature() const { return loss_->has_local_curvature(); }
  void local_curvatures(std::span<const double> y, std::span<double> out) const {
    loss_->local_curvatures(y, out);
  }

  // Where the derivative is slope * u.
  std::optional<double> slope() const { return loss_->slope(); }

  // Throws ContractError, naming the sample, where a label is below the least that has a meaning,
  // or where classes are expected and it is not one of 0 to C - 1.
  void check_labels(std::span<const double> y, std::size_t num_outputs = 1) const;

  // out_i = phi(u_i, y_i) of n samples, and its derivatives in u_i, which are as many as u has: n,
  // or n C, sample by sample. The derivatives may take the place of u.
  void values(std::span<const double> u, std::span<const double> y, std::span<double> out) const {
    loss_->values(u, y, out);
  }
  void derivatives(std::span<const double> u, std::span<const double> y,
                   std::span<double> out) const {
    loss_->derivatives(u, y, out);
  }
  // Both at once. Here the derivatives need a place of their own.
  void values_and_derivatives(std::span<const double> u, std::span<const double> y,
                              std::span<double> values, std::span<double> derivatives) const {
    loss_->values_and_derivatives(u, y, values, derivatives);
  }

  // out_i = phi''(u_i, y_i) by the derivatives there, where those tell it: a number per sample, or C
  // x C numbers. ContractError without.
  bool has_second_derivative() const { return loss_->has_second_derivative(); }
  void second_derivatives(std::span<const double> derivatives, std::span<const double> y,
                          std::span<double> out) const {
    loss_->second_derivatives(derivatives, y, out);
  }

  // out_i = phi*(theta_i, y_i), the conjugate in u; +inf outside its domain. theta has as many
  // numbers as u. ContractError where there is none.
  bool has_conjugate() const { return loss_->has_conjugate(); }
  void conjugates(std::span<const double> theta, std::span<const double> y,
                  std::span<double> out) const {
    loss_->conjugates(theta, y, out);
  }

 private:
  [[noreturn]] static void fail_without(std::string_view loss, std::string_view what);

  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual std::string spec() const = 0;
    virtual Labels labels() const = 0;
    virtual std::optional<double> label_least() const = 0;
    virtual bool several_outputs() const = 0;
    virtual bool ignores_common_shift() const = 0;
    virtual bool of_residual() const = 0;
    virtual bool convex() const = 0;
    virtual bool nonnegative() const = 0;
    virtual bool stationary_at_zero() const = 0;
    virtual std::optional<double> curvature() const = 0;
    virtual std::optional<double> slope() const = 0;
    virtual bool has_local_curvature() const = 0;
    virtual void local_curvatures(std::span<const double> y, std::span<double> out) const = 0;
    virtual bool has_second_derivative() const = 0;
    virtual void second_derivatives(std::span<const double> derivatives, std::span<const double> y,
                                    std::span<double> out) const = 0;
    virtual bool has_conjugate() const = 0;
    virtual void conjugates(std::span<const double> theta, std::span<const double> y,
                            std::span<double> out) const = 0;
    virtual void values(std::span<const double> u, std::span<const double> y,
                        std::span<double> out) const = 0;
    virtual void derivatives(std::span<const double> u, std::span<const double> y,
                             std::span<double> out) const = 0;
    virtual void values_and_derivatives(std::span<const double> u, std::span<const double> y,
                                        std::span<double> values,
                                        std::span<double> derivatives) const = 0;
  };

  template <class Loss>
  struct Holder final : Interface {
    explicit Holder(Loss held) : loss(held) {}
    std::string_view name() const override { return Loss::name; }
    std::string spec() const override { return spec_of(loss).text(); }
    Labels labels() const override { return Loss::labels; }
    std::optional<double> label_least() const override {
      if constexpr (HasLabelLeast<Loss>) return Loss::label_least;
      return std::nullopt;
    }
    bool several_outputs() const override { return VectorLoss<Loss>; }
    bool ignores_common_shift() const override {
      if constexpr (requires { Loss::ignores_common_shift; }) return Loss::ignores_common_shift;
      return false;
    }
    bool of_residual() const override {
      if constexpr (requires { Loss::of_residual; }) return Loss::of_residual;
      return false;
    }
    bool convex() const override { return Loss::convex; }
    bool nonnegative() const override { return Loss::nonnegative; }
    bool stationary_at_zero() const override { return is_stationary_at_zero<Loss>(); }
    std::optional<double> curvature() const override {
      if constexpr (HasCurvature<Loss>) return Loss::curvature;
      return std::nullopt;
    }
    std::optional<double> slope() const override {
      if constexpr (HasSlope<Loss>) return Loss::slope;
      return std::nullopt;
    }
    void values(std::span<const double> u, std::span<const double> y,
                std::span<double> out) const override {
      values_of(loss, u, y, out);
    }
    void derivatives(std::span<const double> u, std::span<const double> y,
                     std::span<double> out) const override {
      derivatives_of(loss, u, y, out);
    }
    void values_and_derivatives(std::span<const double> u, std::span<const double> y,
                                std::span<double> values,
                                std::span<double> derivatives) const override {
      if constexpr (requires { loss.values_and_derivatives(u, y, values, derivatives); }) {
        loss.values_and_derivatives(u, y, values, derivatives);
      } else {
        values_of(loss, u, y, values);
        derivatives_of(loss, u, y, derivatives);
      }
    }
    bool has_local_curvature() const override { return HasLocalCurvature<Loss>; }
    void local_curvatures([[maybe_unused]] std::span<const double> y,
                          [[maybe_unused]] std::span<double> out) const override {
      if constexpr (HasLocalCurvature<Loss>)
        for (std::size_t i = 0; i < y.size(); ++i) out[i] = loss.local_curvature(y[i]);
      else
        fail_without(Loss::name, "local curvature");
    }
    bool has_second_derivative() const override { return HasSecondDerivative<Loss>; }
    void second_derivatives([[maybe_unused]] std::span<const double> derivatives,
                            [[maybe_unused]] std::span<const double> y,
                            [[maybe_unused]] std::span<double> out) const override {
      if constexpr (HasSecondDerivative<Loss>)
        second_derivatives_of(loss, derivatives, y, out);
      else
        fail_without(Loss::name, "second derivative");
    }
    bool has_conjugate() const override { return HasLossConjugate<Loss>; }
    void conjugates([[maybe_unused]] std::span<const double> theta,
                    [[maybe_unused]] std::span<const double> y,
                    [[maybe_unused]] std::span<double> out) const override {
      if constexpr (HasLossConjugate<Loss>)
        conjugates_of(loss, theta, y, out);
      else
        fail_without(Loss::name, "conjugate");
    }
    const Loss loss;
  };

  std::shared_ptr<const Interface> loss_;
};

}  // namespace asynprox
