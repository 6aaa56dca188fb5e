#include "asynprox/simulator/calibration.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/step_sizes/constant.h"

namespace asynprox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kSecondsMax = 0.3;
constexpr std::size_t kStepsMin = 5;
constexpr std::size_t kStepsMax = 20'000;

// It must not matter where the model goes meanwhile.
constexpr double kTinyStep = 1e-12;

double seconds_since(Clock::time_point& last) {
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - last).count();
  last = now;
  return seconds;
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

Server endless_server(std::unique_ptr<ModelState> model, int pushes_per_step,
                      std::int64_t batch_size) {
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 2;
  return Server(std::move(model), ConstantStep{.value = kTinyStep}, {},
                {.pushes_per_step = pushes_per_step, .batch_size = batch_size},
                Stopping({.steps = never}, 1), EvaluationSchedule::every(never));
}

}  // namespace

std::optional<Costs> measure_costs(std::unique_ptr<ModelState> model, Worker& worker,
                                   int pushes_per_step, std::int64_t batch_size) {
  Server server = endless_server(std::move(model), pushes_per_step, batch_size);
  Replies replies;
  server.receive(worker.pull(), replies);
  server.evaluated({}, replies);
  Reply reply;
  Push push;
  std::vector<double> sample_seconds, push_seconds, step_seconds;
  const Clock::time_point start = Clock::now();
  Clock::time_point last = start;
  while (step_seconds.size() < kStepsMax &&
         (step_seconds.size() < kStepsMin ||
          last - start < std::chrono::duration<double>(kSecondsMax))) {
    std::swap(reply, *replies.begin());
    replies.clear();
    seconds_since(last);
    worker.answer(reply, push);
    const auto samples = static_cast<double>(std::max<std::int64_t>(1, push.num_samples));
    sample_seconds.push_back(seconds_since(last) / samples);
    server.accept(push, server.check(push), replies);
    double handling = seconds_since(last);
    if (server.step_due()) {
      server.begin_step();
      server.compute();
      server.finish_step(replies);
      step_seconds.push_back(seconds_since(last));
    }
    server.hand_out_models(replies);
    if (server.stopped()) return std::nullopt;
    handling += seconds_since(last);
    push_seconds.push_back(handling);
  }
  return Costs{1 / median(sample_seconds), median(push_seconds), median(step_seconds)};
}

}  // namespace asynprox
