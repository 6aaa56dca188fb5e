#include "cli/job.h"

#include <fmt/format.h>

#include <array>

#include "asynprox/base/errors.h"
#include "asynprox/models/metrics.h"

#include "cli/cluster_options.h"

namespace asynprox::cli {
namespace {

std::optional<bool> chosen_switch(std::string_view option, const std::string& value) {
  require_one_of(option, value, {"auto", "on", "off"});
  if (value == "auto") return std::nullopt;
  return value == "on";
}

bool chosen_pin(const std::string& pin) {
  require_one_of("--pin", pin, {"none", "cores"});
  return pin == "cores";
}

Options options_of(const TrainArguments& arguments) {
  Options options;
  if (arguments.method != "auto") options.method = make_method(parse_spec(arguments.method));
  options.step = make_step_size(parse_spec(arguments.step));
  require(!arguments.workers || *arguments.workers >= 1, "--workers: expected at least 1");
  options.workers = arguments.workers.value_or(0);
  options.batch_size = arguments.batch_size;
  options.pushes_per_step = arguments.pushes_per_step;
  options.staleness_max = arguments.staleness_max;
  options.staleness_policy = chosen("--staleness-policy", arguments.staleness_policy,
                                    std::array{StalenessPolicy::hold, StalenessPolicy::recompute});
  if (arguments.sampling != "auto")
    options.sampling = make_sampling(parse_spec(arguments.sampling));
  options.stop = {arguments.steps, arguments.epochs, arguments.seconds, arguments.tolerance};
  options.trace_every = arguments.trace_every;
  const std::string runtime = arguments.delays ? "serial" : "threads";
  options.runtime = chosen("--runtime", arguments.runtime.value_or(runtime),
                           std::array{Runtime::threads, Runtime::serial});
  if (arguments.cluster) {
    options.runtime = Runtime::simulated;
    options.cluster = cluster_of(*arguments.cluster);
    options.calibrate = arguments.cluster->calibrate;
  }
  options.state = chosen("--model-state", arguments.model_state,
                         std::array{StateChoice::automatic, StateChoice::dense, StateChoice::lazy});
  options.newton = chosen_switch("--newton", arguments.newton);
  options.fallback = chosen_switch("--fallback", arguments.fallback);
  options.pin = chosen_pin(arguments.pin);
  options.pace = arguments.pace;
  if (arguments.speeds) options.speeds = parse_numbers(*arguments.speeds, "--speeds");
  options.reference_step = arguments.reference_step;
  options.seed = arguments.seed;
  return options;
}

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

Job make_job(const TrainArguments& arguments) {
  Job job;
  job.options = options_of(arguments);
  if (arguments.delays)
    job.options.delays = make_delay(parse_spec(*arguments.delays), job.files.reader());
  require(!arguments.problem.holdout || !arguments.test,
          "--holdout: expected it or --test, got both");
  job.problem = build_problem(arguments.problem, arguments.seed);
  if (arguments.picture) check_picture(job.problem);
  job.test = arguments.test ? load_test(*arguments.test, job.problem, arguments.problem.data)
                            : job.problem.held_out;
  if (job.test) check_test(job.problem, *job.test);
  return job;
}

}  // namespace asynprox::cli
