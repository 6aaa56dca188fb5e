#include "asynprox/algorithm/push_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace asynprox {
namespace {

// What is wrong with it; empty: nothing.
std::string wrong_shape(const Push& push, std::size_t dimension) {
  const std::size_t count = push.keys.count(dimension);
  const bool shard = push.memory == MemoryChange::shard;
  const std::size_t expected = shard ? 0 : count;
  const std::size_t expected_change = shard || push.memory == MemoryChange::separate ? count : 0;
  const Key* beyond = key_beyond(push.keys, dimension);
  if (!beyond) beyond = key_beyond(push.keys_next, dimension);
  if (!beyond && push.values.size() == expected && push.memory_change.size() == expected_change)
    return "";
  const std::string where = fmt::format("push {} of worker {}: ", push.id.sequence, push.id.worker);
  if (beyond)
    return where + fmt::format("expected coordinates below {}, got {}", dimension, *beyond);
  if (push.values.size() != expected)
    return where + fmt::format("expected {} values, got {}", expected, push.values.size());
  return where + fmt::format("expected {} values of what is remembered, got {}", expected_change,
                             push.memory_change.size());
}

}  // namespace

PushCheck check_push(const Push& push, std::size_t dimension) {
  PushCheck check = {.refusal = {}, .detail = wrong_shape(push, dimension)};
  if (!check.detail.empty())
    check.refusal = Refusal::shape;
  else if (!all_finite(push.values) || !all_finite(push.memory_change))
    check.refusal = Refusal::nonfinite;
  return check;
}

const Key* key_beyond(const Keys& keys, std::size_t dimension) {
  Key largest = 0;
  for (const Key key : keys.list) largest = std::max(largest, key);
  if (largest < dimension || keys.list.empty()) return nullptr;
  return &*std::ranges::find_if(keys.list, [&](Key key) { return key >= dimension; });
}

}  // namespace asynprox
