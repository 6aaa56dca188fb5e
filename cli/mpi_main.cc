// asynprox-mpi: the same commands, with the runtime mpi linked.
#include "cli/program.h"
#include "cli/train_over_mpi.h"

namespace {

using namespace asynprox;

int run_command(const cli::Arguments& arguments) {
  const auto* const train = std::get_if<cli::TrainArguments>(&arguments);
  if (train && train->options.runtime == Runtime::mpi) return cli::train_over_mpi(*train);
  return cli::run_command(arguments);
}

}  // namespace

int main(int argc, char** argv) { return cli::run_program(argc, argv, run_command); }
