// The one file that knows CLI11: it takes long to compile.
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <concepts>
#include <filesystem>
#include <sstream>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/base/suggest.h"
#include "asynprox/version.h"

#include "cli/exit_codes.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

constexpr const char* kTrainExamples = R"(
Examples:
  A sparse classifier, every choice left to the program; the model and its trace in a folder:
    asynprox train generate:sparse-logistic:n=10000,d=1000 --regularizer l1:1e-3 --out sparse
  The exact answer, to compare with:
    asynprox train generate:sparse-logistic:n=10000,d=1000 --regularizer l1:1e-3 --method fista \
      --tolerance 1e-8
  Algorithm 1 as in the paper, for non-negative PCA:
    asynprox train generate:nn-pca:n=10000,d=100 --loss pca --regularizer nonneg-ball:1 \
      --normalize rows --workers 8 --batch-size 1024
  DATA is usually a file of yours:
    asynprox train FILE --regularizer l1:1e-4 --test OTHER_FILE)";

constexpr const char* kReplayExamples = R"(
Example:
  asynprox train generate:sparse-logistic:n=10000,d=1000 --workers 4 --epochs 5 --out recorded
  asynprox replay recorded)";

constexpr const char* kDataExamples = R"(
Examples:
  asynprox data info generate:sparse-logistic:n=1000,d=100
  asynprox data generate sparse-logistic:n=1000,d=100 generated.axp
  asynprox data info --verify generated.axp)";

constexpr const char* kGenerateExamples = R"(
Examples:
  asynprox data generate sparse-logistic:n=1000,d=100 small.axp
  asynprox data generate sparse-logistic:n=20000,d=1000000,nonzeros=100,columns=uniform large.axp)";

constexpr const char* kMainExamples = R"(
Examples:
  asynprox train generate:sparse-logistic:n=10000,d=1000 --regularizer l1:1e-3 --out run
  asynprox evaluate run/model.json generate:sparse-logistic:n=10000,d=1000
  asynprox list losses
  asynprox train --help)";

// A number, all of the text: CLI11 itself takes octal, hexadecimal, overflow and nothing at all.
void parse(const std::string& text, const std::string& option, double& value) {
  value = parse_number(text, option);
}

template <std::integral Integer>
void parse(const std::string& text, const std::string& option, Integer& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end) return;
  const bool too_large = error == std::errc::result_out_of_range && stop == end;
  const char* const sign = std::is_unsigned_v<Integer> ? " of at least 0" : "";
  throw ContractError(fmt::format("{}: expected a whole number{}, got '{}'{}", option, sign, text,
                                  too_large ? ", which is too large" : ""));
}

// An option that is a number: `target` is a number or an optional one.
template <class Target>
CLI::Option& add_number(CLI::App& app, const std::string& name, Target& target,
                        const std::string& about) {
  const auto set = [name, &target](const std::string& text) {
    if constexpr (std::is_arithmetic_v<Target>)
      parse(text, name, target);
    else
      parse(text, name, target.emplace());
  };
  return *app.add_option_function<std::string>(name, set, about)->type_name("NUMBER");
}

// An option that is a word.
template <class Target>
CLI::Option& add_word(CLI::App& app, const std::string& name, Target& target,
                      const std::string& about, const std::string& type_name = "NAME") {
  return *app.add_option(name, target, about)->type_name(type_name);
}

void add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& about) {
  app.add_flag(name, target, about)->disable_flag_override();
}

void add_data(CLI::App& app, DataArguments& data) {
  app.add_option("DATA", data.path,
                 "LIBSVM text or IDX, plain or .gz .bz2 .xz .zst; our binary form; '-' is standard "
                 "input; or generate:SPEC")
      ->required()
      ->type_name("");
  add_number(app, "--dimension", data.dimension, "features, where the file's largest is not it");
  add_flag(app, "--zero-based", data.zero_based, "columns of LIBSVM text count from 0");
  add_word(app, "--labels", data.labels, "the labels of IDX pictures (found beside them)", "FILE");
}

void add_simd(CLI::App& app, std::optional<std::string>& simd) {
  add_word(app, "--simd", simd,
           "vector instructions to use at most, see 'asynprox doctor' (the best there is)",
           "LEVEL");
}

void add_model_options(CLI::App& app, TrainArguments& train) {
  add_word(app, "--loss", train.loss, "see 'asynprox list losses' (from the labels)", "SPEC");
  add_word(app, "--regularizer", train.regularizer, "see 'asynprox list regularizers'", "SPEC")
      .capture_default_str();
  add_number(app, "--positive-label", train.positive_label,
             "the label that is +1 (the larger of two); of more, it against the rest");
  add_word(app, "--normalize", train.normalize, "none, or rows: each sample to length 1")
      .capture_default_str();
}

