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

#include "asynprox/base/erased.h"
#include "asynprox/base/errors.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/sums/facets/class_curvature.h"
#include "asynprox/sums/facets/curvature.h"
#include "asynprox/sums/facets/data_columns.h"
#include "asynprox/sums/facets/dual_loss.h"
#include "asynprox/sums/facets/facet_pointer.h"
#include "asynprox/sums/facets/factored_gradient.h"
#include "asynprox/sums/facets/linear_predictor.h"
#include "asynprox/sums/facets/local_gradient.h"
#include "asynprox/sums/facets/sparse_gradient.h"
#include "asynprox/sums/facets/stored_columns.h"
#include "asynprox/sums/facets/weighted_gram.h"
#include "asynprox/sums/finite_sum.h"

namespace asynprox {

// What f offers beside its core; null where it does not.
struct FiniteSumFacets {
  std::unique_ptr<const FactoredGradient> factored;  // of an f that is no linear predictor
  std::unique_ptr<const LinearPredictor> linear;
  std::unique_ptr<const DataColumns> columns;
  std::unique_ptr<const WeightedGram> gram;
  std::unique_ptr<const StoredColumns> stored_columns;
  std::unique_ptr<const ClassCurvature> class_curvature;
  std::unique_ptr<const SparseGradient> sparse;
  std::unique_ptr<const LocalGradient> local;
  std::unique_ptr<const Curvature> curvature;
  std::unique_ptr<const CurvatureProducts> curvature_products;
  std::unique_ptr<const DualLoss> dual;
};

// What f says of itself, once.
struct FiniteSumProperties {
  bool has_value = false;
  bool convex = false;
  bool nonnegative = false;
  std::size_t outputs = 1;
  std::size_t num_free = 0;
  double mean_keys = 0;
  bool has_start = false;
};

struct FiniteSumInterface {
  virtual ~FiniteSumInterface() = default;
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

  FiniteSumProperties properties;
  FiniteSumFacets facets;
};

template <class F>
FiniteSumProperties finite_sum_properties(const F& f) {
  FiniteSumProperties properties;
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
FiniteSumFacets finite_sum_facets(const F& f) {
  FiniteSumFacets facets;
  facets.linear = linear_predictor_of(f);
  if (!facets.linear) facets.factored = factored_gradient_of(f);
  facets.columns = data_columns_of(f);
  facets.gram = weighted_gram_of(f);
  facets.stored_columns = stored_columns_of(f);
  facets.class_curvature = class_curvature_of(f);
  facets.sparse = sparse_gradient_of(f);
  facets.local = local_gradient_of(f);
  facets.curvature = curvature_of(f);
  facets.curvature_products = curvature_products_of(f);
  facets.dual = dual_loss_of(f);
  return facets;
}

template <class F>
struct FiniteSumAdapter final : Adapter<FiniteSumInterface, F> {
  using Adapter<FiniteSumInterface, F>::held;
  static_assert(HasValue<F> || !(
                                   requires { &F::value; } || requires { &F::value_and_gradient; }),
                "this f has a value in another form than expected: value(x, samples) const, a "
                "number");

  explicit FiniteSumAdapter(F f) : Adapter<FiniteSumInterface, F>(std::move(f)) {
    this->properties = finite_sum_properties(held);
    this->facets = finite_sum_facets(held);
  }

  std::size_t dimension() const override { return held.dimension(); }
  std::size_t num_samples() const override { return held.num_samples(); }
  double value([[maybe_unused]] std::span<const double> x,
               [[maybe_unused]] Samples samples) const override {
    if constexpr (HasValue<F>)
      return held.value(x, samples);
    else
      throw BugError("value of a finite sum that has none");
  }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const override {
    held.add_gradient(x, samples, weights, g);
  }
  double value_and_gradient(std::span<const double> x, Samples samples,
                            std::span<double> g) const override {
    if constexpr (requires { held.value_and_gradient(x, samples, g); }) {
      return held.value_and_gradient(x, samples, g);
    } else {
      held.add_gradient(x, samples, {}, g);
      if constexpr (HasValue<F>)
        return held.value(x, samples);
      else
        return std::numeric_limits<double>::quiet_NaN();
    }
  }
  double squared_gradient_norms(std::span<const double> x, Samples samples) const override {
    if constexpr (requires { held.squared_gradient_norms(x, samples); }) {
      return held.squared_gradient_norms(x, samples);
    } else {
      double sum = 0;
      Vector g(held.dimension());
      for (const SampleIndex& sample : samples) {
        g.assign(g.size(), 0);
        held.add_gradient(x, Samples(&sample, 1), {}, g);
        sum += dot(g, g);
      }
      return sum;
    }
  }
  std::optional<Vector> start([[maybe_unused]] std::uint64_t seed) const override {
    if constexpr (requires { held.start(seed); })
      return held.start(seed);
    else
      return std::nullopt;
  }
  std::optional<Vector> best_intercept([[maybe_unused]] std::span<const double> x) const override {
    if constexpr (requires { held.best_intercept(x); })
      return held.best_intercept(x);
    else
      return std::nullopt;
  }
};

class AnyFiniteSum : public Erased<FiniteSumInterface> {
 public:
  template <FiniteSum F>
    requires(!std::same_as<F, AnyFiniteSum>)
  AnyFiniteSum(F f)  // NOLINT: converts
      : Erased(std::make_shared<const FiniteSumAdapter<F>>(std::move(f))) {}

  // The core.
  std::size_t dimension() const { return held().dimension(); }
  std::size_t num_samples() const { return held().num_samples(); }
  // BugError where f has no value.
  bool has_value() const { return held().properties.has_value; }
  double value(std::span<const double> x, Samples samples) const {
    return held().value(x, samples);
  }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    held().add_gradient(x, samples, weights, g);
  }

  // Made of the core, if f has no faster form. The value is NaN where f has none.
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g) const {
    return held().value_and_gradient(x, samples, g);
  }
  double squared_gradient_norms(std::span<const double> x, Samples samples) const {
    return held().squared_gradient_norms(x, samples);
  }

