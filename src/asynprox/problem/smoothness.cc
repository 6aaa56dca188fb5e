#include "asynprox/problem/smoothness.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {
namespace {

constexpr double kFailureProbability = 1e-6;

// Two rounds that agree to this end the iteration; of some of the samples, which tell L to a few
// hundredths only, three that agree to that.
constexpr double kTolerance = 1e-10;
constexpr double kToleranceOfSome = 1e-3;

// A sample whose L_i is so many times the mean is one of those that may decide what L is.
constexpr double kFarAboveMean = 8;

// What is left of the next direction, beside the eigenvalue, when only rounding is left.
constexpr double kExhausted = 1e-12;

// A direction that is nearly uniform on the sphere: sums of twelve uniforms, four to a draw, are
// nearly normal, and equal on every machine.
Vector random_direction(std::size_t dimension, const Random& random) {
  Vector v(dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < 3; ++i) {
      const std::uint64_t draw = random.at(3 * j + i);
      for (int shift = 0; shift < 64; shift += 16) sum += (draw >> shift) & 0xffff;
    }
    v[j] = static_cast<double>(sum) * 0x1p-16 - 6;
  }
  scale(v, 1 / norm(v));
  return v;
}

// The samples that stand for all of them, in two strata: those of large L_i one and all, since a
// few of them may decide what L is (a rare column that was standardised), and of the others some
// that are drawn at random. At most one in kFarAboveMean samples is far above the mean.
struct ChosenSamples {
  std::vector<SampleIndex> large = {}, drawn = {};
  double weight_of_drawn = 1;  // how many samples each of the drawn ones stands for

  bool all(const AnyFiniteSum& f) const { return drawn.size() == f.num_samples(); }
};

ChosenSamples chosen_samples(const AnyFiniteSum& f, const SmoothnessOptions& options,
                             const std::optional<Vector>& lipschitz, double lipschitz_mean) {
  const std::size_t n = f.num_samples();
  if (options.samples_max == 0 || options.samples_max >= n) return {.drawn = all_samples(n)};
  ChosenSamples chosen;
  const auto is_large = [&](SampleIndex i) {
    return lipschitz && (*lipschitz)[i] > kFarAboveMean * lipschitz_mean;
  };
  for (SampleIndex i = 0; lipschitz && i < n; ++i)
    if (is_large(i)) chosen.large.push_back(i);
  const Random random = Random(options.seed).stream(1);
  for (std::size_t i = 0; i < options.samples_max; ++i) {
    const auto sample = static_cast<SampleIndex>(random.index_at(i, n));
    if (chosen.large.empty() || !is_large(sample)) chosen.drawn.push_back(sample);
  }
  chosen.weight_of_drawn = static_cast<double>(n - chosen.large.size()) /
                           std::max(1.0, static_cast<double>(chosen.drawn.size()));
  return chosen;
}

struct LanczosResult {
  double ritz_value = 0;  // approaches the largest eigenvalue from below
  int rounds = 0;
  bool exhausted = false;  // the start has no part in any other direction: the value is exact
};

// product = (1/n) sum of S B_i S v, S = diag(roots) or one; `scaled` is scratch.
void multiply(const AnyFiniteSum& f, const ChosenSamples& samples, const Vector& roots,
              const Vector& v, Vector& scaled, Vector& product) {
  const CurvatureProducts& products = *f.curvature_products();
  scaled = v;
  for (std::size_t j = 0; j < roots.size(); ++j) scaled[j] *= roots[j];
  std::ranges::fill(product, 0);
  products.add(scaled, samples.drawn, product);
  if (samples.large.empty()) {
    scale(product, 1 / static_cast<double>(samples.drawn.size()));
  } else {
    scale(product, samples.weight_of_drawn);
    products.add(scaled, samples.large, product);
    scale(product, 1 / static_cast<double>(f.num_samples()));
  }
  for (std::size_t j = 0; j < roots.size(); ++j) product[j] *= roots[j];
}