void add_method_options(CLI::App& app, TrainArguments& train) {
  add_word(app, "--method", train.method,
           "asyn-prox-sgd (the paper's), prox-sgd (synchronous), prox-gd or fista")
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
  add_word(app, "--sampling", train.sampling, "replacement (the paper's)").capture_default_str();
  add_word(app, "--runtime", train.runtime, "threads, or serial: the workers take turns")
      .capture_default_str();
  add_word(app, "--pin", train.pin, "none, or cores: worker j stays on core j")
      .capture_default_str();
  add_simd(app, train.simd);
  add_word(app, "--model-state", train.model_state,
           "dense, or lazy: cost follows the features touched, for separable regularizers")
      .capture_default_str();
}

void add_run_options(CLI::App& app, TrainArguments& train) {
  add_number(app, "--epochs", train.epochs, "stop after this many passes over the data");
  add_number(app, "--steps", train.steps, "stop after this many steps");
  add_number(app, "--seconds", train.seconds, "stop after this long, evaluations not counted");
  add_number(app, "--tolerance", train.tolerance,
             "stop when the objective changes less; whichever limit comes first (if none is given: "
             "tolerance 1e-4 and 50 epochs)");
  add_number(app, "--trace-every", train.trace_every,
             "evaluate every so many steps (at epochs 1, 2, 3, 5, 8, 13, ...)");
  add_word(app, "--start", train.start,
           "first model: zeros, uniform (1/sqrt(d)), random, or a file, one number a line (zeros, "
           "or uniform for pca)",
           "NAME|FILE");
  add_number(app, "--reference-step", train.reference_step, "of the gradient mapping (1/L)");
  add_number(app, "--seed", train.seed, "of everything random (1)");
  add_word(app, "--test", train.test, "evaluate on this too", "DATA");
  add_word(app, "--out", train.out, "leave run.json, trace.csv, model.json and events.log there",
           "FOLDER");
  add_flag(app, "--force", train.force, "--out may be a folder that is not empty");
  add_flag(app, "--no-events", train.no_events,
           "leave no events.log, which has 32 bytes a push: the run cannot be replayed");
  add_word(app, "--log", train.log, "progress and evaluations, a JSON object a line", "FILE");
  add_word(app, "--picture", train.picture,
           "write the model as a picture, .svg or .pgm (for data of pictures)", "FILE");
  add_flag(app, "--json", train.json, "print the result as one JSON object");
  add_flag(app, "--quiet", train.quiet, "no progress, no summary");
  app.add_option("--config", "options from a TOML file; those on the command line win")
      ->type_name("FILE");
}

// Every option takes the last of several values, so that the command line wins over --config.
void let_last_win(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) let_last_win(*command);
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

// "; see 'asynprox data info --help'"
std::string see_help(const CLI::App& command) {
  std::string path;
  for (const CLI::App* app = &command; app; app = app->get_parent())
    path.insert(0, app->get_name() + " ");
  return fmt::format("; see '{}--help'", path);
}

// The first word that could be a command must be one; CLI11 would only say that one is missing.
void require_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  const auto names = command_names(app), options = option_names(app);
  if (names.empty()) return;
  if (arguments.empty())
    throw ContractError(fmt::format("expected a command: {}{}", joined(names), see_help(app)));
  const std::string& word = arguments.front();
  if (word == "-h" || std::ranges::find(options, word) != options.end()) return;
  if (word.starts_with('-'))
    throw ContractError(
        fmt::format("no option '{}'{}{}", word, did_you_mean(word, options), see_help(app)));
  if (std::ranges::find(names, word) == names.end())
    throw ContractError(fmt::format("no command '{}'{}; there are: {}", word,
                                    did_you_mean(word, names), joined(names)));
  require_command(*app.get_subcommand(word), {arguments.begin() + 1, arguments.end()});
}

[[noreturn]] void fail_usage(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const std::string complaint = error.what();
  const std::size_t override_at = complaint.find(" was given a disallowed flag override");
  if (override_at != std::string::npos)
    throw ContractError(
        fmt::format("--{}: takes no value{}", complaint.substr(0, override_at), see_help(command)));
  std::vector<std::string> extras = command.remaining();
  if (extras.empty() || !dynamic_cast<const CLI::ExtrasError*>(&error))
    throw ContractError(complaint + see_help(command));
  // An unknown option is the cause, the value behind it only a consequence.
  const auto option =
      std::ranges::find_if(extras, [](const std::string& extra) { return extra.starts_with('-'); });
  if (option == extras.end())
    throw ContractError(fmt::format("did not expect '{}'{}", extras.front(), see_help(command)));
  const std::string word = option->substr(0, option->find('='));
  throw ContractError(fmt::format("no option '{}'{}{}", word,
                                  did_you_mean(word, option_names(command)), see_help(command)));
}