  bool convex() const { return held().properties.convex; }
  bool nonnegative() const { return held().properties.nonnegative; }
  std::size_t outputs() const { return held().properties.outputs; }
  std::size_t num_free() const { return held().properties.num_free; }
  double mean_keys() const { return held().properties.mean_keys; }

  // Empty where f does not know.
  bool has_start() const { return held().properties.has_start; }
  std::optional<Vector> start(std::uint64_t seed) const { return held().start(seed); }
  std::optional<Vector> best_intercept(std::span<const double> x) const {
    return held().best_intercept(x);
  }

  // The facets; null where f does not offer one (facet_pointer.h). They live as long as any copy of
  // this f. linear() implies factored(), local() sparse(), curvature_products() curvature(), and
  // dual() linear().
  FacetPointer<FactoredGradient> factored() const {
    const FiniteSumFacets& all = held().facets;
    return {all.linear ? all.linear.get() : all.factored.get(), "factored"};
  }
  FacetPointer<LinearPredictor> linear() const { return {held().facets.linear.get(), "linear"}; }
  FacetPointer<DataColumns> columns() const { return {held().facets.columns.get(), "columns"}; }
  FacetPointer<WeightedGram> gram() const { return {held().facets.gram.get(), "gram"}; }
  FacetPointer<StoredColumns> stored_columns() const {
    return {held().facets.stored_columns.get(), "stored_columns"};
  }
  FacetPointer<ClassCurvature> class_curvature() const {
    return {held().facets.class_curvature.get(), "class_curvature"};
  }
  FacetPointer<SparseGradient> sparse() const { return {held().facets.sparse.get(), "sparse"}; }
  FacetPointer<LocalGradient> local() const { return {held().facets.local.get(), "local"}; }
  FacetPointer<Curvature> curvature() const { return {held().facets.curvature.get(), "curvature"}; }
  FacetPointer<CurvatureProducts> curvature_products() const {
    return {held().facets.curvature_products.get(), "curvature_products"};
  }
  FacetPointer<DualLoss> dual() const { return {held().facets.dual.get(), "dual"}; }
};

}  // namespace asynprox
