// The claim: rows in their narrowest form, with kernels in two halves, make a run several times
// faster than plain compressed rows of doubles.
//
// Measured in the run loop, on one core: a server and a worker, 1,024 samples a push drawn with
// replacement from all, a step of O(d) for each. The second table has rows that fit no cache, and
// says how much of the memory's own speed they reach.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/linalg/rows_builder.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/linear_sum.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/step_sizes/all.h"

#include "benchmarks/measure.h"
#include "benchmarks/plain_csr.h"

namespace asynprox::benchmarks {
namespace {

constexpr std::int64_t kSamplesPerPush = 1024;
// Short, so that on a busy machine some turns are not interrupted.
constexpr double kTurnSeconds = 0.02;

// The loop of a run, a step at a time.
class RunLoop {
 public:
  RunLoop(const AnyFiniteSum& f, const AnyRegularizer& h, double eta)
      : server_(make_dense_state(Vector(f.dimension(), 1e-3), h), ConstantStep{.value = eta}, {},
                {.pushes_per_step = 1, .batch_size = kSamplesPerPush},
                Stopping({.steps = std::int64_t{1} << 40}, 1),
                EvaluationSchedule::every(std::int64_t{1} << 40)),
        worker_(f, {.seed = 1, .samples_per_push = kSamplesPerPush, .num_samples = f.num_samples()},
                /*keyed=*/false) {
    server_.receive(worker_.pull(), replies_);
    server_.evaluated({}, replies_);
  }

  void take(std::int64_t steps) {
    for (std::int64_t step = 0; step < steps; ++step) {
      std::swap(reply_, *replies_.begin());
      replies_.clear();
      worker_.answer(reply_, push_);
      server_.receive(push_, replies_);
    }
  }

