// Sparse data in many dimensions: what a sample costs must follow its nonzeros, not d.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "asynprox/solve.h"
#include "asynprox/sums/linear_sum.h"

#include "benchmarks/in_place.h"
#include "benchmarks/measure.h"
#include "benchmarks/report.h"
#include "benchmarks/run_loop.h"

namespace asynprox::benchmarks {
namespace {

constexpr std::int64_t kBatch = 128;
constexpr double kEta = 1e-2, kLambda = 1e-5;
constexpr std::int64_t kPushes = 400;

// Seconds a sample of W threads, in a whole run with the bound enforced.
double threads(const Dataset& data, int workers) {
  Options options = {.step = ConstantStep{.value = kEta},
                     .workers = workers,
                     .batch_size = workers * kBatch,
                     .staleness_max = 4,
                     .stop = {.steps = 2 * kPushes},
                     .trace_every = std::int64_t{1} << 40};
  options.state = StateChoice::lazy;
  const Result result = solve(data, LogisticLoss{}, L1{.lambda = kLambda}, options);
  return result.seconds / static_cast<double>(result.sample_gradients);
}

struct Costs {
  double in_place = 1e9, ours = 1e9, one_thread = 1e9, two_threads = 1e9;  // seconds a sample
};

Costs costs(const Dataset& data, int turns) {
  InPlaceL1Logistic in_place(data.rows, data.labels, kBatch, kLambda, kEta);
  RunLoop ours(LinearSum(data, data.labels, LogisticLoss{}), L1{.lambda = kLambda},
               {.samples_per_push = kBatch, .eta = kEta, .lazy = true});
  const std::vector<double> seconds =
      best_seconds({[&] { in_place.take(kPushes); }, [&] { ours.take(kPushes); }}, turns);
  const auto samples = static_cast<double>(kPushes * kBatch);
  Costs best{.in_place = seconds[0] / samples, .ours = seconds[1] / samples};
  for (int turn = 0; turn < turns; ++turn) {
    best.one_thread = std::min(best.one_thread, threads(data, 1));
    best.two_threads = std::min(best.two_threads, threads(data, 2));
  }
  return best;
}

void measure(const Arguments& arguments, Report& report) {
  report.begin(
      {"sparse",
       fmt::format("Generated rows of 50 nonzeros on average, logistic loss, l1, {} "
                   "samples per push. \"In place\" is a serial loop with the same lazy prox "
                   "and no server; what it loses by d is the memory's cost.",
                   kBatch),
       {"columns", "d", "us per sample", "to d = 10^4", "in place to d = 10^4", "to in place",
        "two threads to one"}});
  for (const std::string columns : {"zipf", "uniform"}) {
    Costs narrow;
    for (const int d : {10'000, 100'000, 1'000'000}) {
      const Dataset data = read_dataset(
          fmt::format("generate:sparse-logistic:n=200000,d={},nonzeros=50,columns={}", d, columns));
      const Costs c = costs(data, arguments.turns);
      if (d == 10'000) narrow = c;
      report.add({columns, fmt::format("{}", d), 1e6 * c.ours, c.ours / narrow.ours,
                  c.in_place / narrow.in_place, c.ours / c.in_place, c.one_thread / c.two_threads});
    }
  }
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  return asynprox::benchmarks::run_program(argc, argv, "Sparse data in many dimensions",
                                           asynprox::benchmarks::measure);
}
