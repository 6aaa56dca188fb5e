#include "asynprox/runtimes/monitor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/certificates/dual_refinement.h"
#include "asynprox/certificates/duality_gap.h"

namespace asynprox {
namespace {

constexpr double kHorizonShare = 0.05;
constexpr std::chrono::milliseconds kProgressInterval(200);

// Newton's method ends where it expects to gain less than this share of the tolerance.
constexpr double kToleranceShare = 3e-4;

// Of the objective at the start: an objective of at most that is looked at more closely.
constexpr double kNearZero = 1e-12;

// Of the tolerance: an objective that fell by less in an evaluation of the fallback has come to
// rest.
constexpr double kRestShare = 1e-2;

// Times the passes at which a bound was refined last, so that this costs a fraction of the work.
constexpr double kAgain = 1.25;

// Of the objective: what a bound may be above it, for the rounding of their sums; and what a model
// is to have for a bound by it to be less exact than one by a nearer.
constexpr double kExcess = 1e-10, kFarAbove = 1e3;

constexpr double kEpochsOfALook = 2;  // at most: a Hessian, and a pass

// Where a gap was too large, there is another attempt once what is expected to be gained has
// fallen as much as the gap has to, and at least to this share.
constexpr double kShareUncertified = 0.5;

// Passes of the fallback in one evaluation: a quarter of those so far, so that certificates cost a
// fraction of the work, within these. Events count up to 254.
constexpr std::int64_t kPassesLeast = 10, kPassesMost = 200;

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Monitor::Monitor(const Problem& problem, Recorder& recorder, MonitorOptions options)
    : problem_(problem),
      recorder_(recorder),
      options_(std::move(options)),
      shares_(options_.evaluation_shares) {
  if (!options_.search) return;
  span_.emplace(problem);
  if (options_.newton && NewtonSearch::possible(problem))
    newton_.emplace(problem, options_.reference_step, options_.evaluation_shares,
                    options_.column_curvatures);
}

double Monitor::seconds() const {
  if (options_.virtual_seconds) return *options_.virtual_seconds;
  const Clock::time_point now = evaluation_start_ ? *evaluation_start_ : Clock::now();
  return seconds_between(start_, now) - evaluation_seconds_;
}

std::uint64_t Monitor::nanoseconds() const {
  if (options_.virtual_seconds)
    return static_cast<std::uint64_t>(std::min(1e9 * *options_.virtual_seconds, 0x1p63));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
}

std::optional<double> Monitor::seconds_to_limit() const {
  if (!options_.seconds_max) return std::nullopt;
  return *options_.seconds_max - seconds();
}

void Monitor::watch(Server& server, Replies& replies) {
  watch_limits(server, replies);
  // Where the run falls back, one evaluation follows another.
  while (!server.stopped() && server.evaluation_due()) {
    const Evaluation& evaluation = evaluate(server);  // before better(): it finds that
    server.evaluated(evaluation, replies, better());
    watch_limits(server, replies);
  }
  if (!options_.on_progress || Clock::now() < progress_next_) return;
  progress_next_ = Clock::now() + kProgressInterval;
  tell(progress(server));
}

bool Monitor::interrupted() const {
  return options_.interrupt && options_.interrupt->load(std::memory_order_relaxed);
}

void Monitor::watch_limits(Server& server, Replies& replies) {
  if (server.stopped()) return;
  if (interrupted()) return server.stop(StopReason::interrupted, replies);
  if (!options_.seconds_max) return;
  const double now = seconds();
  if (now >= *options_.seconds_max) return server.stop(StopReason::time_limit, replies);
  const bool estimate = options_.estimate_horizon && !horizon_estimated_ && server.version() > 0;
  if (!estimate || now < kHorizonShare * *options_.seconds_max) return;
  horizon_estimated_ = true;
  const double steps = static_cast<double>(server.version()) * *options_.seconds_max / now;
  Event event;
  event.nanoseconds = nanoseconds();
  event.kind = EventKind::horizon;
  event.horizon = {.steps = static_cast<std::uint64_t>(steps) + 1,
                   .server_version = static_cast<std::uint64_t>(server.version())};
  recorder_.add(event);
  server.set_horizon(static_cast<std::int64_t>(event.horizon.steps));
}

Progress Monitor::progress(const Server& server) const {
  Progress progress;
  progress.seconds = seconds();
  progress.steps = server.version();
  progress.sample_gradients = server.sample_gradients() + samples_searched_;
  progress.epochs = static_cast<double>(progress.sample_gradients) /
                    static_cast<double>(problem_.f.num_samples());
  if (!trace_.empty()) progress.objective = trace_.back().objective;
  if (!trace_.empty()) progress.nonzeros = trace_.back().nonzeros;
  progress.staleness_mean = server.staleness().mean();
  progress.staleness_max = server.staleness().max;
  if (progress.seconds > 0)
    progress.sample_gradients_per_second =
        static_cast<double>(progress.sample_gradients) / progress.seconds;
  if (options_.seconds_max) progress.seconds_left = *options_.seconds_max - progress.seconds;
  const auto tell_limit = [&](double done, double limit) {
    if (!(done > 0)) return;
    const double left = std::max(0.0, limit - done) * progress.seconds / done;
    progress.seconds_left = std::min(left, progress.seconds_left.value_or(left));
  };
  const StoppingRules& rules = server.stopping().rules();
  if (rules.epochs) tell_limit(progress.epochs, *rules.epochs);
  if (rules.steps)
    tell_limit(static_cast<double>(progress.steps), static_cast<double>(*rules.steps));
  return progress;
}

void Monitor::tell(const Progress& progress) {
  if (!options_.on_progress) return;
  const std::lock_guard lock(telling_);
  options_.on_progress(progress);
}

void Monitor::begin_evaluation(const Server& server) {
  now_ = {};
  now_.seconds = seconds();
  evaluation_start_ = Clock::now();
  now_.steps = server.version();
  now_.sample_gradients = server.sample_gradients();
  now_.staleness_max = server.staleness().max;
  search_seconds_ = certify_seconds_ = 0;
  search_start_.reset();
  gave_up_ = false;
  looks_ = 0;
  if (newton_) newton_->begin();
  now_.of_fallback = server.fallen_back() && !finished_;
  descending_ = false;
  passes_here_ = 0;
  passes_max_ = static_cast<int>(std::clamp(passes_ / 4, kPassesLeast, kPassesMost));
  share_to_gain_ = kToleranceShare * options_.tolerance;
  better_.reset();
}

// What an evaluation keeps is the memory of the thread that makes the first.
void Monitor::read_model(const Server& server) {
  here_.x = server.iterate();
  const bool needed = options_.falls_back || (options_.certify && problem_.f.nonnegative());
  if (needed && now_.steps == 0 && x0_.empty()) x0_ = here_.x;
  if (!span_) return;
  here_.outputs.resize(problem_.f.num_samples() * problem_.f.outputs());
  here_.scalars.resize(here_.outputs.size());
}

void Monitor::evaluate_share(int share) {
  if (summing()) return newton_->sum_share(share);
  Share& sums = shares_[share];
  sums.value = value_and_gradient_sums(problem_.f, here_.x, share, num_shares(), sums.gradient,
                                       here_.outputs, here_.scalars);
}

bool Monitor::finish_shares() {
  if (!summing()) sum_shares();
  if (newton_ && !descending_ && look_further()) return true;
  if (now_.of_fallback && descend()) return true;
  if (search_start_)
    search_seconds_ = seconds_between(*search_start_, Clock::now()) - certify_seconds_;
  describe();
  const bool by_newton = better_.has_value();
  // Where Newton's method is to come, the model of the start is not worth its memory.
  if (span_ && !by_newton && !now_.of_fallback && !(newton_ && now_.steps == 0))
    look_among_the_last();
  // It moves the model as steps do, so its time is the run's.
  if (!options_.virtual_seconds) now_.seconds += search_seconds_;
  if (options_.certify && (by_newton || now_.of_fallback || slow_enough()))
    certify(now_);
  else
    now_.gap_skipped = options_.certify;
  if (now_.of_fallback) refine_bound();
  if (!options_.on_evaluation) return false;
  const std::lock_guard lock(telling_);
  options_.on_evaluation(now_);
  return false;
}

void Monitor::sum_shares() {
  bounded_ = false;
  std::swap(here_.gradient, shares_.front().gradient);
  double total = shares_.front().value;
  for (std::size_t share = 1; share < shares_.size(); ++share) {
    total += shares_[share].value;
    add_scaled(here_.gradient, 1, shares_[share].gradient);
  }
  const double n = static_cast<double>(problem_.f.num_samples());
  scale(here_.gradient, 1 / n);
  here_.objective = {.loss = total / n, .regularizer = problem_.h.value(here_.x)};
}

bool Monitor::time_is_up() const {
  if (interrupted()) return true;
  if (!options_.seconds_max || options_.virtual_seconds || !search_start_) return false;
  const double searched = seconds_between(*search_start_, Clock::now()) - certify_seconds_;
  return now_.seconds + searched >= *options_.seconds_max;
}

double Monitor::epochs_so_far() const {
  return static_cast<double>(now_.sample_gradients + samples_read()) /
         static_cast<double>(problem_.f.num_samples());
}

bool Monitor::look_further() {
  // The first evaluation tells of where the run begins.
  if (now_.steps == 0 && !now_.of_fallback) return false;
  // What is worse than the start will be left for a better one.
  if (looks_ == 0 && !summing() && !trace_.empty() &&
      !(here_.objective.total() <= trace_.front().objective))
    return false;
  if (!search_start_) search_start_ = Clock::now();
  // A step whose Hessian was summed is taken; before another is begun there is time to end.
  const bool begun = summing();
  gave_up_ = !begun && time_is_up();
  const bool more = begun || (!gave_up_ && looks_ < looks_max_ &&
                              epochs_so_far() + kEpochsOfALook <= options_.epochs_max);
  const double objective = std::abs(here_.objective.total());
  const auto next_within = [&](double share) {
    // Without a gap only a sequence of steps tells how much is left.
    if (now_.of_fallback && !dual_best_ && looks_ < 2) share = 0;
    return newton_->next(here_,
                         {.fall = share * objective, .more = more, .patient = now_.of_fallback});
  };
  NewtonSearch::Next next = next_within(share_to_gain_);
  // A gap closes later than the objective comes to rest.
  if (next == NewtonSearch::Next::rest && options_.certify && !certified()) {
    share_to_gain_ = std::min(gap_fall_, kShareUncertified) * newton_->expected() / objective;
    next = next_within(share_to_gain_);
  }
  if (next == NewtonSearch::Next::look) ++looks_;
  if (summing() || next == NewtonSearch::Next::look) return true;
  if (newton_->found()) better_ = here_.x;
  now_.settled = newton_->settled(share_to_gain_ * objective);
  // Its own end counts as a look, so that a record tells it from one that time forced on it.
  if (now_.of_fallback && !gave_up_) ++looks_;
  return false;
}

// What counts as small is measured at x_0, or at coefficients of zero where the loss is less there,
// with the best intercept: how far labels are from 0, or how bad a start is, says nothing of how
// small an error must be.
void Monitor::measure_start() {
  start_measured_ = true;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vector& x : {x0_, Vector(x0_.size(), 0)}) {
    EvaluatedModel start;
    const std::optional<Vector> solved = problem_.f.best_intercept(x);
    start.x = solved.value_or(x);
    const double loss = value_and_gradient(problem_.f, start.x, start.gradient);
    if (!(loss < lowest)) continue;
    lowest = loss;
    if (solved || problem_.f.num_free() == 0) objective_at_start_ = loss;
    const double mapping = fista_ ? fista_->mapping(start) : 0;
    if (mapping > 0) mapping_at_start_ = mapping;
  }
}

bool Monitor::begin_descent() {
  descending_ = true;
  if (!search_start_) search_start_ = Clock::now();
  if (!fista_) {
    fista_.emplace(problem_);
    columns_apart_ = fista_->columns_apart();
    measure_start();
  }
  const std::optional<double> gap = gap_here();
  const double wanted = options_.tolerance * std::abs(here_.objective.total());
  if (options_.tolerance == 0) return true;
  if (gap) return *gap > wanted;
  return !now_.settled || fista_->mapping(here_) > options_.tolerance * mapping_at_start_;
}

bool Monitor::descend() {
  const bool wanted = descending_ || begin_descent();
  gave_up_ = time_is_up();
  const bool more = wanted && !gave_up_ && looks_ < looks_max_ && passes_here_ < passes_max_ &&
                    now_.steps + passes_ < options_.steps_max &&
                    epochs_so_far() + 1 <= options_.epochs_max;
  const FistaSearch::Next next = fista_->next(here_, more);
  if (next == FistaSearch::Next::look) {
    ++looks_;
    ++passes_here_;
    ++passes_;
    return true;
  }
  end_descent(next);
  return false;
}

void Monitor::end_descent(FistaSearch::Next next) {
  better_ = here_.x;
  now_.exhausted = next == FistaSearch::Next::exhausted;
  const double mapping = fista_->mapping(here_);
  if (mapping > 0)
    now_.fallback_mapping = std::isfinite(mapping_at_start_)
                                ? mapping / mapping_at_start_
                                : std::numeric_limits<double>::infinity();
  now_.cut_short = gave_up_ || looks_ >= looks_max_ ||  // now, or in the record
                   (!now_.exhausted && fista_->shortening());
}

// Where there is no gap, as far as can be known.
bool Monitor::certified() {
  const std::optional<double> gap = gap_here();
  if (!gap) return true;
  gap_fall_ = options_.tolerance * std::abs(here_.objective.total()) / *gap;
  return gap_fall_ >= 1;
}

std::optional<double> Monitor::gap_here() {
  const Clock::time_point before = Clock::now();
  Evaluation here;
  here.objective = here_.objective.total();
  certify(here);
  certify_seconds_ += seconds_between(before, Clock::now());
  return here.duality_gap;
}

void Monitor::describe() {
  now_.epochs = epochs_so_far();
  now_.epochs_searched =
      static_cast<double>(samples_read()) / static_cast<double>(problem_.f.num_samples());
  now_.sample_gradients += samples_read();
  now_.loss_value = here_.objective.loss;
  now_.regularizer_value = here_.objective.regularizer;
  now_.objective = here_.objective.total();
  now_.gradient_mapping =
      gradient_mapping_norm(problem_.h, here_.x, here_.gradient, options_.reference_step);
  if (options_.own_step)
    now_.gradient_mapping_own =
        gradient_mapping_norm(problem_.h, here_.x, here_.gradient, *options_.own_step);
  now_.nonzeros = count_coefficients(here_.x);
  now_.fallback_passes = passes_;
  if (!start_measured_ && near_zero()) measure_start();
  now_.objective_at_start = objective_at_start_;
}

// Only then does it matter what the objective was at the start, which costs passes over the data.
bool Monitor::near_zero() const {
  return !x0_.empty() && problem_.f.nonnegative() && !trace_.empty() &&
         now_.objective <= kNearZero * trace_.front().objective;
}

bool Monitor::slow_enough() const {
  if (options_.certify_below == 0) return true;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Evaluation& before : trace_) lowest = std::min(lowest, before.objective);
  return std::abs(lowest - now_.objective) <= options_.certify_below * std::abs(now_.objective);
}

