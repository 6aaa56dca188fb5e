#include "asynprox/runtimes/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "asynprox/base/errors.h"
#include "asynprox/runtimes/desk.h"
#include "asynprox/runtimes/pacer.h"
#include "asynprox/runtimes/pinning.h"
#include "asynprox/runtimes/shared_work.h"
#include "asynprox/runtimes/spin_lock.h"

namespace asynprox {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kOverseeSeconds = 0.1;

class ThreadRun {
 public:
  ThreadRun(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
            const RunOptions& options)
      : server_(server),
        workers_(workers),
        monitor_(monitor),
        recorder_(recorder),
        options_(options),
        desks_(workers.size()) {
    if (options.pace) pacer_.emplace(*options.pace, options.speeds);
  }

  void run() {
    std::vector<std::thread> threads;
    threads.reserve(workers_.size());
    try {
      for (Worker& worker : workers_) {
        start_one();
        threads.emplace_back([this, &worker] { live(worker); });
      }
    } catch (const std::exception& error) {
      end_one();
      fail(std::make_exception_ptr(
          Error(fmt::format("worker {} of {}: its thread cannot be started: {}; try fewer workers",
                            threads.size() + 1, workers_.size(), error.what()))));
    }
    oversee();
    for (std::thread& thread : threads) thread.join();
    // A worker that was interrupted in the middle of a gradient has told nobody.
    if (!error_ && !server_.stopped()) monitor_.watch_limits(server_, desks_.front().replies);
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // The time in which a thread holds the lock. Whom it has to wake it wakes afterwards.
  class Section {
   public:
    // `replies` is the thread's own, so that no memory goes from core to core that need not.
    Section(ThreadRun& run, Replies& replies) : run_(run), replies_(replies) { lock(); }
    ~Section() { unlock(); }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

    Replies& replies() { return replies_; }

    void lock() {
      run_.server_lock_.lock();
      held_ = true;
    }
    // Sends the replies there are.
    void unlock() {
      if (!held_) return;
      deliver();
      const bool over = run_.pacer_ && run_.server_.stopped();
      held_ = false;
      run_.server_lock_.unlock();
      if (over) run_.pacer_->end();
      for (Desk* desk : sleepers_) desk->wake();
      sleepers_.clear();
    }

   private:
    void deliver() {
      for (Reply& reply : replies_) {
        Desk& desk = run_.desks_[reply.worker];
        if (desk.deliver(reply)) sleepers_.push_back(&desk);
        reply.model.whole.reset();  // of the reply before: nobody reads it any more
      }
      replies_.clear();
    }

    ThreadRun& run_;
    Replies& replies_;
    bool held_ = false;
    std::vector<Desk*> sleepers_;
  };

  // A worker's thread, from its first pull to the end of the run.
  void live(Worker& worker) {
    try {
      if (options_.pin_threads) pin_this_thread(worker.id());
      if (enter(worker))
        while (answer(worker)) recorder_.hand_on();
    } catch (...) {
      fail(std::current_exception());
    }
    end_one();
  }

  void start_one() {
    const std::lock_guard lock(end_mutex_);
    ++threads_working_;
  }
  void end_one() {
    const std::lock_guard lock(end_mutex_);
    --threads_working_;
    end_.notify_one();
  }

  // These return false when the run is over.
  bool enter(const Worker& worker) {
    const Pull pull = worker.pull();
    Event event = message_event(EventKind::pull, pull.worker, pull.incarnation);
    event.nanoseconds = monitor_.nanoseconds();
    Section section(*this, desks_[worker.id()].replies);
    if (server_.stopped()) return false;
    record(event);
    server_.accept(pull, section.replies());
    proceed(section, worker.id());
    return true;
  }

  bool answer(Worker& worker) {
    Desk& desk = desks_[worker.id()];
    if (!desk.has_reply() || desk.nanoseconds == 0) {
      wait_for_reply(desk);
      if (recorder_.is_on()) desk.nanoseconds = monitor_.nanoseconds();
    } else {
      desk.wait();
    }
    if (const Absence* absence = absence_due(worker.id(), desk.pushes))
      return desk.reply.verdict != Verdict::stopped && be_absent(worker, desk, *absence);
    const double start = pacer_ ? pacer_->seconds() : 0;
    if (!worker.answer(desk.reply, desk.push)) return false;
    if (pacer_) pacer_->wait_until(start + pacer_->seconds_for(worker.id(), desk.push.num_samples));
    ++desk.pushes;
    return hand_over(worker.id());
  }

  bool hand_over(int worker) {
    Desk& desk = desks_[worker];
    server_.prefetch(desk.push);
    const PushCheck check = server_.check(desk.push);
    Event event;
    if (recorder_.is_on()) {
      event = push_event(desk.push);
      event.nanoseconds = monitor_.nanoseconds();
      event.compute_seconds = 1e-9F * static_cast<float>(event.nanoseconds - desk.nanoseconds);
      desk.nanoseconds = event.nanoseconds;
    }
    Section section(*this, desk.replies);
    watch_limits(desk.replies);
    if (server_.stopped()) return false;
    event.message.server_version = static_cast<std::uint32_t>(server_.version());
    event.outcome = outcome_of(server_.accept(desk.push, check, desk.replies));
    recorder_.add(event);
    // What the thread does for all is not part of its next gradient.
    if (proceed(section, worker)) desk.nanoseconds = 0;
    return true;
  }

  // An evaluation looks at them itself, and keeps what it has found.
  void watch_limits(Replies& replies) {
    if (!evaluating_) monitor_.watch_limits(server_, replies);
  }

  const Absence* absence_due(int worker, int pushes) const {
    const auto due = [&](const Absence& absence) {
      return absence.worker == worker && absence.after_pushes == pushes;
    };
    const auto place = std::ranges::find_if(options_.absences, due);
    return place == options_.absences.end() ? nullptr : &*place;
  }

  bool be_absent(Worker& worker, Desk& desk, const Absence& absence) {
    ++desk.pushes;  // the one it will never make
    {
      Event event = message_event(EventKind::left, worker.id(), 0);
      event.nanoseconds = monitor_.nanoseconds();
      Section section(*this, desk.replies);
      if (server_.stopped()) return false;
      record(event);
      server_.dismiss(worker.id());
      proceed(section, worker.id());
    }
    std::this_thread::sleep_for(Seconds(absence.seconds));
    worker.rejoin();
    return enter(worker);
  }

  void record(Event& event) {
    event.message.server_version = static_cast<std::uint32_t>(server_.version());
    recorder_.add(event);
  }

  void wait_for_reply(Desk& desk) {
    while (desk.wait() == Signal::help) help_evaluate();
  }

  // After a message of this worker: steps and evaluations while they are due, then models for those
  // who wait. False if none was due.
  bool proceed(Section& section, int worker) {
    bool any = false;
    for (;; any = true) {
      // Where the run falls back, one evaluation follows another, and only limits end that.
      if (any && server_.fallen_back()) watch_limits(section.replies());
      if (server_.evaluation_due() && !evaluating_ && !server_.stopped())
        evaluate(section);
      else if (server_.step_due())
        // Only the first: whoever is kept by the pushes of others is handed a model, and its own
        // push, which the bound waits for, lets it go.
        step(section, any ? std::nullopt : std::optional(worker));
      else
        break;
    }
    server_.hand_out_models(section.replies());
    return any;
  }

  void step(Section& section, std::optional<int> worker) {
    server_.begin_step(worker);
    if (options_.steps_outside_lock) {
      server_.hand_out_models(section.replies());
      section.unlock();
      server_.compute();
      section.lock();
    } else {
      server_.compute();
    }
    server_.finish_step(section.replies());
  }

  // The server waits, and whoever waits for it helps.
  void evaluate(Section& section) {
    evaluating_ = true;
    if (pacer_) pacer_->stand_still();
    monitor_.begin_evaluation(server_);
    section.unlock();
    monitor_.read_model(server_);
    do {
      evaluation_.open(monitor_.num_shares());
      for (Desk& desk : desks_)
        if (desk.call_for_help()) desk.wake();
      help_evaluate();
      evaluation_.wait();
    } while (monitor_.finish_shares());
    section.lock();
    server_.accept(monitor_.end_evaluation(server_), section.replies(), monitor_.better());
    if (pacer_) pacer_->go_on();
    evaluating_ = false;
  }

  void help_evaluate() {
    evaluation_.help([this](int share) { monitor_.evaluate_share(share); });
  }

  // The run ends with the first error.
  void fail(const std::exception_ptr& error) {
    Replies replies;
    const Section section(*this, replies);
    if (!error_) error_ = error;
    server_.stop(StopReason::interrupted, replies);
  }

  // The caller's thread: limits of time, and progress.
  void oversee() {
    std::unique_lock lock(end_mutex_);
    Seconds pause(0.001);
    while (!end_.wait_for(lock, pause, [&] { return threads_working_ == 0; })) {
      lock.unlock();
      try {
        pause = Seconds(look_around());
      } catch (...) {
        fail(std::current_exception());
      }
      lock.lock();
    }
  }

  // Returns how many seconds later to look again.
  double look_around() {
    Progress progress;
    double pause = kOverseeSeconds;
    {
      Replies replies;
      const Section section(*this, replies);
      watch_limits(replies);
      progress = monitor_.progress(server_);
      pause = std::clamp(monitor_.seconds_to_limit().value_or(pause), 0.001, pause);
    }
    monitor_.tell(progress);
    return pause;
  }

  Server& server_;
  std::vector<Worker>& workers_;
  Monitor& monitor_;
  Recorder& recorder_;
  const RunOptions& options_;
  std::vector<Desk> desks_;
  SharedWork evaluation_;
  std::optional<Pacer> pacer_;  // of a paced run

  SpinLock server_lock_;  // of the server, the monitor and what follows
  bool evaluating_ = false;
  std::exception_ptr error_;

  std::mutex end_mutex_;
  std::condition_variable end_;
  int threads_working_ = 0;
};

}  // namespace

void run_threads(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
                 const RunOptions& options) {
  ThreadRun(server, workers, monitor, recorder, options).run();
  monitor.finish(server);
}

}  // namespace asynprox
