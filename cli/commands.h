// The commands, a file each. They return the exit code, and throw what the library throws.
#pragma once

#include "cli/arguments.h"

namespace asynprox::cli {

int run(const TrainArguments& arguments);
int run(const SimulateArguments& arguments);
int run(const PredictArguments& arguments);
int run(const EvaluateArguments& arguments);
int run(const ShowArguments& arguments);
int run(const ReplayArguments& arguments);
int run(const ResumeArguments& arguments);
int run(const ReproduceArguments& arguments);
int run(const ListArguments& arguments);
int run(const DataInfoArguments& arguments);
int run(const DataConvertArguments& arguments);
int run(const DataGenerateArguments& arguments);
int run(const DataFetchArguments& arguments);
int run(const DoctorArguments& arguments);

}  // namespace asynprox::cli
