// The workers' side of a simulation: machines that compute one push at a time, die and return. A
// pipelined machine has two slots, that is, two Workers, so that one's model travels while the
// other's gradient is computed.
#pragma once

#include <deque>
#include <vector>

#include "asynprox/algorithm/worker.h"
#include "asynprox/simulator/post.h"

namespace asynprox {

class VirtualMachines {
 public:
  // `workers` are the slots, machine by machine, then the second of each; speeds are of the
  // machines, 1 for those that are not listed.
  VirtualMachines(std::vector<Worker>& workers, const Cluster& cluster, const Vector& speeds,
                  std::uint64_t seed, Post& post);

  // Is the sender of a letter still in that life?
  bool lives(const Letter& letter) const;

  void enter(int slot, double now);
  void arrive(LetterNumber number, double now);
  void send_push(int slot, std::uint64_t life, double now);
  void ask_again(int slot, std::uint64_t wait, double now);
  void die(int machine, std::uint64_t life, double until, double now);
  void come_back(int machine, double now);

  std::size_t num_machines() const { return machines_.size(); }
  double seconds_computing(double now) const;
  double seconds_at_server() const { return seconds_at_server_; }  // of slots, until answered
  double seconds_away(double now) const;
  std::int64_t deaths() const { return deaths_; }
  std::int64_t asked_again() const { return asked_again_; }

  // Of their own, beside the workers'. Speeds follow from the plan.
  template <IsA<VirtualMachines> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    for (auto& slot : part.slots_) visit("slot", slot);
    for (auto& machine : part.machines_) visit("machine", machine);
    visit("seconds_computing", part.seconds_computing_);
    visit("seconds_at_server", part.seconds_at_server_);
    visit("seconds_away", part.seconds_away_);
    visit("deaths", part.deaths_);
    visit("asked_again", part.asked_again_);
  }

 private:
  struct Slot {
    int life = 0;               // how often its machine has died
    bool awaiting = false;      // an answer
    std::uint64_t wait = 0;     // which wait that is
    std::int64_t sequence = 0;  // of the push it sent last; 0: none in this life
    std::uint64_t pushes = 0;
    double compute_seconds = 0;
    Reply reply;  // the model it computes at
    Push push;    // what it computes; once sent, a copy, if it may have to be sent again

    template <IsA<Slot> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("life", part.life);
      visit("awaiting", part.awaiting);
      visit("wait", part.wait);
      visit("sequence", part.sequence);
      visit("pushes", part.pushes);
      visit("compute_seconds", part.compute_seconds);
      visit("reply", part.reply);
      visit("push", part.push);
    }
  };
  struct Machine {
    double speed = 1;
    bool alive = true;
    bool computing = false;
    double computing_since = 0;
    double gone_since = 0, gone_until = 0;
    std::uint64_t lives = 0;  // how many it has had before this one
    std::deque<int> ready;    // slots that have a model and wait for the machine

    template <IsA<Machine> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("alive", part.alive);
      visit("computing", part.computing);
      visit("computing_since", part.computing_since);
      visit("gone_since", part.gone_since);
      visit("gone_until", part.gone_until);
      visit("lives", part.lives);
      visit("ready", part.ready);
    }
  };

  Machine& machine_of(int slot) { return machines_[machine_number(slot)]; }
  std::size_t machine_number(int slot) const { return slot % machines_.size(); }
  void send_pull(int slot, double now);
  void compute_next(Machine& machine, double now);
  void computed(Machine& machine, double now);
  void wait_for_answer(int slot, double now);
  double seconds_to_wait(int letters_open) const;
  void note_death_by_chance(int machine, double now);

  std::vector<Worker>& workers_;
  const Cluster& cluster_;
  Post& post_;
  Random random_;
  std::vector<Slot> slots_;
  std::vector<Machine> machines_;
  double seconds_computing_ = 0, seconds_at_server_ = 0, seconds_away_ = 0;
  std::int64_t deaths_ = 0, asked_again_ = 0;
};

}  // namespace asynprox
