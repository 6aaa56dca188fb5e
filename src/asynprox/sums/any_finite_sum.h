// Any finite sum, the library's or a user's own, as a value; copies share it.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/gram.h"
#include "asynprox/sums/column_moments.h"
#include "asynprox/sums/finite_sum.h"

namespace asynprox {

class AnyFiniteSum {
 public:
  template <FiniteSum F>
    requires(!std::same_as<F, AnyFiniteSum>)
  AnyFiniteSum(F f) : f_(std::make_shared<const Holder<F>>(std::move(f))) {}  // NOLINT: converts

  std::size_t dimension() const { return f_->dimension(); }
  std::size_t num_samples() const { return f_->num_samples(); }
  double value(std::span<const double> x, Samples samples) const { return f_->value(x, samples); }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    f_->add_gradient(x, samples, weights, g);
  }
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g) const {
    return f_->value_and_gradient(x, samples, g);
  }
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g,
                            std::span<double> u, std::span<double> c) const {
    return f_->value_and_gradient(x, samples, g, u, c);
  }
  bool has_keys() const { return f_->has_keys(); }
  void add_keys(Samples samples, KeySet& keys) const { f_->add_keys(samples, keys); }
  double mean_keys() const { return f_->mean_keys(); }
  bool has_local_gradient() const { return f_->has_local_gradient(); }
  void localize(Samples samples, KeySet& keys, LocalRows& batch) const {
    f_->localize(samples, keys, batch);
  }
  void add_local_gradient(const LocalRows& batch, std::span<const double> x, Samples samples,
                          std::span<const double> weights, std::span<double> g) const {
    f_->add_local_gradient(batch, x, samples, weights, g);
  }
  bool has_scalars() const { return f_->has_scalars(); }
  void scalars(std::span<const double> x, Samples samples, std::span<double> c) const {
    f_->scalars(x, samples, c);
  }
  void scatter(Samples samples, std::span<const double> c, std::span<double> g) const {
    f_->scatter(samples, c, g);
  }
  bool has_outputs() const { return f_->has_outputs(); }
  void outputs_at(std::span<const double> x, Samples samples, std::span<double> u) const {
    f_->outputs_at(x, samples, u);
  }
  double value_of_outputs(Samples samples, std::span<const double> u) const {
    return f_->value_of_outputs(samples, u);
  }
  void scalars_of_outputs(Samples samples, std::span<const double> u, std::span<double> c) const {
    f_->scalars_of_outputs(samples, u, c);
  }
  // F'' in the outputs u, one a sample, where the scalars are c.
  void curvatures_of_outputs(Samples samples, std::span<const double> u, std::span<const double> c,
                             std::span<double> out) const {
    f_->curvatures_of_outputs(samples, u, c, out);
  }
  void local_scalars(const LocalRows& batch, std::span<const double> x, Samples samples,
                     std::span<double> c) const {
    f_->local_scalars(batch, x, samples, c);
  }
  void local_scatter(const LocalRows& batch, Samples samples, std::span<const double> c,
                     std::span<double> g) const {
    f_->local_scatter(batch, samples, c, g);
  }
  bool convex() const { return f_->convex(); }
  bool nonnegative() const { return f_->nonnegative(); }
  bool has_conjugate() const { return f_->has_conjugate(); }
  double conjugate_sum(Samples samples, std::span<const double> u, double s) const {
    return f_->conjugate_sum(samples, u, s);
  }
  std::optional<Vector> best_intercept(std::span<const double> x) const {
    return f_->best_intercept(x);
  }
  std::size_t outputs() const { return f_->outputs(); }
  std::size_t num_free() const { return f_->num_free(); }

  bool has_start() const { return f_->has_start(); }

  // Empty where f does not know.
  std::optional<Vector> start(std::uint64_t seed) const { return f_->start(seed); }
  std::optional<double> lipschitz() const { return f_->lipschitz(); }
  std::optional<Vector> sample_lipschitz() const { return f_->sample_lipschitz(); }
  std::optional<Vector> curvature_diagonal() const { return f_->curvature_diagonal(); }
  std::optional<ColumnMoments> column_moments() const { return f_->column_moments(); }
  bool ignores_common_shift() const { return f_->ignores_common_shift(); }
  void centered_scatter(Samples samples, std::span<const double> c, std::span<const double> means,
                        std::span<double> g) const {
    f_->centered_scatter(samples, c, means, g);
  }
  bool has_gram() const { return f_->has_gram(); }
  Gram gram(Samples samples, std::span<const double> weights, std::span<const Key> keys) const {
    return f_->gram(samples, weights, keys);
  }
  std::optional<Vector> scaled_sample_lipschitz(std::span<const double> scales) const {
    return f_->scaled_sample_lipschitz(scales);
  }
  bool has_curvature() const { return f_->has_curvature(); }
  bool curvature_is_local() const { return f_->curvature_is_local(); }
  void add_curvature(std::span<const double> v, Samples samples, std::span<double> out) const {
    f_->add_curvature(v, samples, out);
  }
  double squared_gradient_norms(std::span<const double> x, Samples samples) const {
    return f_->squared_gradient_norms(x, samples);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::size_t dimension() const = 0;
    virtual std::size_t num_samples() const = 0;
    virtual double value(std::span<const double> x, Samples samples) const = 0;
    virtual void add_gradient(std::span<const double> x, Samples samples,
                              std::span<const double> weights, std::span<double> g) const = 0;
    virtual double value_and_gradient(std::span<const double> x, Samples samples,
                                      std::span<double> g) const = 0;
    virtual bool has_keys() const = 0;
    virtual void add_keys(Samples samples, KeySet& keys) const = 0;
    virtual double mean_keys() const = 0;
    virtual bool has_local_gradient() const = 0;
    virtual void localize(Samples samples, KeySet& keys, LocalRows& batch) const = 0;
    virtual void add_local_gradient(const LocalRows& batch, std::span<const double> x,
                                    Samples samples, std::span<const double> weights,
                                    std::span<double> g) const = 0;
    virtual bool has_scalars() const = 0;
    virtual void scalars(std::span<const double> x, Samples samples, std::span<double> c) const = 0;
    virtual void scatter(Samples samples, std::span<const double> c, std::span<double> g) const = 0;
    virtual bool has_outputs() const = 0;
    virtual void outputs_at(std::span<const double> x, Samples samples,
                            std::span<double> u) const = 0;
    virtual double value_and_gradient(std::span<const double> x, Samples samples,
                                      std::span<double> g, std::span<double> u,
                                      std::span<double> c) const = 0;
    virtual double value_of_outputs(Samples samples, std::span<const double> u) const = 0;
    virtual void scalars_of_outputs(Samples samples, std::span<const double> u,
                                    std::span<double> c) const = 0;
    virtual void curvatures_of_outputs(Samples samples, std::span<const double> u,
                                       std::span<const double> c, std::span<double> out) const = 0;
    virtual void local_scalars(const LocalRows& batch, std::span<const double> x, Samples samples,
                               std::span<double> c) const = 0;
    virtual void local_scatter(const LocalRows& batch, Samples samples, std::span<const double> c,
                               std::span<double> g) const = 0;
    virtual bool convex() const = 0;
    virtual bool nonnegative() const = 0;
    virtual bool has_conjugate() const = 0;
    virtual double conjugate_sum(Samples samples, std::span<const double> u, double s) const = 0;
    virtual std::optional<Vector> best_intercept(std::span<const double> x) const = 0;
    virtual std::size_t outputs() const = 0;
    virtual std::size_t num_free() const = 0;
    virtual bool has_start() const = 0;
    virtual std::optional<Vector> start(std::uint64_t seed) const = 0;
    virtual std::optional<double> lipschitz() const = 0;
    virtual std::optional<Vector> sample_lipschitz() const = 0;
    virtual std::optional<Vector> curvature_diagonal() const = 0;
    virtual std::optional<ColumnMoments> column_moments() const = 0;
    virtual bool ignores_common_shift() const = 0;
    virtual void centered_scatter(Samples samples, std::span<const double> c,
                                  std::span<const double> means, std::span<double> g) const = 0;
    virtual bool has_gram() const = 0;
    virtual Gram gram(Samples samples, std::span<const double> weights,
                      std::span<const Key> keys) const = 0;
    virtual std::optional<Vector> scaled_sample_lipschitz(std::span<const double> scales) const = 0;
    virtual bool has_curvature() const = 0;
    virtual bool curvature_is_local() const = 0;
    virtual void add_curvature(std::span<const double> v, Samples samples,
                               std::span<double> out) const = 0;
    virtual double squared_gradient_norms(std::span<const double> x, Samples samples) const = 0;
  };
  template <class F>
  struct Holder;

  std::shared_ptr<const Interface> f_;
};

