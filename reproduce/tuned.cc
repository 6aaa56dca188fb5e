// The honest figure: the best that one worker can do against the best that eight can.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/experiments.h"
#include "reproduce/speedup.h"

namespace asynprox::reproduce {
namespace {

constexpr std::int64_t kStepsMax = 60;
constexpr double kSlowLatency = 6e-4;  // seconds, each way

// What may be chosen from the grid, narrower than all of it.
constexpr double kFactorMax = 6;
constexpr std::int64_t kBatchMin = 512;

struct Choice {
  double step_factor = 1;
  std::int64_t batch_size = kBatch;
  double seconds = 0;        // to the target, interpolated
  double seconds_first = 0;  // to the end of the step that got there
};

bool is_papers(const Choice& choice) {
  return choice.step_factor == 1 && choice.batch_size == kBatch;
}
bool is_short(const Choice& choice) { return choice.step_factor <= 1; }
bool is_narrow(const Choice& choice) {
  return choice.step_factor <= kFactorMax && choice.batch_size >= kBatchMin;
}

// Every step and batch that is tried.
std::vector<Choice> choices(const Study& study) {
  const std::vector<double> factors =
      study.quick ? std::vector{0.5, 1.0, kFactorMax, 16.0}
                  : std::vector{0.5, 1.0, 2.0, 4.0, kFactorMax, 8.0, 16.0, 64.0};
  const std::vector<std::int64_t> batches =
      study.quick ? std::vector<std::int64_t>{256, kBatchMin, 1024, kBatch}
                  : std::vector<std::int64_t>{64, 128, 256, kBatchMin, 1024, 2048, 4096, kBatch};
  std::vector<Choice> all;
  for (const double factor : factors)
    for (const std::int64_t batch : batches) all.push_back({factor, batch});
  return all;
}

// These choices for one worker, and for eight.
struct Grid {
  std::vector<Choice> one, eight;
};

std::vector<Choice> measured(const Study& study, const PaperProblem& problem, int workers,
                             std::vector<Choice> all) {
  for (Choice& choice : all) {
    study.watch.tell(fmt::format("{}: {} workers, eta = {}/L, N = {}", problem.name, workers,
                                 choice.step_factor, choice.batch_size));
    Options options = study.algorithm_1(problem, workers, choice.step_factor);
    options.batch_size = choice.batch_size;
    options.stop = {.steps = kStepsMax};
    const Passages runs = passages(problem, options, study.seed_numbers(), study.watch);
    choice.seconds = mean_seconds(runs);
    choice.seconds_first = mean_seconds_first(runs);
  }
  return all;
}

Grid measured_for_both(const Study& study, const PaperProblem& problem,
                       const std::vector<Choice>& all) {
  return {.one = measured(study, problem, 1, all), .eight = measured(study, problem, 8, all)};
}

template <class Allowed>
const Choice& best(const std::vector<Choice>& all, double Choice::* seconds, Allowed allowed) {
  return *std::ranges::min_element(all, [&](const Choice& a, const Choice& b) {
    return allowed(a) && (!allowed(b) || a.*seconds < b.*seconds);
  });
}

std::string text_of(const Choice& choice) {
  return fmt::format("eta = {}/L, N = {}: {:.1f} ms", choice.step_factor, choice.batch_size,
                     1e3 * choice.seconds);
}

}  // namespace

void study_tuned(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{
      .name = "tuned_" + problem.name,
      .title = "The best of one worker over the best of eight on " + problem.about,
      .how = "simulated",
      .note = fmt::format(
          "Time to 1e-3, interpolated, mean over {} seeds; step and batch are the best of a grid, "
          "for one worker and for eight apart. A baseline that is slower than need be, by a short "
          "step or a large batch, flatters the speedup. Where both are tuned it hangs on what a "
          "message costs beside a small batch ({} ms each way and its bytes, or {} ms on the slow "
          "network) and on the smallest batch and the longest step that are allowed. In whole "
          "steps, to the end of the one that gets there and tuned by that, it also jumps: one "
          "worker may need 2 where eight need 3.",
          study.seeds, 1e3 * study.cluster.latency_up, 1e3 * kSlowLatency),
      .columns = {"free to choose", "best of one worker", "best of eight", "speedup",
                  "in whole steps"}};
  const auto add = [&](const std::string& name, const Grid& grid, auto allowed) {
    const auto speedup = [&](double Choice::* seconds) {
      return number(
          best(grid.one, seconds, allowed).*seconds / best(grid.eight, seconds, allowed).*seconds,
          2);
    };
    table.rows.push_back({name, text_of(best(grid.one, &Choice::seconds, allowed)),
                          text_of(best(grid.eight, &Choice::seconds, allowed)),
                          speedup(&Choice::seconds), speedup(&Choice::seconds_first)});
  };
  const auto add_narrow = [&](const std::string& where, const Grid& grid) {
    add(fmt::format("eta up to {}/L, N from {}{}", kFactorMax, kBatchMin, where), grid, is_narrow);
    add(fmt::format("eta up to 1/L, N from {}{}", kBatchMin, where), grid,
        [](const Choice& choice) { return is_narrow(choice) && is_short(choice); });
    add(fmt::format("nothing: eta = 1/L, N = {}{}", kBatch, where), grid, is_papers);
  };

  std::vector<Choice> all = choices(study);
  const Grid here = measured_for_both(study, problem, all);
  add("eta and N", here, [](const Choice&) { return true; });
  add("eta up to 1/L, and N", here, is_short);
  add_narrow("", here);

  Study slow = study;
  slow.cluster.latency_up = slow.cluster.latency_down = kSlowLatency;
  std::erase_if(all, [](const Choice& choice) { return !is_narrow(choice); });
  add_narrow("; slow network", measured_for_both(slow, problem, all));
  findings.add(std::move(table));
}

}  // namespace asynprox::reproduce
