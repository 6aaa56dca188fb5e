#include "benchmarks/defaults/optimum.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <vector>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/solve.h"

namespace asynprox::benchmarks {
namespace {

constexpr const char* kHead =
    "# The minimum of each problem of bench_defaults: OBJECTIVE GAP NAME, the minimum being at "
    "most\n"
    "# GAP below OBJECTIVE. Made by `bench_defaults --remake-optima SECONDS`, which runs fista "
    "and\n"
    "# asyn-prox-saga for so long and keeps the lowest objective and the highest dual value seen,\n"
    "# those of this file among them.\n";

struct Bounds {
  double objective = std::numeric_limits<double>::infinity();
  double lower = -std::numeric_limits<double>::infinity();

  void add(const Result& result) {
    objective = std::min(objective, result.objective);
    if (result.duality_gap) lower = std::max(lower, result.objective - *result.duality_gap);
  }
  void add(const Optimum& known) {
    objective = std::min(objective, known.objective);
    if (known.gap) lower = std::max(lower, known.objective - *known.gap);
  }
};

Result long_run(const DefaultsProblem& problem, const AnyMethod& method, double seconds,
                std::uint64_t seed) {
  return solve(*problem.data, problem.loss, problem.h,
               {.method = method,
                .workers = 1,
                .stop = {.epochs = 20'000, .seconds = seconds, .tolerance = 1e-11},
                .runtime = Runtime::serial,
                .seed = seed});
}

}  // namespace

Optima read_optima(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw DataError(fmt::format("{}: cannot be read", path));
  Optima optima;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      throw DataError(fmt::format("{}:{}: expected OBJECTIVE GAP NAME", path, number));
    const std::string gap = line.substr(first + 1, second - first - 1);
    Optimum& optimum = optima[line.substr(second + 1)];
    optimum.objective = parse_number(line.substr(0, first), path);
    if (gap != "-") optimum.gap = parse_number(gap, path);
  }
  return optima;
}

void write_optima(const std::string& path, const Optima& optima) {
  std::ofstream out(path);
  out << kHead;
  for (const auto& [name, optimum] : optima)
    out << fmt::format("{:.17g} {} {}\n", optimum.objective,
                       optimum.gap ? fmt::format("{:.2e}", *optimum.gap) : "-", name);
  if (!out.flush()) throw DataError(fmt::format("{}: cannot be written", path));
}

Optimum find_optimum(const DefaultsProblem& problem, double seconds,
                     const std::optional<Optimum>& known) {
  Bounds bounds;
  if (known) bounds.add(*known);
  if (problem.loss.convex()) bounds.add(long_run(problem, Fista{}, seconds, 1));
  bounds.add(long_run(problem, AsynProxSaga{}, seconds, 1));
  if (!problem.loss.convex()) bounds.add(long_run(problem, AsynProxSaga{}, seconds, 2));
  Optimum optimum{.objective = bounds.objective};
  // Rounding can put the dual value a little above.
  if (bounds.lower > -std::numeric_limits<double>::infinity())
    optimum.gap = std::max(0.0, bounds.objective - bounds.lower);
  return optimum;
}

}  // namespace asynprox::benchmarks
