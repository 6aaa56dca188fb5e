// What workers and the server say to each other. Threads pass these by reference, other runtimes as
// bytes; the buffers inside are reused from message to message.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asynprox/base/fields.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// Who computed a push, in which life of that worker, and as which of its pushes.
struct PushId {
  int worker = 0;
  int incarnation = 0;
  std::int64_t sequence = 0;
  auto operator<=>(const PushId&) const = default;
};

// Coordinates of the model: all of it, or those listed (maybe none).
struct Keys {
  bool all = true;
  std::vector<Key> list = {};

  static Keys only(std::vector<Key> keys) { return {false, std::move(keys)}; }
  std::size_t count(std::size_t dimension) const { return all ? dimension : list.size(); }
};

// "Pull Request": a worker asks for the model, once, before its first push. A repeated one replaces
// what the server had noted of this worker.
struct Pull {
  int worker = 0;
  int incarnation = 0;
  std::int64_t sequence = 0;  // of its newest push; 0: none yet. An older one is a late letter
  Keys keys = {};             // the coordinates wanted
  std::int64_t round = 0;     // of the share that it knows (see Share)
};

// A worker's shard of the samples, where a method has each remembered by one worker: number `number`
// of `of`. Shards are dealt anew when workers come and go; then what was remembered is void.
struct Share {
  std::int64_t round = 0;  // how often that has happened
  int number = 0;
  int of = 1;
};

// By what a push changes the sum of all that workers remember.
enum class MemoryChange {
  nothing,
  values,    // by its values
  separate,  // by memory_change, at the same keys
  shard,  // by memory_change, of all coordinates: the push is about the worker's whole shard, and
          // has no values
};

// "Push Request": G_j, the summed gradients of num_samples samples at model `version`. It asks for
// the next model at once.
struct Push {
  PushId id;
  std::int64_t version = 0;
  std::int64_t num_samples = 0;  // gradients of one sample, computed for it
  Keys keys;                     // of `values`
  Vector values;
  MemoryChange memory = MemoryChange::nothing;
  Vector memory_change;
  Share share;                // as the worker knew it
  Keys keys_next;             // the coordinates wanted next
  bool repeated = false;      // sent again, since no answer came: the server answers once more
  float compute_seconds = 0;  // that its gradient took, where its worker has a clock
};

// x at a version: all of it, shared and immutable, or the values of the keys that were asked for.
struct Model {
  std::int64_t version = 0;
  Keys keys;
  std::shared_ptr<const Vector> whole;  // if keys.all
  Vector values;                        // else, of keys.list
};

enum class Verdict { accepted, refused, stopped };

// Why a push was not accepted.
enum class Refusal {
  stale,      // older than the bound allows: compute the same samples at the model that comes along
  duplicate,  // this push was received before
  nonfinite,  // it has an infinity or a nan
  shape,      // its keys or values do not fit the model
  fenced,     // it is of an earlier life of the worker
};
inline constexpr int kNumRefusals = 5;

std::string_view name(Refusal refusal);

struct Reply {
  int worker = 0;
  int incarnation = 0;  // of the worker, and the newest push received of it: what this answers
  std::int64_t sequence = 0;
  Verdict verdict = Verdict::accepted;
  Refusal refusal = Refusal::stale;  // if refused
  bool has_model = false;
  Model model;            // if has_model
  std::int64_t turn = 0;  // the number of the worker's next draw, if workers take turns at them
  Share share;            // of the worker, from now on
  std::string detail;     // words for a person, where something is wrong
};

// Replies to send now. Cleared ones keep their buffers for the next.
class Replies {
 public:
  Reply& add(int worker, Verdict verdict) {
    if (size_ == replies_.size()) replies_.emplace_back();
    Reply& reply = replies_[size_++];
    reply.worker = worker;
    reply.verdict = verdict;
    reply.has_model = false;
    reply.detail.clear();
    return reply;
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  Reply* begin() { return replies_.data(); }
  Reply* end() { return replies_.data() + size_; }

 private:
  std::vector<Reply> replies_;
  std::size_t size_ = 0;
};

// Buffers go around, so that what is not in use may hold anything: it is no part of a state.
template <IsA<PushId> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("worker", part.worker);
  visit("incarnation", part.incarnation);
  visit("sequence", part.sequence);
}

template <IsA<Keys> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("all", part.all);
  if (!part.all) visit("list", part.list);
}

template <IsA<Share> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("round", part.round);
  visit("number", part.number);
  visit("of", part.of);
}

template <IsA<Push> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("id", part.id);
  visit("version", part.version);
  visit("num_samples", part.num_samples);
  visit("keys", part.keys);
  visit("values", part.values);
  visit("memory", part.memory);
  visit("memory_change", part.memory_change);
  visit("share", part.share);
  visit("keys_next", part.keys_next);
  visit("repeated", part.repeated);
  visit("compute_seconds", part.compute_seconds);
}

template <IsA<Pull> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("worker", part.worker);
  visit("incarnation", part.incarnation);
  visit("sequence", part.sequence);
  visit("keys", part.keys);
  visit("round", part.round);
}

template <IsA<Model> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("version", part.version);
  visit("keys", part.keys);
  if (part.keys.all)
    visit("whole", part.whole);
  else
    visit("values", part.values);
}

template <IsA<Reply> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("worker", part.worker);
  visit("incarnation", part.incarnation);
  visit("sequence", part.sequence);
  visit("verdict", part.verdict);
  visit("refusal", part.refusal);
  visit("has_model", part.has_model);
  if (part.has_model) visit("model", part.model);
  visit("turn", part.turn);
  visit("share", part.share);
  visit("detail", part.detail);
}

}  // namespace asynprox
