// An f and an h that are written in Python. Their functions are called under the GIL, from the
// threads of a run; the Python package has checked what they return.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/linalg/key_set.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox::python {

namespace nb = nanobind;

// A Python object that may be let go from any thread.
using Shared = std::shared_ptr<const nb::object>;
Shared shared(nb::object object);

// f of a Python object with
//   num_samples, dimension, lipschitz (or None), convex
//   sum_gradients(x, samples) -> array of `dimension` float64
//   touched(samples) -> array of coordinates, mean_keys (None: gradients touch all)
class PythonGradients {
 public:
  explicit PythonGradients(const nb::object& sum);

  std::size_t dimension() const { return dimension_; }
  std::size_t num_samples() const { return num_samples_; }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const;
  std::optional<double> lipschitz() const { return lipschitz_; }
  bool has_curvature() const { return lipschitz_.has_value(); }
  bool convex() const { return convex_; }
  bool has_keys() const { return mean_keys_.has_value(); }
  double mean_keys() const { return mean_keys_.value_or(static_cast<double>(dimension_)); }
  void add_keys(Samples samples, KeySet& keys) const;

 protected:
  const nb::object& sum() const { return *sum_; }

 private:
  void add_sum(std::span<const double> x, Samples samples, double weight,
               std::span<double> g) const;

  Shared sum_;
  std::size_t dimension_, num_samples_;
  std::optional<double> lipschitz_, mean_keys_;
  bool convex_;
};
static_assert(FiniteSum<PythonGradients> && OffersSparseGradient<PythonGradients>);

// The same with values:
//   sum_values(x, samples) -> float
//   sum_both(x, samples) -> the value and the gradient
class PythonSum : public PythonGradients {
 public:
  using PythonGradients::PythonGradients;

  double value(std::span<const double> x, Samples samples) const;
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g) const;
};
static_assert(HasValue<PythonSum>);

// Of an object whose has_value says which of the two it is.
AnyFiniteSum sum_of(const nb::object& sum);

// h of a Python object with value(x) -> float and prox(v, step) -> array of float64.
struct PythonRegularizer {
  static constexpr std::string_view name = "python";
  static constexpr std::string_view formula = "a Python object's";
  static constexpr bool indicator = false;
  static constexpr Structure structure = Structure::global;
  static constexpr auto parameters() { return std::tuple(); }

  Shared h = nullptr;

  double value(std::span<const double> x) const;
  void prox(std::span<double> v, double eta) const;
};
static_assert(JointRegularizer<PythonRegularizer>);

}  // namespace asynprox::python
