// asynprox train --runtime mpi, as one of the ranks that mpirun started.
#pragma once

#include "cli/arguments.h"

namespace asynprox::cli {

// Every rank calls it. Rank 0 alone speaks and writes, but for a worker that has lost rank 0. Returns the
// exit code; where the run failed, or a rank is missing at its end, all ranks are ended at once.
int train_over_mpi(const TrainArguments& arguments);

}  // namespace asynprox::cli
