// The honest figure: the best that one worker can do against the best that eight can.
#include <fmt/format.h>

#include <algorithm>

#include "reproduce/experiments.h"
#include "reproduce/speedup.h"

namespace asynprox::reproduce {
namespace {

constexpr std::int64_t kStepsMax = 60;

struct Choice {
  double step_factor = 1;
  std::int64_t batch_size = kBatch;
  double seconds = 0;
};

// Every step and batch that is tried.
std::vector<Choice> choices(const Study& study) {
  const std::vector<double> factors = study.quick
                                          ? std::vector{0.5, 1.0, 4.0, 16.0}
                                          : std::vector{0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0};
  const std::vector<std::int64_t> batches =
      study.quick ? std::vector<std::int64_t>{256, 512, 1024, 8192}
                  : std::vector<std::int64_t>{64, 128, 256, 512, 1024, 2048, 4096, 8192};
  std::vector<Choice> all;
  for (const double factor : factors)
    for (const std::int64_t batch : batches) all.push_back({factor, batch});
  return all;
}

std::vector<Choice> measured(const Study& study, const PaperProblem& problem, int workers) {
  std::vector<Choice> all = choices(study);
  for (Choice& choice : all) {
    study.watch.tell(fmt::format("{}: {} workers, eta = {}/L, N = {}", problem.name, workers,
                                 choice.step_factor, choice.batch_size));
    Options options = study.algorithm_1(problem, workers, choice.step_factor);
    options.batch_size = choice.batch_size;
    options.stop = {.steps = kStepsMax};
    choice.seconds = mean_seconds(passages(problem, options, study.seed_numbers(), study.watch));
  }
  return all;
}

template <class Allowed>
const Choice& best(const std::vector<Choice>& all, Allowed allowed) {
  return *std::ranges::min_element(all, [&](const Choice& a, const Choice& b) {
    return allowed(a) && (!allowed(b) || a.seconds < b.seconds);
  });
}

std::string text_of(const Choice& choice) {
  return fmt::format("eta = {}/L, N = {}: {:.1f} ms", choice.step_factor, choice.batch_size,
                     1e3 * choice.seconds);
}

}  // namespace

void study_tuned(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{.name = "tuned_" + problem.name,
              .title = "The best of one worker over the best of eight on " + problem.about,
              .how = "simulated",
              .note = fmt::format(
                  "Time to 1e-3, interpolated, mean over {} seeds; step and batch are the best of "
                  "a grid, for one worker and for eight apart. A baseline that is slower than need "
                  "be, by a short step or a large batch, flatters the speedup.",
                  study.seeds),
              .columns = {"free to choose", "best of one worker", "best of eight", "speedup"}};
  const std::vector<Choice> one = measured(study, problem, 1), eight = measured(study, problem, 8);
  const auto add = [&](const std::string& name, auto allowed) {
    const Choice &a = best(one, allowed), &b = best(eight, allowed);
    table.rows.push_back({name, text_of(a), text_of(b), number(a.seconds / b.seconds, 2)});
  };
  add("eta and N", [](const Choice&) { return true; });
  add("eta up to 1/L, and N", [](const Choice& choice) { return choice.step_factor <= 1; });
  add("nothing: eta = 1/L, N = 8192",
      [](const Choice& choice) { return choice.step_factor == 1 && choice.batch_size == kBatch; });
  findings.add(std::move(table));
}

}  // namespace asynprox::reproduce
