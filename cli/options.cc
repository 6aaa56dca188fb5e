#include "cli/options.h"

#include <fmt/format.h>

#include <charconv>
#include <concepts>

#include "asynprox/base/errors.h"
#include "asynprox/base/shortened.h"
#include "asynprox/base/spec.h"

namespace asynprox::cli {
namespace {

// CLI11 itself takes octal, hexadecimal, overflow and nothing at all.
template <std::integral Integer>
void parse_whole(const std::string& text, const std::string& option, Integer& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end) return;
  const bool too_large = error == std::errc::result_out_of_range && stop == end;
  const char* const sign = std::is_unsigned_v<Integer> ? " of at least 0" : "";
  throw ContractError(fmt::format("{}: expected a whole number{}, got '{}'{}", option, sign,
                                  shortened(text), too_large ? ", which is too large" : ""));
}

}  // namespace

void parse(const std::string& text, const std::string& option, double& value) {
  value = parse_number(text, option);
}
void parse(const std::string& text, const std::string& option, int& value) {
  parse_whole(text, option, value);
}
void parse(const std::string& text, const std::string& option, std::int64_t& value) {
  parse_whole(text, option, value);
}
void parse(const std::string& text, const std::string& option, std::uint64_t& value) {
  parse_whole(text, option, value);
}

void add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& about) {
  app.add_flag(name, target, about)->disable_flag_override();
}

void add_data(CLI::App& app, DataSpec& data) {
  app.add_option("DATA", data.path,
                 "LIBSVM text, CSV or IDX, plain or .gz .bz2 .xz .zst; our binary form; '-' is "
                 "standard input; generate:SPEC; or a name of 'asynprox data fetch --list'")
      ->required()
      ->type_name("");
  add_number(app, "--dimension", data.dimension, "features, where the file's largest is not it");
  add_flag(app, "--zero-based", data.zero_based, "columns of LIBSVM text count from 0");
  add_flag(app, "--ratings", data.ratings,
           "lines are user, item, rating, between tabs or commas (so for models of ratings)");
  add_word(app, "--labels", data.labels, "the labels of IDX pictures (found beside them)", "FILE");
  add_word(app, "--label-column", data.label_column,
           "the labels of CSV: a name in its header or a number from 1; none if it has none (the "
           "last)",
           "NAME|NUMBER");
  add_word(app, "--header", data.header, "whether CSV begins with names: yes, no or auto", "WORD")
      .capture_default_str();
}

void add_simd(CLI::App& app, std::optional<std::string>& simd) {
  add_word(app, "--simd", simd,
           "vector instructions to use at most, see 'asynprox doctor' (the best there is)",
           "LEVEL");
}

void add_out(CLI::App& app, std::string& out, bool& force) {
  app.add_option("OUT", out, "the file to write, for example NAME.axp")->required()->type_name("");
  add_flag(app, "--force", force, "OUT may be a file that exists");
}

void add_model_options(CLI::App& app, TrainArguments& train) {
  add_word(app, "--model", train.problem.model, "see 'asynprox list models'", "SPEC")
      .capture_default_str();
  add_word(app, "--loss", train.problem.loss, "see 'asynprox list losses' (from the labels)",
           "SPEC");
  add_word(app, "--regularizer", train.problem.regularizer,
           "see 'asynprox list regularizers'; a strength may be a share of the largest useful one, "
           "at which all coefficients are zero: l1:0.1max",
           "SPEC")
      .capture_default_str();
  add_word(app, "--positive-label", train.problem.positive_label,
           "the label that is +1 (the larger of two, or the later text); of more, it against the "
           "rest",
           "LABEL");
  add_word(app, "--normalize", train.problem.normalize, "none, or rows: each sample to length 1")
      .capture_default_str();
  add_word(app, "--standardize", train.problem.standardize,
           "none, or columns: each divided by its standard deviation, after --normalize")
      .capture_default_str();
  add_flag(app, "--center", train.problem.center,
           "take its mean off every column, after these two; data is kept sparse");
  add_flag(app, "--intercept", train.problem.intercept,
           "fit a constant too, which the regularizer does not see");
  add_word(app, "--weights", train.problem.weights, "of the samples, one number per line", "FILE");
  add_word(app, "--class-weight", train.problem.class_weight,
           "none, or balanced: every class counts the same, however many samples it has")
      .capture_default_str();
}

