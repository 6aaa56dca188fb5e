#include "asynprox/transports/working.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

#include "asynprox/messages/message_bytes.h"

namespace asynprox {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// A pause is ended by an interrupt after this long at most.
constexpr Seconds kPauseMax{0.05};

class Working {
 public:
  Working(Worker& worker, const WorkingOptions& options, WorkerPort& port)
      : worker_(worker), options_(options), port_(port) {}

  void run() {
    pull();
    while (answer(port_.receive("a model"))) {
    }
  }

 private:
  void pull() {
    encode(worker_.pull(), frame_);
    port_.send(frame_);
  }

  // False: there is no more to do.
  bool answer(std::span<const std::byte> frame) {
    try {
      decode(frame, options_.dimension, reply_, models_);
    } catch (const DataError& error) {
      throw PeerError(fmt::format("from the server: {}", error.what()));
    }
    if (reply_.verdict == Verdict::refused && reply_.refusal == Refusal::fenced) return rejoin();
    return compute();
  }

  // The server had given us up: what we do counts again from our next life on.
  bool rejoin() {
    while (worker_.pull().incarnation < reply_.incarnation) worker_.rejoin();
    pull();
    return true;
  }

  bool compute() {
    const Clock::time_point start = Clock::now();
    if (!worker_.answer(reply_, push_)) {
      if (reply_.verdict != Verdict::stopped) say_farewell();
      return false;
    }
    // A model that is held on to cannot be decoded into.
    reply_.model.whole.reset();
    if (options_.samples_per_second)
      pause_until(start +
                  Seconds(static_cast<double>(push_.num_samples) / *options_.samples_per_second));
    push_.compute_seconds = static_cast<float>(Seconds(Clock::now() - start).count());
    encode(push_, frame_);
    port_.send(frame_);
    return true;
  }

  void say_farewell() {
    encode(Sign::farewell, frame_);
    port_.send(frame_);
  }

  void pause_until(std::chrono::time_point<Clock, Seconds> end) const {
    while (!(options_.interrupt && options_.interrupt->load())) {
      const Seconds left = end - Clock::now();
      if (left <= Seconds(0)) return;
      std::this_thread::sleep_for(std::min(left, kPauseMax));
    }
  }

  Worker& worker_;
  const WorkingOptions& options_;
  WorkerPort& port_;
  std::vector<std::byte> frame_;
  Reply reply_;
  ModelBuffers models_;
  Push push_;
};

}  // namespace

WorkingOptions working_options(const Plan& plan, std::size_t dimension, int worker,
                               const std::atomic<bool>* interrupt) {
  WorkingOptions options = {.dimension = dimension, .interrupt = interrupt};
  const ExecutionPlan& execution = plan.execution;
  if (!execution.pace) return options;
  const auto number = static_cast<std::size_t>(worker);
  const double speed = number < execution.speeds.size() ? execution.speeds[number] : 1;
  options.samples_per_second = *execution.pace * speed;
  return options;
}

void work(Worker& worker, const WorkingOptions& options, WorkerPort& port) {
  Working(worker, options, port).run();
}

Failure failure_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error)) return {.detail = "out of memory"};
  Failure failure = {.detail = error.what()};
  if (dynamic_cast<const ContractError*>(&error)) failure.kind = FailureKind::contract;
  if (dynamic_cast<const DataError*>(&error)) failure.kind = FailureKind::data;
  return failure;
}

}  // namespace asynprox