LanczosResult lanczos(const AnyFiniteSum& f, const ChosenSamples& samples,
                      const SmoothnessOptions& options) {
  Vector v = random_direction(f.dimension(), Random(options.seed));
  Vector before(v.size(), 0), product(v.size()), scaled, roots(options.scales.size());
  std::ranges::transform(options.scales, roots.begin(), [](double s) { return std::sqrt(s); });
  Vector alphas, betas;
  LanczosResult result;
  const bool of_some = !samples.all(f);
  const double tolerance = of_some ? kToleranceOfSome : kTolerance;
  int agreeing = 0;
  double beta = 0;
  while (result.rounds < options.rounds_max) {
    multiply(f, samples, roots, v, scaled, product);
    const double alpha = dot(v, product);
    alphas.push_back(alpha);
    ++result.rounds;
    const double last = result.ritz_value;
    result.ritz_value = largest_eigenvalue(alphas, betas);
    add_scaled(product, -alpha, v);
    add_scaled(product, -beta, before);
    beta = norm(product);
    result.exhausted = beta <= kExhausted * result.ritz_value;
    const bool agrees = std::abs(result.ritz_value - last) <= tolerance * result.ritz_value;
    agreeing = agrees ? agreeing + 1 : 0;
    if (agreeing == (of_some ? 2 : 1) || result.exhausted) break;
    betas.push_back(beta);
    scale(product, 1 / beta);
    before.swap(v);
    v.swap(product);
  }
  return result;
}

// Kuczynski and Wozniakowski: from a uniform start, q rounds miss the largest eigenvalue by more
// than a share e of it with probability at most 1.648 sqrt(d) exp(-sqrt(e) (2q - 1)).
double relative_error(int rounds, std::size_t dimension) {
  const double d = static_cast<double>(dimension);
  const double root = std::log(1.648 * std::sqrt(d) / kFailureProbability) / (2 * rounds - 1);
  return root * root;
}

// As if what f tells held everywhere.
Smoothness measured_as_bound(const AnyFiniteSum& f, const SmoothnessOptions& options) {
  Smoothness smoothness;
  const auto tighten = [&](double bound, const char* reason) {
    if (smoothness.bound && *smoothness.bound <= bound) return;
    smoothness.bound = bound;
    smoothness.bound_reason = reason;
  };
  const Curvature* curvature = f.curvature();
  if (!curvature) return smoothness;
  if (const auto lipschitz = curvature->lipschitz(); lipschitz && options.scales.empty())
    tighten(*lipschitz, "f's own word");
  const std::optional<Vector> samples_lipschitz = curvature->sample_lipschitz(options.scales);
  if (const auto& lipschitz = samples_lipschitz) {
    const double total = std::accumulate(lipschitz->begin(), lipschitz->end(), 0.0);
    smoothness.sample_mean = total / static_cast<double>(lipschitz->size());
    smoothness.sample_max = *std::ranges::max_element(*lipschitz);
    tighten(smoothness.sample_mean, "the mean of the samples' L_i");
  }
  smoothness.estimate = smoothness.bound;
  if (!f.curvature_products() || f.dimension() == 0) return smoothness;

  const ChosenSamples samples =
      chosen_samples(f, options, samples_lipschitz, smoothness.sample_mean);
  const LanczosResult result = lanczos(f, samples, options);
  const bool all_samples = samples.all(f);
  // A Ritz value of some of the samples may be off either way; of all, it is only ever too low.
  const double estimate = (all_samples ? 1 : 1.05) * result.ritz_value;
  smoothness.estimate = std::min(smoothness.estimate.value_or(estimate), estimate);
  // An exact value still has rounding errors.
  const double error = result.exhausted ? 1e-9 : relative_error(result.rounds, f.dimension());
  if (all_samples && error < 1)
    tighten(result.ritz_value / (1 - error),
            "Lanczos, with probability 1 - 1e-6 for a random start");
  return smoothness;
}

}  // namespace

double largest_eigenvalue(std::span<const double> diagonal, std::span<const double> off_diagonal) {
  const auto radius = [&](std::size_t i) {
    const double left = i > 0 ? std::abs(off_diagonal[i - 1]) : 0;
    return left + (i + 1 < diagonal.size() ? std::abs(off_diagonal[i]) : 0);
  };
  // Sylvester: T - value I is negative definite exactly where all pivots are negative.
  const auto is_above_all = [&](double value) {
    double pivot = diagonal[0] - value;
    for (std::size_t i = 1; i < diagonal.size() && pivot < 0; ++i)
      pivot = diagonal[i] - value - off_diagonal[i - 1] * off_diagonal[i - 1] / pivot;
    return pivot < 0;
  };
  double below = diagonal[0], above = diagonal[0];
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    below = std::max(below, diagonal[i]);
    above = std::max(above, diagonal[i] + radius(i));
  }
  for (int bisection = 0; bisection < 100 && below < above; ++bisection) {
    const double middle = below + (above - below) / 2;
    (is_above_all(middle) ? above : below) = middle;
  }
  return above;
}

Smoothness measure_smoothness(const AnyFiniteSum& f, const SmoothnessOptions& options) {
  Smoothness smoothness = measured_as_bound(f, options);
  if (f.curvature() && f.curvature()->is_local()) {
    smoothness.bound.reset();
    smoothness.bound_reason.clear();
  }
  return smoothness;
}

}  // namespace asynprox
