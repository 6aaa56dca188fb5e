#include "asynprox/algorithm/run_evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "asynprox/certificates/balanced_bound.h"
#include "asynprox/certificates/duality_gap.h"
#include "asynprox/certificates/falls_without_limit.h"

namespace asynprox {
namespace {

// Newton's method ends where it expects to gain less than this share of the tolerance.
constexpr double kToleranceShare = 3e-4;

// Of the objective at the start: an objective of at most that is looked at more closely.
constexpr double kNearZero = 1e-12;

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

}  // namespace

RunEvaluator::RunEvaluator(const Problem& problem, EvaluatorOptions options)
    : problem_(problem), options_(std::move(options)), shares_(options_.shares) {
  if (!options_.search) return;
  span_.emplace(problem);
  if (options_.newton && NewtonSearch::possible(problem))
    newton_.emplace(problem, options_.reference_step, options_.shares, options_.column_curvatures);
}

void RunEvaluator::begin(const Server& server, double seconds) {
  now_ = {};
  now_.seconds = seconds;
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
  extrapolated_ = doubtful_ = settling_ = false;
  better_.reset();
}

// What an evaluation keeps is the memory of the thread that makes the first.
void RunEvaluator::read_model(const Server& server) {
  here_.x = server.iterate();
  const bool needed = options_.falls_back || (options_.certify && problem_.f.nonnegative());
  if (needed && now_.steps == 0 && x0_.empty()) x0_ = here_.x;
  if (!span_) return;
  here_.outputs.resize(problem_.f.num_samples() * problem_.f.outputs());
  here_.scalars.resize(here_.outputs.size());
}

void RunEvaluator::evaluate_share(int share) {
  if (summing()) return newton_->sum_share(share);
  Share& sums = shares_[share];
  sums.value = value_and_gradient_sums(problem_.f, here_.x, share, num_shares(), sums.gradient,
                                       here_.outputs, here_.scalars);
}

bool RunEvaluator::finish_shares(const EvaluationHost& host) {
  host_ = &host;
  if (!summing()) sum_shares();
  if (settling_) {
    settle_extrapolated();
  } else {
    if (newton_ && !descending_ && look_further()) return true;
    if (now_.of_fallback && descend()) return true;
    if (search_start_) search_seconds_ = searched();
    describe();
    // Where Newton's method is to come, the model of the start is not worth its memory.
    if (span_ && !better_ && !now_.of_fallback && !(newton_ && now_.steps == 0))
      look_among_the_last();
  }
  bound_error();
  if (now_.of_fallback && search_start_) search_seconds_ = searched();
  if (extrapolated_ && (doubtful_ || may_end())) {
    look_at_extrapolated();
    return true;
  }
  // It moves the model as steps do, so its time is the run's.
  if (!options_.virtual_time) now_.seconds += search_seconds_;
  if (!silent_) host.tell(now_);
  return false;
}

void RunEvaluator::begin_search() {
  if (!search_start_) search_start_ = host_->elapsed();
}

double RunEvaluator::searched() const {
  // The fallback is the run itself, with all that it needs to know how far it is.
  const double certified = now_.of_fallback ? 0 : certify_seconds_;
  return host_->elapsed() - *search_start_ - certified;
}

void RunEvaluator::sum_shares() {
  bounded_ = has_own_bound_ = false;
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

bool RunEvaluator::time_is_up() const {
  if (host_->interrupted()) return true;
  if (!options_.seconds_max || options_.virtual_time || !search_start_) return false;
  return now_.seconds + searched() >= *options_.seconds_max;
}

double RunEvaluator::epochs_so_far() const {
  return static_cast<double>(now_.sample_gradients + samples_read()) /
         static_cast<double>(problem_.f.num_samples());
}

bool RunEvaluator::look_further() {
  // The first evaluation tells of where the run begins.
  if (now_.steps == 0 && !now_.of_fallback) return false;
  // What is worse than the start will be left for a better one.
  if (looks_ == 0 && !summing() && !trace_.empty() &&
      !(here_.objective.total() <= trace_.front().objective))
    return false;
  begin_search();
  // A step whose Hessian was summed is taken; before another is begun there is time to end.
  const bool begun = summing();
  gave_up_ = !begun && time_is_up();
  // The pass just made is counted when it is judged. Where there are steps, they end the run.
  const double uncounted = now_.of_fallback && newton_->looking() ? 1 : 0;
  const bool more = begun || (!gave_up_ && looks_ < looks_max_ &&
                              epochs_so_far() + uncounted + kEpochsOfALook <= options_.epochs_max);
  const double objective = std::abs(here_.objective.total());
  const auto next_within = [&](double share) {
    // Without a gap only a sequence of steps tells how much is left.
    if (now_.of_fallback && !dual_best_ && looks_ < 2) share = 0;
    return newton_->next(here_, {.fall = share * objective,
                                 .more = more,
                                 .patient = now_.of_fallback,
                                 .gap = options_.tolerance * objective,
                                 .enough = [&](const EvaluatedModel&) { return bounded_here(); },
                                 .stop = [&] { return gave_up_ = gave_up_ || time_is_up(); }});
  };
  NewtonSearch::Next next = next_within(share_to_gain_);
  // A gap closes later than the objective comes to rest.
  if (next == NewtonSearch::Next::rest && options_.certify && !certified()) {
    share_to_gain_ = std::min(gap_fall_, kShareUncertified) * newton_->expected() / objective;
    next = next_within(share_to_gain_);
  }
  if (next == NewtonSearch::Next::look) ++looks_;
  if (summing() || next == NewtonSearch::Next::look) return true;
  if (newton_->found()) refined(here_.x, NewtonSearch::name);
  now_.settled = newton_->settled(share_to_gain_ * objective);
  // Its own end counts as a look, so that a record tells it from one that time forced on it.
  if (now_.of_fallback && !gave_up_) ++looks_;
  return false;
}

void RunEvaluator::refined(Vector x, std::string_view by) {
  better_ = std::move(x);
  now_.refined_by.push_back(by);
}

// Is its gap known, and within the tolerance?
bool RunEvaluator::bounded_here() {
  if (!options_.certify || options_.tolerance == 0) return false;
  const std::optional<double> gap = gap_here();
  return gap && *gap <= options_.tolerance * std::abs(here_.objective.total());
}

// Where there can be no gap, as far as can be known.
bool RunEvaluator::certified() {
  const std::optional<double> gap = gap_here();
  if (!gap && !every_model_has_bound(problem_)) return true;
  gap_fall_ =
      gap ? options_.tolerance * std::abs(here_.objective.total()) / *gap : kShareUncertified;
  return gap_fall_ >= 1;
}

std::optional<double> RunEvaluator::gap_here() {
  const double before = host_->elapsed();
  Evaluation here;
  here.objective = here_.objective.total();
  certify(here);
  certify_seconds_ += host_->elapsed() - before;
  return here.duality_gap;
}

void RunEvaluator::describe() {
  now_.epochs = epochs_so_far();
  now_.epochs_searched =
      static_cast<double>(samples_read()) / static_cast<double>(problem_.f.num_samples());
  now_.sample_gradients += samples_read();
  describe_model();
  now_.fallback_passes = passes_;
  if (now_.of_fallback) now_.epochs_next = passes_of_next_step();
  if (!start_measured_ && near_zero()) measure_start();
  now_.objective_at_start = objective_at_start_;
  now_.unbounded = unbounded();
}

// Asked each time that it has doubled: one that falls without limit does so again and again.
bool RunEvaluator::unbounded() {
  if (!(now_.objective < 0 && now_.objective <= 2 * probed_)) return false;
  probed_ = now_.objective;
  return falls_without_limit(problem_, here_.x, now_.objective);
}

void RunEvaluator::describe_model() {
  now_.has_objective = problem_.f.has_value();
  now_.loss_value = here_.objective.loss;
  now_.regularizer_value = here_.objective.regularizer;
  now_.objective = here_.objective.total();
  now_.gradient_mapping =
      gradient_mapping_norm(problem_.h, here_.x, here_.gradient, options_.reference_step);
  if (options_.own_step)
    now_.gradient_mapping_own =
        gradient_mapping_norm(problem_.h, here_.x, here_.gradient, *options_.own_step);
  now_.nonzeros = count_coefficients(here_.x);
}

// Only then does it matter what the objective was at the start, which costs passes over the data.
bool RunEvaluator::near_zero() const {
  return !x0_.empty() && problem_.f.nonnegative() && !trace_.empty() &&
         now_.objective <= kNearZero * trace_.front().objective;
}

bool RunEvaluator::slow_enough() const {
  if (options_.certify_below == 0) return true;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Evaluation& before : trace_) lowest = std::min(lowest, before.objective);
  return std::abs(lowest - now_.objective) <= options_.certify_below * std::abs(now_.objective);
}

// The gradient mapping told stays that of the model evaluated.
void RunEvaluator::look_among_the_last() {
  const double before = host_->elapsed();
  std::optional<SpanSearch::Found> found = span_->search(here_);
  search_seconds_ += host_->elapsed() - before;
  if (!found) return;
  now_.loss_value = found->objective.loss;
  now_.regularizer_value = found->objective.regularizer;
  now_.objective = found->objective.total();
  now_.nonzeros = count_coefficients(found->x);
  extrapolated_ = true;
  doubtful_ = found->doubtful;
  refined(std::move(found->x), SpanSearch::name);
}

void RunEvaluator::look_at_extrapolated() {
  std::swap(before_, here_);
  here_.x = *std::exchange(better_, std::nullopt);
  here_.outputs.resize(before_.outputs.size());
  here_.scalars.resize(before_.scalars.size());
  now_.refined_by.clear();
  extrapolated_ = false;
  settling_ = true;
}

void RunEvaluator::settle_extrapolated() {
  if (span_->settle(here_, before_))
    refined(here_.x, SpanSearch::name);
  else
    std::swap(here_, before_);
  describe_model();
}

// As Stopping judges, but for what is on the safe side.
bool RunEvaluator::may_end() const {
  const double size = std::abs(now_.objective);
  if (problem_.f.nonnegative() && now_.objective <= kNearZero * objective_at_start_) return true;
  if (now_.duality_gap) return *now_.duality_gap <= options_.tolerance * size;
  return !now_.gap_skipped && !trace_.empty() &&
         std::abs(trace_.back().objective - now_.objective) <= options_.tolerance * size;
}

const Evaluation& RunEvaluator::end(bool stopped) {
  of_another_ = stopped && better_;
  samples_searched_ = samples_read();
  looks_max_ = std::numeric_limits<int>::max();
  return trace_.emplace_back(now_);
}

std::int64_t RunEvaluator::count_coefficients(std::span<const double> x) const {
  const std::size_t coefficients = x.size() - problem_.f.num_free();
  return static_cast<std::int64_t>(count_nonzeros(x.first(coefficients)));
}

void RunEvaluator::bound_error() {
  now_.duality_gap.reset();
  const bool refined_here = better_ && !extrapolated_;
  now_.gap_skipped = options_.certify && !refined_here && !now_.of_fallback && !slow_enough();
  if (options_.certify && !now_.gap_skipped) certify(now_);
  if (!now_.of_fallback) return;
  refine_bound();
  forget_bound_of_others();
}

void RunEvaluator::certify(Evaluation& evaluation) {
  const std::optional<double> dual =
      std::exchange(bounded_, true) ? std::nullopt : dual_value(problem_, here_);
  if (dual) has_own_bound_ = true;
  keep_bound(dual, std::abs(evaluation.objective));
  if (!dual_best_ || !std::isfinite(evaluation.objective)) return;
  // An objective below the bound is wrong by rounding, and by that much at least.
  const double excess = *dual_best_ - evaluation.objective;
  if (!extrapolated_ && excess > kExcess * std::abs(evaluation.objective))
    rounding_ = std::max(rounding_, excess);
  evaluation.duality_gap = std::max({0.0, -excess, rounding_});
}

// One by a model far above, as a bad start is, is left for one by a nearer model.
void RunEvaluator::keep_bound(std::optional<double> dual, double size) {
  const bool far_above = dual_size_ > kFarAbove * size;
  if (!far_above && (!dual || (dual_best_ && *dual <= *dual_best_))) return;
  if (far_above) rounding_ = 0;
  dual_best_ = dual;
  dual_size_ = size;
}

void RunEvaluator::save(SnapshotWriter& writer) const {
  writer.put(fista_.has_value());
  visit_state(*this, writer);
}

void RunEvaluator::restore(SnapshotReader& reader) {
  bool has_fista = false;
  reader.get(has_fista);
  fista_.reset();
  if (has_fista) fista_.emplace(problem_);
  visit_state(*this, reader);
}

std::span<const std::string_view> RunEvaluator::names() {
  static constexpr std::string_view all[] = {NewtonSearch::name, SpanSearch::name,
                                             FistaSearch::name};
  return all;
}

void RunEvaluator::release() {
  samples_searched_ = samples_read();
  finished_ = true;
  span_.reset();
  newton_.reset();
  fista_.reset();
  here_.outputs.clear();
  here_.scalars.clear();
  before_ = {};
}

void RunEvaluator::finish(const Server& server, double seconds, const EvaluationHost& host) {
  release();
  // Once more, for the gradient there; whom evaluations are told knows of it already.
  std::vector<std::string_view> refined_by;
  const bool was_here = !trace_.empty() && trace_.back().steps == server.version();
  if (was_here && (of_another_ || (server.replaced() && here_.x != server.iterate()))) {
    // Of what was found after the end nothing is left.
    if (!of_another_) refined_by = std::move(trace_.back().refined_by);
    trace_.pop_back();
    silent_ = true;
  }
  if (trace_.empty() || trace_.back().steps != server.version()) {
    begin(server, seconds);
    read_model(server);
    for (int share = 0; share < num_shares(); ++share) evaluate_share(share);
    finish_shares(host);  // which looks no further: there are no searches any more
    end(/*stopped=*/true);
    trace_.back().refined_by = std::move(refined_by);
  }
  if (!trace_.back().duality_gap) certify(trace_.back());
  stationarity_gap_ = asynprox::stationarity_gap(problem_, here_.x, here_.gradient);
}

}  // namespace asynprox
