// The one file that knows CLI11: it takes long to compile.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "asynprox/base/errors.h"
#include "asynprox/base/suggest.h"
#include "asynprox/version.h"

#include "cli/exit_codes.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

constexpr const char* kTrainExamples = R"(
Examples:
  A sparse classifier, every choice left to the program:
    asynprox train a9a.xz --regularizer l1:1e-4
  Algorithm 1 as in the paper, for non-negative PCA of pictures:
    asynprox train train-images-idx3-ubyte.gz --loss pca --regularizer nonneg-ball:1 \
      --normalize rows --workers 8 --batch-size 8192 --picture component.svg
  The exact answer, to check against; the model and its trace in a folder:
    asynprox train heart_scale --regularizer l1:1e-3 --method fista --tolerance 1e-10 --out run
  Data made on the spot:
    asynprox train generate:sparse-logistic:n=10000,d=1000 --regularizer l1:1e-3)";

constexpr const char* kMainExamples = R"(
Examples:
  asynprox train generate:sparse-logistic:n=10000,d=1000 --regularizer l1:1e-3 --out run
  asynprox evaluate run/model.json generate:sparse-logistic:n=10000,d=1000
  asynprox list losses
  asynprox train --help)";

void add_data(CLI::App& app, DataArguments& data) {
  app.add_option("DATA", data.path,
                 "LIBSVM text or IDX, plain or .gz .bz2 .xz .zst; '-' is standard input; or "
                 "generate:SPEC")
      ->required();
  app.add_option("--dimension", data.dimension, "features, where the file's largest is not it");
  app.add_flag("--zero-based", data.zero_based, "columns of LIBSVM text count from 0");
  app.add_option("--labels", data.labels, "the labels of IDX pictures (found beside them)");
}

void add_model_options(CLI::App& app, TrainArguments& train) {
  app.add_option("--loss", train.loss, "see 'asynprox list losses' (from the labels)")
      ->type_name("SPEC");
  app.add_option("--regularizer", train.regularizer, "see 'asynprox list regularizers'")
      ->type_name("SPEC")
      ->capture_default_str();
  app.add_option("--positive-label", train.positive_label,
                 "the label that is +1 (the larger of two); of more, it against the rest");
  app.add_option("--normalize", train.normalize, "none, or rows: each sample to length 1")
      ->capture_default_str();
}

void add_method_options(CLI::App& app, TrainArguments& train) {
  app.add_option("--method", train.method,
                 "asyn-prox-sgd (the paper's), prox-sgd (synchronous), prox-gd or fista")
      ->capture_default_str();
  app.add_option("--step", train.step, "see 'asynprox list step-sizes'")
      ->type_name("SPEC")
      ->capture_default_str();
  app.add_option("--workers", train.workers, "workers (one a core)");
  app.add_option("--batch-size", train.batch_size,
                 "samples in a step, over all pushes; a multiple of their number (chosen)");
  app.add_option("--pushes-per-step", train.pushes_per_step, "m of the paper (the workers)");
  app.add_option("--staleness-max", train.staleness_max,
                 "enforced bound, in steps (max(4, ceil((W-1)/m) + 1))");
  app.add_option("--staleness-policy", train.staleness_policy,
                 "hold those ahead, or recompute what is late")
      ->capture_default_str();
  app.add_option("--sampling", train.sampling, "replacement (the paper's)")->capture_default_str();
  app.add_option("--runtime", train.runtime, "serial: the workers take turns")
      ->capture_default_str();
  app.add_option("--model-state", train.model_state,
                 "dense, or lazy: cost follows the features touched, for separable regularizers")
      ->capture_default_str();
}