std::vector<CLI::ConfigItem> read_config(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw DataError(fmt::format("{}: expected a file, got a directory", path));
  try {
    return CLI::ConfigTOML().from_file(path);
  } catch (const CLI::Error& error) {
    throw DataError(fmt::format("{}: {}", path, error.what()));
  }
}

// One option of a file as an argument of the command line, or none: a flag that is false.
std::optional<std::string> argument_of(const CLI::ConfigItem& item, const CLI::App& command) {
  std::string name = "--" + item.name;
  const CLI::Option* option = command.get_option_no_throw(name);
  if (item.fullname() != item.name && item.fullname() != command.get_name() + "." + item.name)
    throw ContractError(fmt::format("no section for '{}'; options stand at the top, or in [{}]",
                                    item.fullname(), command.get_name()));
  if (!option || name == "--config" || name == "--help")
    throw ContractError(
        fmt::format("no option '{}'{}", item.name, did_you_mean(name, option_names(command))));
  if (item.inputs.size() != 1)
    throw ContractError(
        fmt::format("{}: expected one value, got {}", item.name, item.inputs.size()));
  const std::string& value = item.inputs.front();
  if (option->get_expected_max() > 0) return name + "=" + value;
  if (value == "true") return name;
  if (value == "false") return std::nullopt;
  throw ContractError(fmt::format("{}: expected true or false, got '{}'", item.name, value));
}

// The options of a TOML file as arguments of the command line.
std::vector<std::string> arguments_of_config(const std::string& path, const CLI::App& command) {
  std::vector<std::string> arguments;
  for (const CLI::ConfigItem& item : read_config(path)) {
    // Section marks of the parser itself.
    if (item.name == "++" || item.name == "--") continue;
    try {
      if (const auto argument = argument_of(item, command)) arguments.push_back(*argument);
    } catch (const ContractError& error) {
      throw ContractError(path + ": " + error.what());
    }
  }
  return arguments;
}

std::optional<std::string> config_path(const std::vector<std::string>& arguments) {
  std::optional<std::string> path;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const bool joined_value = arguments[i].starts_with("--config=");
    if (!joined_value && (arguments[i] != "--config" || i + 1 == arguments.size())) continue;
    require(!path, "--config: given twice");
    path = joined_value ? arguments[i].substr(9) : arguments[i + 1];
  }
  return path;
}

// What was typed, and the options of the file that it names, if any.
struct Words {
  std::vector<std::string> typed;  // without the program's name
  std::string config_path;
  std::vector<std::string> config;

  // All of them, as CLI11 wants them: backwards. The file's come after the command, so that those
  // typed come later and win.
  std::vector<std::string> reversed() const {
    std::vector<std::string> all = typed;
    if (!config.empty()) all.insert(all.begin() + 1, config.begin(), config.end());
    std::ranges::reverse(all);
    return all;
  }

  // Does a complaint that begins "--option: " mean an option of the file?
  bool blames_config(std::string_view complaint) const {
    const std::string option(complaint.substr(0, complaint.find(':')));
    const auto sets_it = [&](const std::string& word) {
      return word == option || word.starts_with(option + "=");
    };
    return std::ranges::any_of(config, sets_it) && std::ranges::none_of(typed, sets_it);
  }
};