 private:
  Server server_;
  Worker worker_;
  Replies replies_;
  Reply reply_;
  Push push_;
};

struct Measured {
  std::string data, loss, form;
  double plain = 0, ours = 0;   // sample gradients a second
  double bytes_per_sample = 0;  // of ours
  double ratio() const { return ours / plain; }
};

Vector signs(const Vector& labels) {
  Vector y = labels;
  for (double& y_i : y) y_i = y_i > 4.5 || y_i == 1 ? 1 : -1;
  return y;
}

template <class Loss>
Measured measure(const Dataset& data, double eta, int turns) {
  const Vector y = signs(data.labels);
  const AnyRegularizer h = Loss::labels == Labels::none ? AnyRegularizer(NonNegBall{})
                                                        : AnyRegularizer(L1{.lambda = 1e-6});
  RunLoop plain(PlainCsrSum<Loss>(data.rows, y), h, eta);
  RunLoop ours(LinearSum(data, y, Loss{}), h, eta);
  const std::int64_t steps = std::max<std::int64_t>(
      10, static_cast<std::int64_t>(kTurnSeconds / seconds_of([&] { plain.take(10); }) * 10));
  const std::vector<double> seconds =
      best_seconds({[&] { plain.take(steps); }, [&] { ours.take(steps); }}, turns);
  const auto samples = static_cast<double>(steps * kSamplesPerPush);
  return {.data = data.name,
          .loss = std::string(Loss::name),
          .form = std::string(data.rows.form()),
          .plain = samples / seconds[0],
          .ours = samples / seconds[1],
          .bytes_per_sample =
              static_cast<double>(data.rows.bytes()) / static_cast<double>(data.rows.num_rows())};
}

// Rows of `length` floats in d = 10,000 columns.
Dataset large_rows(std::size_t num_rows, std::size_t length) {
  const Random random(5);
  RowsBuilder builder;
  constexpr Key kColumns = 10000;
  const auto apart_max = static_cast<std::uint64_t>(kColumns / length - 1);
  CsrMatrix row{
      .offsets = {0, length}, .columns = std::vector<Key>(length), .values = Vector(length)};
  Dataset data{.name = "generated"};
  for (std::size_t i = 0; i < num_rows; ++i) {
    Key column = 0;
    for (std::size_t e = 0; e < length; ++e) {
      const std::uint64_t bits = random.at(i * length + e);
      row.columns[e] = column;
      row.values[e] = static_cast<float>(static_cast<double>(bits >> 40) * 0x1p-24 - 0.5);
      column += static_cast<Key>(1 + bits % apart_max);
    }
    // Lengths differ, so that the rows are not slots.
    row.offsets[1] = length - i % 2;
    builder.add(row.offsets, std::span(row.columns).first(row.offsets[1]),
                std::span(row.values).first(row.offsets[1]));
    data.labels.push_back(i % 2 == 0 ? -1 : 1);
  }
  data.rows = std::move(builder).build(kColumns);
  return data;
}

// Bytes a second of one core that reads memory from end to end.
double read_speed(int turns) {
  const std::vector<std::uint64_t> memory(std::size_t{48} << 20, 1);  // 384 MB
  std::uint64_t sum = 0;
  const auto read = [&] {
    std::uint64_t lanes[8] = {};
    for (std::size_t i = 0; i < memory.size(); i += 8)
      for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += memory[i + lane];
    sum += std::accumulate(std::begin(lanes), std::end(lanes), std::uint64_t{0});
  };
  const double seconds = best_seconds({read}, turns)[0];
  if (sum == 0) throw std::logic_error("the memory was not read");
  return static_cast<double>(memory.size() * sizeof(std::uint64_t)) / seconds;
}

nlohmann::json to_json(const Measured& m) {
  return {{"data", m.data},
          {"loss", m.loss},
          {"form", m.form},
          {"plain_per_second", m.plain},
          {"per_second", m.ours},
          {"ratio", m.ratio()},
          {"bytes_per_sample", m.bytes_per_sample}};
}

void print(const Measured& m) {
  fmt::print("{:<10} {:<9} {:>8.2f} {:>8.2f} {:>6.2f}   {}\n", m.data, m.loss, m.plain / 1e6,
             m.ours / 1e6, m.ratio(), m.form);
  std::fflush(stdout);
}

struct Arguments {
  std::string data = ".";
  std::string json;
  int turns = 41;
  bool large = true;
};

int run(const Arguments& arguments) {
  nlohmann::json record = {{"in_cache", nlohmann::json::array()},
                           {"large", nlohmann::json::array()}};
  fmt::print("M sample gradients/s, one core, {} samples a push\n\n", kSamplesPerPush);
  fmt::print("{:<10} {:<9} {:>8} {:>8} {:>6}   form\n", "data", "loss", "plain", "ours", "ratio");
  for (const std::string& name : std::vector<std::string>{"a9a", "mnist"}) {
    Dataset data = read_dataset((std::filesystem::path(arguments.data) / (name + ".xz")).string());
    data.name = name;
    const double eta = name == "a9a" ? 1e-3 : 1e-9;
    for (const Measured& m : {measure<LogisticLoss>(data, eta, arguments.turns),
                              measure<PcaLoss>(data, eta, arguments.turns)}) {
      print(m);
      record["in_cache"].push_back(to_json(m));
    }
  }
  if (arguments.large) {
    const double memory = read_speed(arguments.turns);
    const Dataset data = large_rows(700'000, 100);
    fmt::print("\n{:.0f} MB of rows; memory is read at {:.1f} GB/s\n",
               static_cast<double>(data.rows.bytes()) / 1e6, memory / 1e9);
    for (const Measured& m : {measure<LogisticLoss>(data, 1e-3, arguments.turns),
                              measure<PcaLoss>(data, 1e-3, arguments.turns)}) {
      print(m);
      const double touched = m.ours * m.bytes_per_sample;
      fmt::print("{:>20} {:.2f} GB/s of rows, {:.0f} % of the memory's speed\n", "", touched / 1e9,
                 100 * touched / memory);
      nlohmann::json line = to_json(m);
      line["bytes_per_second"] = touched;
      line["memory_bytes_per_second"] = memory;
      record["large"].push_back(line);
    }
  }
  if (!arguments.json.empty()) std::ofstream(arguments.json) << record.dump(2) << '\n';
  return 0;
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  CLI::App app("Rows against plain compressed rows of doubles, in the run loop");
  asynprox::benchmarks::Arguments arguments;
  app.add_option("--data", arguments.data, "folder with a9a.xz and mnist.xz")
      ->envname("ASYNPROX_DATA_DIR");
  app.add_option("--json", arguments.json, "write the figures here too");
  app.add_option("--turns", arguments.turns, "of which the best counts")
      ->check(CLI::PositiveNumber);
  app.add_flag("!--no-large", arguments.large, "without the rows that fit no cache");
  CLI11_PARSE(app, argc, argv);
  try {
    return asynprox::benchmarks::run(arguments);
  } catch (const std::exception& error) {
    fmt::print(stderr, "rows: {}\n", error.what());
    return 1;
  }
}
