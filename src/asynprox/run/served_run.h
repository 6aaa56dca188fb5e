// A run whose workers are elsewhere: whoever has their messages hands them in here, and delivers
// what is said in return. Pure of transport: a runtime like runtimes/serial.h, without the workers.
//
// The run begins, and its clock with it, once the first pull of every worker is there: x_0 is then
// evaluated and handed to all at once. Each incarnation (life) of a worker has a number. What comes from an
// earlier one is refused; a message that comes again changes nothing (Arrival).
//
// Not safe to call from several threads at once, but for the flag of RunHooks.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "asynprox/run/assembly.h"
#include "asynprox/run/result.h"
#include "asynprox/run/watching.h"

namespace asynprox {

enum class Arrival {
  taken,     // the answer is in the replies, now or later
  repeated,  // it was here before: its answer is the one that was given to it, or still to come
  fenced,    // it is of an earlier life: nobody waits for an answer
};

// The model after a step, and when that was: seconds since every worker held x_0.
struct KeptModel {
  std::int64_t steps = 0;
  double seconds = 0;
  Vector x;
};

template <IsA<KeptModel> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("steps", part.steps);
  visit("seconds", part.seconds);
  visit("x", part.x);
}

class ServedRun {
 public:
  // `given_start`: see Run. `keep_models`: after each step, for evaluations after the run.
  ServedRun(Problem problem, const Plan& plan, const std::optional<Vector>& given_start,
            RunHooks hooks, bool keep_models);

  // Which life of that worker begins with its next pull.
  int next_life(int worker) const { return slot(worker).life; }

  Arrival receive(const Pull& pull, Replies& replies);
  Arrival receive(Push& push, Replies& replies);

  // The worker is gone. Once the run has begun, next_life() is another from now on, if it had pulled.
  void leave(int worker, Replies& replies);

  // Is an evaluation due? Then no step is taken before watch(). Call that now and then besides: it
  // ends the run when its time is up.
  bool evaluation_due() const { return monitor_ && server_.evaluation_due() && !server_.stopped(); }
  void watch(Replies& replies);

  void stop(StopReason reason, Replies& replies);
  bool over() const { return server_.stopped(); }

  // The state between two calls, for restore() in a server that takes the place of this one. All that was
  // recorded up to it was handed on. Empty: the run has not begun, or is over, or cannot be saved.
  std::optional<RunState> state();
  // Before any message: the run goes on from a state of a server of the same problem and plan. Each server
  // of a run has a number, `boot`, above those of the servers before it; the first one has 0. Every worker
  // is taken to have left: its next life has a number that no server before has given, and what is still
  // on its way from earlier lives is fenced off. DataError for a state that is not of such a run.
  void restore(const RunState& state, int boot, Replies& replies);

  // Once it is over; stops it as interrupted, if it is not. Called once.
  Result finish();

  const Server& server() const { return server_; }
  const std::vector<KeptModel>& kept_models() const { return kept_; }
  bool begun() const { return monitor_ != nullptr; }

 private:
  struct Slot {
    int life = 0;
    bool pulled = false;             // in this life
    std::int64_t sequence = 0;       // of its newest push
    std::optional<Pull> first = {};  // while the run has not begun
  };

  // Beside the session's.
  template <IsA<ServedRun> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    for (auto& slot : part.slots_) {
      visit("life", slot.life);
      visit("pulled", slot.pulled);
    }
    visit("kept", part.kept_);
  }

  const Slot& slot(int worker) const;
  Slot& slot(int worker) { return const_cast<Slot&>(std::as_const(*this).slot(worker)); }
  void make_session();
  void begin(Replies& replies);
  void enter(const Pull& pull, Replies& replies);
  // Takes the steps that are due and hands out models, up to an evaluation.
  void proceed(Replies& replies);
  void perform(const Work& work, Replies& replies);

  Problem problem_;
  Plan plan_;
  PlanVectors vectors_;
  RunHooks hooks_;
  Recorder recorder_;
  Server server_;
  std::unique_ptr<Monitor> monitor_;  // once begun
  std::unique_ptr<Session> session_;  // the same
  std::vector<Slot> slots_;
  bool keep_models_;
  std::vector<KeptModel> kept_;
};

}  // namespace asynprox
