// One problem held in memory, min (1/n) sum log(1 + exp(-y_i z_i'x)) + lambda |x|_1, and solved as
// often as it is told to: a line of JSON in, a line of JSON out. compare.py, which times other
// packages on the same numbers, asks between their turns.
//
//   in    {"lambda": 1e-4, "tolerance": 1e-6, "epochs": 1e4, "workers": 1, "method": "auto",
//          "model": "x.f64"}
//   out   {"seconds": of the whole call of solve(), "cpu_seconds": the same of all threads, ...}
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <string>

#include "asynprox/base/errors.h"
#include "asynprox/base/json_depth.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/generators/all.h"
#include "asynprox/data/labels.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/solve.h"

namespace asynprox::benchmarks {
namespace {

using Json = nlohmann::json;

template <class Number>
void write_numbers(const std::filesystem::path& path, std::span<const Number> numbers) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size_bytes()));
  require(file.good(), fmt::format("{}: cannot be written", path.string()));
}

// The samples as they are used: compressed rows, scaled, with the labels -1 and +1.
void write_samples(const Dataset& data, const std::filesystem::path& folder) {
  std::vector<std::int32_t> offsets = {0}, columns;
  std::vector<double> values;
  walk_rows(data.rows, [&](std::size_t i, std::span<const RowEntry> entries) {
    const double scale = data.row_scale.empty() ? 1 : data.row_scale[i];
    for (const RowEntry& entry : entries) {
      columns.push_back(static_cast<std::int32_t>(entry.column));
      values.push_back(scale * entry.value);
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  });
  std::filesystem::create_directories(folder);
  write_numbers<std::int32_t>(folder / "offsets.i32", offsets);
  write_numbers<std::int32_t>(folder / "columns.i32", columns);
  write_numbers<double>(folder / "values.f64", values);
  write_numbers<double>(folder / "labels.f64", data.labels);
}

// The model that the labels were made from, of generators that plant one.
void write_planted(const std::string& path, const std::filesystem::path& folder) {
  const std::string prefix = "generate:";
  if (!path.starts_with(prefix)) return;
  const Spec spec = parse_spec(path.substr(prefix.size()));
  for_each_member(AllGenerators{}, [&](auto identity) {
    using G = typename decltype(identity)::type;
    if constexpr (requires(const G& generator) { generator.planted(); })
      if (spec.name == G::name)
        write_numbers<double>(folder / "planted.f64", make_member<G>(spec, nullptr).planted());
  });
}

Options options_of(const Json& order) {
  Options options = {.workers = order.value("workers", 1)};
  if (const auto method = order.value("method", "auto"); method != "auto")
    options.method = make_method(parse_spec(method));
  if (order.contains("tolerance")) options.stop.tolerance = order["tolerance"].get<double>();
  if (order.contains("epochs")) options.stop.epochs = order["epochs"].get<double>();
  if (order.contains("seconds")) options.stop.seconds = order["seconds"].get<double>();
  options.seed = order.value("seed", std::uint64_t{1});
  return options;
}

double cpu_seconds() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Json carry_out(const Dataset& data, const Json& order) {
  const Options options = options_of(order);
  const double cpu = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  const Result result =
      solve(data, LogisticLoss{}, L1{.lambda = order.at("lambda").get<double>()}, options);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  Json answer = {{"seconds", seconds.count()},
                 {"cpu_seconds", cpu_seconds() - cpu},
                 {"run_seconds", result.seconds},
                 {"evaluation_seconds", result.evaluation_seconds},
                 {"evaluations", result.trace.size()},
                 {"objective", result.objective},
                 {"nonzeros", result.nonzeros},
                 {"epochs", result.epochs},
                 {"steps", result.steps},
                 {"method", fmt::format("{}", fmt::join(result.method_parts, " + "))},
                 {"batch_size", result.plan.batch.size},
                 {"state", name(result.plan.state)},
                 {"stop", name(result.stop_reason)}};
  if (result.duality_gap) answer["duality_gap"] = *result.duality_gap;
  if (order.contains("model")) write_numbers<double>(order["model"].get<std::string>(), result.x);
  return answer;
}

Dataset prepared(const std::string& path, bool scale_rows, std::optional<double> positive_label) {
  Dataset data = read_dataset(path);
  if (scale_rows) normalize_rows(data);
  data.labels = sign_labels(data.labels, positive_label, data.label_names).signs;
  return data;
}

int run(int argc, char** argv) {
  CLI::App app("Solves one problem as often as lines of JSON ask for it");
  std::string path, folder;
  bool scale_rows = false;
  std::optional<double> positive_label;
  app.add_option("data", path, "a file, or generate:SPEC")->required();
  app.add_flag("--normalize-rows", scale_rows, "to length 1");
  app.add_option("--positive-label", positive_label, "against the rest");
  app.add_option("--samples", folder, "leave the samples here, as arrays");
  CLI11_PARSE(app, argc, argv);
  const Dataset data = prepared(path, scale_rows, positive_label);
  if (!folder.empty()) {
    write_samples(data, folder);
    write_planted(path, folder);
  }
  fmt::print("{}\n", Json{{"samples", data.num_samples()},
                          {"dimension", data.dimension()},
                          {"nonzeros", data.rows.num_nonzeros()}}
                         .dump());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    check_json_depth(line, "standard input");
    fmt::print("{}\n", carry_out(data, Json::parse(line)).dump());
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  try {
    return asynprox::benchmarks::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
}
