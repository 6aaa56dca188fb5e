// asynprox train: fit a model.
#include "cli/commands.h"
#include "cli/fit.h"
#include "cli/mpi_program.h"

namespace asynprox::cli {

int run(const TrainArguments& arguments) {
  if (arguments.options.runtime == Runtime::mpi) become_mpi_program(arguments.command_line);
  return fit(arguments, arguments.options);
}

}  // namespace asynprox::cli
