#include "asynprox/runtimes/monitor.h"

#include <gtest/gtest.h>

#include <thread>

#include "asynprox/regularizers/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

// f = 0 on one coordinate, whose evaluation takes a while.
struct SlowToEvaluate {
  std::size_t dimension() const { return 1; }
  std::size_t num_samples() const { return 1; }
  double value(std::span<const double>, Samples) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return 0;
  }
  void add_gradient(std::span<const double>, Samples, std::span<const double>,
                    std::span<double>) const {}
};

// What the step size was told of the number of steps to come.
struct HorizonStep {
  static constexpr std::string_view name = "horizon";
  static constexpr std::string_view formula = "1 if the horizon is known, else 2";
  static constexpr auto parameters() { return std::tuple(); }
  double eta(const StepContext& context) const { return context.horizon ? 1 : 2; }
};

Server make_server(const AnyStepSize& step) {
  return Server(make_dense_state({0}, Zero{}), step, {}, {}, Stopping({.seconds = 1e9}, 1),
                EvaluationSchedule::every(1'000'000));
}

// One exchange of the only worker; its gradient is -1, so a step moves x by eta.
void exchange(Server& server, Replies& replies) {
  Push push;
  push.id = {0, 0, server.version() + 1};
  push.version = server.version();
  push.num_samples = 1;
  push.values = {-1};
  replies.clear();
  server.receive(push, replies);
}

TEST(Monitor, DoesNotCountEvaluationsAsTimeOfTheRun) {
  const Problem problem = make_problem(SlowToEvaluate{}, Zero{});
  Server server = make_server(ConstantStep{.value = 1});
  Recorder recorder;
  Monitor monitor(problem, recorder, {});
  Replies replies;
  server.receive(Pull{}, replies);
  for (int i = 0; i < 3; ++i) {
    monitor.watch(server, replies);
    exchange(server, replies);
  }
  monitor.finish(server);
  EXPECT_GE(monitor.evaluation_seconds(), 0.04);
  EXPECT_LT(monitor.seconds(), monitor.evaluation_seconds() / 2);
}

TEST(Monitor, EstimatesTheHorizonOnceAShareOfTheTimeHasPassed) {
  const Problem problem = make_problem(SlowToEvaluate{}, Zero{});
  Server server = make_server(HorizonStep{});
  Recorder recorder;
  Monitor monitor(problem, recorder, {.seconds_max = 1, .estimate_horizon = true});
  Replies replies;
  server.receive(Pull{}, replies);
  monitor.watch(server, replies);
  exchange(server, replies);
  EXPECT_EQ(server.iterate()[0], 2) << "not known at first";
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  monitor.watch(server, replies);
  exchange(server, replies);
  EXPECT_EQ(server.iterate()[0], 3) << "known after 5 % of a second";
}

TEST(Monitor, StopsTheServerWhenTimeIsUp) {
  const Problem problem = make_problem(SlowToEvaluate{}, Zero{});
  Server server = make_server(ConstantStep{.value = 1});
  Recorder recorder;
  Monitor monitor(problem, recorder, {.seconds_max = 0.01});
  Replies replies;
  server.receive(Pull{}, replies);
  monitor.watch(server, replies);
  EXPECT_FALSE(server.stopped());
  std::this_thread::sleep_for(std::chrono::milliseconds(15));
  monitor.watch(server, replies);
  EXPECT_EQ(server.stop_reason(), StopReason::time_limit);
}

}  // namespace
}  // namespace asynprox
