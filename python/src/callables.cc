#include "callables.h"

#include <algorithm>

#include "arrays.h"

namespace asynprox::python {
namespace {

std::optional<double> number_or_none(const nb::object& value) {
  if (value.is_none()) return std::nullopt;
  return nb::cast<double>(value);
}

// Copies: a caller may keep what it was given.
nb::object array_of_samples(Samples samples) {
  return read_only(std::vector<std::int64_t>(samples.begin(), samples.end()));
}

}  // namespace

Shared shared(nb::object object) {
  return {new nb::object(std::move(object)), [](const nb::object* held) {
            const nb::gil_scoped_acquire acquired;
            delete held;
          }};
}

PythonGradients::PythonGradients(const nb::object& sum)
    : sum_(shared(sum)),
      dimension_(nb::cast<std::size_t>(sum.attr("dimension"))),
      num_samples_(nb::cast<std::size_t>(sum.attr("num_samples"))),
      lipschitz_(number_or_none(sum.attr("lipschitz"))),
      mean_keys_(number_or_none(sum.attr("mean_keys"))),
      convex_(nb::cast<bool>(sum.attr("convex"))) {}

double PythonSum::value(std::span<const double> x, Samples samples) const {
  const nb::gil_scoped_acquire acquired;
  return nb::cast<double>(
      sum().attr("sum_values")(read_only(Vector(x.begin(), x.end())), array_of_samples(samples)));
}

void PythonGradients::add_sum(std::span<const double> x, Samples samples, double weight,
                              std::span<double> g) const {
  const auto sums = nb::cast<Doubles>(sum_->attr("sum_gradients")(
      read_only(Vector(x.begin(), x.end())), array_of_samples(samples)));
  for (std::size_t j = 0; j < g.size(); ++j) g[j] += weight * sums(j);
}

double PythonSum::value_and_gradient(std::span<const double> x, Samples samples,
                                     std::span<double> g) const {
  const nb::gil_scoped_acquire acquired;
  const auto both = nb::cast<nb::tuple>(
      sum().attr("sum_both")(read_only(Vector(x.begin(), x.end())), array_of_samples(samples)));
  const auto sums = nb::cast<Doubles>(both[1]);
  for (std::size_t j = 0; j < g.size(); ++j) g[j] += sums(j);
  return nb::cast<double>(both[0]);
}

void PythonGradients::add_gradient(std::span<const double> x, Samples samples,
                                   std::span<const double> weights, std::span<double> g) const {
  const nb::gil_scoped_acquire acquired;
  const bool even = std::ranges::all_of(weights, [&](double w) { return w == weights.front(); });
  if (even) return add_sum(x, samples, weights.empty() ? 1 : weights.front(), g);
  for (std::size_t i = 0; i < samples.size(); ++i) add_sum(x, samples.subspan(i, 1), weights[i], g);
}

void PythonGradients::add_keys(Samples samples, KeySet& keys) const {
  const nb::gil_scoped_acquire acquired;
  const auto touched = nb::cast<Keys>(sum_->attr("touched")(array_of_samples(samples)));
  for (std::size_t i = 0; i < touched.size(); ++i) keys.add(static_cast<Key>(touched(i)));
}

AnyFiniteSum sum_of(const nb::object& sum) {
  if (nb::cast<bool>(sum.attr("has_value"))) return PythonSum(sum);
  return PythonGradients(sum);
}

double PythonRegularizer::value(std::span<const double> x) const {
  const nb::gil_scoped_acquire acquired;
  return nb::cast<double>(h->attr("value")(array_of(x)));
}

void PythonRegularizer::prox(std::span<double> v, double eta) const {
  const nb::gil_scoped_acquire acquired;
  const auto moved = nb::cast<Doubles>(h->attr("prox")(array_of(std::span<const double>(v)), eta));
  for (std::size_t j = 0; j < v.size(); ++j) v[j] = moved(j);
}

}  // namespace asynprox::python