// The gradient mapping told stays that of the model evaluated.
void Monitor::look_among_the_last() {
  const Clock::time_point before = Clock::now();
  std::optional<SpanSearch::Found> found = span_->search(here_);
  search_seconds_ += seconds_between(before, Clock::now());
  if (!found) return;
  now_.loss_value = found->objective.loss;
  now_.regularizer_value = found->objective.regularizer;
  now_.objective = found->objective.total();
  now_.nonzeros = count_coefficients(found->x);
  better_ = std::move(found->x);
}

const Evaluation& Monitor::end_evaluation(const Server& server) {
  // After a stop an evaluation changes nothing any more, whatever it found.
  if (!server.stopped())
    record_hashes(EventKind::evaluated, server,
                  static_cast<std::uint8_t>(gave_up_ ? looks_ + 1 : 0));
  of_another_ = server.stopped() && better_;
  samples_searched_ = samples_read();
  looks_max_ = std::numeric_limits<int>::max();
  evaluation_seconds_ += seconds_between(*evaluation_start_, Clock::now()) - search_seconds_;
  evaluation_start_.reset();
  return trace_.emplace_back(now_);
}

const Evaluation& Monitor::evaluate(const Server& server) {
  begin_evaluation(server);
  read_model(server);
  do
    for (int share = 0; share < num_shares(); ++share) evaluate_share(share);
  while (finish_shares());
  return end_evaluation(server);
}