void add_run_options(CLI::App& app, TrainArguments& train) {
  app.add_option("--epochs", train.epochs, "stop after this many passes over the data");
  app.add_option("--steps", train.steps, "stop after this many steps");
  app.add_option("--seconds", train.seconds, "stop after this long, evaluations not counted");
  app.add_option("--tolerance", train.tolerance,
                 "stop when the objective changes less; whichever limit comes first "
                 "(if none is given: tolerance 1e-4 and 50 epochs)");
  app.add_option("--trace-every", train.trace_every,
                 "evaluate every so many STEPS (at epochs 1, 2, 3, 5, 8, 13, ...)");
  app.add_option("--start", train.start,
                 "first model: zeros, uniform (1/sqrt(d)), random, or a file, one number a line "
                 "(zeros, or uniform for pca)");
  app.add_option("--reference-step", train.reference_step, "of the gradient mapping (1/L)");
  app.add_option("--seed", train.seed, "of everything random")->capture_default_str();
  app.add_option("--test", train.test, "evaluate on this DATA too");
  app.add_option("--out", train.out, "leave run.json, trace.csv and model.json in this folder");
  app.add_flag("--force", train.force, "--out may be a folder that is not empty");
  app.add_option("--picture", train.picture,
                 "write the model as a picture, .svg or .pgm (for data of pictures)");
  app.add_flag("--json", train.json, "print the result as one JSON object");
  app.add_flag("--quiet", train.quiet, "no progress, no summary");
  app.add_option("--config", "options from a TOML file; those on the command line win")
      ->type_name("FILE");
}

// Every option takes the last of several values, so that the command line wins over --config.
void let_last_win(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (!option->get_positional()) option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// The innermost command that was named.
const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_command(*chosen.front());
}

std::string see_help(const CLI::App& app, const CLI::App& command) {
  return fmt::format("; see 'asynprox {}--help'", &command == &app ? "" : command.get_name() + " ");
}

// The first word that could be a command must be one; CLI11 would only say that one is missing.
void require_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto names = command_names(app);
  if (names.empty()) return;
  if (arguments.empty())
    throw ContractError(
        fmt::format("expected a command: {}; see 'asynprox --help'", joined(names)));
  if (arguments.front().starts_with('-')) return;
  const std::string& word = arguments.front();
  if (std::ranges::find(names, word) == names.end())
    throw ContractError(fmt::format("no command '{}'{}; there are: {}", word,
                                    did_you_mean(word, names), joined(names)));
  require_command(*app.get_subcommand(word), {arguments.begin() + 1, arguments.end()});
}

[[noreturn]] void fail_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  std::vector<std::string> extras = command.remaining();
  if (extras.empty() || !dynamic_cast<const CLI::ExtrasError*>(&error))
    throw ContractError(std::string(error.what()) + see_help(app, command));
  // An unknown option is the cause, the value behind it only a consequence.
  const auto option =
      std::ranges::find_if(extras, [](const std::string& extra) { return extra.starts_with('-'); });
  if (option == extras.end())
    throw ContractError(
        fmt::format("did not expect '{}'{}", extras.front(), see_help(app, command)));
  const std::string word = option->substr(0, option->find('='));
  throw ContractError(fmt::format("no option '{}'{}{}", word,
                                  did_you_mean(word, option_names(command)),
                                  see_help(app, command)));
}

// The options of a TOML file as arguments of the command line, in front of those typed.
std::vector<std::string> arguments_of_config(const std::string& path,
                                             const std::vector<std::string>& options) {
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_file(path);
  } catch (const CLI::Error& error) {
    throw DataError(fmt::format("{}: {}", path, error.what()));
  }
  std::vector<std::string> arguments;
  for (const CLI::ConfigItem& item : items) {
    // Section marks of the parser itself.
    if (item.name == "++" || item.name == "--") continue;
    if (item.fullname() != item.name && item.fullname() != "train." + item.name)
      throw ContractError(
          fmt::format("{}: no section for '{}'; options stand at the top, or in "
                      "[train]",
                      path, item.fullname()));
    if (item.inputs.size() != 1)
      throw ContractError(
          fmt::format("{}: {}: expected one value, got {}", path, item.name, item.inputs.size()));
    if (std::ranges::find(options, "--" + item.name) == options.end())
      throw ContractError(fmt::format("{}: no option '{}'{}", path, item.name,
                                      did_you_mean("--" + item.name, options)));
    arguments.push_back(fmt::format("--{}={}", item.name, item.inputs.front()));
  }
  return arguments;
}

