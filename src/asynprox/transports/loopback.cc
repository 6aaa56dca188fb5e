#include "asynprox/transports/loopback.h"

#include <fmt/format.h>
#include <poll.h>

#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "asynprox/messages/notices.h"
#include "asynprox/run/planning.h"
#include "asynprox/run/served_run.h"
#include "asynprox/transports/frame_socket.h"
#include "asynprox/transports/greeting.h"
#include "asynprox/transports/serving.h"
#include "asynprox/transports/working.h"

namespace asynprox {
namespace {

constexpr int kWaitMilliseconds = 1;

class LoopbackServerPort final : public ServerPort {
 public:
  void add(FrameSocket socket) {
    polled_.push_back({.fd = socket.descriptor(), .events = POLLIN, .revents = 0});
    sockets_.push_back(std::move(socket));
  }
  void shut() const {
    for (const FrameSocket& socket : sockets_) socket.shut();
  }

  std::string name(int worker) const override { return fmt::format("worker {}", worker); }

  std::optional<Letter> receive() override {
    if (ready_ == 0) ready_ = ::poll(polled_.data(), polled_.size(), kWaitMilliseconds);
    for (std::size_t i = 0; ready_ > 0 && i < polled_.size(); ++i) {
      next_ = next_ + 1 == polled_.size() ? 0 : next_ + 1;
      pollfd& polled = polled_[next_];
      if (std::exchange(polled.revents, short{0}) == 0) continue;
      --ready_;
      if (sockets_[next_].receive(frame_)) return Letter{static_cast<int>(next_), frame_};
      polled.fd = -1;  // its thread has ended
    }
    ready_ = 0;
    return std::nullopt;
  }

  void send(int worker, std::vector<std::byte>& frame) override { sockets_[worker].send(frame); }

  // A thread of this process says so itself when it ends.
  std::optional<Loss> lost() override { return std::nullopt; }

 private:
  std::vector<FrameSocket> sockets_;
  std::vector<pollfd> polled_;
  std::vector<std::byte> frame_;
  int ready_ = 0;         // sockets that have something to read, and were not read yet
  std::size_t next_ = 0;  // they are read in turns
};

class LoopbackWorkerPort final : public WorkerPort {
 public:
  explicit LoopbackWorkerPort(FrameSocket socket) : socket_(std::move(socket)) {}

  std::span<const std::byte> receive(const char* awaited) override {
    if (!socket_.receive(frame_))
      throw PeerError(fmt::format("the server has ended: awaited {}", awaited));
    return frame_;
  }
  void send(std::vector<std::byte>& frame) override { socket_.send(frame); }

 private:
  FrameSocket socket_;
  std::vector<std::byte> frame_;
};

class LoopbackRun {
 public:
  LoopbackRun(Problem problem, const Options& options)
      : problem_(std::move(problem)),
        options_(options),
        planned_(make_plan(problem_, options)),
        ours_(hello_of(planned_.plan, problem_.f.dimension(), /*data_fingerprint=*/"")) {
    if (options.on_start) options.on_start(planned_.plan);
  }

  Result solve() {
    const Plan& plan = planned_.plan;
    ServedRun run(problem_, plan, options_.x0, hooks_of(options_), /*keep_models=*/false);
    std::vector<std::thread> threads;
    threads.reserve(plan.workers.slots);
    try {
      for (int worker = 0; worker < plan.workers.slots; ++worker) start(worker, threads);
      serve(run, ours_, plan.workers.slots, port_, options_.interrupt);
    } catch (...) {
      note(std::current_exception());
    }
    port_.shut();
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
    return run.finish();
  }

 private:
  void start(int worker, std::vector<std::thread>& threads) {
    auto [server_end, worker_end] = FrameSocket::connected(problem_.f.dimension());
    port_.add(std::move(server_end));
    auto live_there = [this, worker, end = std::move(worker_end)]() mutable {
      LoopbackWorkerPort port(std::move(end));
      live(worker, port);
    };
    try {
      threads.emplace_back(std::move(live_there));
    } catch (const std::exception& error) {
      throw Error(
          fmt::format("worker {} of {}: its thread cannot be started: {}; try fewer workers",
                      worker + 1, planned_.plan.workers.slots, error.what()));
    }
  }

  void live(int number, WorkerPort& port) {
    const Plan& plan = planned_.plan;
    std::vector<std::byte> frame;
    try {
      Worker worker = make_worker(problem_, plan, planned_.vectors, number, options_.interrupt);
      encode(ours_, frame);
      port.send(frame);
      work(worker, working_options(plan, problem_.f.dimension(), number, options_.interrupt), port);
    } catch (const PeerError&) {
      // The server has ended, and knows why.
    } catch (const std::exception& error) {
      note(std::current_exception());
      encode(failure_of(error), frame);
      port.send(frame);
    } catch (...) {
      note(std::current_exception());
      encode(Failure{.detail = "an unknown error"}, frame);
      port.send(frame);
    }
  }

  // The run ends with the first error, as it was thrown.
  void note(const std::exception_ptr& error) {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = error;
  }

  Problem problem_;
  const Options& options_;
  Planned planned_;
  Hello ours_;
  LoopbackServerPort port_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace

Result run_loopback(Problem problem, const Options& options) {
  return LoopbackRun(std::move(problem), options).solve();
}

}  // namespace asynprox
