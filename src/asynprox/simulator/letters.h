// Messages on their way, and the memory they travel in, which is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "asynprox/algorithm/messages.h"
#include "asynprox/base/snapshot.h"

namespace asynprox {

enum class LetterKind : std::uint8_t {
  pull,     // up: a worker comes
  push,     // up
  want,     // up, where push and pull are two messages: the model that follows a push
  gone,     // the server is told that a worker has died
  reply,    // down
  receipt,  // down: the push was received; the model has to be asked for
};

struct Letter {
  LetterKind kind = LetterKind::pull;
  int slot = 0;  // from whom, or to whom
  int life = 0;  // of that worker
  Pull pull;
  Push push;
  double compute_seconds = 0;  // of the push
  Reply reply;
  double at_server = 0;  // seconds from the arrival of what it answers to its being sent
};

template <IsA<Letter> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("kind", part.kind);
  visit("slot", part.slot);
  visit("life", part.life);
  visit("at_server", part.at_server);
  switch (part.kind) {
    case LetterKind::pull: return visit("pull", part.pull);
    case LetterKind::push:
      visit("push", part.push);
      return visit("compute_seconds", part.compute_seconds);
    case LetterKind::reply: return visit("reply", part.reply);
    case LetterKind::want:
    case LetterKind::gone:
    case LetterKind::receipt: return;
  }
}

// Numbers a letter. Letters stay where they are.
using LetterNumber = std::size_t;

class Letters {
 public:
  LetterNumber open(LetterKind kind, int slot, int life) {
    if (unused_.empty()) {
      unused_.push_back(letters_.size());
      letters_.emplace_back();
    }
    const LetterNumber number = unused_.back();
    unused_.pop_back();
    Letter& letter = letters_[number];
    letter.kind = kind;
    letter.slot = slot;
    letter.life = life;
    ++num_open_of(slot);
    return number;
  }
  void close(LetterNumber number) {
    --num_open_of(letters_[number].slot);
    letters_[number].reply.model.whole.reset();  // nobody reads it any more
    unused_.push_back(number);
  }
  Letter& operator[](LetterNumber number) { return letters_[number]; }

  // Closed letters may hold anything, but they keep their numbers.
  void save(SnapshotWriter& writer) const {
    std::vector<bool> open(letters_.size(), true);
    for (const LetterNumber number : unused_) open[number] = false;
    writer.put(open);
    for (std::size_t i = 0; i < letters_.size(); ++i)
      if (open[i]) writer.put(letters_[i]);
    writer.put(unused_);
    writer.put(num_open_);
  }
  void restore(SnapshotReader& reader) {
    std::vector<bool> open;
    reader.get(open);
    letters_.clear();
    letters_.resize(open.size());
    for (std::size_t i = 0; i < letters_.size(); ++i)
      if (open[i]) reader.get(letters_[i]);
    reader.get(unused_);
    reader.get(num_open_);
  }

  // How many letters from and to a slot are on their way, or wait for the server.
  int num_open(int slot) { return num_open_of(slot); }

 private:
  int& num_open_of(int slot) {
    const auto place = static_cast<std::size_t>(slot);
    if (place >= num_open_.size()) num_open_.resize(place + 1);
    return num_open_[place];
  }

  std::deque<Letter> letters_;
  std::vector<LetterNumber> unused_;
  std::vector<int> num_open_;  // by slot
};

// As it would be sent: 8 bytes a value, 4 a key, and a header.
inline double num_bytes(const Letter& letter) {
  const auto bytes = [](const Keys& keys, std::size_t values) {
    return 48 + 4 * static_cast<double>(keys.list.size()) + 8 * static_cast<double>(values);
  };
  switch (letter.kind) {
    case LetterKind::pull: return bytes(letter.pull.keys, 0);
    case LetterKind::push:
      return bytes(letter.push.keys, letter.push.values.size() + letter.push.memory_change.size()) +
             4 * static_cast<double>(letter.push.keys_next.list.size());
    case LetterKind::reply: {
      const Model& model = letter.reply.model;
      return bytes({}, model.whole ? model.whole->size() : model.values.size());
    }
    case LetterKind::want:
    case LetterKind::gone:
    case LetterKind::receipt: return bytes({}, 0);
  }
  return 0;
}

}  // namespace asynprox
