// The post of the virtual cluster: what is on its way, and what else is to happen.
#pragma once

#include <cstdint>

#include "asynprox/simulator/agenda.h"
#include "asynprox/simulator/letters.h"
#include "asynprox/simulator/network.h"

namespace asynprox {

struct Happening {
  enum class Kind : std::uint8_t {
    at_server,    // letter `number` arrives
    at_worker,    // the same, there
    server_free,  // it may take the next letter
    enters,       // slot `place` asks for its first model
    computed,     // slot `place`, in life `number`, has its gradient
    no_answer,    // slot `place` has waited long enough, in its wait `number`
    dies,         // machine `place`, if in life `number`, to return at `until`
    returns,      // machine `place`, unless it is to stay away for longer
    time_is_up,   // the limit of the run
  };
  Kind kind = Kind::at_server;
  int place = 0;
  std::uint64_t number = 0;
  double until = 0;
  double seconds = 0;  // that the letter was on its way
};

template <IsA<Happening> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("kind", part.kind);
  visit("place", part.place);
  visit("number", part.number);
  visit("until", part.until);
  visit("seconds", part.seconds);
}

class Post {
 public:
  Post(const Cluster& cluster, std::uint64_t seed) : network_(cluster, seed) {}

  Agenda<Happening>& agenda() { return agenda_; }
  Letters& letters() { return letters_; }
  const VirtualNetwork& network() const { return network_; }

  // Of the letters that arrived and count, the second of two not.
  double seconds_on_way() const { return seconds_on_way_; }
  void arrived(const Happening& letter) { seconds_on_way_ += letter.seconds; }

  // Gives the letter away at `time`.
  void send(Direction direction, LetterNumber number, double time) {
    const Travel travel = network_.travel(direction, num_bytes(letters_[number]));
    const auto kind =
        direction == Direction::up ? Happening::Kind::at_server : Happening::Kind::at_worker;
    if (travel.arrivals == 0) return letters_.close(number);
    if (travel.arrivals == 2) {
      const Letter& letter = letters_[number];
      const LetterNumber copy = letters_.open(letter.kind, letter.slot, letter.life);
      letters_[copy] = letters_[number];
      agenda_.note(time + travel.seconds[1], {.kind = kind, .number = copy});
    }
    agenda_.note(time + travel.seconds[0],
                 {.kind = kind, .number = number, .seconds = travel.seconds[0]});
  }

  template <IsA<Post> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("agenda", part.agenda_);
    visit("letters", part.letters_);
    visit("network", part.network_);
    visit("seconds_on_way", part.seconds_on_way_);
  }

 private:
  Agenda<Happening> agenda_;
  Letters letters_;
  VirtualNetwork network_;
  double seconds_on_way_ = 0;
};

}  // namespace asynprox
