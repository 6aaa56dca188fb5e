#include "asynprox/plan_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "asynprox/base/errors.h"
#include "asynprox/problem/key_counts.h"

namespace asynprox {
namespace {

// So many nonzeros take about as long as what else there is to do in a step.
constexpr double kStepKeys = 1000;

void find_sample_lipschitz(const Problem& problem, const AnySampling& sampling, Plan& plan) {
  if (!sampling.asks_for_lipschitz()) return;
  std::optional<Vector> curvatures = plan.scales.empty()
                                         ? problem.f.sample_lipschitz()
                                         : problem.f.scaled_sample_lipschitz(plan.scales);
  require(curvatures.has_value(),
          fmt::format("sampling: {} needs the curvature of each sample, and this problem has none",
                      sampling.name()));
  plan.sample_lipschitz = std::make_shared<const Vector>(std::move(*curvatures));
}

// How many pushes of so many samples can wait at the server, as those of a step do: in about 256
// MB.
double pushes_in_memory(const Problem& problem, const Settings& settings, double samples) {
  constexpr double bytes_max = 0x1p28, bytes_dense = 8, bytes_sparse = 60;
  const double bytes = settings.state == StateChoice::lazy
                           ? bytes_sparse * samples * problem.f.mean_keys()
                           : bytes_dense * static_cast<double>(problem.f.dimension());
  return bytes_max / std::max(1.0, bytes);
}

// About as many as the batch size asks for, but m 4^q, and in the memory that there is for them.
double useful_pieces(const Problem& problem, const Settings& settings, double pass_size) {
  const double m = settings.pushes_per_step;
  const double steps = pass_size / static_cast<double>(settings.batch_size);
  // A push of a lazy model is as large as its samples: more pieces take no more memory.
  const double most = settings.state == StateChoice::lazy
                          ? pass_size
                          : pushes_in_memory(problem, settings, /*samples=*/1);
  double pieces = m * std::exp2(2 * std::round(std::log2(std::max(1.0, steps)) / 2));
  // A few pieces may be empty.
  while (pieces > m && pieces > std::min(most, 1.25 * pass_size)) pieces /= 4;
  return pieces;
}

}  // namespace

// Large enough that noise does not limit the step and that a step's own cost is small beside its
// gradients', small enough for many steps an epoch. A lazy step costs next to nothing, and below
// L_max / L a batch of half the size takes steps of half the length, twice as often: there the
// messages alone ask for more than a few samples.
double useful_batch(const Problem& problem, const Plan& plan, bool lazy) {
  const Smoothness& smoothness = plan.scaled_smoothness;
  const double n = static_cast<double>(problem.f.num_samples());
  const double d = static_cast<double>(problem.f.dimension());
  const double lipschitz = smoothness.estimate.value_or(0);
  const double by_noise = lipschitz > 0 ? plan.sample_lipschitz_max() / lipschitz : 1;
  const double by_cost = 0.1 * d / std::max(1.0, problem.f.mean_keys());
  const double wanted = lazy ? std::min(by_noise, kLazyBatch) : std::max(by_noise, by_cost);
  // Where noise vanishes by itself, or batches grow, more and shorter steps are better: twice as
  // many, unless there would be little work in each.
  const double by_work = std::min(kStepKeys / std::max(1.0, problem.f.mean_keys()), n / 512);
  const double least = plan.bold ? std::max(by_work, n / 1024) : n / 512;
  return std::max(1.0, std::min(std::max(wanted, least), 0.05 * n));
}

// Samples that are far more curved than the mean are better drawn more often, to count less.
void choose_balance(const Options& options, Plan& plan) {
  const Smoothness& smoothness = plan.scaled_smoothness;
  plan.balances = (plan.grows() || plan.traits().owns_samples) &&
                  smoothness.sample_max > kUneven * smoothness.sample_mean;
  if (options.sampling) plan.balances = options.sampling->asks_for_lipschitz();
}

void choose_batch(const Problem& problem, const Options& options, Plan& plan) {
  Settings& settings = plan.settings;
  const auto n = static_cast<std::int64_t>(problem.f.num_samples());
  const std::int64_t m = settings.pushes_per_step;
  const std::int64_t distinct_max = n / plan.slots * m;  // if workers draw from their own alone
  if (plan.full_gradient()) {
    require(!options.batch_size || *options.batch_size == n,
            fmt::format("batch-size: {} uses all {} samples in a step", settings.method.name(), n));
    settings.batch_size = n;
    return;
  }
  if (!options.batch_size) {
    const bool lazy = settings.state == StateChoice::lazy;
    const double useful = useful_batch(problem, plan, lazy);
    settings.batch_size = m * static_cast<std::int64_t>(std::ceil(useful / static_cast<double>(m)));
    if (plan.traits().owns_samples)
      settings.batch_size = std::min(settings.batch_size, distinct_max);
    return;
  }
  settings.batch_size = *options.batch_size;
  require(settings.batch_size >= 1,
          fmt::format("batch-size: expected at least 1, got {}", settings.batch_size));
  require(!plan.traits().owns_samples || settings.batch_size <= distinct_max,
          fmt::format("batch-size: {} draws no sample twice and each worker has its own, so "
                      "expected at most {}, got {}",
                      settings.method.name(), distinct_max, settings.batch_size));
  const std::int64_t whole = settings.batch_size / m, rest = settings.batch_size % m;
  const bool up = rest >= m - m / 2 && whole < std::numeric_limits<std::int64_t>::max() / m;
  const std::int64_t nearest = (up ? whole + 1 : std::max<std::int64_t>(1, whole)) * m;
  require(
      nearest == settings.batch_size,
      fmt::format("batch-size: expected a multiple of the {} pushes a step, got {}; the nearest "
                  "is {}",
                  m, settings.batch_size, nearest));
}

// N in proportion to the shares, at least 1 each; the last has what rounding leaves.
void choose_shares(const Options& options, Plan& plan) {
  if (options.shares.empty()) return;
  const Settings& settings = plan.settings;
  require(
      plan.synchronous() && !plan.full_gradient() && settings.pushes_per_step == settings.workers,
      "shares: only where every step has one push of each worker (prox-sgd)");
  require(options.shares.size() == static_cast<std::size_t>(settings.workers),
          fmt::format("shares: expected {}, one a worker, got {}", settings.workers,
                      options.shares.size()));
  double total = 0;
  for (const double share : options.shares) {
    require(share > 0 && std::isfinite(share),
            fmt::format("shares: expected above 0, got {}", share));
    total += share;
  }
  std::int64_t left = settings.batch_size;
  double before = 0;
  for (const double share : options.shares) {
    before += share;
    const double until = static_cast<double>(settings.batch_size) * (1 - before / total);
    const auto samples = std::max<std::int64_t>(1, left - std::llround(until));
    plan.shares.push_back(samples);
    left -= samples;
  }
  require(left == 0, "shares: the batch is too small for so uneven shares");
}

// Draws of a worker from its own samples may as well be in passes.
void choose_sampling(const Problem& problem, const Options& options, Plan& plan) {
  if (plan.grows()) return;
  if (plan.traits().owns_samples) plan.sampling = Reshuffle{};
  if (plan.balances && !options.sampling) {
    plan.sampling = Importance{};
    plan.choices.emplace_back("sampling importance: a few samples are far more curved than others");
  }
  if (options.sampling) plan.sampling = *options.sampling;
  plan.settings.sampling = plan.sampling.name();
  find_sample_lipschitz(problem, plan.sampling, plan);
}

// Batches that may grow begin with m pieces of a pass, and end with all.
void choose_passes(const Problem& problem, const Options& options, Plan& plan) {
  if (!plan.grows()) return;
  Settings& settings = plan.settings;
  const auto n = static_cast<double>(problem.f.num_samples());
  const int m = settings.pushes_per_step;
  Passes passes = {.copies = plan.balances ? n : 1};
  if (options.sampling) passes = *options.sampling->get_if<Passes>();
  double size = n;
  if (passes.asks_for_lipschitz()) {
    find_sample_lipschitz(problem, passes, plan);
    size = 0;
    for (const std::size_t copies : passes.copies_of(*plan.sample_lipschitz))
      size += static_cast<double>(copies);
  }
  if (passes.pieces == 0)
    passes.pieces = options.batch_size
                        ? m * std::ceil(size / static_cast<double>(settings.batch_size))
                        : useful_pieces(problem, settings, size);
  require(passes.pieces >= m && std::fmod(passes.pieces, m) == 0 && passes.pieces <= 2 * size,
          fmt::format("sampling: expected a multiple of the {} pushes a step as the pieces of a "
                      "pass over {} samples, got {}",
                      m, size, passes.pieces));
  require(!options.trace_every,
          "trace-every: batches that grow are evaluated after every pass, so choose another "
          "sampling than passes");
  if (!options.batch_size)
    settings.batch_size = m * static_cast<std::int64_t>(std::ceil(size / passes.pieces));
  plan.pushes_per_pass = static_cast<int>(passes.pieces);
  const double waiting_max = pushes_in_memory(problem, settings, size / passes.pieces);
  plan.pushes_max = static_cast<int>(std::clamp<double>(waiting_max, m, plan.pushes_per_pass));
  plan.epochs_per_pass = size / n;
  plan.sampling = passes;
  settings.sampling =
      fmt::format("{}:pieces={},copies={}", Passes::name, passes.pieces, passes.copies);
  plan.choices.push_back(
      fmt::format("batches of {} samples, larger where noise makes the objective rise: up to a "
                  "whole pass, in {} pieces that workers share",
                  settings.batch_size, passes.pieces));
}

// 1 / (the probability that a step touches the coordinate), for models that move only what they
// touch. What no sample touches never moves.
void choose_support_weights(const Problem& problem, Plan& plan) {
  if (plan.settings.state != StateChoice::lazy || !plan.traits().on_support) return;
  const auto n = static_cast<double>(problem.f.num_samples());
  const auto N = static_cast<double>(plan.settings.batch_size);
  Vector weights = key_counts(problem.f);
  for (double& weight : weights) weight = -1 / std::expm1(N * std::log1p(-weight / n));
  for (double& weight : weights)
    if (!std::isfinite(weight)) weight = 1;
  plan.support_weights = std::make_shared<const Vector>(std::move(weights));
}

}  // namespace asynprox
