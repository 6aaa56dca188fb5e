#include "asynprox/problem/gradient_differences.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "asynprox/base/random.h"

namespace asynprox {
namespace {

// Gradients are averaged over at most so many samples, and single ones looked at for so many.
constexpr std::size_t kSamplesMax = 1000, kSinglesMax = 64;

// Of the point's norm, and at least: the length of a difference.
constexpr double kDistance = 1e-4;

constexpr int kRounds = 12, kRoundsOfASample = 3;
constexpr double kAgree = 0.01;  // two rounds that agree to this end the iteration

// Where gradients do not change along a step it is made longer, so often and by this factor.
constexpr int kSearches = 20;
constexpr double kLonger = 4;

// Of random numbers.
constexpr std::uint64_t kStream = 0x444946464552;

// What some samples, near one point, may miss.
constexpr double kSafety = 2;

class Differences {
 public:
  Differences(const Problem& problem, std::span<const double> x, std::uint64_t seed,
              const std::atomic<bool>* interrupt)
      : problem_(problem),
        x_(x.begin(), x.end()),
        distance_(kDistance * std::max(1.0, norm(x))),
        interrupt_(interrupt) {
    const std::size_t n = problem.f.num_samples();
    samples_ = all_samples(std::min(n, kSamplesMax));
    const Random random = Random(seed).stream(kStream);
    for (std::size_t i = 0; i < samples_.size() && n > kSamplesMax; ++i)
      samples_[i] = static_cast<SampleIndex>(random.index_at(i, n));
    direction_.resize(x_.size());
    const Random directions = random.stream(1);
    for (std::size_t j = 0; j < direction_.size(); ++j)
      direction_[j] = 2 * directions.uniform_at(j) - 1;
  }

  // L of the mean over the samples.
  double lipschitz() const {
    const Vector here = gradient(samples_, x_);
    return along_steps(here, power_iteration(samples_, here, direction_, kRounds));
  }

  // The largest L_i of some of them.
  double lipschitz_of_samples() const {
    double largest = 0;
    for (std::size_t i = 0; i < std::min(samples_.size(), kSinglesMax) && !interrupted(); ++i) {
      const Samples one = Samples(samples_).subspan(i, 1);
      const Vector here = gradient(one, x_);
      // The Hessian of a function of a'x maps everything to a, as its gradient does.
      const Vector& first = norm(here) > 0 ? here : direction_;
      largest = std::max(largest, power_iteration(one, here, first, kRoundsOfASample));
    }
    return largest;
  }

 private:
  bool interrupted() const { return interrupt_ && interrupt_->load(std::memory_order_relaxed); }

  Vector gradient(Samples samples, std::span<const double> x) const {
    Vector g(x.size(), 0);
    problem_.f.add_gradient(x, samples, {}, g);
    scale(g, 1 / static_cast<double>(samples.size()));
    return g;
  }

  double power_iteration(Samples samples, const Vector& here, Vector v, int rounds) const {
    double lipschitz = 0;
    for (int round = 0; round < rounds && !interrupted(); ++round) {
      const double length = norm(v);
      if (!(length > 0)) break;
      Vector ahead = x_;
      add_scaled(ahead, distance_ / length, v);
      v = gradient(samples, ahead);
      add_scaled(v, -1, here);
      const double found = norm(v) / distance_;
      const bool agrees = std::abs(found - lipschitz) <= kAgree * found;
      if (!std::isfinite(found)) break;
      lipschitz = std::max(lipschitz, found);
      if (agrees) break;
    }
    return lipschitz;
  }

  // Raises L until the gradient changes along a step of 1 / L by no more than L says.
  double along_steps(const Vector& here, double lipschitz) const {
    double eta = lipschitz > 0 ? 1 / lipschitz : 1;
    for (int search = 0; search < kSearches && !interrupted(); ++search) {
      Vector y = x_;
      add_scaled(y, -eta, here);
      problem_.h.prox(y, eta);
      Vector change = gradient(samples_, y);
      add_scaled(change, -1, here);
      add_scaled(y, -1, x_);
      if (!(norm(y) > 0)) break;
      const double found = norm(change) / norm(y);
      if (found <= lipschitz && lipschitz > 0) break;
      // Where there is no gradient the step was too long.
      lipschitz = std::isfinite(found) ? found : kLonger / eta;
      eta = lipschitz > 0 ? 1 / lipschitz : kLonger * eta;
    }
    return lipschitz;
  }

  const Problem& problem_;
  Vector x_;
  double distance_;
  const std::atomic<bool>* interrupt_;
  std::vector<SampleIndex> samples_;
  Vector direction_;
};

}  // namespace

Smoothness smoothness_by_differences(const Problem& problem, std::span<const double> x,
                                     std::uint64_t seed, const std::atomic<bool>* interrupt) {
  const Differences differences(problem, x, seed, interrupt);
  const double lipschitz = kSafety * differences.lipschitz();
  const double of_samples = kSafety * differences.lipschitz_of_samples();
  Smoothness smoothness;
  smoothness.estimate = lipschitz;
  // Nothing is known of the L_i of the others, so that none counts as larger than the mean.
  smoothness.sample_max = smoothness.sample_mean = std::max(lipschitz, of_samples);
  return smoothness;
}

double sample_lipschitz_by_differences(const Problem& problem, std::span<const double> x,
                                       std::uint64_t seed, const std::atomic<bool>* interrupt) {
  return kSafety * Differences(problem, x, seed, interrupt).lipschitz_of_samples();
}

}  // namespace asynprox