std::int64_t Monitor::count_coefficients(std::span<const double> x) const {
  const std::size_t coefficients = x.size() - problem_.f.num_free();
  return static_cast<std::int64_t>(count_nonzeros(x.first(coefficients)));
}

void Monitor::certify(Evaluation& evaluation) {
  const std::optional<double> dual =
      std::exchange(bounded_, true) ? std::nullopt : dual_value(problem_, here_);
  keep_bound(dual, std::abs(evaluation.objective));
  if (!dual_best_ || !std::isfinite(evaluation.objective)) return;
  // An objective below the bound is wrong by rounding, and by that much at least.
  const double excess = *dual_best_ - evaluation.objective;
  if (excess > kExcess * std::abs(evaluation.objective)) rounding_ = std::max(rounding_, excess);
  evaluation.duality_gap = std::max({0.0, -excess, rounding_});
}

// One by a model far above, as a bad start is, is left for one by a nearer model.
void Monitor::keep_bound(std::optional<double> dual, double size) {
  const bool far_above = dual_size_ > kFarAbove * size;
  if (!far_above && (!dual || (dual_best_ && *dual <= *dual_best_))) return;
  if (far_above) rounding_ = 0;
  dual_best_ = dual;
  dual_size_ = size;
}

// A gap that stays where the objective rests is that of the bound, not of the model. Before that,
// it is worth a try now and then.
void Monitor::refine_bound() {
  const double size = std::abs(now_.objective), tolerance = options_.tolerance;
  if (!now_.duality_gap || *now_.duality_gap <= tolerance * size || tolerance == 0) return;
  const bool rests = !trace_.empty() && trace_.back().of_fallback &&
                     trace_.back().objective - now_.objective <= kRestShare * tolerance * size;
  const bool due = passes_ >= passes_to_refine_;
  const bool again = static_cast<double>(passes_) >= kAgain * passes_refined_;
  if (!fista_ || gave_up_ || !(due || now_.exhausted || (rests && again))) return;
  if (due) passes_to_refine_ = 2 * passes_;
  passes_refined_ = static_cast<double>(passes_);
  const std::optional<double> dual =
      refined_dual_value(problem_, fista_->metric(), here_, now_.objective - tolerance * size);
  keep_bound(dual, size);
  certify(now_);
}

