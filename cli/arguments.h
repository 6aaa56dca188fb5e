// What a user typed, command by command: filled in by command_line.cc, used by the commands. Options
// are declared beside their fields; those of the problem and of the run in asynprox/run/.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "asynprox/checkpoints/checkpoint_rule.h"
#include "asynprox/run/option_list.h"

#include "cli/load.h"

namespace asynprox::cli {

inline constexpr std::array<std::string_view, 4> kEngineCommands = {"train", "simulate", "replay",
                                                                    "resume"};

struct MachineOptions {
  std::optional<std::string> simd;

  static constexpr auto options() {
    return std::tuple(group(
        "Machine", kEngineCommands,
        option(&MachineOptions::simd, "simd", AnyText{"LEVEL"},
               "vector instructions to use at most, see 'asynprox doctor'", "the best there is")));
  }
};

inline constexpr Form<CheckpointRule> kCheckpointForm = {
    .type = "text",
    .placeholder = "SECONDS|STEPSsteps",
    .parse = [](std::string_view text, const std::string& what,
                const ReadNumbers&) { return checkpoint_rule(text, what); },
    .text = [](const CheckpointRule& rule) { return text_of(rule); }};

// What only a program has: what it says of a run and leaves behind.
struct ProgramOptions {
  std::optional<std::string> test;
  std::optional<std::string> out;
  bool force = false;
  bool no_events = false;
  CheckpointRule checkpoint_every = {};
  std::optional<std::string> log;
  std::optional<std::string> picture;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::optional<std::string> config;  // already read

  static constexpr auto options() {
    using Self = ProgramOptions;
    return std::tuple(
        group("Stopping and evaluation", kRunCommands,
              option(&Self::test, "test", AnyText{"DATA"}, "evaluate on this data too")),
        unrecorded_group(
            "Output", kRunCommands,
            option(&Self::out, "out", AnyText{"FOLDER"},
                   "leave run.json, trace.csv, model.json and events.log there"),
            option(&Self::force, "force", Flag{},
                   "--out may be a folder that is not empty, --log and --picture a file that "
                   "exists"),
            option(&Self::no_events, "no_events", Flag{},
                   "leave no events.log, which has 32 bytes per push: the run cannot be replayed"),
            option(&Self::checkpoint_every, "checkpoint_every", kCheckpointForm,
                   "leave a checkpoint in --out after so many seconds (30) or steps (1000steps): "
                   "'asynprox resume' goes on from it",
                   "when the run is interrupted"),
            option(&Self::log, "log", AnyText{"FILE"},
                   "progress and evaluations, one JSON object per line"),
            option(&Self::picture, "picture", AnyText{"FILE"},
                   "write the model as a picture, .svg or .pgm (for data of pictures)"),
            option(&Self::json, "json", Flag{}, "print the result as one JSON object"),
            option(&Self::quiet, "quiet", Flag{},
                   "no progress, no summary; warnings are printed all the same"),
            option(&Self::verbose, "verbose", Flag{},
                   "a longer summary: what was chosen and why, staleness, the paper's theorem"),
            option(&Self::config, "config", AnyText{"FILE"},
                   "options from a TOML file; those on the command line win")));
  }
};

// Of `train` and `simulate`.
struct FitArguments {
  ProblemSpec problem;
  Options options;
  MachineOptions machine;
  ProgramOptions program;
  GivenTexts given;  // what was typed, or stood in the TOML file
  SpecFiles files;   // that options name; those of the problem are read with its data
  std::vector<std::string> command_line;
};

struct TrainArguments : FitArguments {};
struct SimulateArguments : FitArguments {};

inline constexpr std::array<std::string_view, 1> kPredictCommand = {"predict"};
inline constexpr std::array<std::string_view, 3> kOutputWords = {"label", "score", "probability"};

struct PredictArguments {
  std::string model;
  DataSpec data;
  std::string output = "label";