// What F does not offer is made from what it must.
template <class F>
struct AnyFiniteSum::Holder final : AnyFiniteSum::Interface {
  explicit Holder(F held) : f(std::move(held)) {}

  std::size_t dimension() const override { return f.dimension(); }
  std::size_t num_samples() const override { return f.num_samples(); }
  double value(std::span<const double> x, Samples samples) const override {
    return f.value(x, samples);
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
      return f.value(x, samples);
    }
  }
  bool has_keys() const override {
    if constexpr (requires { f.has_keys(); })
      return f.has_keys();
    else
      return HasKeys<F>;
  }
  void add_keys([[maybe_unused]] Samples samples, [[maybe_unused]] KeySet& keys) const override {
    if constexpr (HasKeys<F>) f.add_keys(samples, keys);
  }
  double mean_keys() const override {
    if constexpr (HasKeys<F>)
      return f.mean_keys();
    else
      return static_cast<double>(f.dimension());
  }
  bool has_local_gradient() const override {
    if constexpr (requires { f.has_local_gradient(); })
      return f.has_local_gradient();
    else
      return HasLocalGradient<F> && has_keys();
  }
  void localize([[maybe_unused]] Samples samples, [[maybe_unused]] KeySet& keys,
                [[maybe_unused]] LocalRows& batch) const override {
    if constexpr (HasLocalGradient<F>) f.localize(samples, keys, batch);
  }
  void add_local_gradient([[maybe_unused]] const LocalRows& batch,
                          [[maybe_unused]] std::span<const double> x,
                          [[maybe_unused]] Samples samples,
                          [[maybe_unused]] std::span<const double> weights,
                          [[maybe_unused]] std::span<double> g) const override {
    if constexpr (HasLocalGradient<F>) f.add_local_gradient(batch, x, samples, weights, g);
  }
  bool has_scalars() const override { return HasScalars<F>; }
  void scalars([[maybe_unused]] std::span<const double> x, [[maybe_unused]] Samples samples,
               [[maybe_unused]] std::span<double> c) const override {
    if constexpr (HasScalars<F>) f.scalars(x, samples, c);
  }
  void scatter([[maybe_unused]] Samples samples, [[maybe_unused]] std::span<const double> c,
               [[maybe_unused]] std::span<double> g) const override {
    if constexpr (HasScalars<F>) f.scatter(samples, c, g);
  }
  bool has_outputs() const override { return HasOutputs<F>; }
  void outputs_at([[maybe_unused]] std::span<const double> x, [[maybe_unused]] Samples samples,
                  [[maybe_unused]] std::span<double> u) const override {
    if constexpr (HasOutputs<F>) f.outputs_at(x, samples, u);
  }
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g,
                            std::span<double> u, std::span<double> c) const override {
    if constexpr (requires { f.value_and_gradient(x, samples, g, u, c); }) {
      return f.value_and_gradient(x, samples, g, u, c);
    } else {
      outputs_at(x, samples, u);
      scalars_of_outputs(samples, u, c);
      scatter(samples, c, g);
      return value_of_outputs(samples, u);
    }
  }
  double value_of_outputs([[maybe_unused]] Samples samples,
                          [[maybe_unused]] std::span<const double> u) const override {
    if constexpr (HasOutputs<F>) return f.value_of_outputs(samples, u);
    throw BugError("value_of_outputs of a finite sum that has none");
  }
  void scalars_of_outputs([[maybe_unused]] Samples samples,
                          [[maybe_unused]] std::span<const double> u,
                          [[maybe_unused]] std::span<double> c) const override {
    if constexpr (HasOutputs<F>) f.scalars_of_outputs(samples, u, c);
  }
  void curvatures_of_outputs(Samples samples, std::span<const double> u, std::span<const double> c,
                             std::span<double> out) const override {
    if constexpr (requires { f.curvatures_of_scalars(samples, c, out); })
      if (f.curvatures_of_scalars(samples, c, out)) return;
    ensure(has_outputs(), "curvatures_of_outputs of a finite sum that has none");
    std::ranges::transform(u, out.begin(), [](double u_i) { return u_i + outputs_step; });
    scalars_of_outputs(samples, out, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = (out[i] - c[i]) / outputs_step;
  }
  void local_scalars([[maybe_unused]] const LocalRows& batch,
                     [[maybe_unused]] std::span<const double> x, [[maybe_unused]] Samples samples,
                     [[maybe_unused]] std::span<double> c) const override {
    if constexpr (HasScalars<F> && HasLocalGradient<F>) f.local_scalars(batch, x, samples, c);
  }
  void local_scatter([[maybe_unused]] const LocalRows& batch, [[maybe_unused]] Samples samples,
                     [[maybe_unused]] std::span<const double> c,
                     [[maybe_unused]] std::span<double> g) const override {
    if constexpr (HasScalars<F> && HasLocalGradient<F>) f.local_scatter(batch, samples, c, g);
  }
  bool convex() const override {
    if constexpr (requires { f.convex(); })
      return f.convex();
    else
      return false;
  }
  bool nonnegative() const override {
    if constexpr (requires { f.nonnegative(); })
      return f.nonnegative();
    else
      return false;
  }
  bool has_conjugate() const override {
    if constexpr (HasOutputs<F> && requires(Samples samples, std::span<const double> u, double s) {
                    f.has_conjugate();
                    f.conjugate_sum(samples, u, s);
                  })
      return f.has_conjugate();
    else
      return false;
  }
  double conjugate_sum([[maybe_unused]] Samples samples, [[maybe_unused]] std::span<const double> u,
                       [[maybe_unused]] double s) const override {
    if constexpr (requires { f.conjugate_sum(samples, u, s); })
      return f.conjugate_sum(samples, u, s);
    throw BugError("conjugate_sum of a finite sum that has none");
  }
  std::optional<Vector> best_intercept([[maybe_unused]] std::span<const double> x) const override {
    if constexpr (requires { f.best_intercept(x); })
      return f.best_intercept(x);
    else
      return std::nullopt;
  }
  std::size_t outputs() const override {
    if constexpr (requires { f.outputs(); })
      return f.outputs();
    else
      return 1;
  }
  std::size_t num_free() const override {
    if constexpr (requires { f.num_free(); })
      return f.num_free();
    else
      return 0;
  }
  bool has_start() const override {
    return requires { f.start(std::uint64_t{}); };
  }
  std::optional<Vector> start([[maybe_unused]] std::uint64_t seed) const override {
    if constexpr (requires { f.start(seed); })
      return f.start(seed);
    else
      return std::nullopt;
  }
  std::optional<double> lipschitz() const override {
    if constexpr (requires { f.lipschitz(); })
      return f.lipschitz();
    else
      return std::nullopt;
  }
  std::optional<Vector> sample_lipschitz() const override {
    if constexpr (requires { f.sample_lipschitz(); })
      return f.sample_lipschitz();
    else
      return std::nullopt;
  }
  std::optional<Vector> curvature_diagonal() const override {
    if constexpr (requires { f.curvature_diagonal(); })
      return f.curvature_diagonal();
    else
      return std::nullopt;
  }
  std::optional<ColumnMoments> column_moments() const override {
    if constexpr (requires { f.column_moments(); })
      return f.column_moments();
    else
      return std::nullopt;
  }
  bool ignores_common_shift() const override {
    if constexpr (requires { f.ignores_common_shift(); })
      return f.ignores_common_shift();
    else
      return false;
  }
  void centered_scatter([[maybe_unused]] Samples samples,
                        [[maybe_unused]] std::span<const double> c,
                        [[maybe_unused]] std::span<const double> means,
                        [[maybe_unused]] std::span<double> g) const override {
    if constexpr (requires { f.centered_scatter(samples, c, means, g); })
      f.centered_scatter(samples, c, means, g);
    else
      throw BugError("centered_scatter of a finite sum that has none");
  }
  bool has_gram() const override {
    if constexpr (requires { f.has_gram(); })
      return f.has_gram();
    else
      return requires(Samples samples, std::span<const double> weights, std::span<const Key> keys) {
        f.gram(samples, weights, keys);
      };
  }
  Gram gram([[maybe_unused]] Samples samples, [[maybe_unused]] std::span<const double> weights,
            [[maybe_unused]] std::span<const Key> keys) const override {
    if constexpr (requires { f.gram(samples, weights, keys); })
      return f.gram(samples, weights, keys);
    else
      throw BugError("gram of a finite sum that has none");
  }
  std::optional<Vector> scaled_sample_lipschitz(
      [[maybe_unused]] std::span<const double> scales) const override {
    if constexpr (requires { f.scaled_sample_lipschitz(scales); })
      return f.scaled_sample_lipschitz(scales);
    else
      return std::nullopt;
  }
  bool has_curvature() const override {
    if constexpr (requires { f.has_curvature(); })
      return f.has_curvature();
    else
      return requires(std::span<double> v) { f.add_curvature(v, Samples(), v); };
  }
  bool curvature_is_local() const override {
    if constexpr (requires { f.curvature_is_local(); })
      return f.curvature_is_local();
    else
      return false;
  }
  void add_curvature([[maybe_unused]] std::span<const double> v, [[maybe_unused]] Samples samples,
                     [[maybe_unused]] std::span<double> out) const override {
    if constexpr (requires { f.add_curvature(v, samples, out); }) f.add_curvature(v, samples, out);
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

  static constexpr double outputs_step = 1e-4;  // for differences of scalars

  const F f;
};

}  // namespace asynprox
