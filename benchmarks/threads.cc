// Two threads against one, with the bound enforced and the run recorded, beside what the machine
// can do at most: two copies of the serial loop that know nothing of each other.
#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "asynprox/report/event_file.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes/all.h"

#include "benchmarks/report.h"

namespace asynprox::benchmarks {
namespace {

constexpr double kSecondsOfARun = 0.25;

struct Case {
  const Dataset& data;
  std::int64_t samples_per_push = 0;
  double rate_guess = 0;  // sample gradients per second of one core, for the length of a run
};

Options run_options(const Case& c, int workers, Runtime runtime) {
  const std::int64_t batch = workers * c.samples_per_push;
  Options options = {.step = ConstantStep{.value = 1e-9}, .workers = workers, .batch_size = batch};
  options.runtime = runtime;
  options.staleness_max = workers == 1 ? 0 : 4;
  options.stop.steps = static_cast<std::int64_t>(workers * c.rate_guess * kSecondsOfARun) / batch;
  options.trace_every = std::int64_t{1} << 40;
  return options;
}

// Sample gradients per second. Evaluations and what comes before the first step do not count.
double rate(const Case& c, const Options& options) {
  const Result result = solve(c.data, LogisticLoss{}, L1{.lambda = 1e-6}, options);
  return static_cast<double>(result.sample_gradients) / result.seconds;
}

double one_thread(const Case& c) { return rate(c, run_options(c, 1, Runtime::serial)); }

double two_copies(const Case& c) {
  std::barrier start(2);
  std::vector<double> rates(2);
  std::vector<std::thread> threads;
  for (double& own : rates)
    threads.emplace_back([&] {
      Options options = run_options(c, 1, Runtime::serial);
      options.on_start = [&](const Plan&) { start.arrive_and_wait(); };
      own = rate(c, options);
    });
  for (std::thread& thread : threads) thread.join();
  return rates[0] + rates[1];
}

double two_threads(const Case& c, bool enforced_and_recorded) {
  Options options = run_options(c, 2, Runtime::threads);
  if (!enforced_and_recorded) {
    options.staleness_max = std::int64_t{1} << 40;
    return rate(c, options);
  }
  const std::string path = std::filesystem::temp_directory_path() / "asynprox-bench-events.log";
  EventFileWriter events(path, this_build());
  options.on_events = [&](std::span<const Event> some) { events.add(some); };
  return rate(c, options);
}

void measure_case(const Case& c, int turns, Report& report) {
  double one = 0, ceiling = 0, free = 0, bound = 0;
  for (int turn = 0; turn < turns; ++turn) {
    one = std::max(one, one_thread(c));
    ceiling = std::max(ceiling, two_copies(c));
    free = std::max(free, two_threads(c, false));
    bound = std::max(bound, two_threads(c, true));
  }
  report.add({c.data.name, static_cast<double>(c.samples_per_push), one / 1e6, ceiling / one,
              free / one, bound / one, bound / ceiling, 1 - bound / free});
}

void measure(const Arguments& arguments, Report& report) {
  report.begin({"threads",
                "Logistic loss, one push per worker per step. Speedups are over one thread; the "
                "ceiling is two independent copies of the serial loop. \"Bounded\" has T = 4 "
                "enforced and events.log written; its loss is against neither.",
                {"data", "samples per push", "M gradients/s, one thread", "ceiling", "two threads",
                 "bounded", "bounded / ceiling", "loss by bounding"}});
  for (const std::string name : {"a9a", "mnist"}) {
    Dataset data =
        read_dataset((std::filesystem::path(arguments.data_folder) / (name + ".xz")).string());
    data.name = name;
    if (name == "mnist")
      for (double& label : data.labels) label = label > 4 ? 1 : -1;
    for (const int samples : {1024, 128})
      measure_case({data, samples, name == "a9a" ? 40e6 : 4e6}, arguments.turns, report);
  }
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  return asynprox::benchmarks::run_program(argc, argv, "Two threads",
                                           asynprox::benchmarks::measure);
}