  static constexpr auto options() {
    return std::tuple(group("Output", kPredictCommand,
                            option(&PredictArguments::output, "output", Words{kOutputWords},
                                   "what to print per sample")));
  }
};

inline constexpr std::array<std::string_view, 1> kEvaluateCommand = {"evaluate"};

struct EvaluateArguments {
  std::string model;
  DataSpec data;
  std::optional<std::string> weights;
  bool json = false;

  static constexpr auto options() {
    return std::tuple(
        group("Output", kEvaluateCommand,
              option(&EvaluateArguments::weights, "weights", AnyText{"FILE"},
                     "weights of the samples, one number per line", "1 each"),
              option(&EvaluateArguments::json, "json", Flag{}, "as one JSON object")));
  }
};

inline constexpr std::array<std::string_view, 1> kShowCommand = {"show"};

struct ShowArguments {
  std::string model;
  bool all = false;
  bool csv = false;
  bool json = false;

  static constexpr auto options() {
    return std::tuple(group(
        "Output", kShowCommand,
        option(&ShowArguments::all, "all", Flag{},
               "all coefficients, not only the largest that are not zero"),
        option(&ShowArguments::csv, "csv", Flag{}, "as CSV: all that are not zero"),
        option(&ShowArguments::json, "json", Flag{}, "as one JSON object: all that are not zero")));
  }
};

inline constexpr std::array<std::string_view, 1> kReplayCommand = {"replay"};

struct ReplayArguments {
  std::string folder;
  MachineOptions machine;
  std::optional<std::string> data;  // instead of the path that was recorded
  bool json = false;

  static constexpr auto options() {
    return std::tuple(group("Run", kReplayCommand,
                            option(&ReplayArguments::data, "data", AnyText{"DATA"},
                                   "the data, if it has moved", "where it was"),
                            option(&ReplayArguments::json, "json", Flag{}, "as one JSON object")));
  }
};

inline constexpr std::array<std::string_view, 1> kResumeCommand = {"resume"};

struct ResumeArguments {
  std::string folder;
  MachineOptions machine;
  std::optional<std::string> data;  // instead of the path that was recorded
  // Limits, instead of those of the run.
  std::optional<double> epochs, seconds, tolerance;
  std::optional<std::int64_t> steps;
  CheckpointRule checkpoint_every = {};
  std::optional<std::string> log;
  bool force = false;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  GivenTexts given;
  std::vector<std::string> command_line;

  static constexpr auto options() {
    using Self = ResumeArguments;
    return std::tuple(group(
        "Resume", kResumeCommand,
        option(&Self::data, "data", AnyText{"DATA"}, "the data, if it has moved", "where it was"),
        option(&Self::epochs, "epochs", at_least(0),
               "stop after this many passes over the data, those before included", "as before"),
        option(&Self::steps, "steps", Whole{.least = 0}, "stop after this many steps, the same",
               "as before"),
        option(&Self::seconds, "seconds", at_least(0), "stop after this many seconds, the same",
               "as before"),
        option(&Self::tolerance, "tolerance", at_least(0), "of the objective; 0: never",
               "as before"),
        option(&Self::checkpoint_every, "checkpoint_every", kCheckpointForm,
               "leave a checkpoint after so many seconds (30) or steps (1000steps)", "as before"),
        option(&Self::log, "log", AnyText{"FILE"},
               "progress and evaluations, one JSON object per line"),
        option(&Self::force, "force", Flag{}, "--log may be a file that exists"),
        option(&Self::json, "json", Flag{}, "print the result as one JSON object"),
        option(&Self::quiet, "quiet", Flag{},
               "no progress, no summary; warnings are printed all the same"),
        option(&Self::verbose, "verbose", Flag{},
               "a longer summary: what was chosen and why, staleness, the paper's theorem")));
  }
};

inline constexpr std::array<std::string_view, 1> kReproduceCommand = {"reproduce"};

struct ReproduceArguments {
  bool quick = false;
  std::optional<std::string> data_dir;
  std::optional<std::string> data;  // instead of a9a and mnist
  std::optional<int> seeds;
  std::string out = "reproduction";
  bool force = false;
  bool json = false;
  bool quiet = false;

