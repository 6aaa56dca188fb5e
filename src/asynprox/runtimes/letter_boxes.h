// A letter box for each worker, where one thread plays them all. A worker has at most one model to
// answer at a time.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "asynprox/algorithm/messages.h"
#include "asynprox/base/errors.h"

namespace asynprox {

class LetterBoxes {
 public:
  explicit LetterBoxes(std::size_t workers) : boxes_(workers), full_(workers, false) {}

  // Buffers are swapped, so that they are used again.
  void deliver(Replies& replies) {
    for (Reply& reply : replies) {
      const int worker = reply.worker;
      std::swap(boxes_[worker], reply);
      reply.model.whole.reset();  // of the letter before: nobody reads it any more
      full_[worker] = true;
    }
    replies.clear();
  }

  // The letter for this worker, once.
  Reply* take(int worker) {
    if (!full_[worker]) return nullptr;
    full_[worker] = false;
    return &boxes_[worker];
  }

  // The letter was taken, and is to be taken once more.
  void put_back(int worker) { full_[worker] = true; }

  bool all_empty() const { return std::ranges::find(full_, true) == full_.end(); }

  template <IsA<LetterBoxes> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("full", part.full_);
    if (part.full_.size() != part.boxes_.size())
      throw DataError("a snapshot cannot be used: it is of another number of workers");
    for (std::size_t worker = 0; worker < part.full_.size(); ++worker)
      if (part.full_[worker]) visit("letter", part.boxes_[worker]);
  }

 private:
  std::vector<Reply> boxes_;
  std::vector<bool> full_;
};

}  // namespace asynprox
