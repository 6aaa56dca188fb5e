#include "cli/job.h"

#include <fmt/format.h>

#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/models/metrics.h"

namespace asynprox::cli {
namespace {

// Labels that do not fit are found now, by a model of zeros, not after the run.
Dataset load_test(const std::string& path, const BuiltProblem& problem, const DataSpec& data) {
  require(path != "-" || data.path != "-", "--test: standard input can be read only once");
  DataSpec test = data;
  test.path = path;
  test.labels.reset();
  test.dimension.reset();
  test.label_column.reset();  // which column it was is part of the model, by name where it has one
  return load_for(model_of_zeros(problem), test, /*rating_optional=*/false);
}

void check_test(const BuiltProblem& problem, const Dataset& test) {
  const Metrics metrics = evaluate(model_of_zeros(problem), test);
  warn_about_columns(test.name, metrics.columns, metrics.columns_ignored);
}

void check_picture(const BuiltProblem& problem) {
  if (!problem.data.picture)
    throw ContractError(fmt::format("--picture: {} is not data of pictures", problem.data.name));
  require(is_linear(problem.model),
          "--picture: expected a linear model, got " + problem.spec.model);
}

}  // namespace

Job make_job(const FitArguments& arguments, const Options& options) {
  require(!arguments.problem.holdout || !arguments.program.test,
          "--holdout: expected it or --test, got both");
  return make_job(arguments, options, build_problem(arguments.problem, options.seed));
}

Job make_job(const FitArguments& arguments, const Options& options, BuiltProblem problem) {
  const std::optional<std::string>& test = arguments.program.test;
  Job job{.problem = std::move(problem), .options = options, .test = {}};
  if (arguments.program.picture) check_picture(job.problem);
  job.test = test ? load_test(*test, job.problem, arguments.problem.data) : job.problem.held_out;
  if (job.test) check_test(job.problem, *job.test);
  return job;
}

}  // namespace asynprox::cli
