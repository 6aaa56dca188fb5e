// The server's side of a run, against workers that are played: they differ, send nonsense, fall silent and
// come back.
#include "asynprox/transports/serving.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/errors.h"
#include "asynprox/losses/all.h"
#include "asynprox/messages/frame.h"
#include "asynprox/messages/message_bytes.h"
#include "asynprox/messages/notices.h"
#include "asynprox/problem/problem.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/run/planning.h"
#include "asynprox/sums/linear_sum.h"
#include "asynprox/transports/greeting.h"
#include "asynprox/transports/working.h"

namespace asynprox {
namespace {

using Frame = std::vector<std::byte>;

constexpr int kWorkers = 3;

const Dataset& generated() {
  static const Dataset data = read_dataset("generate:sparse-logistic:n=300,d=60,nonzeros=6,seed=3");
  return data;
}

Problem some_problem() {
  return make_problem(LinearSum(generated(), generated().labels, LogisticLoss{}),
                      L1{.lambda = 1e-3});
}

const Plan& some_plan() {
  static const Plan plan = make_plan(some_problem(), {.method = AsynProxSgd{},
                                                      .workers = kWorkers,
                                                      .batch_size = 4 * kWorkers,
                                                      .stop = {.steps = 200},
                                                      .trace_every = 50,
                                                      .runtime = Runtime::loopback})
                               .plan;
  return plan;
}

Hello some_hello() { return hello_of(some_plan(), some_problem().f.dimension(), "data"); }

template <class Message>
Frame frame_of(const Message& message) {
  Frame frame;
  encode(message, frame);
  return frame;
}

// Workers that answer at once, in turns, unless they are silent.
class PlayedPort final : public ServerPort {
 public:
  PlayedPort() {
    for (int number = 0; number < kWorkers; ++number) {
      players_.push_back(
          {make_worker(problem_, some_plan(), vectors_of(problem_, some_plan()), number)});
      players_.back().outgoing = {frame_of(some_hello()), frame_of(players_.back().worker.pull())};
    }
  }

  struct Player {
    Worker worker;
    std::deque<Frame> outgoing = {};
    std::deque<Frame> unread = {};
    bool silent = false;
    bool reported = false;
    int pushes = 0;
    int fenced = 0;
  };
  Player& player(int worker) { return players_.at(worker); }

  // Called before each letter.
  std::function<void()> meanwhile = [] {};

  std::string name(int worker) const override { return "rank " + std::to_string(worker + 1); }

  std::optional<Letter> receive() override {
    meanwhile();
    for (int i = 0; i < kWorkers; ++i) {
      next_ = (next_ + 1) % kWorkers;
      Player& player = players_[next_];
      if (player.silent || player.outgoing.empty()) continue;
      received_ = player.outgoing.front();
      player.outgoing.pop_front();
      player.reported = false;
      return Letter{next_, received_};
    }
    return std::nullopt;
  }

  void send(int worker, Frame& frame) override {
    Player& player = players_.at(worker);
    if (player.silent)
      player.unread.push_back(frame);
    else
      answer(player, frame);
  }

  std::optional<Loss> lost() override {
    for (int worker = 0; worker < kWorkers; ++worker)
      if (players_[worker].silent && !std::exchange(players_[worker].reported, true))
        return Loss{worker, "gave no sign of life for 9 s"};
    return std::nullopt;
  }

  // It goes on where it was.
  void wake(int worker) {
    Player& player = players_.at(worker);
    player.silent = false;
    player.outgoing.push_back(frame_of(Sign::alive));
    for (; !player.unread.empty(); player.unread.pop_front()) answer(player, player.unread.front());
  }

 private:
  void answer(Player& player, const Frame& frame) {
    Reply reply;
    ModelBuffers buffers;
    decode(frame, problem_.f.dimension(), reply, buffers);
    if (reply.verdict == Verdict::refused && reply.refusal == Refusal::fenced) {
      ++player.fenced;
      while (player.worker.pull().incarnation < reply.incarnation) player.worker.rejoin();
      player.outgoing.push_back(frame_of(player.worker.pull()));
      return;
    }
    Push push;
    if (!player.worker.answer(reply, push)) return;
    ++player.pushes;
    player.outgoing.push_back(frame_of(push));
  }

