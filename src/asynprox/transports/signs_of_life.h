// Who has been silent for too long? A pure account of when each peer was heard last.
//
// A peer is silent for as long as we listened and did not hear it: the time in which we did not listen,
// since we computed or were stopped, counts as if every peer had spoken at its end.
#pragma once

#include <cstddef>
#include <vector>

namespace asynprox {

// Times are seconds of any clock that does not go backwards.
class SignsOfLife {
 public:
  SignsOfLife(std::size_t peers, double deadline, double now)
      : deadline_(deadline), looked_(now), heard_(peers, now) {}

  // How often a peer that has nothing to say tells that it is alive.
  static double interval(double deadline);

  void heard(std::size_t peer, double now) { heard_[peer] = now; }

  // We listen now. Call it several times per interval(deadline) while listening.
  void listen(double now);

  double silence(std::size_t peer, double now) const { return now - heard_[peer]; }
  bool overdue(std::size_t peer, double now) const { return silence(peer, now) > deadline_; }

 private:
  double deadline_;
  double looked_;
  std::vector<double> heard_;
};

}  // namespace asynprox
