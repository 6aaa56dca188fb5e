// The claim: rows in their narrowest form, with kernels in two halves, make a run several times
// faster than plain compressed rows of doubles.
//
// Measured in the run loop, on one core: a server and a worker, 1,024 samples per push drawn with
// replacement from all, a step of O(d) for each. The second table has rows that fit no cache, and
// says how much of the memory's own speed they reach.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/linalg/rows_builder.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

#include "benchmarks/measure.h"
#include "benchmarks/plain_csr.h"
#include "benchmarks/report.h"
#include "benchmarks/run_loop.h"

namespace asynprox::benchmarks {
namespace {

constexpr std::int64_t kSamplesPerPush = 1024;
// Short, so that on a busy machine some turns are not interrupted.
constexpr double kTurnSeconds = 0.02;

struct Measured {
  std::string data, loss, form;
  double plain = 0, ours = 0;   // sample gradients per second
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
  const LoopOptions options = {.samples_per_push = kSamplesPerPush, .eta = eta};
  RunLoop plain(PlainCsrSum<Loss>(data.rows, y), h, options);
  RunLoop ours(LinearSum(data, y, Loss{}), h, options);
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

// Bytes of the last-level cache, as far as the system knows it.
double cache_bytes() {
  const long known = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE));
  return static_cast<double>(std::max(known, 32L << 20));
}

// What fits no cache: ten times the last, or the fifth part of all memory where that is less (the
// plain rows beside ours take twice as much).
double large_bytes() {
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return std::min(10 * cache_bytes(), memory / 5);
}

// Bytes a second of one core that reads memory from end to end.
double read_speed(int turns) {
  const std::vector<std::uint64_t> memory(static_cast<std::size_t>(large_bytes() / 64) * 8, 1);
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

void add(const Measured& m, double asked, Report& report) {
  report.add({m.data, m.loss, m.plain / 1e6, m.ours / 1e6, m.ratio(), asked, m.form});
}

void measure_in_cache(const Arguments& arguments, Report& report) {
  report.begin({"rows",
                fmt::format("M sample gradients per second in the run loop, one core, {} samples a "
                            "push: plain compressed rows of doubles without prefetch, and ours.",
                            kSamplesPerPush),
                {"data", "loss", "plain", "ours", "ratio", "asked", "form"}});
  for (const std::string name : {"a9a", "mnist"}) {
    const bool a9a = name == "a9a";
    Dataset data =
        read_dataset((std::filesystem::path(arguments.data_folder) / (name + ".xz")).string());
    data.name = name;
    const double eta = a9a ? 1e-3 : 1e-9;
    add(measure<LogisticLoss>(data, eta, arguments.turns), a9a ? 2.5 : 2.1, report);
    add(measure<PcaLoss>(data, eta, arguments.turns), a9a ? 3.5 : 2.1, report);
  }
}

void measure_large(const Arguments& arguments, Report& report) {
  constexpr std::size_t kLength = 100;
  const double bytes_a_row = kLength * (sizeof(float) + sizeof(std::uint16_t));
  const Dataset data = large_rows(static_cast<std::size_t>(large_bytes() / bytes_a_row), kLength);
  const auto bytes = static_cast<double>(data.rows.bytes());
  report.begin(
      {"large_rows",
       fmt::format("The same for {:.0f} MB of generated rows, {:.0f} times the last cache. "
                   "GB/s are of rows touched, sampled anywhere; memory is what one core "
                   "reads from end to end in the same run.",
                   bytes / 1e6, bytes / cache_bytes()),
       {"loss", "plain", "ours", "ratio", "GB/s", "GB/s of memory"}});
  const double memory = read_speed(arguments.turns);
  for (const Measured& m : {measure<LogisticLoss>(data, 1e-3, arguments.turns),
                            measure<PcaLoss>(data, 1e-3, arguments.turns)})
    report.add({m.loss, m.plain / 1e6, m.ours / 1e6, m.ratio(), m.ours * m.bytes_per_sample / 1e9,
                memory / 1e9});
}

void measure_all(const Arguments& arguments, Report& report) {
  measure_in_cache(arguments, report);
  measure_large(arguments, report);
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  return asynprox::benchmarks::run_program(argc, argv, "Rows", asynprox::benchmarks::measure_all);
}
