// asynprox train: fit a model.
#include "cli/commands.h"
#include "cli/fit.h"

namespace asynprox::cli {

int run(const TrainArguments& arguments) { return fit(arguments, arguments.options); }

}  // namespace asynprox::cli