void add_method_options(CLI::App& app, TrainArguments& train) {
  add_word(app, "--method", train.method,
           "asyn-prox-saga, asyn-prox-sgd (the paper's), fista, ...: see 'asynprox list methods'",
           "SPEC")
      .capture_default_str();
  add_word(app, "--step", train.step, "see 'asynprox list step-sizes'", "SPEC")
      .capture_default_str();
  add_number(app, "--workers", train.workers, "workers (one a core)");
  add_number(app, "--batch-size", train.batch_size,
             "samples in a step, over all pushes; a multiple of their number (chosen)");
  add_number(app, "--pushes-per-step", train.pushes_per_step, "m of the paper (the workers)");
  add_number(app, "--staleness-max", train.staleness_max,
             "enforced bound, in steps (max(4, ceil((W-1)/m) + 1))");
  add_word(app, "--staleness-policy", train.staleness_policy,
           "hold those ahead, or recompute what is late")
      .capture_default_str();
  add_word(app, "--sampling", train.sampling,
           "replacement (the paper's), reshuffle, passes or importance; auto: as suits the method",
           "SPEC")
      .capture_default_str();
  add_word(app, "--newton", train.newton,
           "on or off: Newton's method at evaluations, for convex linear models, not "
           "centred, separable regularizers and automatic steps, in real time; auto: where it can "
           "be, unless a method is given")
      .capture_default_str();
  add_word(app, "--fallback", train.fallback,
           "on or off: where steps make no progress, go on with proximal Newton and accelerated "
           "proximal gradient steps until the tolerance is met, for linear models in real time; "
           "auto: where it can be, unless a method or a step is given")
      .capture_default_str();
  add_simd(app, train.simd);
  add_word(app, "--model-state", train.model_state,
           "dense, or lazy: cost follows the features touched, for separable regularizers")
      .capture_default_str();
}

void add_speeds(CLI::App& app, std::optional<std::string>& speeds) {
  add_word(app, "--speeds", speeds,
           "of workers in virtual time, or paced: 1/1/0.25 makes the third four times slower; 1 "
           "for those not listed",
           "A/B/C");
}

void add_runtime_options(CLI::App& app, TrainArguments& train) {
  add_word(app, "--delays", train.delays,
           "how old each gradient is, instead of as it comes; see 'asynprox list delays'", "SPEC");
  add_word(app, "--runtime", train.runtime,
           "threads, or serial: the workers take turns (threads; with --delays serial)");
  add_word(app, "--pin", train.pin, "none, or cores: worker j stays on core j")
      .capture_default_str();
  add_number(app, "--pace", train.pace,
             "samples a second that a worker does at most, by pausing: a few cores show what many "
             "slower machines do");
  add_speeds(app, train.speeds);
}

