// One run, as a state machine: the server, its evaluations with their refinements, and the events that
// a record of the run consists of. Every runtime is a transport around it: it brings messages here, sends
// the replies, and decides who does which work.
//
//   receive(message), leave(worker)      a message; what it makes due is work
//   next_work()                          the next piece of work, for the caller to do; none: nothing is due,
//                                        and every worker that may have a model was answered
//   perform(work)                        does it
//   finished(work)                       it is done
//   stop(reason)                         ends the run
//
// The contract of a runtime:
//
//   1. One call at a time, but for perform(): hold a lock. perform() is called between the calls that hand
//      out and finish its work, and may run beside all others, and beside perform() of other work; the
//      work of a step only if `steps_outside` is set.
//   2. After each message, and after each finished(), ask next_work() before letting go of the lock, until
//      there is none or there is work to be done without the lock. Only shares may be left to others.
//   3. Send replies when they are there, in their order.
//   4. Work that was handed out is finished, once, or the run ends with an error.
//   5. Once the server is stopped, send no message more, but finish what was handed out.
//
// Pure, like the server: time comes with messages, and from the host of evaluations (run_evaluator.h). Nothing
// is allocated per push.
#pragma once

#include <cstdint>
#include <optional>

#include "asynprox/algorithm/event.h"
#include "asynprox/algorithm/run_evaluator.h"
#include "asynprox/algorithm/server.h"

namespace asynprox {

struct Work {
  enum class Kind : std::uint8_t {
    none,
    step,      // of the server
    model,     // an evaluation begins: its model is read
    share,     // number `share` of its gradient, or of a refinement's gradient or Hessian
    decision,  // all shares are there: what was found, and is there to be another round?
  };
  Kind kind = Kind::none;
  int share = 0;

  explicit operator bool() const { return kind != Kind::none; }
};

// When a message came. An event of it is 32 bytes.
struct Stamp {
  std::uint64_t nanoseconds = 0;  // since the run began
  float compute_seconds = 0;      // how long the worker computed a push
};

// The world outside a session: its clock, and whom it tells of evaluations.
class SessionHost : public EvaluationHost {
 public:
  virtual std::uint64_t nanoseconds() const = 0;  // since the run began
  // An evaluation begins, and the run's clock stands still. Returns the seconds of the run up to here.
  virtual double stand_still() = 0;
  // It is over; so many seconds of it count as the run's.
  virtual void go_on(double search_seconds) = 0;
};

class Session {
 public:
  // Borrows all. `steps_outside`: steps are computed beside other calls, so that models are handed out
  // before; a matter of the order of events, and recorded runs are repeated with the same.
  Session(Server& server, RunEvaluator& evaluator, SessionHost& host, EventLog& log,
          bool steps_outside = false)
      : server_(server),
        evaluator_(evaluator),
        host_(host),
        log_(log),
        steps_outside_(steps_outside) {}

  void receive(const Pull& pull, const Stamp& stamp, Replies& replies);
  std::optional<Refusal> receive(Push& push, const PushCheck& check, const Stamp& stamp,
                                 Replies& replies);
  void leave(int worker, int incarnation, const Stamp& stamp);

  // `by`: the worker that would compute it, if it just sent a message: a step that this message makes due
  // then gives it the model after it. Fills `replies` with what is to be sent now.
  Work next_work(std::optional<int> by, Replies& replies);
  void perform(const Work& work);
  void finished(const Work& work, Replies& replies);

  void stop(StopReason reason, Replies& replies) { server_.stop(reason, replies); }

  // Whether an evaluation was begun and is not over; and how many of its shares nobody has taken.
  bool evaluating() const { return phase_ != Phase::idle; }
  int shares_open() const {
    return phase_ == Phase::sharing ? evaluator_.num_shares() - shares_taken_ : 0;
  }

  Server& server() { return server_; }
  const Server& server() const { return server_; }

  // All that changes during a run, while nobody has work in hand: at_rest(). A session around a server
  // and an evaluator that were made in the same way goes on from there.
  bool at_rest() const { return !evaluating() && !server_.step_under_way(); }
  void save(SnapshotWriter& writer) const;
  void restore(SnapshotReader& reader);

 private:
  enum class Phase : std::uint8_t { idle, reading, sharing, deciding };

  void open_shares();
  void end_evaluation(Replies& replies);
  void log(Event event, const Stamp& stamp);

  Server& server_;
  RunEvaluator& evaluator_;
  SessionHost& host_;
  EventLog& log_;
  bool steps_outside_;

  Phase phase_ = Phase::idle;
  int shares_taken_ = 0, shares_done_ = 0;
  bool another_round_ = false;  // what the decision was
};

// The event of a model: what the steps so far wrote, and all of it.
Event model_event(EventKind kind, const Server& server, std::uint64_t nanoseconds,
                  std::uint8_t outcome = 0);

}  // namespace asynprox
