// asynprox simulate: the same run on a virtual cluster.
#include "asynprox/linalg/simd.h"

#include "cli/cluster_options.h"
#include "cli/commands.h"
#include "cli/fit.h"
#include "cli/output_files.h"
#include "cli/terminal.h"

namespace asynprox::cli {

int run(const SimulateArguments& arguments) {
  TrainArguments train = arguments.train;
  if (train.simd) set_simd_level(*train.simd);
  const Cluster cluster = cluster_of(*train.cluster);
  // What is lost or asked for apart cannot be replayed; the run is the same whenever it is made.
  if (!cluster.fused || cluster.faults.of_messages()) {
    if (train.out && !train.no_events)
      say_warning(
          "no events.log is left: where messages are lost, or models asked for apart, this "
          "command is the record");
    train.no_events = true;
  }
  check_outputs(train);
  OutFolder folder(train);
  Job job = make_job(train);
  return fit(train, job, folder);
}

}  // namespace asynprox::cli
