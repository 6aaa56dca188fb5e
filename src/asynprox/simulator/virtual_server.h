// The server's side of a simulation: one letter at a time, each at its cost.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/recorder.h"
#include "asynprox/simulator/post.h"

namespace asynprox {

// The time at the server, for the monitor to read.
struct VirtualClock {
  double seconds = 0;
};

class VirtualServer {
 public:
  VirtualServer(Server& server, Monitor& monitor, Recorder& recorder, const Cluster& cluster,
                std::size_t slots, Post& post, VirtualClock& clock);

  // A letter arrives. It is dealt with at once, or when those before it are.
  void arrive(LetterNumber number, double now);

  // Looks at the limits without a letter.
  void look_up(double now);

  // The server has done with a letter.
  void go_on(double now);

  double seconds_busy() const { return seconds_busy_; }

  Session& session() { return session_; }

  // Of its own, beside the session's.
  template <IsA<VirtualServer> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("counters", part.counters_);
    visit("queue", part.queue_);
    visit("busy", part.busy_);
    visit("seconds_busy", part.seconds_busy_);
    visit("seconds", part.clock_.seconds);
  }

 private:
  // Of a worker's side of the server.
  struct Counter {
    double arrived = 0;                    // its last letter
    int life = -1;                         // the first that is not over; -1: none came or ended
    bool owes_want = false;                // its push was received, and no model asked for yet
    std::int64_t round = 0;                // of the share that it knew when it sent that push
    std::optional<Reply> model_to_follow;  // what the server had to say to that push

    template <IsA<Counter> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("arrived", part.arrived);
      visit("life", part.life);
      visit("owes_want", part.owes_want);
      visit("round", part.round);
      visit("model_to_follow", part.model_to_follow);
    }
  };

  void handle(LetterNumber number, double now);
  void take(Letter& letter);
  void take_pull(const Letter& letter);
  void take_push(Letter& letter);
  void take_want(const Letter& letter);
  void take_gone(const Letter& letter);
  void proceed();
  void send_replies();

  Server& server_;
  Session session_;
  Monitor& monitor_;
  Recorder& recorder_;
  const Cluster& cluster_;
  Post& post_;
  VirtualClock& clock_;
  std::vector<Counter> counters_;  // by slot
  std::deque<LetterNumber> queue_;
  bool busy_ = false;
  Replies replies_;
  double seconds_busy_ = 0;
};

}  // namespace asynprox
