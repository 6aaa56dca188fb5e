// The facet of an f that knows how curved it is: what steps, batches and scales are chosen by.
//
//   |grad f(x) - grad f(y)| <= L |x - y|           L_i: the same for F(.; xi_i)
//   B_i: a fixed matrix that bounds the Hessian of F(.; xi_i) from above
//
// Where is_local(), all of this describes the region where runs go, well enough to choose steps by,
// and bounds nothing.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <span>

#include "asynprox/linalg/for_samples.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// An answer is empty where f does not know it.
class Curvature {
 public:
  virtual ~Curvature() = default;

  virtual std::optional<double> lipschitz() const = 0;  // L

  // L_i of every sample. With `scales`: in coordinates that are sqrt(scales_j) times longer.
  virtual std::optional<Vector> sample_lipschitz(std::span<const double> scales) const = 0;

  // About the diagonal of the mean of all B_i.
  virtual std::optional<Vector> diagonal() const = 0;

  virtual bool is_local() const = 0;
};

// Apart, as an f may know its L or L_i and no B_i.
class CurvatureProducts {
 public:
  virtual ~CurvatureProducts() = default;

  // out += sum_i B_i v
  virtual void add(std::span<const double> v, Samples samples, std::span<double> out) const = 0;
};

// F offers Curvature by any of lipschitz(), sample_lipschitz(), scaled_sample_lipschitz(scales) and
// curvature_diagonal(), which may be optionals, and CurvatureProducts by add_curvature(v, samples,
// out); neither, if its has_curvature() is false. Of curvature_is_local() the default is false.
template <class F>
concept OffersCurvatureProducts =
    requires(const F f, std::span<const double> v, Samples samples, std::span<double> out) {
      f.add_curvature(v, samples, out);
    };

template <class F>
concept OffersCurvature = requires(const F f) {
  { f.lipschitz() } -> std::convertible_to<std::optional<double>>;
} || requires(const F f) {
  { f.sample_lipschitz() } -> std::convertible_to<std::optional<Vector>>;
} || requires(const F f) {
  { f.curvature_diagonal() } -> std::convertible_to<std::optional<Vector>>;
};

template <class F>
concept MentionsCurvature = requires { &F::lipschitz; } || requires {
  &F::sample_lipschitz;
} || requires { &F::scaled_sample_lipschitz; } || requires { &F::curvature_diagonal; };

namespace facets_detail {

template <class F>
bool has_curvature(const F& f) {
  if constexpr (requires { f.has_curvature(); })
    return f.has_curvature();
  else
    return true;
}

template <class F>
struct CurvatureOf final : Curvature {
  explicit CurvatureOf(const F& borrowed) : f(borrowed) {}

  std::optional<double> lipschitz() const override {
    if constexpr (requires { f.lipschitz(); })
      return f.lipschitz();
    else
      return std::nullopt;
  }
  std::optional<Vector> sample_lipschitz(std::span<const double> scales) const override {
    if (scales.empty()) {
      if constexpr (requires { f.sample_lipschitz(); }) return f.sample_lipschitz();
    } else {
      if constexpr (requires { f.scaled_sample_lipschitz(scales); })
        return f.scaled_sample_lipschitz(scales);
    }
    return std::nullopt;
  }
  std::optional<Vector> diagonal() const override {
    if constexpr (requires { f.curvature_diagonal(); })
      return f.curvature_diagonal();
    else
      return std::nullopt;
  }
  bool is_local() const override {
    if constexpr (requires { f.curvature_is_local(); })
      return f.curvature_is_local();
    else
      return false;
  }

  const F& f;
};

}  // namespace facets_detail

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const Curvature> curvature_of([[maybe_unused]] const F& f) {
  static_assert(OffersCurvature<F> || !MentionsCurvature<F>,
                "this f has some of the facet Curvature, in another form than expected: "
                "lipschitz(), sample_lipschitz() and curvature_diagonal() are const and return a "
                "number or a Vector, or an optional of it");
  if constexpr (OffersCurvature<F> || OffersCurvatureProducts<F>) {
    if (!facets_detail::has_curvature(f)) return nullptr;
    return std::make_unique<const facets_detail::CurvatureOf<F>>(f);
  } else {
    return nullptr;
  }
}

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const CurvatureProducts> curvature_products_of([[maybe_unused]] const F& f) {
  static_assert(
      OffersCurvatureProducts<F> || !requires { &F::add_curvature; },
      "this f has add_curvature() in another form than expected: "
      "add_curvature(v, samples, out) const");
  if constexpr (OffersCurvatureProducts<F>) {
    if (!facets_detail::has_curvature(f)) return nullptr;
    struct Facet final : CurvatureProducts {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      void add(std::span<const double> v, Samples samples, std::span<double> out) const override {
        f.add_curvature(v, samples, out);
      }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
