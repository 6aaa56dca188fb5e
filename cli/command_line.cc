#include "cli/command_line.h"

#include <CLI/CLI.hpp>

#include <sstream>

#include "asynprox/base/errors.h"
#include "asynprox/version.h"

#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "cli/usage.h"

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

constexpr const char* kSimulateExamples = R"(
Examples:
  Sixty-four workers, of which one is four times slower:
    asynprox simulate generate:nn-pca:n=10000,d=100 --loss pca --regularizer nonneg-ball:1 \
      --workers 64 --batch-size 8192 --steps 20 --speeds 0.25
  The same, synchronous:
    asynprox simulate generate:nn-pca:n=10000,d=100 --loss pca --regularizer nonneg-ball:1 \
      --workers 64 --batch-size 8192 --steps 20 --speeds 0.25 --method prox-sgd
  Messages that get lost, workers that die:
    asynprox simulate generate:sparse-logistic:n=10000,d=1000 --regularizer l1:1e-3 --workers 8 \
      --faults random:loss=0.05,duplication=0.05,deaths=0.1)";

constexpr const char* kReplayExamples = R"(
Example:
  asynprox train generate:sparse-logistic:n=10000,d=1000 --workers 4 --epochs 5 --out recorded
  asynprox replay recorded)";

constexpr const char* kResumeExamples = R"(
Examples:
  asynprox train generate:sparse-logistic:n=10000,d=1000 --method asyn-prox-sgd --epochs 5 \
    --checkpoint-every 500steps --out kept
  asynprox resume kept --epochs 10)";

constexpr const char* kReproduceExamples = R"(
Examples:
  The paper's figures and tables, in two minutes; a9a and mnist are in the folder FOLDER:
    asynprox reproduce --quick --data-dir FOLDER
  The same on other data, and all of it:
    asynprox reproduce --data generate:nn-pca:n=20000,d=100 --out other)";

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

