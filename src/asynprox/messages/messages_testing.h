// Messages at random, and what it means that two are the same: each field, to the bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "asynprox/algorithm/messages.h"
#include "asynprox/base/random.h"
#include "asynprox/messages/hello.h"

namespace asynprox {

// Draws what messages to a model of so many coordinates may hold: lists of every length, and values
// of every kind.
class RandomMessages {
 public:
  RandomMessages(std::uint64_t seed, std::size_t dimension)
      : random_(seed), dimension_(dimension) {}

  std::uint64_t below(std::uint64_t bound) { return random_.at(drawn_++) % bound; }

  Keys keys() {
    if (below(3) == 0) return {};
    std::vector<Key> list(below(dimension_ + 1));
    for (Key& key : list) key = static_cast<Key>(below(dimension_));
    return Keys::only(std::move(list));
  }

  Vector values(std::size_t count) {
    Vector values(count);
    for (double& value : values) value = number();
    return values;
  }

  Share share() {
    const int of = 1 + static_cast<int>(below(9));
    return {.round = count(), .number = static_cast<int>(below(of)), .of = of};
  }

  Pull pull() {
    return {.worker = worker(),
            .incarnation = worker(),
            .sequence = count(),
            .keys = keys(),
            .round = count()};
  }

  // Also one whose values do not fit its keys.
  Push push() {
    Push push;
    push.id = {worker(), worker(), count()};
    push.version = count();
    push.num_samples = count();
    push.keys = keys();
    push.memory = static_cast<MemoryChange>(below(4));
    push.share = share();
    push.keys_next = keys();
    push.repeated = below(2) == 1;
    push.compute_seconds = static_cast<float>(below(1000)) / 7;
    push.values = values(below(4) == 0 ? below(dimension_ + 1) : push.keys.count(dimension_));
    push.memory_change = values(below(2) == 0 ? 0 : push.keys.count(dimension_));
    return push;
  }

  Reply reply() {
    Reply reply;
    reply.worker = worker();
    reply.incarnation = worker() - 1;
    reply.sequence = count();
    reply.verdict = static_cast<Verdict>(below(3));
    reply.refusal = static_cast<Refusal>(below(kNumRefusals));
    reply.has_model = below(4) != 0;
    reply.turn = count();
    reply.share = share();
    reply.detail = std::string(below(40), 'd');
    if (!reply.has_model) return reply;
    reply.model.version = count();
    reply.model.keys = keys();
    Vector x = values(reply.model.keys.count(dimension_));
    if (reply.model.keys.all)
      reply.model.whole = std::make_shared<const Vector>(std::move(x));
    else
      reply.model.values = std::move(x);
    return reply;
  }

  Hello hello() {
    return {.version = "0.1.0",
            .plan_hash = random_.at(drawn_++),
            .data_fingerprint = std::to_string(below(1000)),
            .dimension = random_.at(drawn_++),
            .build = std::string(below(100), 'b')};
  }

 private:
  int worker() { return static_cast<int>(below(1 << 16)); }
  std::int64_t count() { return static_cast<std::int64_t>(below(std::uint64_t{1} << below(63))); }

  double number() {
    switch (below(8)) {
      case 0: return -0.0;
      case 1: return std::numeric_limits<double>::quiet_NaN();
      case 2: return std::numeric_limits<double>::infinity();
      case 3: return std::numeric_limits<double>::denorm_min();
      default: return std::ldexp(static_cast<double>(below(1 << 20)), static_cast<int>(below(99)));
    }
  }

  Random random_;
  std::uint64_t drawn_ = 0;
  std::size_t dimension_;
};

inline bool same(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

inline bool same(const Keys& a, const Keys& b) { return a.all == b.all && a.list == b.list; }

inline bool same(const Share& a, const Share& b) {
  return a.round == b.round && a.number == b.number && a.of == b.of;
}

inline bool same(const Pull& a, const Pull& b) {
  return a.worker == b.worker && a.incarnation == b.incarnation && a.sequence == b.sequence &&
         same(a.keys, b.keys) && a.round == b.round;
}

inline bool same(const Push& a, const Push& b) {
  return a.id == b.id && a.version == b.version && a.num_samples == b.num_samples &&
         same(a.keys, b.keys) && same(a.values, b.values) && a.memory == b.memory &&
         same(a.memory_change, b.memory_change) && same(a.share, b.share) &&
         same(a.keys_next, b.keys_next) && a.repeated == b.repeated;
}

inline bool same(const Model& a, const Model& b) {
  if (a.version != b.version || !same(a.keys, b.keys)) return false;
  return a.keys.all ? a.whole && b.whole && same(*a.whole, *b.whole) : same(a.values, b.values);
}

inline bool same(const Reply& a, const Reply& b) {
  return a.worker == b.worker && a.incarnation == b.incarnation && a.sequence == b.sequence &&
         a.verdict == b.verdict && a.refusal == b.refusal && a.has_model == b.has_model &&
         (!a.has_model || same(a.model, b.model)) && a.turn == b.turn && same(a.share, b.share) &&
         a.detail == b.detail;
}

inline bool same(const Hello& a, const Hello& b) { return a == b; }

}  // namespace asynprox
