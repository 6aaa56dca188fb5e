// Any regulariser, the library's or a user's own, as a value. The engine calls it with arrays, so a
// coordinate costs no virtual call.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "asynprox/base/erased.h"
#include "asynprox/base/errors.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/conjugate.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

// What AnyRegularizer says of h without looking at a vector.
struct RegularizerFacts {
  Structure structure = Structure::separable;
  bool indicator = false;
  bool has_scaled_prox = false;
  bool has_conjugate = false;
  bool homogeneous = false;
};

template <class R>
RegularizerFacts regularizer_facts() {
  RegularizerFacts facts = {.indicator = R::indicator,
                            .has_scaled_prox = HasScaledProx<R>,
                            .has_conjugate = HasConjugate<R>,
                            .homogeneous = HasZeroStrength<R> && !StatesConjugate<R>};
  if constexpr (!SeparableRegularizer<R>) facts.structure = R::structure;
  return facts;
}

struct RegularizerInterface : MemberInterface {
  using Shared = std::shared_ptr<const RegularizerInterface>;
  using Keys = std::span<const Key>;
  using Numbers = std::span<const double>;
  using Out = std::span<double>;

  RegularizerFacts facts;
  virtual std::optional<double> norm_max() const = 0;
  virtual Shared bound(std::size_t dimension, std::size_t free) const = 0;
  virtual double value(Numbers x) const = 0;
  virtual void prox(Out v, double eta) const = 0;
  virtual std::optional<double> zero_strength(Numbers v) const = 0;
  virtual Shared per_block(std::size_t size) const = 0;  // null: there is none

  // BugError where h has none.
  virtual void prox_scaled(Out v, Numbers etas) const;
  virtual void prox_each(Keys keys, Out v, Numbers etas) const;
  virtual double value_each(Keys keys, Numbers x) const;
  virtual double lazy_time(double eta) const;
  virtual void prox_after(Keys keys, Out x, Numbers times) const;
  virtual double conjugate(Numbers v) const;
  virtual Vector dual_scales(Numbers v) const;

  // h on the first `seen` coordinates, for which it is bound already.
  static Shared with_free(Shared h, std::size_t seen);
};

template <class R>
struct RegularizerAdapter final : Adapter<RegularizerInterface, R> {
  using Interface = RegularizerInterface;
  using Base = Adapter<Interface, R>;
  using Base::held;
  using typename Interface::Keys, typename Interface::Numbers, typename Interface::Out;

  explicit RegularizerAdapter(R h) : Base(std::move(h)) { this->facts = regularizer_facts<R>(); }

  std::optional<double> norm_max() const override {
    if constexpr (requires { held.norm_max(); }) return held.norm_max();
    return std::nullopt;
  }
  typename Interface::Shared bound(std::size_t dimension, std::size_t free) const override {
    R copy = held;
    if constexpr (requires { copy.bind(dimension); }) copy.bind(dimension - free);
    auto bound = std::make_shared<const RegularizerAdapter>(std::move(copy));
    return free == 0 ? bound : Interface::with_free(std::move(bound), dimension - free);
  }
  double value(Numbers x) const override {
    if constexpr (SeparableRegularizer<R>) {
      double sum = 0;
      for (std::size_t j = 0; j < x.size(); ++j) sum += held.value(x[j], j);
      return sum;
    } else {
      return held.value(x);
    }
  }
  void prox(Out v, double eta) const override {
    if constexpr (SeparableRegularizer<R>) {
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = held.prox(v[j], eta, j);
    } else {
      held.prox(v, eta);
    }
  }
  void prox_scaled(Out v, Numbers etas) const override {
    ensure(v.size() == etas.size(), "prox_scaled: not one step per coordinate");
    if constexpr (SeparableRegularizer<R>) {
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = held.prox(v[j], etas[j], j);
    } else if constexpr (StatesScaledProx<R>) {
      held.prox_scaled(v, etas);
    } else {
      Interface::prox_scaled(v, etas);
    }
  }
  void prox_each(Keys keys, Out v, Numbers etas) const override {
    if constexpr (SeparableRegularizer<R>) {
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = held.prox(v[i], etas[i], keys[i]);
    } else {
      Interface::prox_each(keys, v, etas);
    }
  }
  double value_each(Keys keys, Numbers x) const override {
    if constexpr (SeparableRegularizer<R>) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += held.value(x[i], keys[i]);
      return sum;
    } else {
      return Interface::value_each(keys, x);
    }
  }
  double lazy_time(double eta) const override {
    if constexpr (SeparableRegularizer<R>)
      return held.lazy_time(eta);
    else
      return Interface::lazy_time(eta);
  }
  void prox_after(Keys keys, Out x, Numbers times) const override {
    if constexpr (SeparableRegularizer<R>) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = held.prox_after(x[i], times[i], keys[i]);
    } else {
      Interface::prox_after(keys, x, times);
    }
  }
  double conjugate(Numbers v) const override {
    if constexpr (HasConjugate<R>)
      return conjugate_of(held, v);
    else
      return Interface::conjugate(v);
  }
  Vector dual_scales(Numbers v) const override {
    if constexpr (StatesConjugate<R> && HasZeroStrength<R>) {
      const double largest = dual_scale_of(held, v), zero = zero_scale_of(held, v);
      return zero < largest ? Vector{largest, zero} : Vector{largest};
    } else if constexpr (HasConjugate<R>) {
      return {dual_scale_of(held, v)};
    } else {
      return Interface::dual_scales(v);
    }
  }
  typename Interface::Shared per_block([[maybe_unused]] std::size_t size) const override {
    if constexpr (HasBlocks<R>) {
      if (held.block_size() != size) return nullptr;
      R block = held;
      block.bind(size);
      return std::make_shared<const RegularizerAdapter>(std::move(block));
    } else {
      return nullptr;
    }
  }
  std::optional<double> zero_strength([[maybe_unused]] Numbers v) const override {
    if constexpr (HasZeroStrength<R>) return zero_strength_of(held, v);
    return std::nullopt;
  }
};