  Problem problem_ = some_problem();
  std::vector<Player> players_;
  Frame received_;
  int next_ = 0;
};

struct Outcome {
  Attendance attendance;
  Result result;
};

Outcome serve_players(PlayedPort& port) {
  ServedRun run(some_problem(), some_plan(), {}, {}, /*keep_models=*/false);
  Attendance attendance = serve(run, some_hello(), kWorkers, port, /*interrupt=*/nullptr);
  return {std::move(attendance), run.finish()};
}

template <class Kind>
std::string error_of(PlayedPort& port) {
  try {
    serve_players(port);
  } catch (const Kind& error) {
    return error.what();
  }
  return "none";
}

TEST(Serving, EndsWhenEveryWorkerKnows) {
  PlayedPort port;
  const Outcome outcome = serve_players(port);
  EXPECT_EQ(outcome.result.steps, 200);
  EXPECT_TRUE(outcome.result.ledger.balanced());
  EXPECT_EQ(outcome.attendance.missing, std::vector<bool>(kWorkers, false));
  EXPECT_TRUE(outcome.attendance.warnings.empty());
}

TEST(Serving, RefusesAWorkerThatDiffers) {
  PlayedPort port;
  Hello other = some_hello();
  other.data_fingerprint = "other";
  port.player(1).outgoing.front() = frame_of(other);
  EXPECT_EQ(error_of<PeerError>(port),
            "rank 2 cannot take part: data: fingerprint: expected data, got other");
}

TEST(Serving, RefusesWhatNoWorkerSends) {
  {
    PlayedPort port;
    port.player(1).outgoing.pop_front();
    EXPECT_EQ(error_of<PeerError>(port), "rank 2: expected a hello first, got another message");
  }
  {
    PlayedPort port;
    port.player(0).outgoing.back() = frame_of(port.player(2).worker.pull());
    EXPECT_EQ(error_of<PeerError>(port), "rank 1: worker: expected 0 in its messages, got 2");
  }
  {
    PlayedPort port;
    port.player(0).outgoing.back().back() ^= std::byte{1};
    EXPECT_EQ(error_of<PeerError>(port), "rank 1: message: the pull was damaged on its way");
  }
  {
    PlayedPort port;
    port.player(2).outgoing.push_front(frame_of(Reply{}));
    EXPECT_EQ(error_of<PeerError>(port),
              "rank 3: expected a message of a worker, got one of a server");
  }
}

TEST(Serving, PassesOnTheErrorOfAWorkerAsWhatItWas) {
  const auto failing = [](FailureKind kind) {
    PlayedPort port;
    port.player(1).outgoing = {frame_of(Failure{.kind = kind, .detail = "a9a.svm: no such file"})};
    return port;
  };
  PlayedPort contract = failing(FailureKind::contract), data = failing(FailureKind::data),
             other = failing(FailureKind::other);
  EXPECT_EQ(error_of<ContractError>(contract), "rank 2: a9a.svm: no such file");
  EXPECT_EQ(error_of<DataError>(data), "rank 2: a9a.svm: no such file");
  EXPECT_EQ(error_of<Error>(other), "rank 2: a9a.svm: no such file");
}

TEST(Serving, GoesOnWithoutAWorkerThatIsLost) {
  PlayedPort port;
  port.meanwhile = [&] { port.player(1).silent |= port.player(1).pushes == 10; };
  const Outcome outcome = serve_players(port);
  EXPECT_EQ(outcome.result.steps, 200);
  EXPECT_TRUE(outcome.result.ledger.balanced());
  EXPECT_LE(outcome.result.staleness.max, some_plan().workers.staleness_max);
  EXPECT_EQ(outcome.attendance.missing, (std::vector<bool>{false, true, false}));
  ASSERT_EQ(outcome.attendance.warnings.size(), 1U);
  EXPECT_EQ(outcome.attendance.warnings.front(),
            "rank 2 gave no sign of life for 9 s; the run went on without it");
}

TEST(Serving, FencesALatePushAndTakesTheWorkerBack) {
  PlayedPort port;
  bool slept = false;
  port.meanwhile = [&] {
    PlayedPort::Player& sleeper = port.player(1);
    if (!std::exchange(slept, slept || sleeper.pushes == 10) && slept) sleeper.silent = true;
    if (sleeper.silent && port.player(0).pushes == 60) port.wake(1);
  };
  const Outcome outcome = serve_players(port);
  EXPECT_EQ(outcome.result.steps, 200);
  EXPECT_TRUE(outcome.result.ledger.balanced());
  EXPECT_EQ(outcome.result.ledger.refused[static_cast<int>(Refusal::fenced)], 1);
  EXPECT_EQ(port.player(1).fenced, 1);
  EXPECT_GT(port.player(1).pushes, 20);
  EXPECT_EQ(outcome.attendance.missing, std::vector<bool>(kWorkers, false));
  ASSERT_EQ(outcome.attendance.warnings.size(), 2U);
  EXPECT_EQ(outcome.attendance.warnings.back(), "rank 2 is back, in another life");
}

TEST(Serving, NamesWhatItAwaitedOfAWorkerThatNeverCame) {
  {
    PlayedPort port;
    port.player(2).silent = true;
    EXPECT_EQ(error_of<PeerError>(port), "rank 3 gave no sign of life for 9 s; awaited its hello");
  }
  {
    PlayedPort port;
    port.player(2).outgoing.pop_back();
    port.meanwhile = [&] { port.player(2).silent |= port.player(2).outgoing.empty(); };
    EXPECT_EQ(error_of<PeerError>(port),
              "rank 3 gave no sign of life for 9 s; awaited its first request");
  }
}

TEST(Serving, FailsWhenNobodyIsLeft) {
  PlayedPort port;
  port.meanwhile = [&] {
    for (int worker = 0; worker < kWorkers; ++worker)
      port.player(worker).silent |= port.player(worker).pushes >= 10;
  };
  EXPECT_NE(error_of<PeerError>(port).find("no other worker is left"), std::string::npos);
}

TEST(Serving, IsInterruptedBeforeTheRunHasBegun) {
  PlayedPort port;
  for (int worker = 0; worker < kWorkers; ++worker) port.player(worker).outgoing.clear();
  ServedRun run(some_problem(), some_plan(), {}, {}, /*keep_models=*/false);
  const std::atomic<bool> interrupt = true;
  serve(run, some_hello(), kWorkers, port, &interrupt);
  EXPECT_EQ(run.finish().stop_reason, StopReason::interrupted);
}

// Open MPI leaves a second between its two signals: nobody waits for a worker that was killed then.
TEST(Serving, DoesNotWaitForASilentWorkerWhenItIsInterrupted) {
  PlayedPort port;
  std::atomic<bool> interrupt = false;
  port.meanwhile = [&] {
    PlayedPort::Player& killed = port.player(1);
    if (killed.pushes < 10) return;
    killed.silent = killed.reported = true;
    interrupt = true;
  };
  ServedRun run(some_problem(), some_plan(), {}, {.interrupt = &interrupt}, /*keep_models=*/false);
  const Attendance attendance = serve(run, some_hello(), kWorkers, port, &interrupt);
  EXPECT_EQ(attendance.missing, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(run.finish().stop_reason, StopReason::interrupted);
}

TEST(FailureOf, KeepsWhoseMistakeItWas) {
  EXPECT_EQ(failure_of(ContractError("c")), (Failure{FailureKind::contract, "c"}));
  EXPECT_EQ(failure_of(DataError("d")), (Failure{FailureKind::data, "d"}));
  EXPECT_EQ(failure_of(std::runtime_error("r")), (Failure{FailureKind::other, "r"}));
  EXPECT_EQ(failure_of(std::bad_alloc()), (Failure{FailureKind::other, "out of memory"}));
}

}  // namespace
}  // namespace asynprox