void Monitor::record_hashes(EventKind kind, const Server& server, std::uint8_t outcome) {
  if (!recorder_.is_on()) return;
  Hash model;
  model.add(server.iterate());
  Event event;
  event.nanoseconds = nanoseconds();
  event.kind = kind;
  event.outcome = outcome;
  event.hashes = {.steps = server.steps_hash(), .model = model.value()};
  recorder_.add(event);
}

void Monitor::finish(const Server& server) {
  seconds_at_end_ = seconds();
  samples_searched_ = samples_read();
  finished_ = true;
  span_.reset();
  newton_.reset();
  fista_.reset();
  here_.outputs.clear();
  here_.scalars.clear();
  // Once more, for the gradient there; whom evaluations are told knows of it already.
  const bool was_here = !trace_.empty() && trace_.back().steps == server.version();
  if (was_here && (of_another_ || (server.replaced() && here_.x != server.iterate()))) {
    trace_.pop_back();
    options_.on_evaluation = nullptr;
  }
  if (trace_.empty() || trace_.back().steps != server.version()) evaluate(server);
  const Clock::time_point before = Clock::now();
  if (!trace_.back().duality_gap) certify(trace_.back());
  stationarity_gap_ = asynprox::stationarity_gap(problem_, here_.x, here_.gradient);
  evaluation_seconds_ += seconds_between(before, Clock::now());
  Event event = message_event(EventKind::stopped, 0, 0);
  event.nanoseconds = nanoseconds();
  event.outcome = static_cast<std::uint8_t>(*server.stop_reason());
  event.message.server_version = static_cast<std::uint32_t>(server.version());
  recorder_.add(event);
  record_hashes(EventKind::end, server);
  recorder_.close();
}

}  // namespace asynprox