  static constexpr auto options() {
    using Self = ReproduceArguments;
    return std::tuple(group(
        "Experiments", kReproduceCommand,
        option(&Self::quick, "quick", Flag{}, "in two minutes: fewer seeds, fewer points"),
        option(&Self::data_dir, "data_dir", AnyText{"FOLDER"},
               "where a9a and mnist are; without them others are used", "ASYNPROX_DATA_DIR"),
        option(&Self::data, "data", AnyText{"DATA"}, "instead of both: as for 'train'"),
        option(&Self::seeds, "seeds", Whole{}, "runs of each simulation", "10; with --quick 3"),
        option(&Self::out, "out", AnyText{"FOLDER"}, "the folder for tables, pictures and page"),
        option(&Self::force, "force", Flag{}, "--out may be a folder that is not empty"),
        option(&Self::json, "json", Flag{}, "all that was found as one JSON object"),
        option(&Self::quiet, "quiet", Flag{}, "no progress")));
  }
};

inline constexpr std::array<std::string_view, 1> kListCommand = {"list"};

struct ListArguments {
  std::string family;  // empty: all
  bool markdown = false;

  static constexpr auto options() {
    return std::tuple(group("Output", kListCommand,
                            option(&ListArguments::markdown, "markdown", Flag{},
                                   "as the tables of the documentation")));
  }
};

inline constexpr std::array<std::string_view, 1> kDataInfoCommand = {"data info"};

struct DataInfoArguments {
  DataSpec data;
  bool verify = false;
  bool json = false;

  static constexpr auto options() {
    return std::tuple(
        group("Output", kDataInfoCommand,
              option(&DataInfoArguments::verify, "verify", Flag{},
                     "check every byte of a file in the binary form"),
              option(&DataInfoArguments::json, "json", Flag{}, "as one JSON object")));
  }
};

inline constexpr std::array<std::string_view, 1> kDataConvertCommand = {"data convert"};

struct DataConvertArguments {
  DataSpec data;
  std::string out;
  bool force = false;

  static constexpr auto options() {
    return std::tuple(group(
        "Output", kDataConvertCommand,
        option(&DataConvertArguments::force, "force", Flag{}, "OUT may be a file that exists")));
  }
};

inline constexpr std::array<std::string_view, 1> kDataGenerateCommand = {"data generate"};

struct DataGenerateArguments {
  std::string spec;
  std::string out;
  bool force = false;
  bool quiet = false;

  static constexpr auto options() {
    return std::tuple(group(
        "Output", kDataGenerateCommand,
        option(&DataGenerateArguments::force, "force", Flag{}, "OUT may be a file that exists"),
        option(&DataGenerateArguments::quiet, "quiet", Flag{}, "no progress, no summary")));
  }
};

inline constexpr std::array<std::string_view, 1> kDataFetchCommand = {"data fetch"};

struct DataFetchArguments {
  std::optional<std::string> name;
  bool list = false;
  std::optional<std::string> out;
  std::optional<std::string> base_url;
  bool quiet = false;

  static constexpr auto options() {
    using Self = DataFetchArguments;
    return std::tuple(group(
        "Download", kDataFetchCommand,
        option(&Self::list, "list", Flag{}, "what there is, and what is here"),
        option(&Self::out, "out", AnyText{"FOLDER"}, "where it is kept",
               "$XDG_DATA_HOME/asynprox, or ~/.local/share/asynprox"),
        option(&Self::base_url, "base_url", AnyText{"URL"},
               "where a copy of the LIBSVM data sets is", "ASYNPROX_DATA_URL, or their own place"),
        option(&Self::quiet, "quiet", Flag{}, "no progress, no summary")));
  }
};

struct DoctorArguments {};

using Arguments =
    std::variant<TrainArguments, SimulateArguments, PredictArguments, EvaluateArguments,
                 ShowArguments, ReplayArguments, ResumeArguments, ReproduceArguments, ListArguments,
                 DataInfoArguments, DataConvertArguments, DataGenerateArguments, DataFetchArguments,
                 DoctorArguments>;

}  // namespace asynprox::cli
