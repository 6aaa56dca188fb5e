#include "asynprox/problem/problem.h"

#include "asynprox/base/errors.h"

namespace asynprox {

Problem make_problem(AnyFiniteSum f, const AnyRegularizer& h) {
  const std::size_t dimension = f.dimension(), free = f.num_free();
  return {std::move(f), h.bound(dimension, free)};
}

Objective objective(const Problem& problem, std::span<const double> x) {
  double total = 0;
  const std::size_t n = problem.f.num_samples();
  for_samples(0, n, [&](Samples samples) { total += problem.f.value(x, samples); });
  return {total / static_cast<double>(n), problem.h.value(x)};
}

double value_and_gradient(const AnyFiniteSum& f, std::span<const double> x, Vector& gradient) {
  const double total = value_and_gradient_sums(f, x, 0, 1, gradient);
  const double n = static_cast<double>(f.num_samples());
  scale(gradient, 1 / n);
  return total / n;
}

double value_and_gradient_sums(const AnyFiniteSum& f, std::span<const double> x, int share,
                               int shares, Vector& gradient, std::span<double> outputs,
                               std::span<double> scalars) {
  gradient.assign(f.dimension(), 0);
  const LinearPredictor* linear = outputs.empty() ? nullptr : f.linear();
  ensure(linear || outputs.empty(), "outputs of a finite sum that has none");
  double total = 0;
  const std::size_t n = f.num_samples();
  for_samples(n * share / shares, n * (share + 1) / shares, [&](Samples samples) {
    if (!linear) {
      total += f.value_and_gradient(x, samples, gradient);
      return;
    }
    const std::size_t from = samples.front() * f.outputs(), count = samples.size() * f.outputs();
    total += linear->value_and_gradient(x, samples, gradient, outputs.subspan(from, count),
                                        scalars.subspan(from, count));
  });
  return total;
}

double loss_of_outputs(const AnyFiniteSum& f, std::span<const double> u) {
  ensure(f.linear() != nullptr, "outputs of a finite sum that has none");
  const LinearPredictor& linear = *f.linear();
  const std::size_t n = f.num_samples(), C = f.outputs();
  double total = 0;
  for_samples(0, n, [&](Samples samples) {
    total += linear.value_of_outputs(samples, u.subspan(samples.front() * C, samples.size() * C));
  });
  return total / static_cast<double>(n);
}

double gradient_mapping_norm(const AnyRegularizer& h, std::span<const double> x,
                             std::span<const double> g, double eta) {
  Vector y(x.begin(), x.end());
  add_scaled(y, -eta, g);
  h.prox(y, eta);
  for (std::size_t j = 0; j < y.size(); ++j) y[j] = (x[j] - y[j]) / eta;
  return norm(y);
}

double gradient_variance(const AnyFiniteSum& f, std::span<const double> x) {
  Vector mean;
  value_and_gradient(f, x, mean);
  const std::vector<SampleIndex> all = all_samples(f.num_samples());
  const double total = f.squared_gradient_norms(x, all);
  return total / static_cast<double>(all.size()) - dot(mean, mean);
}

}  // namespace asynprox
