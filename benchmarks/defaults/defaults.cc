// What a user gets who chooses nothing: accuracy after a number of epochs on some 60 problems.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "asynprox/base/spec.h"

#include "benchmarks/defaults/optimum.h"
#include "benchmarks/defaults/problems.h"
#include "benchmarks/defaults/run.h"
#include "benchmarks/report.h"

namespace asynprox::benchmarks {
namespace {

struct Choices {
  std::string data_folder;
  std::string json_path;
  std::string optima_path = "benchmarks/defaults/optima.txt";
  std::string only;
  double remake_seconds = 0;
  std::vector<int> workers = {1, 2, 8};
  std::vector<std::string> methods = {"asyn-prox-sgd", "asyn-prox-saga", "auto"};
  std::vector<double> tolerances = {1e-4, 1e-6};
  bool details = false;
};

double epochs_of(const std::string& method) { return method == "asyn-prox-sgd" ? 50 : 100; }

// The figures of one method with one number of workers, over all problems.
struct Summary {
  double problems = 0, within_1 = 0, within_1e3 = 0, within_1e6 = 0, within_1e9 = 0;
  double worst_way = 0;
  double above_start = 0, claims = 0, false_claims = 0;
  std::vector<double> epochs_to_1e6;

  void add(const Outcome& outcome) {
    ++problems;
    within_1 += outcome.way <= 0.01 ? 1 : 0;
    within_1e3 += outcome.relative <= 1e-3 ? 1 : 0;
    within_1e6 += outcome.relative <= 1e-6 ? 1 : 0;
    within_1e9 += outcome.relative <= 1e-9 ? 1 : 0;
    worst_way = std::max(worst_way, outcome.way);
    above_start += outcome.above_start ? 1 : 0;
    epochs_to_1e6.push_back(outcome.epochs_to_1e6);
  }
  void add(const Claim& claim) {
    claims += claim.converged ? 1 : 0;
    false_claims += claim.is_false ? 1 : 0;
  }
  double median_epochs() {
    if (epochs_to_1e6.empty()) return 0;
    const auto middle =
        epochs_to_1e6.begin() + static_cast<std::ptrdiff_t>(epochs_to_1e6.size() / 2);
    std::ranges::nth_element(epochs_to_1e6, middle);
    return *middle;
  }
  std::vector<Cell> row(const std::string& method, int workers) {
    return {method,
            fmt::format("{}", workers),
            problems,
            100 * within_1 / problems,
            100 * worst_way,
            100 * within_1e3 / problems,
            100 * within_1e6 / problems,
            100 * within_1e9 / problems,
            median_epochs(),
            above_start,
            claims,
            false_claims};
  }
};

void add_details(Report& report, const DefaultsProblem& problem, int workers,
                 const Outcome& outcome, const std::vector<Claim>& claims) {
  std::vector<Cell> row = {problem.name,          fmt::format("{}", workers), outcome.settings,
                           outcome.way,           outcome.relative,           outcome.epochs_to_1e3,
                           outcome.epochs_to_1e6, outcome.epochs_to_1e9,      outcome.evaluations};
  std::string said;
  for (const Claim& claim : claims)
    said += fmt::format("{}{} at {:.3g} ({:.1e}{})", said.empty() ? "" : "; ", claim.reason,
                        claim.epochs, claim.relative, claim.is_false ? ", FALSE" : "");
  row.emplace_back(said);
  report.add(row);
}

void begin_details(Report& report, const std::string& method, double epochs) {
  report.begin(
      {"details " + method,
       fmt::format("{}, {:g} epochs. Way: of F(0) - F*. Relative: to F*, or to a thousandth "
                   "of F(0) - F* where that is more. Epochs to a relative error; "
                   "what a run with a tolerance says, when, and its true error.",
                   method, epochs),
       {"problem", "workers", "chosen", "way", "relative", "to 1e-3", "to 1e-6", "to 1e-9",
        "evaluations", "says"}});
}

void measure_method(const Choices& choices, const DefaultsProblems& set, const Optima& optima,
                    const std::string& method_name, Report& report,
                    std::vector<std::vector<Cell>>& summaries) {
  std::optional<AnyMethod> method;
  if (method_name != "auto") method = make_method(parse_spec(method_name));
  const double epochs = epochs_of(method_name);
  if (choices.details) begin_details(report, method_name, epochs);
  for (const int workers : choices.workers) {
    Summary summary;
    for (const DefaultsProblem& problem : set.problems) {
      const Optimum& optimum = optima.at(problem.name);
      const Outcome outcome = run_for(problem, optimum, method, workers, epochs);
      summary.add(outcome);
      std::vector<Claim> claims;
      for (const double tolerance : choices.tolerances)
        claims.push_back(claim_of(problem, optimum, method, workers, epochs, tolerance));
      for (const Claim& claim : claims) summary.add(claim);
      if (choices.details) add_details(report, problem, workers, outcome, claims);
    }
    summaries.push_back(summary.row(method_name, workers));
  }
}

void measure(const Choices& choices, const DefaultsProblems& set, const Optima& optima,
             Report& report) {
  std::vector<std::vector<Cell>> summaries;
  for (const std::string& method : choices.methods)
    measure_method(choices, set, optima, method, report, summaries);
  report.begin(
      {"defaults",
       "Nothing chosen but the method and the epochs (asyn-prox-sgd 50, others 100). Shares of "
       "the problems in percent: within 1 % of the way from F(0) to F* (and the worst, in "
       "percent of it), and at relative errors; runs that end above F(0); runs with a "
       "tolerance that claim convergence, and those of them whose true error is above ten "
       "times the tolerance.",
       {"method", "workers", "problems", "within 1 %", "worst", "1e-3", "1e-6", "1e-9",
        "median epochs to 1e-6", "above F(0)", "claims", "false claims"}});
  for (const std::vector<Cell>& row : summaries) report.add(row);
}

void remake_optima(const Choices& choices, const DefaultsProblems& set) {
  Optima optima;
  try {
    optima = read_optima(choices.optima_path);
  } catch (const DataError&) {
    fmt::print(stderr, "{}: made anew\n", choices.optima_path);
  }
  for (const DefaultsProblem& problem : set.problems) {
    const auto known = optima.find(problem.name);
    const Optimum optimum =
        find_optimum(problem, choices.remake_seconds,
                     known == optima.end() ? std::nullopt : std::optional(known->second));
    fmt::print("{:.17g} {} {}\n", optimum.objective,
               optimum.gap ? fmt::format("{:.2e}", *optimum.gap) : "-", problem.name);
    std::fflush(stdout);
    optima[problem.name] = optimum;
    write_optima(choices.optima_path, optima);
  }
}

void run(const Choices& choices) {
  const DefaultsProblems set = defaults_problems(choices.data_folder, choices.only);
  for (const std::string& name : set.absent)
    fmt::print("No {}: its file is not in the folder of data, and its problems are left out.\n",
               name);
  if (choices.remake_seconds > 0) return remake_optima(choices, set);
  const Optima optima = read_optima(choices.optima_path);
  fmt::print("## Accuracy by default\n");
  Report report;
  measure(choices, set, optima, report);
  fmt::print("\n");
  if (!choices.json_path.empty()) report.write_json(choices.json_path);
}

void add_options(CLI::App& app, Choices& choices) {
  app.add_option("--data", choices.data_folder, "folder with a9a.xz and others")
      ->envname("ASYNPROX_DATA_DIR");
  app.add_option("--json", choices.json_path, "write the figures here too");
  app.add_option("--optima", choices.optima_path, "the file of minima");
  app.add_option("--remake-optima", choices.remake_seconds,
                 "look for lower objectives and higher bounds, so many seconds a run");
  app.add_option("--only", choices.only, "problems whose name contains this");
  app.add_option("--workers", choices.workers, "their numbers")->delimiter(',');
  app.add_option("--methods", choices.methods, "their names")->delimiter(',');
  app.add_option("--tolerances", choices.tolerances, "of the runs that may claim convergence")
      ->delimiter(',');
  app.add_flag("--details", choices.details, "a row a problem too");
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  CLI::App app("Accuracy by default");
  asynprox::benchmarks::Choices choices;
  asynprox::benchmarks::add_options(app, choices);
  CLI11_PARSE(app, argc, argv);
  try {
    asynprox::benchmarks::run(choices);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}