std::optional<std::string> config_path(const std::vector<std::string>& arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i].starts_with("--config=")) return arguments[i].substr(9);
    if (arguments[i] == "--config" && i + 1 < arguments.size()) return arguments[i + 1];
  }
  return std::nullopt;
}

// `arguments` without the program's name, the file's options put in after the command.
std::vector<std::string> with_config(std::vector<std::string> arguments, const CLI::App& app) {
  const auto path = config_path(arguments);
  if (!path || arguments.empty() || arguments.front() != "train") return arguments;
  const auto options = arguments_of_config(*path, option_names(*app.get_subcommand("train")));
  arguments.insert(arguments.begin() + 1, options.begin(), options.end());
  return arguments;
}

class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", std::string(kVersion));
    app_.footer(kMainExamples);
    app_.get_formatter()->column_width(34);
    add_train();
    add_predict();
    add_evaluate();
    add_others();
  }

  ParsedCommandLine parse(int argc, const char* const* argv) {
    train_.command_line.assign(argv, argv + argc);
    std::vector<std::string> arguments = with_config({argv + 1, argv + argc}, app_);
    require_command(app_, arguments);
    std::ranges::reverse(arguments);  // as CLI11 wants them
    try {
      app_.parse(arguments);
    } catch (const CLI::Success& success) {
      return {app_.exit(success), {}};
    } catch (const CLI::ParseError& error) {
      fail_usage(app_, error);
    }
    return {std::nullopt, chosen_};
  }

 private:
  template <class Command>
  CLI::App& add(CLI::App& parent, const char* name, const char* about, Command& command) {
    CLI::App& app = *parent.add_subcommand(name, about);
    app.callback([this, &command] { chosen_ = command; });
    return app;
  }

  void add_train() {
    CLI::App& app = add(app_, "train", "fit a model", train_);
    add_data(app, train_.data);
    add_model_options(app, train_);
    add_method_options(app, train_);
    add_run_options(app, train_);
    let_last_win(app);
    app.footer(kTrainExamples);
  }

  void add_predict() {
    CLI::App& app = add(app_, "predict", "one prediction a line", predict_);
    app.add_option("MODEL", predict_.model, "model.json of a run")->required();
    add_data(app, predict_.data);
    app.add_option("--output", predict_.output, "label, score or probability")
        ->capture_default_str();
    app.footer("\nExample:\n  asynprox predict run/model.json a9a.t --output probability");
  }

  void add_evaluate() {
    CLI::App& app = add(app_, "evaluate", "loss, accuracy, AUC, RMSE ... of a model", evaluate_);
    app.add_option("MODEL", evaluate_.model, "model.json of a run")->required();
    add_data(app, evaluate_.data);
    app.add_flag("--json", evaluate_.json, "as one JSON object");
    app.footer("\nExample:\n  asynprox evaluate run/model.json a9a.t --json");
  }

  void add_others() {
    CLI::App& list = add(app_, "list", "what can be chosen, with parameters", list_);
    list.add_option("FAMILY", list_.family,
                    "losses, regularizers, step-sizes, methods or generators (all)");
    list.add_flag("--markdown", list_.markdown, "as the tables of the documentation");
    list.footer("\nExample:\n  asynprox list regularizers");

    CLI::App& data = *app_.add_subcommand("data", "look at data");
    data.require_subcommand(1);
    CLI::App& info = add(data, "info", "size, sparsity, labels", data_info_);
    add_data(info, data_info_.data);
    info.add_flag("--json", data_info_.json, "as one JSON object");
    info.footer("\nExample:\n  asynprox data info a9a.xz");

    add(app_, "doctor", "what works on this machine", doctor_);
  }

  CLI::App app_{"asynprox: minimise f(x) + h(x) by asynchronous stochastic proximal steps",
                "asynprox"};
  TrainArguments train_;
  PredictArguments predict_;
  EvaluateArguments evaluate_;
  ListArguments list_;
  DataInfoArguments data_info_;
  DoctorArguments doctor_;
  Arguments chosen_;
};

}  // namespace

ParsedCommandLine parse_command_line(int argc, const char* const* argv) {
  return CommandLine().parse(argc, argv);
}

}  // namespace asynprox::cli
