// A run is a value: its plan goes to a file with the events that reached the server, and from the
// two files the same run is made again, to the bit. Another process that has the data can do so.
#include <asynprox/run_record.h>
#include <asynprox/solve.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

namespace {

const asynprox::LogisticLoss kLoss;
const asynprox::L1 kRegularizer{.lambda = 1e-3};

asynprox::Dataset data() {
  return asynprox::read_dataset("generate:sparse-logistic:n=5000,d=200,nonzeros=10");
}

asynprox::Result record(const std::string& plan_path, const std::string& events_path) {
  asynprox::EventFileWriter events(events_path, asynprox::this_machine().build);
  asynprox::Options options = {.workers = 3};
  options.on_events = [&](std::span<const asynprox::Event> some) { events.add(some); };
  asynprox::Result result = asynprox::solve(data(), kLoss, kRegularizer, options);
  events.close();
  std::ofstream(plan_path) << asynprox::plan_json(result.plan);
  return result;
}

asynprox::Replayed again(const std::string& plan_path, const std::string& events_path) {
  std::ifstream file(plan_path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  asynprox::EventFileReader events(events_path);
  return asynprox::replay(data(), kLoss, kRegularizer, asynprox::plan_from_json(text),
                          [&] { return events.next(); });
}

}  // namespace

int main() {
  const asynprox::Result result = record("recorded_plan.json", "recorded_events.log");
  const asynprox::Replayed replayed = again("recorded_plan.json", "recorded_events.log");
  const bool same = !replayed.comparison.difference && replayed.result.x == result.x;
  std::printf("objective %.10f, %lld pushes, %s\n", result.objective,
              static_cast<long long>(replayed.comparison.pushes),
              same ? "replayed to the bit" : "the replay differs");
  return same ? 0 : 1;
}
