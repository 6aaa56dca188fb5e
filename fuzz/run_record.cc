#include "asynprox/base/errors.h"
#include "asynprox/report/read_run.h"
#include "asynprox/run/check_plan.h"
#include "asynprox/run/json.h"

#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

namespace asynprox::fuzz {

void fuzz_run_record(Input input) {
  const ReadNumbers read = [](const std::string&) { return std::vector<double>{1, 2}; };
  try {
    const RecordedRun run = read_run(memory_file(input));
    const std::string problem = problem_json(run.problem);
    ensure(problem_json(problem_from_json(problem)) == problem,
           "the problem is not read as written");
    const Plan plan = plan_from_json(run.plan_json, read);
    const std::string text = plan_json(plan);
    ensure(plan_json(plan_from_json(text, read)) == text, "the plan is not read as written");
  } catch (const DataError&) {
  }
}

}  // namespace asynprox::fuzz