void add_run_options(CLI::App& app, TrainArguments& train) {
  add_number(app, "--epochs", train.epochs, "stop after this many passes over the data");
  add_number(app, "--steps", train.steps, "stop after this many steps");
  add_number(app, "--seconds", train.seconds, "stop after this long, evaluations not counted");
  add_number(
      app, "--tolerance", train.tolerance,
      "stop when the objective is at most this much of itself above its minimum, by its duality "
      "gap, or where there is none by its gradient mapping; 0: never. With --method auto 1e-4, "
      "whatever limits are given; with another method 1e-4 if no limit is given, and 50 epochs "
      "(200 "
      "with asyn-prox-saga and asyn-prox-svrg)");
  add_number(app, "--trace-every", train.trace_every,
             "evaluate every so many steps (about every two epochs, or every pass, where steps are "
             "judged by it; else at epochs 1, 2, 3, 5, 8, 13, ...)");
  add_word(app, "--start", train.problem.start,
           "first model: zeros, uniform (1/sqrt(d)), random, the model.json of another run, or a "
           "file, one number per line (zeros, or uniform for pca)",
           "NAME|FILE");
  add_number(app, "--reference-step", train.reference_step, "of the gradient mapping (1/L)");
  add_number(app, "--seed", train.seed, "of everything random (1)");
  add_word(app, "--test", train.test, "evaluate on this too", "DATA");
  add_number(app, "--holdout", train.problem.holdout,
             "evaluate on this share of the samples, chosen by the seed, and do not fit them");
  add_word(app, "--out", train.out, "leave run.json, trace.csv, model.json and events.log there",
           "FOLDER");
  add_flag(app, "--force", train.force,
           "--out may be a folder that is not empty, --log and --picture a file that exists");
  add_flag(app, "--no-events", train.no_events,
           "leave no events.log, which has 32 bytes a push: the run cannot be replayed");
  add_word(app, "--log", train.log, "progress and evaluations, a JSON object a line", "FILE");
  add_word(app, "--picture", train.picture,
           "write the model as a picture, .svg or .pgm (for data of pictures)", "FILE");
  add_flag(app, "--json", train.json, "print the result as one JSON object");
  add_flag(app, "--quiet", train.quiet,
           "no progress, no summary; warnings are printed all the same");
  add_flag(app, "--verbose", train.verbose,
           "a longer summary: what was chosen and why, staleness, the paper's theorem");
  add_word(app, "--config", train.config, "options from a TOML file; those on the command line win",
           "FILE");
}

void add_cluster_options(CLI::App& app, ClusterArguments& cluster) {
  add_word(app, "--compute", cluster.compute,
           "how long a push takes, by samples a second; see 'asynprox list compute-times' "
           "(lognormal:81920,cv=0.2: the paper's pace)",
           "SPEC");
  add_number(app, "--latency-up", cluster.latency_up, "seconds of a message to the server (1e-4)");
  add_number(app, "--latency-down", cluster.latency_down, "and from it (1e-4)");
  add_number(app, "--rate-up", cluster.rate_up, "bytes a second to the server (1.25e8)");
  add_number(app, "--rate-down", cluster.rate_down, "and from it (1.25e8)");
  add_number(app, "--push-seconds", cluster.push_seconds, "of the server for a push (0)");
  add_number(app, "--step-seconds", cluster.step_seconds, "of the server for a step (0)");
  add_flag(app, "--separate-pull", cluster.separate_pull,
           "a push is not answered by the model: that is asked for by a message of its own");
  add_flag(app, "--pipelined", cluster.pipelined,
           "a worker asks for its next model while it computes");
  add_word(app, "--outages", cluster.outages,
           "workers, from 0, that are gone for a time or for ever: 3/0.5/2,5/1", "W/FROM/UNTIL");
  add_word(app, "--faults", cluster.faults,
           "what goes wrong by chance, for example random:loss=0.01,deaths=0.1; see 'asynprox "
           "list faults' (nothing)",
           "SPEC");
  add_number(app, "--detection", cluster.detection,
             "seconds until the server knows that a worker has died (0.1)");
  add_number(app, "--timeout", cluster.timeout,
             "seconds after which a worker without an answer asks again (1)");
  add_flag(
      app, "--calibrate", cluster.calibrate,
      "measure this machine first: no worker is faster, no push or step of the server cheaper");
}

void let_last_win(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) let_last_win(*command);
  for (CLI::Option* option : app.get_options())
    if (!option->get_positional()) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

}  // namespace asynprox::cli
