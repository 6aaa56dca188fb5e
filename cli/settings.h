// Every option of a run as it was used, by its long name: typed again, they make the same run.
#pragma once

#include "asynprox/report/run_record.h"

#include "cli/job.h"

namespace asynprox::cli {

SettingList settings_of(const TrainArguments& arguments, const Job& job, const Result& result);

}  // namespace asynprox::cli
