// asynprox train: fit a model.
#include "asynprox/linalg/simd.h"

#include "cli/commands.h"
#include "cli/fit.h"
#include "cli/output_files.h"

namespace asynprox::cli {

int run(const TrainArguments& arguments) {
  if (arguments.simd) set_simd_level(*arguments.simd);
  check_outputs(arguments);
  OutFolder folder(arguments);
  Job job = make_job(arguments);
  return fit(arguments, job, folder);
}

}  // namespace asynprox::cli