class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", std::string(kVersion));
    app_.footer(kMainExamples);
    app_.get_formatter()->column_width(34);
    add_train();
    add_simulate();
    add_predict();
    add_evaluate();
    add_show();
    add_replay();
    add_resume();
    add_reproduce();
    add_data_commands();
    add_others();
    let_last_win(app_);
  }

  // `typed` without the program's name.
  ParsedCommandLine parse(const std::vector<std::string>& typed) {
    train_.command_line = typed;
    train_.command_line.insert(train_.command_line.begin(), app_.get_name());
    simulate_.command_line = resume_.command_line = train_.command_line;
    const TypedWords words = words_of(typed, app_);
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

  void add_fit(CLI::App& app, FitArguments& fit) {
    const std::string command = app.get_name();
    GivenTexts* const given = &fit.given;
    add_data(app, command, fit.problem.data, given);
    add_options(app, command, fit.problem, given);
    add_options(app, command, fit.options, given, fit.files.reader());
    add_options(app, command, fit.machine, given);
    add_options(app, command, fit.program, given);
  }

  void add_train() {
    CLI::App& app = add(app_, "train", "fit a model", train_);
    add_fit(app, train_);
    app.footer(kTrainExamples);
  }

  void add_simulate() {
    CLI::App& app =
        add(app_, "simulate", "the same run on a virtual cluster, in virtual time", simulate_);
    add_fit(app, simulate_);
    app.footer(kSimulateExamples);
  }

  void add_model(CLI::App& app, std::string& model) {
    app.add_option("MODEL", model, "model.json of a run")->required()->type_name("");
  }

  void add_predict() {
    CLI::App& app = add(app_, "predict", "one prediction per line", predict_);
    add_model(app, predict_.model);
    add_data(app, "predict", predict_.data);
    add_options(app, "predict", predict_);
    app.footer("\nExample:\n  asynprox predict run/model.json FILE --output probability");
  }

  void add_evaluate() {
    CLI::App& app = add(app_, "evaluate", "loss, accuracy, AUC, RMSE ... of a model", evaluate_);
    add_model(app, evaluate_.model);
    add_data(app, "evaluate", evaluate_.data);
    add_options(app, "evaluate", evaluate_);
    app.footer("\nExample:\n  asynprox evaluate run/model.json FILE --json");
  }

  void add_show() {
    CLI::App& app =
        add(app_, "show", "a model's coefficients, in the units of the data's columns", show_);
    add_model(app, show_.model);
    add_options(app, "show", show_);
    app.footer("\nExample:\n  asynprox show run/model.json");
  }

  void add_replay() {
    CLI::App& app = add(app_, "replay", "make a recorded run again, and compare the bits", replay_);
    app.add_option("FOLDER", replay_.folder, "--out of the run")->required()->type_name("");
    add_options(app, "replay", replay_);
    add_options(app, "replay", replay_.machine);
    app.footer(kReplayExamples);
  }

  void add_resume() {
    CLI::App& app = add(app_, "resume", "go on with a run from its last checkpoint", resume_);
    app.add_option("FOLDER", resume_.folder, "--out of the run")->required()->type_name("");
    add_options(app, "resume", resume_, &resume_.given);
    add_options(app, "resume", resume_.machine);
    app.footer(kResumeExamples);
  }

  void add_reproduce() {
    CLI::App& app = add(app_, "reproduce", "the paper's figures and tables", reproduce_);
    add_options(app, "reproduce", reproduce_);
    app.footer(kReproduceExamples);
  }

  void add_out(CLI::App& app, std::string& out) {
    app.add_option("OUT", out, "the file to write, for example NAME.axp")
        ->required()
        ->type_name("");
  }

  void add_data_commands() {
    CLI::App& data =
        *app_.add_subcommand("data", "look at data, fetch it, or write it in our binary form");
    data.require_subcommand(1);
    data.footer(kDataExamples);
    CLI::App& info = add(data, "info", "size, sparsity, labels", data_info_);
    add_data(info, "data info", data_info_.data);
    add_options(info, "data info", data_info_);
    info.footer("\nExample:\n  asynprox data info generate:sparse-logistic:n=1000,d=100");

    CLI::App& convert = add(data, "convert", "write DATA in the binary form", data_convert_);
    add_data(convert, "data convert", data_convert_.data);
    add_out(convert, data_convert_.out);
    add_options(convert, "data convert", data_convert_);
    convert.footer("\nExample:\n  asynprox data convert FILE FILE.axp");

    CLI::App& generate = add(
        data, "generate", "write generated data, of any size, in the binary form", data_generate_);
    generate
        .add_option("SPEC", data_generate_.spec,
                    "NAME:KEY=VALUE,...; see 'asynprox list generators'")
        ->required()
        ->type_name("");
    add_out(generate, data_generate_.out);
    add_options(generate, "data generate", data_generate_);
    generate.footer(kGenerateExamples);

    CLI::App& fetch =
        add(data, "fetch", "download a public data set, to be named as DATA then", data_fetch_);
    fetch.add_option("NAME", data_fetch_.name, "see --list")->type_name("");
    add_options(fetch, "data fetch", data_fetch_);
    fetch.footer("\nExample:\n  asynprox data fetch --list");
  }

  void add_others() {
    CLI::App& list = add(app_, "list", "what can be chosen, with parameters", list_);
    list.add_option("FAMILY", list_.family,
                    "losses, models, regularizers, step-sizes, delays, methods, refinements, "
                    "samplings, compute-times, faults or generators (all); or options, of train, "
                    "simulate, replay and resume")
        ->type_name("");
    add_options(list, "list", list_);
    list.footer("\nExample:\n  asynprox list regularizers");

    add(app_, "doctor", "what works on this machine", doctor_)
        .footer("\nExample:\n  asynprox doctor");
  }

  CLI::App app_{"asynprox: minimise f(x) + h(x) by asynchronous stochastic proximal steps",
                "asynprox"};
  TrainArguments train_;
  SimulateArguments simulate_;
  PredictArguments predict_;
  EvaluateArguments evaluate_;
  ShowArguments show_;
  ReplayArguments replay_;
  ResumeArguments resume_;
  ReproduceArguments reproduce_;
  ListArguments list_;
  DataInfoArguments data_info_;
  DataConvertArguments data_convert_;
  DataGenerateArguments data_generate_;
  DataFetchArguments data_fetch_;
  DoctorArguments doctor_;
  Arguments chosen_;
};

}  // namespace

ParsedCommandLine parse_command_line(const std::vector<std::string>& words) {
  return CommandLine().parse(words);
}

}  // namespace asynprox::cli
