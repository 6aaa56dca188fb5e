// Any finite sum, the library's or a user's own, as a value; copies share it. finite_sum.h says what
// a finite sum is, and which facets it may have. One virtual call per batch, never one per sample:
// a facet is a pointer, looked up at no cost.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/sums/facets/curvature.h"
#include "asynprox/sums/facets/data_columns.h"
#include "asynprox/sums/facets/dual_loss.h"
#include "asynprox/sums/facets/factored_gradient.h"
#include "asynprox/sums/facets/linear_predictor.h"
#include "asynprox/sums/facets/local_gradient.h"
#include "asynprox/sums/facets/sparse_gradient.h"
#include "asynprox/sums/facets/weighted_gram.h"
#include "asynprox/sums/finite_sum.h"

namespace asynprox {

class AnyFiniteSum {
 public:
  template <FiniteSum F>
    requires(!std::same_as<F, AnyFiniteSum>)
  AnyFiniteSum(F f) : f_(std::make_shared<const Holder<F>>(std::move(f))) {}  // NOLINT: converts

  // The core.
  std::size_t dimension() const { return f_->dimension(); }
  std::size_t num_samples() const { return f_->num_samples(); }
  // BugError where f has no value.
  bool has_value() const { return f_->properties.has_value; }
  double value(std::span<const double> x, Samples samples) const { return f_->value(x, samples); }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    f_->add_gradient(x, samples, weights, g);
  }

  // Made of the core, if f has no faster form. The value is NaN where f has none.
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g) const {
    return f_->value_and_gradient(x, samples, g);
  }
  double squared_gradient_norms(std::span<const double> x, Samples samples) const {
    return f_->squared_gradient_norms(x, samples);
  }

  bool convex() const { return f_->properties.convex; }
  bool nonnegative() const { return f_->properties.nonnegative; }
  std::size_t outputs() const { return f_->properties.outputs; }
  std::size_t num_free() const { return f_->properties.num_free; }
  double mean_keys() const { return f_->properties.mean_keys; }

  // Empty where f does not know.
  bool has_start() const { return f_->properties.has_start; }
  std::optional<Vector> start(std::uint64_t seed) const { return f_->start(seed); }
  std::optional<Vector> best_intercept(std::span<const double> x) const {
    return f_->best_intercept(x);
  }

  // The facets; null where f does not offer one. They live as long as any copy of this f.
  const FactoredGradient* factored() const {
    return f_->facets.linear ? f_->facets.linear.get() : f_->facets.factored.get();
  }
  const LinearPredictor* linear() const { return f_->facets.linear.get(); }  // implies factored()
  const DataColumns* columns() const { return f_->facets.columns.get(); }
  const WeightedGram* gram() const { return f_->facets.gram.get(); }
  const SparseGradient* sparse() const { return f_->facets.sparse.get(); }
  const LocalGradient* local() const { return f_->facets.local.get(); }  // implies sparse()
  const Curvature* curvature() const { return f_->facets.curvature.get(); }
  const CurvatureProducts* curvature_products() const {
    return f_->facets.curvature_products.get();  // implies curvature()
  }
  const DualLoss* dual() const { return f_->facets.dual.get(); }  // implies linear()

 private:
  struct Facets {
    std::unique_ptr<const FactoredGradient> factored;  // of an f that is no linear predictor
    std::unique_ptr<const LinearPredictor> linear;
    std::unique_ptr<const DataColumns> columns;
    std::unique_ptr<const WeightedGram> gram;
    std::unique_ptr<const SparseGradient> sparse;
    std::unique_ptr<const LocalGradient> local;
    std::unique_ptr<const Curvature> curvature;
    std::unique_ptr<const CurvatureProducts> curvature_products;
    std::unique_ptr<const DualLoss> dual;
  };

  struct Properties {
    bool has_value = false;
    bool convex = false;
    bool nonnegative = false;
    std::size_t outputs = 1;
    std::size_t num_free = 0;
    double mean_keys = 0;
    bool has_start = false;
  };

  struct Interface {
    virtual ~Interface() = default;
    virtual std::size_t dimension() const = 0;
    virtual std::size_t num_samples() const = 0;
    virtual double value(std::span<const double> x, Samples samples) const = 0;
    virtual void add_gradient(std::span<const double> x, Samples samples,
                              std::span<const double> weights, std::span<double> g) const = 0;
    virtual double value_and_gradient(std::span<const double> x, Samples samples,
                                      std::span<double> g) const = 0;
    virtual double squared_gradient_norms(std::span<const double> x, Samples samples) const = 0;
    virtual std::optional<Vector> start(std::uint64_t seed) const = 0;
    virtual std::optional<Vector> best_intercept(std::span<const double> x) const = 0;

    Properties properties;
    Facets facets;
  };

  template <class F>
  static Properties properties_of(const F& f);
  template <class F>
  static Facets facets_of(const F& f);
  template <class F>
  struct Holder;

  std::shared_ptr<const Interface> f_;
};

