// Any loss, the library's or a user's own, as a value. The engine calls it once a batch with
// arrays, so a sample costs no virtual call.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "asynprox/base/family.h"
#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

class AnyLoss {
 public:
  template <ScalarLoss Loss>
  AnyLoss(Loss loss) : loss_(std::make_shared<const Holder<Loss>>(loss)) {  // NOLINT: converts
    check_parameters(loss);
  }

  std::string_view name() const { return loss_->name(); }
  Labels labels() const { return loss_->labels(); }
  bool convex() const { return loss_->convex(); }
  bool nonnegative() const { return loss_->nonnegative(); }

  // A bound on |phi''|; empty where there is none.
  std::optional<double> curvature() const { return loss_->curvature(); }

  // Where the derivative is slope * u.
  std::optional<double> slope() const { return loss_->slope(); }

  // out_i = phi(u_i, y_i), and its derivative in u_i. All spans have the same size.
  void values(std::span<const double> u, std::span<const double> y, std::span<double> out) const {
    loss_->values(u, y, out);
  }
  void derivatives(std::span<const double> u, std::span<const double> y,
                   std::span<double> out) const {
    loss_->derivatives(u, y, out);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual Labels labels() const = 0;
    virtual std::optional<double> curvature() const = 0;
    virtual bool convex() const = 0;
    virtual bool nonnegative() const = 0;
    virtual std::optional<double> slope() const = 0;
    virtual void values(std::span<const double> u, std::span<const double> y,
                        std::span<double> out) const = 0;
    virtual void derivatives(std::span<const double> u, std::span<const double> y,
                             std::span<double> out) const = 0;
  };

  template <class Loss>
  struct Holder final : Interface {
    explicit Holder(Loss held) : loss(held) {}
    std::string_view name() const override { return Loss::name; }
    Labels labels() const override { return Loss::labels; }
    std::optional<double> curvature() const override {
      if constexpr (HasCurvature<Loss>) return Loss::curvature;
      return std::nullopt;
    }
    bool convex() const override { return Loss::convex; }
    bool nonnegative() const override { return Loss::nonnegative; }
    std::optional<double> slope() const override {
      if constexpr (HasSlope<Loss>) return Loss::slope;
      return std::nullopt;
    }
    void values(std::span<const double> u, std::span<const double> y,
                std::span<double> out) const override {
      if constexpr (HasArrays<Loss>)
        loss.values(u, y, out);
      else
        for (std::size_t i = 0; i < u.size(); ++i) out[i] = loss.value(u[i], y[i]);
    }
    void derivatives(std::span<const double> u, std::span<const double> y,
                     std::span<double> out) const override {
      if constexpr (HasArrays<Loss>)
        loss.derivatives(u, y, out);
      else
        for (std::size_t i = 0; i < u.size(); ++i) out[i] = loss.derivative(u[i], y[i]);
    }
    const Loss loss;
  };

  std::shared_ptr<const Interface> loss_;
};

}  // namespace asynprox
