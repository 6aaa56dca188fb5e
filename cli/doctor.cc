// asynprox doctor: what works on this machine.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <filesystem>

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/losses/logistic.h"
#include "asynprox/regularizers/l1.h"
#include "asynprox/report/machine.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/version.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/mpi_program.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

constexpr const char* kFashionMnist = "/usr/share/datasets/fashion-mnist";

void line(std::string_view name, const std::string& value) {
  print(fmt::format("{:<14} {}\n", name, value));
}

// A whole run of two threads, small enough to take no time: can it be made again to the bit?
bool engine_works() {
  const Dataset data = read_dataset("generate:sparse-logistic:n=500,d=50,nonzeros=5");
  Options options = {.workers = 2, .stop = {.epochs = 5}};
  std::deque<Event> events;
  options.on_events = [&](std::span<const Event> some) {
    events.insert(events.end(), some.begin(), some.end());
  };
  const L1 h{.lambda = 1e-3};
  const Result first = solve(data, LogisticLoss{}, h, options);
  const auto next = [&]() -> std::optional<Event> {
    if (events.empty()) return std::nullopt;
    const Event event = events.front();
    events.pop_front();
    return event;
  };
  const Replayed again = replay(data, LogisticLoss{}, h, first.plan, next);
  return !again.comparison.difference && again.result.x == first.x &&
         first.objective < first.trace.front().objective;
}

std::string mpi_words() {
  const auto program = mpi_program(), starter = program_in_path("mpirun");
  if (!program) return "no: asynprox-mpi was not built, there was no MPI (Debian: libopenmpi-dev)";
  if (!starter) return "no: no mpirun in PATH (Debian: openmpi-bin)";
  return fmt::format("{}, with {}: mpirun -n 3 asynprox train DATA --runtime mpi", *starter,
                     std::filesystem::path(*program).filename().string());
}

}  // namespace

int run(const DoctorArguments&) {
  const Machine machine = this_machine();
  line("asynprox", std::string(kVersion));
  line("processor", fmt::format("{}, {} cores", machine.processor, machine.cores));
  line("kernels",
       fmt::format("{} (of {})", machine.build.simd_level, fmt::join(simd_levels(), ", ")));
  line("compiled by", machine.build.compiler);
  line("libm", machine.build.libm);
  line("reads",
       "LIBSVM text, CSV, IDX, ratings; plain, .gz, .bz2, .xz, .zst; the binary form; standard "
       "input; generated data");
  line("runtimes",
       fmt::format("threads, serial, loopback{}; simulated clusters (asynprox simulate)",
                   mpi_program() ? ", mpi" : ""));
  line("mpi", mpi_words());
  const char* folder = std::getenv("ASYNPROX_DATA_DIR");
  line("test data",
       folder ? folder : "ASYNPROX_DATA_DIR is not set: tests on real data are skipped");
  line("demo data", std::filesystem::exists(kFashionMnist)
                        ? kFashionMnist
                        : "none; the Debian package dataset-fashion-mnist has it");
  line("terminal", isatty(STDERR_FILENO) != 0 ? "yes: long work shows progress" : "no");
  const bool works = engine_works();
  line("engine", works ? "works: a small run of two threads was replayed to the bit"
                       : "BROKEN: a small run failed");
  flush_output();
  return works ? kDone : kFailed;
}

}  // namespace asynprox::cli
