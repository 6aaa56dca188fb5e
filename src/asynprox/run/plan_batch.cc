#include "asynprox/run/plan_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/mapped_file.h"
#include "asynprox/run/plan_rules.h"
#include "asynprox/sampling/all.h"
#include "asynprox/sums/key_counts.h"

namespace asynprox {
namespace {

// So many nonzeros take about as long as what else there is to do in a step.
constexpr double kStepKeys = 1000;

// Of a push: per coordinate, as a lazy or a dense model has it, and whatever its size; and of a sample
// that is drawn.
constexpr double kBytesDense = 8, kBytesSparse = 60, kBytesPerPush = 1024;
constexpr double kBytesPerDraw = 64;

// How many pushes of so many samples can wait at the server, as those of a step do: in about 256
// MB.
double pushes_in_memory(const Problem& problem, StateChoice state, double samples) {
  constexpr double bytes_max = 0x1p28;
  const double bytes = state == StateChoice::lazy
                           ? kBytesSparse * samples * problem.f.mean_keys()
                           : kBytesDense * static_cast<double>(problem.f.dimension());
  return bytes_max / std::max(1.0, bytes);
}

// About as many as the batch size asks for, but m 4^q, and in the memory that there is for them.
double useful_pieces(const Problem& problem, const BatchBasis& basis, std::int64_t batch_size,
                     double pass_size) {
  const double m = basis.workers.pushes_per_step;
  const double steps = pass_size / static_cast<double>(batch_size);
  // A push of a lazy model is as large as its samples: more pieces take no more memory.
  const double most = basis.state == StateChoice::lazy
                          ? pass_size
                          : pushes_in_memory(problem, basis.state, /*samples=*/1);
  double pieces = m * std::exp2(2 * std::round(std::log2(std::max(1.0, steps)) / 2));
  // A few pieces may be empty.
  while (pieces > m && pieces > std::min(most, 1.25 * pass_size)) pieces /= 4;
  return pieces;
}

void check_given_size(std::int64_t size, std::int64_t m) {
  require(size >= 1, fmt::format("batch-size: expected at least 1, got {}", size));
  const std::int64_t whole = size / m, rest = size % m;
  const bool up = rest >= m - m / 2 && whole < std::numeric_limits<std::int64_t>::max() / m;
  const std::int64_t nearest = (up ? whole + 1 : std::max<std::int64_t>(1, whole)) * m;
  require(nearest == size,
          fmt::format("batch-size: expected a multiple of the {} pushes per step, got {}; the "
                      "nearest is {}",
                      m, size, nearest));
}

// A limit on epochs holds to a step: one of more samples would not keep it. Asked where the size of a
// step was chosen.
void check_epochs(const Problem& problem, const Options& options, std::int64_t N) {
  if (!options.stop.epochs || (!options.batch_size && !options.pushes_per_step)) return;
  const auto n = static_cast<double>(problem.f.num_samples());
  const double most = std::max(n, std::floor(*options.stop.epochs * n));
  require(
      static_cast<double>(N) <= most,
      fmt::format("{}: a step would be more than the limit of {} epochs: expected at most {:.0f} "
                  "samples in a step, got {}",
                  options.batch_size ? "batch-size" : "pushes-per-step", *options.stop.epochs, most,
                  N));
}

double gibibytes(double bytes) { return bytes / 0x1p30; }

// The samples of a step are drawn, and its pushes wait at the server, all in memory. Asked only where
// they are more than the data's, or than one per worker.
void check_room(const Problem& problem, const BatchBasis& basis, std::int64_t N) {
  const auto memory = static_cast<double>(memory_size());
  const auto n = static_cast<std::int64_t>(problem.f.num_samples());
  const std::int64_t m = basis.workers.pushes_per_step;
  const auto d = static_cast<double>(problem.f.dimension());
  const double samples = static_cast<double>(N) / static_cast<double>(m);
  const double bytes = basis.state == StateChoice::lazy
                           ? kBytesSparse * std::min(d, samples * problem.f.mean_keys())
                           : kBytesDense * d;
  const auto pushes_max = static_cast<std::int64_t>(memory / (kBytesPerPush + bytes));
  require(
      m <= basis.workers.slots || m <= pushes_max,
      fmt::format("pushes-per-step: expected at most {}, for {:.0f} bytes per push that waits at "
                  "the server and {:.1f} GiB of memory, got {}",
                  std::max<std::int64_t>(basis.workers.slots, pushes_max), kBytesPerPush + bytes,
                  gibibytes(memory), m));
  const auto size_max = static_cast<std::int64_t>(memory / kBytesPerDraw);
  require(
      N <= n || N <= size_max,
      fmt::format("batch-size: expected at most {}, for {} bytes per sample of a step and {:.1f} "
                  "GiB of memory, got {}",
                  std::max(m, size_max / m * m), kBytesPerDraw, gibibytes(memory), N));
}

// N of fixed batches, and the first guess for batches that grow.
std::int64_t batch_size(const Problem& problem, const Options& options, const BatchBasis& basis) {
  const auto n = static_cast<std::int64_t>(problem.f.num_samples());
  const std::int64_t m = basis.workers.pushes_per_step;
  if (basis.method.whole_gradient()) {
    require(
        !options.batch_size || *options.batch_size == n,
        fmt::format("batch-size: {} uses all {} samples in a step", basis.method.method.name(), n));
    return n;
  }
  // If workers draw from their own samples alone.
  const std::int64_t distinct_max = own_batch_max(n, basis.workers);
  if (!options.batch_size) {
    const bool lazy = basis.state == StateChoice::lazy;
    const double useful = useful_batch(problem, basis.method, basis.curvature, lazy);
    const std::int64_t size =
        m * static_cast<std::int64_t>(std::ceil(useful / static_cast<double>(m)));
    return basis.method.owns_samples() ? std::min(size, distinct_max) : size;
  }
  const std::int64_t size = *options.batch_size;
  require(!basis.method.owns_samples() || size <= distinct_max,
          fmt::format("batch-size: {} draws no sample twice and each worker has its own, so "
                      "expected at most {}, got {}",
                      basis.method.method.name(), distinct_max, size));
  check_given_size(size, m);
  return size;
}

// N in proportion to the shares, at least 1 each; the last has what rounding leaves.
std::vector<std::int64_t> samples_by_worker(const Options& options, const BatchBasis& basis,
                                            std::int64_t batch_size) {
  if (options.shares.empty()) return {};
  const WorkerPlan& workers = basis.workers;
  require(basis.method.synchronous() && !basis.method.whole_gradient() &&
              workers.pushes_per_step == workers.workers,
          "shares: only where every step has one push of each worker (prox-sgd)");
  require(options.shares.size() == static_cast<std::size_t>(workers.workers),
          fmt::format("shares: expected {}, one per worker, got {}", workers.workers,
                      options.shares.size()));
  double total = 0;
  for (const double share : options.shares) {
    require(share > 0 && std::isfinite(share),
            fmt::format("shares: expected above 0, got {}", share));
    total += share;
  }
  std::vector<std::int64_t> all;
  std::int64_t left = batch_size;
  double before = 0;
  for (const double share : options.shares) {
    before += share;
    const double until = static_cast<double>(batch_size) * (1 - before / total);
    const auto samples = std::max<std::int64_t>(1, left - std::llround(until));
    all.push_back(samples);
    left -= samples;
  }
  require(left == 0, "shares: the batch is too small for so uneven shares");
  return all;
}

// Draws of a worker from its own samples may as well be in passes.
Chosen<AnySampling> sampling_of_fixed_batches(const Options& options, const BatchBasis& basis) {
  if (options.sampling) return {.value = *options.sampling};
  if (basis.curvature.balances)
    return {.value = Importance{},
            .choices = {"sampling importance: a few samples are far more curved than others"}};
  if (basis.method.owns_samples()) return {.value = Reshuffle{}};
  return {.value = Replacement{}};
}

// The samples of a pass, where some come several times.
double pass_size(const Passes& passes, const Vector& sample_lipschitz) {
  double size = 0;
  for (const std::size_t copies : passes.copies_of(sample_lipschitz))
    size += static_cast<double>(copies);
  return size;
}

// Batches that may grow begin with m pieces of a pass, and end with all.
Chosen<BatchChoice> with_passes(const Problem& problem, const Options& options,
                                const BatchBasis& basis, BatchPlan plan) {
  const auto n = static_cast<double>(problem.f.num_samples());
  const int m = basis.workers.pushes_per_step;
  Passes passes = {.copies = basis.curvature.balances ? n : 1};
  if (options.sampling) passes = *options.sampling->get_if<Passes>();
  std::shared_ptr<const Vector> lipschitz = sample_lipschitz_for(problem, passes, basis.scales);
  const double size = lipschitz ? pass_size(passes, *lipschitz) : n;
  if (passes.pieces == 0)
    passes.pieces = options.batch_size ? m * std::ceil(size / static_cast<double>(plan.size))
                                       : useful_pieces(problem, basis, plan.size, size);
  require(pieces_suit(passes.pieces, m, size),
          fmt::format("sampling: expected a multiple of the {} pushes per step as the pieces of a "
                      "pass over {} samples, got {}",
                      m, size, passes.pieces));
  require(!options.trace_every,
          "trace-every: batches that grow are evaluated after every pass, so choose another "
          "sampling than passes");
  if (!options.batch_size)
    plan.size = m * static_cast<std::int64_t>(std::ceil(size / passes.pieces));
  plan.pushes_per_pass = static_cast<int>(passes.pieces);
  const double waiting_max = pushes_in_memory(problem, basis.state, size / passes.pieces);
  plan.pushes_max = static_cast<int>(std::clamp<double>(waiting_max, m, plan.pushes_per_pass));
  plan.epochs_per_pass = size / n;
  plan.sampling = passes;
  std::string choice = fmt::format(
      "batches of {} samples, larger where noise makes the objective rise: up to a whole pass, in "
      "{} pieces that workers share",
      plan.size, passes.pieces);
  return {.value = {std::move(plan), std::move(lipschitz)}, .choices = {std::move(choice)}};
}

}  // namespace

Chosen<BatchChoice> plan_batch(const Problem& problem, const Options& options,
                               const BatchBasis& basis) {
  BatchPlan plan;
  plan.size = batch_size(problem, options, basis);
  check_room(problem, basis, plan.size);
  check_epochs(problem, options, plan.size);
  plan.shares = samples_by_worker(options, basis, plan.size);
  if (basis.method.grows()) return with_passes(problem, options, basis, std::move(plan));
  Chosen<AnySampling> sampling = sampling_of_fixed_batches(options, basis);
  plan.sampling = sampling.value;
  auto lipschitz = sample_lipschitz_for(problem, plan.sampling, basis.scales);
  return {.value = {std::move(plan), std::move(lipschitz)}, .choices = std::move(sampling.choices)};
}

// Large enough that noise does not limit the step and that a step's own cost is small beside its
// gradients', small enough for many steps per epoch. A lazy step costs next to nothing, and below
// L_max / L a batch of half the size takes steps of half the length, twice as often: there the
// messages alone ask for more than a few samples.
double useful_batch(const Problem& problem, const MethodPlan& method,
                    const SampleCurvature& curvature, bool lazy) {
  const double n = static_cast<double>(problem.f.num_samples());
  const double d = static_cast<double>(problem.f.dimension());
  const double lipschitz = curvature.smoothness.estimate.value_or(0);
  const double by_noise = lipschitz > 0 ? curvature.sample_max(method) / lipschitz : 1;
  // Of a sample of several outputs the coordinates lie side by side, as those of a dense step do.
  const double cost_of_dense = problem.f.outputs() > 1 ? 1 : 0.1;
  const double by_cost = cost_of_dense * d / std::max(1.0, problem.f.mean_keys());
  const double wanted = lazy ? std::min(by_noise, kLazyBatch) : std::max(by_noise, by_cost);
  // Where noise vanishes by itself, or batches grow, more and shorter steps are better: twice as
  // many, unless there would be little work in each.
  const double by_work = std::min(kStepKeys / std::max(1.0, problem.f.mean_keys()), n / 512);
  const double least = method.bold ? std::max(by_work, n / 1024) : n / 512;
  return std::max(1.0, std::min(std::max(wanted, least), 0.05 * n));
}

std::shared_ptr<const Vector> sample_lipschitz_for(const Problem& problem,
                                                   const AnySampling& sampling,
                                                   const Vector& scales) {
  if (!sampling.asks_for_lipschitz()) return nullptr;
  const Curvature* curvature = problem.f.curvature();
  std::optional<Vector> curvatures = curvature ? curvature->sample_lipschitz(scales) : std::nullopt;
  require(curvatures.has_value(),
          fmt::format("sampling: {} needs the curvature of each sample, and this problem has none",
                      sampling.name()));
  return std::make_shared<const Vector>(std::move(*curvatures));
}

std::shared_ptr<const Vector> support_weights_for(const Problem& problem, const MethodPlan& method,
                                                  StateChoice state, std::int64_t batch_size) {
  if (state != StateChoice::lazy || method.traits().lazy != LazyForm::on_support) return nullptr;
  const auto n = static_cast<double>(problem.f.num_samples());
  const auto N = static_cast<double>(batch_size);
  Vector weights = key_counts(problem.f);
  for (double& weight : weights) weight = -1 / std::expm1(N * std::log1p(-weight / n));
  for (double& weight : weights)
    if (!std::isfinite(weight)) weight = 1;
  return std::make_shared<const Vector>(std::move(weights));
}

}  // namespace asynprox