Words words_of(std::vector<std::string> typed, const CLI::App& app) {
  Words words{std::move(typed), "", {}};
  if (words.typed.empty() || words.typed.front() != "train") return words;
  const auto path = config_path(words.typed);
  if (!path) return words;
  words.config_path = *path;
  words.config = arguments_of_config(*path, *app.get_subcommand("train"));
  return words;
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
    add_replay();
    add_data_commands();
    add_others();
    let_last_win(app_);
  }

  // `typed` without the program's name.
  ParsedCommandLine parse(const std::vector<std::string>& typed) {
    train_.command_line = typed;
    train_.command_line.insert(train_.command_line.begin(), app_.get_name());
    const Words words = words_of(typed, app_);
    require_command(app_, words.typed);
    try {
      std::vector<std::string> reversed = words.reversed();
      app_.parse(reversed);
    } catch (const CLI::Success& success) {
      std::ostringstream text;
      app_.exit(success, text);
      print(text.str());
      flush_output();
      return {kDone, {}};
    } catch (const CLI::ParseError& error) {
      fail_usage(app_, error);
    } catch (const ContractError& error) {
      if (!words.blames_config(error.what())) throw;
      throw ContractError(words.config_path + ": " + error.what());
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
    app.footer(kTrainExamples);
  }

  void add_predict() {
    CLI::App& app = add(app_, "predict", "one prediction a line", predict_);
    app.add_option("MODEL", predict_.model, "model.json of a run")->required()->type_name("");
    add_data(app, predict_.data);
    add_word(app, "--output", predict_.output, "label, score or probability").capture_default_str();
    app.footer("\nExample:\n  asynprox predict run/model.json FILE --output probability");
  }

  void add_evaluate() {
    CLI::App& app = add(app_, "evaluate", "loss, accuracy, AUC, RMSE ... of a model", evaluate_);
    app.add_option("MODEL", evaluate_.model, "model.json of a run")->required()->type_name("");
    add_data(app, evaluate_.data);
    add_flag(app, "--json", evaluate_.json, "as one JSON object");
    app.footer("\nExample:\n  asynprox evaluate run/model.json FILE --json");
  }

  void add_replay() {
    CLI::App& app = add(app_, "replay", "make a recorded run again, and compare the bits", replay_);
    app.add_option("FOLDER", replay_.folder, "--out of the run")->required()->type_name("");
    add_word(app, "--data", replay_.data, "the data, if it has moved", "DATA");
    add_simd(app, replay_.simd);
    add_flag(app, "--json", replay_.json, "as one JSON object");
    app.footer(kReplayExamples);
  }

  void add_data_commands() {
    CLI::App& data = *app_.add_subcommand("data", "look at data, or write it in our binary form");
    data.require_subcommand(1);
    data.footer(kDataExamples);
    CLI::App& info = add(data, "info", "size, sparsity, labels", data_info_);
    add_data(info, data_info_.data);
    add_flag(info, "--verify", data_info_.verify, "check every byte of a file in the binary form");
    add_flag(info, "--json", data_info_.json, "as one JSON object");
    info.footer("\nExample:\n  asynprox data info generate:sparse-logistic:n=1000,d=100");

    CLI::App& convert = add(data, "convert", "write DATA in the binary form", data_convert_);
    add_data(convert, data_convert_.data);
    add_out(convert, data_convert_.out, data_convert_.force);
    convert.footer("\nExample:\n  asynprox data convert FILE FILE.axp");

    CLI::App& generate = add(
        data, "generate", "write generated data, of any size, in the binary form", data_generate_);
    generate
        .add_option("SPEC", data_generate_.spec,
                    "NAME:KEY=VALUE,...; see 'asynprox list generators'")
        ->required()
        ->type_name("");
    add_out(generate, data_generate_.out, data_generate_.force);
    add_flag(generate, "--quiet", data_generate_.quiet, "no progress, no summary");
    generate.footer(kGenerateExamples);
  }

  static void add_out(CLI::App& app, std::string& out, bool& force) {
    app.add_option("OUT", out, "the file to write, for example NAME.axp")
        ->required()
        ->type_name("");
    add_flag(app, "--force", force, "OUT may be a file that exists");
  }

  void add_others() {
    CLI::App& list = add(app_, "list", "what can be chosen, with parameters", list_);
    list.add_option("FAMILY", list_.family,
                    "losses, regularizers, step-sizes, methods or generators (all)")
        ->type_name("");
    add_flag(list, "--markdown", list_.markdown, "as the tables of the documentation");
    list.footer("\nExample:\n  asynprox list regularizers");

    add(app_, "doctor", "what works on this machine", doctor_)
        .footer("\nExample:\n  asynprox doctor");
  }

  CLI::App app_{"asynprox: minimise f(x) + h(x) by asynchronous stochastic proximal steps",
                "asynprox"};
  TrainArguments train_;
  PredictArguments predict_;
  EvaluateArguments evaluate_;
  ReplayArguments replay_;
  ListArguments list_;
  DataInfoArguments data_info_;
  DataConvertArguments data_convert_;
  DataGenerateArguments data_generate_;
  DoctorArguments doctor_;
  Arguments chosen_;
};

}  // namespace

ParsedCommandLine parse_command_line(const std::vector<std::string>& words) {
  return CommandLine().parse(words);
}

}  // namespace asynprox::cli
