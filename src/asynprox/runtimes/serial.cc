#include "asynprox/runtimes/serial.h"

#include "asynprox/base/errors.h"
#include "asynprox/runtimes/letter_boxes.h"
#include "asynprox/runtimes/model_window.h"

namespace asynprox {
namespace {

class SerialRun {
 public:
  SerialRun(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
            const std::optional<GivenDelays>& delays)
      : server_(server),
        workers_(workers),
        monitor_(monitor),
        recorder_(recorder),
        session_(server, monitor.evaluator(), monitor, recorder),
        delays_(delays),
        boxes_(workers.size()) {
    if (delays) window_.emplace(delays->delay.max() + 1);
  }

  void run(const RunState* resumed) {
    if (resumed)
      monitor_.restore_state(*resumed, session_, workers_, *this);
    else
      for (const Worker& worker : workers_)
        session_.receive(worker.pull(), {.nanoseconds = monitor_.nanoseconds()}, replies_);
    settle();
    while (!server_.stopped()) delays_ ? take_turn() : take_round();
  }

  // Of the messages, and whose turn it is.
  template <IsA<SerialRun> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("boxes", part.boxes_);
    visit("turn", part.turn_);
    if (part.turn_ > part.workers_.size())
      throw DataError("a snapshot cannot be used: it is the turn of a worker that there is not");
    if (part.window_) visit("window", *part.window_);
  }

 private:
  // Every worker that holds a model answers it.
  void take_round() {
    if (turn_ == workers_.size()) turn_ = 0;
    ensure(turn_ > 0 || !boxes_.all_empty(), "every worker is held: nothing can go on");
    // A push that came after the end would be in the record, and nowhere else.
    while (turn_ < workers_.size() && !server_.stopped()) {
      Worker& worker = workers_[turn_++];
      if (Reply* reply = boxes_.take(worker.id())) exchange(worker, *reply);
    }
  }

  // Push i of step k is of the worker whose turn it is, at the model that the delays name.
  void take_turn() {
    const std::int64_t k = server_.version(), i = server_.ledger().pending;
    Worker& worker = workers_[(k * delays_->pushes_per_step + i) % workers_.size()];
    Reply* reply = boxes_.take(worker.id());
    ensure(reply && reply->has_model, "a worker whose turn it is has no model");
    window_->replace(reply->model, k - delays_->tau(k, i));
    exchange(worker, *reply);
  }

  void exchange(Worker& worker, Reply& reply) {
    const std::uint64_t start = recorder_.is_on() ? monitor_.nanoseconds() : 0;
    if (!worker.answer(reply, push_)) return break_off(worker);
    Stamp stamp;
    if (recorder_.is_on()) {
      stamp.nanoseconds = monitor_.nanoseconds();
      stamp.compute_seconds = 1e-9F * static_cast<float>(stamp.nanoseconds - start);
    }
    session_.receive(push_, server_.check(push_), stamp, replies_);
    settle();
    recorder_.hand_on();
  }

  // Somebody wants the run to end, in the middle of a gradient: it is still to be computed.
  void break_off(const Worker& worker) {
    if (!server_.stopped()) {
      boxes_.put_back(worker.id());
      if (turn_ > 0) --turn_;
    }
    settle();
  }

  void settle() {
    for (bool done = false; !done;) {
      done = monitor_.watch_up_to_checkpoint(session_, replies_);
      if (window_) window_->keep(replies_);
      boxes_.deliver(replies_);
      if (monitor_.checkpoint_due(server_)) make_checkpoint();
    }
  }

  void make_checkpoint() {
    if (const auto state = monitor_.take_state(session_, workers_, *this))
      monitor_.save_state(*state);
    monitor_.end_if_wanted(server_, replies_);
    boxes_.deliver(replies_);
  }

  Server& server_;
  std::vector<Worker>& workers_;
  Monitor& monitor_;
  Recorder& recorder_;
  Session session_;
  const std::optional<GivenDelays>& delays_;
  LetterBoxes boxes_;
  std::size_t turn_ = 0;               // in the round: of the worker that is next
  std::optional<ModelWindow> window_;  // of a run with given delays
  Replies replies_;
  Push push_;
};

}  // namespace

void run_serial(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
                const RunOptions& options) {
  SerialRun(server, workers, monitor, recorder, options.delays).run(options.resumed);
  monitor.finish(server);
}

}  // namespace asynprox
