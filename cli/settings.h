// Every option of a run as it was used, by its long name: typed again, they make the same run.
#pragma once

#include "asynprox/report/run_record.h"

#include "cli/arguments.h"

namespace asynprox::cli {

// `problem`: as it was resolved.
SettingList settings_of(const TrainArguments& arguments, const ProblemSpec& problem,
                        const Result& result);

}  // namespace asynprox::cli