template <class F>
AnyFiniteSum::Properties AnyFiniteSum::properties_of(const F& f) {
  Properties properties;
  properties.has_value = HasValue<F>;
  properties.mean_keys = static_cast<double>(f.dimension());
  properties.has_start = requires { f.start(std::uint64_t{}); };
  if constexpr (requires { f.convex(); }) properties.convex = f.convex();
  if constexpr (requires { f.nonnegative(); }) properties.nonnegative = f.nonnegative();
  if constexpr (requires { f.outputs(); }) properties.outputs = f.outputs();
  if constexpr (requires { f.num_free(); }) properties.num_free = f.num_free();
  if constexpr (requires { f.mean_keys(); }) properties.mean_keys = f.mean_keys();
  return properties;
}

template <class F>
AnyFiniteSum::Facets AnyFiniteSum::facets_of(const F& f) {
  Facets facets;
  facets.linear = linear_predictor_of(f);
  if (!facets.linear) facets.factored = factored_gradient_of(f);
  facets.columns = data_columns_of(f);
  facets.gram = weighted_gram_of(f);
  facets.sparse = sparse_gradient_of(f);
  facets.local = local_gradient_of(f);
  facets.curvature = curvature_of(f);
  facets.curvature_products = curvature_products_of(f);
  facets.dual = dual_loss_of(f);
  return facets;
}

template <class F>
struct AnyFiniteSum::Holder final : AnyFiniteSum::Interface {
  static_assert(HasValue<F> || !(
                                   requires { &F::value; } || requires { &F::value_and_gradient; }),
                "this f has a value in another form than expected: value(x, samples) const, a "
                "number");

  explicit Holder(F held) : f(std::move(held)) {
    properties = properties_of(f);
    facets = facets_of(f);
  }

  std::size_t dimension() const override { return f.dimension(); }
  std::size_t num_samples() const override { return f.num_samples(); }
  double value([[maybe_unused]] std::span<const double> x,
               [[maybe_unused]] Samples samples) const override {
    if constexpr (HasValue<F>)
      return f.value(x, samples);
    else
      throw BugError("value of a finite sum that has none");
  }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const override {
    f.add_gradient(x, samples, weights, g);
  }
  double value_and_gradient(std::span<const double> x, Samples samples,
                            std::span<double> g) const override {
    if constexpr (requires { f.value_and_gradient(x, samples, g); }) {
      return f.value_and_gradient(x, samples, g);
    } else {
      f.add_gradient(x, samples, {}, g);
      if constexpr (HasValue<F>)
        return f.value(x, samples);
      else
        return std::numeric_limits<double>::quiet_NaN();
    }
  }
  double squared_gradient_norms(std::span<const double> x, Samples samples) const override {
    if constexpr (requires { f.squared_gradient_norms(x, samples); }) {
      return f.squared_gradient_norms(x, samples);
    } else {
      double sum = 0;
      Vector g(f.dimension());
      for (const SampleIndex& sample : samples) {
        g.assign(g.size(), 0);
        f.add_gradient(x, Samples(&sample, 1), {}, g);
        sum += dot(g, g);
      }
      return sum;
    }
  }
  std::optional<Vector> start([[maybe_unused]] std::uint64_t seed) const override {
    if constexpr (requires { f.start(seed); })
      return f.start(seed);
    else
      return std::nullopt;
  }
  std::optional<Vector> best_intercept([[maybe_unused]] std::span<const double> x) const override {
    if constexpr (requires { f.best_intercept(x); })
      return f.best_intercept(x);
    else
      return std::nullopt;
  }

  const F f;
};

}  // namespace asynprox
