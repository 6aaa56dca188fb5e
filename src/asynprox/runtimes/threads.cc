#include "asynprox/runtimes/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/runtimes/desk.h"
#include "asynprox/runtimes/pacer.h"
#include "asynprox/runtimes/pinning.h"
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
        session_(server, monitor.evaluator(), monitor, recorder, options.steps_outside_lock),
        options_(options),
        checkpoints_(monitor.checkpoints().is_on()),
        desks_(workers.size()) {
    if (options.pace) pacer_.emplace(*options.pace, options.speeds);
    require(!checkpoints_ || options.absences.empty(),
            "checkpoints: expected workers that stay, got absences");
  }

  void run() {
    if (options_.resumed) resume(*options_.resumed);
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
    save_checkpoint();
    // A worker that was interrupted in the middle of a gradient has told nobody.
    if (!error_ && !server_.stopped()) monitor_.watch_limits(server_, desks_.front().replies);
    if (error_) std::rethrow_exception(error_);
  }

  // Of the messages: which worker holds which model.
  template <IsA<ThreadRun> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    for (auto& desk : part.desks_) {
      visit("place", desk.place);
      visit("pushes", desk.pushes);
      if (desk.place == WorkerPlace::holds_model) visit("reply", desk.reply);
    }
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

    // Sends the replies there are.
    void deliver() {
      for (Reply& reply : replies_) {
        Desk& desk = run_.desks_[reply.worker];
        if (reply.verdict != Verdict::stopped) run_.now_holds_model(desk);
        if (desk.deliver(reply)) sleepers_.push_back(&desk);
        reply.model.whole.reset();  // of the reply before: nobody reads it any more
      }
      replies_.clear();
    }

    void lock() {
      run_.server_lock_.lock();
      held_ = true;
    }
    void unlock() {
      if (!held_) return;
      deliver();
      const bool over = run_.server_.stopped();
      held_ = false;
      run_.server_lock_.unlock();
      if (over && run_.pacer_) run_.pacer_->end();
      if (over && run_.checkpoints_) run_.let_go();
      for (Desk* desk : sleepers_) desk->wake();
      sleepers_.clear();
    }

   private:
    ThreadRun& run_;
    Replies& replies_;
    bool held_ = false;
    std::vector<Desk*> sleepers_;
  };

  // A worker's thread, from its first pull to the end of the run.
  void live(Worker& worker) {
    try {
      if (options_.pin_threads) pin_this_thread(worker.id());
      if (begin(worker))
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

  void resume(const RunState& state) {
    monitor_.restore_state(state, session_, workers_, *this);
    for (Desk& desk : desks_) {
      if (desk.place != WorkerPlace::holds_model) continue;
      Reply reply = std::move(desk.reply);
      desk.deliver(reply);
      ++computing_;
    }
  }

  // These return false when the run is over.
  bool begin(const Worker& worker) {
    Desk& desk = desks_[worker.id()];
    {
      Section section(*this, desk.replies);
      if (desk.place != WorkerPlace::outside) {  // of a run that goes on
        work(section, std::nullopt);
        return true;
      }
    }
    return enter(worker);
  }

  bool enter(const Worker& worker) {
    const Pull pull = worker.pull();
    const Stamp stamp = {.nanoseconds = monitor_.nanoseconds()};
    Section section(*this, desks_[worker.id()].replies);
    if (server_.stopped()) return false;
    desks_[worker.id()].place = WorkerPlace::waits;
    session_.receive(pull, stamp, section.replies());
    work(section, worker.id());
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
    if (checkpoint_wanted_.load(std::memory_order_relaxed) && !stand_by(desk)) return false;
    if (const Absence* absence = absence_due(worker.id(), desk.pushes))
      return desk.reply.verdict != Verdict::stopped && be_absent(worker, desk, *absence);
    const double start = pacer_ ? pacer_->seconds() : 0;
    // A gradient that somebody broke off is part of the checkpoint for which that was done.
    while (!worker.answer(desk.reply, desk.push))
      if (!checkpoints_ || !stand_by(desk)) return false;
    if (pacer_) pacer_->wait_until(start + pacer_->seconds_for(worker.id(), desk.push.num_samples));
    ++desk.pushes;
    return hand_over(worker.id());
  }

  bool hand_over(int worker) {
    Desk& desk = desks_[worker];
    server_.prefetch(desk.push);
    const PushCheck check = server_.check(desk.push);
    Stamp stamp;
    if (recorder_.is_on()) {
      stamp.nanoseconds = monitor_.nanoseconds();
      stamp.compute_seconds = 1e-9F * static_cast<float>(stamp.nanoseconds - desk.nanoseconds);
      desk.nanoseconds = stamp.nanoseconds;
    }
    Section section(*this, desk.replies);
    watch_limits(desk.replies);
    if (server_.stopped()) return false;
    desk.place = WorkerPlace::waits;
    --computing_;
    session_.receive(desk.push, check, stamp, desk.replies);
    // What the thread does for all is not part of its next gradient.
    if (work(section, worker)) desk.nanoseconds = 0;
    return true;
  }

  // An evaluation looks at them itself, and keeps what it has found.
  void watch_limits(Replies& replies) {
    if (!session_.evaluating()) monitor_.watch_limits(server_, replies);
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
      const Stamp stamp = {.nanoseconds = monitor_.nanoseconds()};
      Section section(*this, desk.replies);
      if (server_.stopped()) return false;
      desk.place = WorkerPlace::outside;
      --computing_;
      session_.leave(worker.id(), /*incarnation=*/0, stamp);
      work(section, worker.id());
    }
    std::this_thread::sleep_for(Seconds(absence.seconds));
    worker.rejoin();
    return enter(worker);
  }

  // While it waits, a thread does the work of an evaluation that others have begun.
  void wait_for_reply(Desk& desk) {
    while (desk.wait() == Signal::help) {
      Section section(*this, desk.replies);
      work(section, std::nullopt);
    }
  }

  // Does what is due, until there is nothing but what others do already. False: there was nothing.
  // `by`: the worker whose message came. Only its first step counts as its own: whoever is kept by the
  // pushes of others is handed a model, and its own push, which the bound waits for, lets it go.
  bool work(Section& section, std::optional<int> by) {
    for (bool any = false;; any = true) {
      // Where the run falls back, one evaluation follows another, and only limits end that.
      if (any && server_.fallen_back()) watch_limits(section.replies());
      if (checkpoints_ && session_.at_rest() && !checkpoint_or_go_on(section)) return any;
      const Work work = session_.next_work(any ? std::nullopt : by, section.replies());
      if (!work) return any;
      perform(section, work);
    }
  }

  void perform(Section& section, const Work& work) {
    if (work.kind == Work::Kind::step && !options_.steps_outside_lock) {
      session_.perform(work);
    } else {
      if (pacer_ && work.kind == Work::Kind::model) pacer_->stand_still();
      const bool others_may_help =
          work.kind == Work::Kind::share && work.share == 0 && session_.shares_open() > 0;
      section.unlock();
      if (others_may_help) call_for_help();
      session_.perform(work);
      section.lock();
    }
    session_.finished(work, section.replies());
    if (pacer_ && work.kind == Work::Kind::decision && !session_.evaluating()) pacer_->go_on();
  }

  void now_holds_model(Desk& desk) {
    desk.place = WorkerPlace::holds_model;
    ++computing_;
  }

  // At rest. A checkpoint that is due is made once no worker computes: meanwhile steps are taken, as
  // pushes that come make them due, but no evaluation is begun. False: that is so, and others will come.
  bool checkpoint_or_go_on(Section& section) {
    if (server_.stopped() || server_.step_due()) return true;
    if (monitor_.checkpoint_due_by_work(server_)) checkpoint_wanted_ = true;
    if (!checkpoint_wanted_) return true;
    section.deliver();
    if (computing_ > 0) return !server_.evaluation_due();
    make_checkpoint(section);
    return true;
  }

  void make_checkpoint(Section& section) {
    if (auto state = monitor_.take_state(session_, workers_, *this)) {
      const std::lock_guard lock(end_mutex_);
      unsaved_ = std::move(state);
      end_.notify_one();
    }
    monitor_.end_if_wanted(server_, section.replies());
    checkpoint_wanted_ = false;
    let_go();
  }

  void let_go() {
    checkpoints_made_.fetch_add(1);
    checkpoints_made_.notify_all();
  }

  // A worker that holds a model does not answer it while a checkpoint is wanted. False: the run is over.
  bool stand_by(Desk& desk) {
    if (desk.reply.verdict == Verdict::stopped) return false;
    Section section(*this, desk.replies);
    --computing_;
    watch_limits(section.replies());
    work(section, std::nullopt);
    while (checkpoint_wanted_ && !server_.stopped()) {
      const std::uint32_t made = checkpoints_made_;
      section.unlock();
      checkpoints_made_.wait(made);
      section.lock();
      // Another may be wanted by now, while nobody who was let go computes yet.
      work(section, std::nullopt);
    }
    ++computing_;
    if (recorder_.is_on()) desk.nanoseconds = monitor_.nanoseconds();
    return !server_.stopped();
  }

  // On the caller's thread, while workers compute.
  void save_checkpoint() {
    std::optional<RunState> state;
    {
      const std::lock_guard lock(end_mutex_);
      state = std::exchange(unsaved_, std::nullopt);
    }
    if (state) monitor_.save_state(*state);
  }

  void call_for_help() {
    for (Desk& desk : desks_)
      if (desk.call_for_help()) desk.wake();
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
    const auto something_to_do = [&] { return threads_working_ == 0 || unsaved_; };
    while (end_.wait_for(lock, pause, something_to_do), threads_working_ > 0) {
      lock.unlock();
      try {
        save_checkpoint();
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
      if (monitor_.checkpoint_due(server_)) checkpoint_wanted_ = true;
      // Somebody else comes to make it, but maybe only after a long pause.
      if (pacer_ && monitor_.wanted_to_end()) pacer_->end();
      progress = monitor_.progress(server_);
      pause = std::clamp(monitor_.seconds_to_next().value_or(pause), 0.001, pause);
    }
    monitor_.tell(progress);
    return pause;
  }

  Server& server_;
  std::vector<Worker>& workers_;
  Monitor& monitor_;
  Recorder& recorder_;
  Session session_;
  const RunOptions& options_;
  const bool checkpoints_;  // are wanted
  std::vector<Desk> desks_;
  std::optional<Pacer> pacer_;  // of a paced run

  SpinLock server_lock_;  // of the session, the monitor and what follows
  std::exception_ptr error_;
  int computing_ = 0;  // workers that hold a model and do not stand by
  std::atomic<bool> checkpoint_wanted_ = false;
  std::atomic<std::uint32_t> checkpoints_made_ = 0;

  std::mutex end_mutex_;
  std::condition_variable end_;
  int threads_working_ = 0;
  std::optional<RunState> unsaved_;
};

}  // namespace

void run_threads(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
                 const RunOptions& options) {
  ThreadRun(server, workers, monitor, recorder, options).run();
  monitor.finish(server);
}

}  // namespace asynprox