class AnyRegularizer : public Erased<RegularizerInterface> {
 public:
  template <Regularizer R>
  AnyRegularizer(R h)  // NOLINT: converts
      : Erased(std::make_shared<const RegularizerAdapter<R>>(std::move(h))) {}

  Structure structure() const { return held().facts.structure; }
  bool separable() const { return structure() == Structure::separable; }
  bool indicator() const { return held().facts.indicator; }

  // |x| is at most this wherever h is finite; empty where h does not say so.
  std::optional<double> norm_max() const { return held().norm_max(); }

  // The same h, ready for vectors of `dimension` coordinates, of which it does not see the last
  // `free` (intercepts): value and conjugate look at the others alone, and no prox changes those.
  // Throws where its parameters do not fit. The last call counts.
  AnyRegularizer bound(std::size_t dimension, std::size_t free = 0) const;

  double value(std::span<const double> x) const { return held().value(x); }

  // In place: v <- prox_{eta h}(v).
  void prox(std::span<double> v, double eta) const { held().prox(v, eta); }

  // Whether there is a prox in a diagonal metric; only then the next may be called. In place, each
  // coordinate with a step of its own: see regularizer.h.
  bool has_scaled_prox() const { return held().facts.has_scaled_prox; }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const {
    held().prox_scaled(v, etas);
  }

  // For separable h only. In place, coordinate keys[i] with a step etas[i] of its own.
  void prox_each(std::span<const Key> keys, std::span<double> v,
                 std::span<const double> etas) const {
    held().prox_each(keys, v, etas);
  }

  // For separable h only: the sum of h_j(x_j) over these coordinates.
  double value_each(std::span<const Key> keys, std::span<const double> x) const {
    return held().value_each(keys, x);
  }

  // h of one block, where h is the sum of that over blocks of so many coordinates in order (without
  // the free ones); empty where it is not of that kind.
  std::optional<AnyRegularizer> per_block(std::size_t size) const {
    RegularizerInterface::Shared block = held().per_block(size);
    if (!block) return std::nullopt;
    return AnyRegularizer(std::move(block));
  }

  // For separable h only: see regularizer.h. prox_after works in place.
  double lazy_time(double eta) const { return held().lazy_time(eta); }
  void prox_after(std::span<const Key> keys, std::span<double> x,
                  std::span<const double> times) const {
    held().prox_after(keys, x, times);
  }

  // Whether h*(v) = sup_x <v, x> - h(x) is known; only then the next two may be called.
  bool has_conjugate() const { return held().facts.has_conjugate; }

  // h(c x) = c h(x) for c >= 0, and h >= 0: h* is 0 where h(x) >= <v, x> for all x, else infinite.
  bool homogeneous() const { return held().facts.homogeneous; }

  // h*(v), infinite where v is outside its domain by more than rounding.
  double conjugate(std::span<const double> v) const { return held().conjugate(v); }

  // The scales s in [0, 1] worth trying so that h*(s v) is finite and small, largest first: one or
  // two. The first is the largest with h*(s v) finite.
  Vector dual_scales(std::span<const double> v) const { return held().dual_scales(v); }
  double dual_scale(std::span<const double> v) const { return dual_scales(v).front(); }

  // The least value of h's first parameter at which x = 0 minimises <g, x> + h(x), where g is the
  // gradient of f at 0: the largest useful strength. Infinite if there is none, empty where h is
  // not of that kind.
  std::optional<double> strength_max(std::span<const double> gradient) const;

 private:
  explicit AnyRegularizer(RegularizerInterface::Shared h) : Erased(std::move(h)) {}
};

}  // namespace asynprox
