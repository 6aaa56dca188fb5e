// How long a push holds the server, and how many workers it would take to keep it busy all the
// time, by the number of coordinates.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

#include "benchmarks/measure.h"
#include "benchmarks/report.h"
#include "benchmarks/run_loop.h"

namespace asynprox::benchmarks {
namespace {

struct Cost {
  double push = 1e9;    // seconds, all of it
  double server = 1e9;  // of that, in the server
};

Cost cost(const LinearSum& f, const LoopOptions& options, int turns) {
  RunLoop loop(f, L1{.lambda = 1e-6}, options);
  loop.take(20);
  Cost best;
  for (int turn = 0; turn < turns; ++turn) {
    constexpr std::int64_t kPushes = 50;
    const double before = loop.server_seconds();
    const double seconds = seconds_of([&] { loop.take(kPushes); });
    const double pushes = static_cast<double>(kPushes * options.workers);
    best.push = std::min(best.push, seconds / pushes);
    best.server = std::min(best.server, (loop.server_seconds() - before) / pushes);
  }
  return best;
}

void measure(const Arguments& arguments, Report& report) {
  report.begin({"lock",
                "Rows of 50 nonzeros on average, logistic loss, l1, two pushes a step, on one "
                "thread. The server is what the lock guards; it would be busy all the time with "
                "as many workers as the last column says.",
                {"coordinates", "model", "samples a push", "us a push", "us in the server",
                 "workers to saturate"}});
  for (const auto& [d, lazy] : {std::pair{100, false},
                                {1000, false},
                                {10'000, false},
                                {100'000, false},
                                {100'000, true},
                                {1'000'000, true}}) {
    const Dataset data = read_dataset(
        fmt::format("generate:sparse-logistic:n=50000,d={},nonzeros=50,columns=zipf", d));
    const LinearSum f(data, data.labels, LogisticLoss{});
    for (const int samples : {128, 1024}) {
      const Cost c = cost(f, {.workers = 2, .samples_per_push = samples, .eta = 1e-3, .lazy = lazy},
                          arguments.turns);
      report.add({fmt::format("{}", d), std::string(lazy ? "lazy" : "dense"),
                  fmt::format("{}", samples), 1e6 * c.push, 1e6 * c.server, c.push / c.server});
    }
  }
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  return asynprox::benchmarks::run_program(argc, argv, "The lock", asynprox::benchmarks::measure);
}
