#include "asynprox/base/errors.h"
#include "asynprox/report/event_file.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"

#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

// A run of a few steps, of which corpus/events/recorded.log is a record.
struct RecordedRun {
  Dataset data = read_dataset("generate:sparse-logistic:n=20,d=4,nonzeros=2");
  LogisticLoss loss;
  L1 regularizer{.lambda = 1e-2};
  Plan plan = solve(data, loss, regularizer,
                    {.workers = 2, .stop = {.epochs = 3}, .runtime = Runtime::serial})
                  .plan;
};

}  // namespace

void fuzz_events(Input input) {
  static const RecordedRun run;
  try {
    EventFileReader events(memory_file(input));
    replay(run.data, run.loss, run.regularizer, run.plan, [&] { return events.next(); });
  } catch (const DataError&) {
  }
}

}  // namespace asynprox::fuzz
