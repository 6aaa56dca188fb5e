// Any regulariser, the library's or a user's own, as a value. The engine calls it with arrays, so a
// coordinate costs no virtual call.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "asynprox/base/errors.h"
#include "asynprox/base/family.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/conjugate.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

class AnyRegularizer {
 public:
  template <Regularizer R>
  AnyRegularizer(R h) : h_(std::make_shared<const Holder<R>>(std::move(h))) {}  // NOLINT: converts

  std::string_view name() const { return h_->name(); }
  // The spec that makes it again: NAME:KEY=VALUE,... of what differs from its defaults.
  std::string spec() const { return h_->spec(); }
  Structure structure() const { return h_->structure(); }
  bool separable() const { return structure() == Structure::separable; }
  bool indicator() const { return h_->indicator(); }

  // |x| is at most this wherever h is finite; empty where h does not say so.
  std::optional<double> norm_max() const { return h_->norm_max(); }

  // The same h, ready for vectors of `dimension` coordinates, of which it does not see the last
  // `free` (intercepts): value and conjugate look at the others alone, and no prox changes those.
  // Throws where its parameters do not fit. The last call counts.
  AnyRegularizer bound(std::size_t dimension, std::size_t free = 0) const;

  double value(std::span<const double> x) const { return h_->value(x); }

  // In place: v <- prox_{eta h}(v).
  void prox(std::span<double> v, double eta) const { h_->prox(v, eta); }

  // Whether there is a prox in a diagonal metric; only then the next may be called. In place, each
  // coordinate with a step of its own: see regularizer.h.
  bool has_scaled_prox() const { return h_->has_scaled_prox(); }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const {
    h_->prox_scaled(v, etas);
  }

  // For separable h only. In place, coordinate keys[i] with a step etas[i] of its own.
  void prox_each(std::span<const Key> keys, std::span<double> v,
                 std::span<const double> etas) const {
    h_->prox_each(keys, v, etas);
  }

  // For separable h only: the sum of h_j(x_j) over these coordinates.
  double value_each(std::span<const Key> keys, std::span<const double> x) const {
    return h_->value_each(keys, x);
  }

  // For separable h only: see regularizer.h. prox_after works in place.
  double lazy_time(double eta) const { return h_->lazy_time(eta); }
  void prox_after(std::span<const Key> keys, std::span<double> x,
                  std::span<const double> times) const {
    h_->prox_after(keys, x, times);
  }

  // Whether h*(v) = sup_x <v, x> - h(x) is known; only then the next two may be called.
  bool has_conjugate() const { return h_->has_conjugate(); }

  // h(c x) = c h(x) for c >= 0, and h >= 0: h* is 0 where h(x) >= <v, x> for all x, else infinite.
  bool homogeneous() const { return h_->homogeneous(); }

  // h*(v), infinite where v is outside its domain by more than rounding.
  double conjugate(std::span<const double> v) const { return h_->conjugate(v); }

  // The scales s in [0, 1] worth trying so that h*(s v) is finite and small, largest first: one or
  // two. The first is the largest with h*(s v) finite.
  Vector dual_scales(std::span<const double> v) const { return h_->dual_scales(v); }
  double dual_scale(std::span<const double> v) const { return dual_scales(v).front(); }

  // The least value of h's first parameter at which x = 0 minimises <g, x> + h(x), where g is the
  // gradient of f at 0: the largest useful strength. Infinite if there is none, empty where h is
  // not of that kind.
  std::optional<double> strength_max(std::span<const double> gradient) const;

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual std::string spec() const = 0;
    virtual Structure structure() const = 0;
    virtual bool indicator() const = 0;
    virtual std::optional<double> norm_max() const = 0;
    virtual std::shared_ptr<const Interface> bound(std::size_t dimension,
                                                   std::size_t free) const = 0;
    virtual double value(std::span<const double> x) const = 0;
    virtual void prox(std::span<double> v, double eta) const = 0;
    virtual bool has_scaled_prox() const = 0;
    virtual void prox_scaled(std::span<double> v, std::span<const double> etas) const = 0;
    virtual void prox_each(std::span<const Key> keys, std::span<double> v,
                           std::span<const double> etas) const = 0;
    virtual double value_each(std::span<const Key> keys, std::span<const double> x) const = 0;
    virtual double lazy_time(double eta) const = 0;
    virtual void prox_after(std::span<const Key> keys, std::span<double> x,
                            std::span<const double> times) const = 0;
    virtual bool has_conjugate() const = 0;
    virtual bool homogeneous() const = 0;
    virtual double conjugate(std::span<const double> v) const = 0;
    virtual Vector dual_scales(std::span<const double> v) const = 0;
    virtual std::optional<double> zero_strength(std::span<const double> v) const = 0;
  };

  template <class R>
  struct Holder;
  struct PartlyFree;

  // h on the first `seen` coordinates, for which it is bound already.
  static std::shared_ptr<const Interface> with_free(std::shared_ptr<const Interface> h,
                                                    std::size_t seen);

  explicit AnyRegularizer(std::shared_ptr<const Interface> h) : h_(std::move(h)) {}

  std::shared_ptr<const Interface> h_;
};

template <class R>
struct AnyRegularizer::Holder final : AnyRegularizer::Interface {
  explicit Holder(R held) : h(std::move(held)) { check_parameters(h); }

  std::string_view name() const override { return R::name; }
  std::string spec() const override { return spec_of(h).text(); }
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
  std::shared_ptr<const Interface> bound(std::size_t dimension, std::size_t free) const override {
    R copy = h;
    if constexpr (requires { copy.bind(dimension); }) copy.bind(dimension - free);
    auto held = std::make_shared<const Holder>(std::move(copy));
    return free == 0 ? held : with_free(std::move(held), dimension - free);
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
  bool has_scaled_prox() const override { return HasScaledProx<R>; }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const override {
    ensure(v.size() == etas.size(), "prox_scaled: not one step per coordinate");
    if constexpr (SeparableRegularizer<R>) {
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = h.prox(v[j], etas[j], j);
    } else if constexpr (StatesScaledProx<R>) {
      h.prox_scaled(v, etas);
    } else {
      ensure(false, "prox_scaled of a regulariser that has none");
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
  double value_each(std::span<const Key> keys, std::span<const double> x) const override {
    if constexpr (SeparableRegularizer<R>) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += h.value(x[i], keys[i]);
      return sum;
    } else {
      throw BugError("value_each of a regulariser that is not separable");
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
  bool has_conjugate() const override { return HasConjugate<R>; }
  bool homogeneous() const override { return HasZeroStrength<R> && !StatesConjugate<R>; }
  double conjugate(std::span<const double> v) const override {
    if constexpr (HasConjugate<R>) return conjugate_of(h, v);
    throw BugError("conjugate of a regulariser that has none");
  }
  Vector dual_scales(std::span<const double> v) const override {
    if constexpr (StatesConjugate<R> && HasZeroStrength<R>) {
      const double largest = dual_scale_of(h, v), zero = zero_scale_of(h, v);
      return zero < largest ? Vector{largest, zero} : Vector{largest};
    } else if constexpr (HasConjugate<R>) {
      return {dual_scale_of(h, v)};
    }
    throw BugError("dual_scales of a regulariser that has no conjugate");
  }
  std::optional<double> zero_strength(std::span<const double> v) const override {
    if constexpr (HasZeroStrength<R>) return zero_strength_of(h, v);
    return std::nullopt;
  }

  R h;
};

}  // namespace asynprox
