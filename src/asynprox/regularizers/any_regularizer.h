// Any regulariser, the library's or a user's own, as a value. The engine calls it with arrays, so a
// coordinate costs no virtual call.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "asynprox/base/errors.h"
#include "asynprox/base/family.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

class AnyRegularizer {
 public:
  template <Regularizer R>
  AnyRegularizer(R h) : h_(std::make_shared<const Holder<R>>(std::move(h))) {}  // NOLINT: converts

  std::string_view name() const { return h_->name(); }
  Structure structure() const { return h_->structure(); }
  bool separable() const { return structure() == Structure::separable; }
  bool indicator() const { return h_->indicator(); }

  // |x| is at most this wherever h is finite; empty where h does not say so.
  std::optional<double> norm_max() const { return h_->norm_max(); }

  // The same h, ready for vectors of `dimension` coordinates; throws where its parameters do not
  // fit.
  AnyRegularizer bound(std::size_t dimension) const { return AnyRegularizer(h_->bound(dimension)); }

  double value(std::span<const double> x) const { return h_->value(x); }

  // In place: v <- prox_{eta h}(v).
  void prox(std::span<double> v, double eta) const { h_->prox(v, eta); }

  // For separable h only. In place, coordinate keys[i] with a step etas[i] of its own.
  void prox_each(std::span<const Key> keys, std::span<double> v,
                 std::span<const double> etas) const {
    h_->prox_each(keys, v, etas);
  }

  // For separable h only: see regularizer.h. prox_after works in place.
  double lazy_time(double eta) const { return h_->lazy_time(eta); }
  void prox_after(std::span<const Key> keys, std::span<double> x,
                  std::span<const double> times) const {
    h_->prox_after(keys, x, times);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual Structure structure() const = 0;
    virtual bool indicator() const = 0;
    virtual std::optional<double> norm_max() const = 0;
    virtual std::shared_ptr<const Interface> bound(std::size_t dimension) const = 0;
    virtual double value(std::span<const double> x) const = 0;
    virtual void prox(std::span<double> v, double eta) const = 0;
    virtual void prox_each(std::span<const Key> keys, std::span<double> v,
                           std::span<const double> etas) const = 0;
    virtual double lazy_time(double eta) const = 0;
    virtual void prox_after(std::span<const Key> keys, std::span<double> x,
                            std::span<const double> times) const = 0;
  };

  template <class R>
  struct Holder;

  explicit AnyRegularizer(std::shared_ptr<const Interface> h) : h_(std::move(h)) {}

  std::shared_ptr<const Interface> h_;
};

template <class R>
struct AnyRegularizer::Holder final : AnyRegularizer::Interface {
  explicit Holder(R held) : h(std::move(held)) { check_parameters(h); }

  std::string_view name() const override { return R::name; }
  bool indicator() const override { return R::indicator; }
  std::optional<double> norm_max() const override {
    if constexpr (requires { h.norm_max(); }) return h.norm_max();
    return std::nullopt;
  }
  Structure structure() const override {
    if constexpr (SeparableRegularizer<R>)
      return Structure::separable;
    else
      return R::structure;
  }
  std::shared_ptr<const Interface> bound(std::size_t dimension) const override {
    R copy = h;
    if constexpr (requires { copy.bind(dimension); }) copy.bind(dimension);
    return std::make_shared<const Holder>(std::move(copy));
  }
  double value(std::span<const double> x) const override {
    if constexpr (SeparableRegularizer<R>) {
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) sum += h.value(x[j], j);
      return sum;
    } else {
      return h.value(x);
    }
  }
  void prox(std::span<double> v, double eta) const override {
    if constexpr (SeparableRegularizer<R>) {
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = h.prox(v[j], eta, j);
    } else {
      h.prox(v, eta);
    }
  }
  void prox_each(std::span<const Key> keys, std::span<double> v,
                 std::span<const double> etas) const override {
    if constexpr (SeparableRegularizer<R>) {
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = h.prox(v[i], etas[i], keys[i]);
    } else {
      ensure(false, "prox_each of a regulariser that is not separable");
    }
  }
  double lazy_time(double eta) const override {
    if constexpr (SeparableRegularizer<R>) return h.lazy_time(eta);
    throw BugError("lazy_time of a regulariser that is not separable");
  }
  void prox_after(std::span<const Key> keys, std::span<double> x,
                  std::span<const double> times) const override {
    if constexpr (SeparableRegularizer<R>) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = h.prox_after(x[i], times[i], keys[i]);
    } else {
      ensure(false, "prox_after of a regulariser that is not separable");
    }
  }

  R h;
};

}  // namespace asynprox
