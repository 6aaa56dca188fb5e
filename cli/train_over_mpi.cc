#include "cli/train_over_mpi.h"

#include <algorithm>
#include <exception>

#include "asynprox/linalg/simd.h"
#include "asynprox/mpi/ports.h"
#include "asynprox/mpi/run.h"
#include "asynprox/transports/working.h"

#include "cli/exit_codes.h"
#include "cli/fit.h"
#include "cli/mpi_program.h"
#include "cli/problem.h"
#include "cli/program.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

int serve(const TrainArguments& arguments, const mpi::World& world) {
  const double deadline = arguments.options.peer_deadline;
  int code = kFailed;
  {
    mpi::Mail mail(world, deadline);
    Attendance attendance;
    bool complete = false;
    const auto solver = [&](const FitProblem& problem, const Options& options) {
      return mpi::serve_ranks(problem, options, mail, attendance);
    };
    code = guarded([&] {
      const int made = fit(arguments, arguments.options, solver);
      complete = true;
      return made;
    });
    // Whoever waits for a word of this rank would wait for ever.
    if (!complete || std::ranges::find(attendance.missing, true) != attendance.missing.end())
      mpi::World::abort(code);
  }
  world.finalize(deadline, code);
  return code;
}

void work(const TrainArguments& arguments, mpi::Mail& mail) {
  if (arguments.machine.simd) set_simd_level(*arguments.machine.simd);
  const BuiltProblem problem = build_problem(arguments.problem, arguments.options.seed);
  // Whoever interrupts mpirun interrupts every rank. Rank 0 says when the run is over.
  const SignalWatch signals;
  mpi::work_as_rank(problem, mail, &signals.flag());
}

// Rank 0 tells of it, and ends all ranks.
void report(const std::exception& error, mpi::Mail& mail) {
  std::vector<std::byte> frame;
  encode(failure_of(error), frame);
  mail.send(/*rank=*/0, frame);
  mpi::WorkerRankPort port(mail);
  for (;;) port.receive("the end of the run");
}

int work_or_report(const TrainArguments& arguments, mpi::Mail& mail) {
  try {
    work(arguments, mail);
  } catch (const PeerError&) {
    throw;
  } catch (const std::exception& error) {
    report(error, mail);
  }
  return kDone;
}

int work(const TrainArguments& arguments, const mpi::World& world) {
  const double deadline = arguments.options.peer_deadline;
  {
    mpi::Mail mail(world, deadline);
    const int code = guarded([&] {
      try {
        return work_or_report(arguments, mail);
      } catch (const PeerError&) {
        set_silent(false);  // rank 0 cannot speak
        throw;
      }
    });
    if (code != kDone) mpi::World::abort(code);
  }
  world.finalize(deadline, kDone);
  return kDone;
}

}  // namespace

int train_over_mpi(const TrainArguments& arguments) {
  require_launched_by_mpi();
  require(arguments.problem.data.path != "-",
          "--runtime mpi: standard input goes to one rank only; expected data that each can read");
  const mpi::World world;
  set_silent(world.rank() != 0);
  return world.rank() == 0 ? serve(arguments, world) : work(arguments, world);
}

}  // namespace asynprox::cli
