// A program of somebody else's that includes every public header: solves, writes the record of the
// run, and makes the run again from the record.
#include <asynprox/charts.h>
#include <asynprox/cluster.h>
#include <asynprox/dataset.h>
#include <asynprox/delays.h>
#include <asynprox/errors.h>
#include <asynprox/factorization.h>
#include <asynprox/finite_sum.h>
#include <asynprox/linear_sum.h>
#include <asynprox/losses.h>
#include <asynprox/matrix_completion.h>
#include <asynprox/methods.h>
#include <asynprox/models.h>
#include <asynprox/network.h>
#include <asynprox/options.h>
#include <asynprox/random.h>
#include <asynprox/regularizers.h>
#include <asynprox/result.h>
#include <asynprox/run_record.h>
#include <asynprox/sampling.h>
#include <asynprox/solve.h>
#include <asynprox/step_sizes.h>
#include <asynprox/version.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main() {
  const asynprox::Dataset data = asynprox::read_dataset("generate:sparse-logistic:n=500,d=30");
  const asynprox::LogisticLoss loss;
  const asynprox::L1 h{.lambda = 1e-3};

  asynprox::EventFileWriter writer("events.log", asynprox::this_machine().build);
  asynprox::Options options = {.workers = 2};
  options.on_events = [&](std::span<const asynprox::Event> events) { writer.add(events); };
  const asynprox::Result result = asynprox::solve(data, loss, h, options);
  writer.close();
  std::ofstream("plan.json") << asynprox::plan_json(result.plan);

  std::ifstream file("plan.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  asynprox::EventFileReader reader("events.log");
  const asynprox::Replayed replayed = asynprox::replay(
      data, loss, h, asynprox::plan_from_json(text), [&] { return reader.next(); });
  const bool same = !replayed.comparison.difference && replayed.result.x == result.x;
  std::printf("%s\n", same ? "replayed to the bit" : "the replay differs");
  return same ? 0 : 1;
}
