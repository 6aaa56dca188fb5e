// asynprox simulate: the same run on a virtual cluster.
#include <limits>

#include "cli/commands.h"
#include "cli/fit.h"
#include "cli/terminal.h"

namespace asynprox::cli {

int run(const SimulateArguments& typed) {
  SimulateArguments arguments = typed;
  Options options = arguments.options;
  options.runtime = Runtime::simulated;
  // With --calibrate and no --compute, workers are as fast as this machine.
  if (options.calibrate && !arguments.given.contains("compute"))
    options.cluster.compute = LognormalTime{.rate = std::numeric_limits<double>::infinity()};
  // What is lost or asked for apart cannot be replayed; the run is the same whenever it is made.
  if (!options.cluster.fused || options.cluster.faults.of_messages()) {
    if (arguments.program.out && !arguments.program.no_events)
      say_warning(
          "no events.log is left: where messages are lost, or models asked for apart, this "
          "command is the record");
    arguments.program.no_events = true;
  }
  return fit(arguments, options);
}

}  // namespace asynprox::cli
