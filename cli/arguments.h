// What a user typed, command by command: filled in by command_line.cc, used by the commands.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "asynprox/run/problem_spec.h"

namespace asynprox::cli {

inline constexpr std::string_view kDefaultCompute = "lognormal";

// Of `simulate`, beside those of `train`.
struct ClusterArguments {
  std::optional<std::string> compute;  // kDefaultCompute
  std::optional<double> latency_up, latency_down, rate_up, rate_down;
  std::optional<double> push_seconds, step_seconds;
  bool separate_pull = false;
  bool pipelined = false;
  std::optional<std::string> outages;
  std::optional<std::string> faults;
  std::optional<double> detection, timeout;
  bool calibrate = false;
};

struct TrainArguments {
  ProblemSpec problem;
  std::string method = "auto";
  std::string step = "auto";
  std::optional<int> workers;
  std::optional<std::int64_t> batch_size;
  std::optional<int> pushes_per_step;
  std::optional<std::int64_t> staleness_max;
  std::string staleness_policy = "hold";
  std::string newton = "auto";
  std::string fallback = "auto";
  std::optional<std::string> delays;  // as they come
  std::string sampling = "auto";
  std::optional<double> epochs;
  std::optional<std::int64_t> steps;
  std::optional<double> seconds;
  std::optional<double> tolerance;
  std::optional<std::int64_t> trace_every;
  std::optional<std::string> runtime;  // threads, or serial for given delays
  std::string pin = "none";
  std::optional<double> pace;
  std::optional<std::string> speeds;
  std::optional<std::string> simd;  // the best there is
  std::string model_state = "auto";
  std::optional<double> reference_step;
  std::uint64_t seed = 1;
  std::optional<std::string> test;
  std::optional<std::string> out;
  bool force = false;
  bool no_events = false;
  std::optional<std::string> log;
  std::optional<std::string> picture;
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::optional<std::string> config;  // already read
  std::vector<std::string> command_line;
  std::optional<ClusterArguments> cluster;  // of `simulate`
};

struct SimulateArguments {
  TrainArguments train;  // with its cluster
};

struct PredictArguments {
  std::string model;
  DataSpec data;
  std::string output = "label";
};

struct EvaluateArguments {
  std::string model;
  DataSpec data;
  std::optional<std::string> weights;
  bool json = false;
};

struct ShowArguments {
  std::string model;
  bool all = false;
  bool csv = false;
  bool json = false;
};

struct ReplayArguments {
  std::string folder;
  std::optional<std::string> data;  // instead of the path that was recorded
  std::optional<std::string> simd;  // the best there is
  bool json = false;
};

struct ReproduceArguments {
  bool quick = false;
  std::optional<std::string> data_dir;  // ASYNPROX_DATA_DIR
  std::optional<std::string> data;      // instead of a9a and mnist
  std::optional<int> seeds;
  std::string out = "reproduction";
  bool force = false;
  bool json = false;
  bool quiet = false;
};

struct ListArguments {
  std::string family;  // empty: all
  bool markdown = false;
};

struct DataInfoArguments {
  DataSpec data;
  bool verify = false;
  bool json = false;
};

struct DataConvertArguments {
  DataSpec data;
  std::string out;
  bool force = false;
};

struct DataGenerateArguments {
  std::string spec;
  std::string out;
  bool force = false;
  bool quiet = false;
};

struct DataFetchArguments {
  std::optional<std::string> name;
  bool list = false;
  std::optional<std::string> out;       // the folder of data
  std::optional<std::string> base_url;  // ASYNPROX_DATA_URL, or where the data sets are
  bool quiet = false;
};

struct DoctorArguments {};

using Arguments =
    std::variant<TrainArguments, SimulateArguments, PredictArguments, EvaluateArguments,
                 ShowArguments, ReplayArguments, ReproduceArguments, ListArguments,
                 DataInfoArguments, DataConvertArguments, DataGenerateArguments, DataFetchArguments,
                 DoctorArguments>;

}  // namespace asynprox::cli
