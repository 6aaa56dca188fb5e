#include "asynprox/algorithm/push_store.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace asynprox {

void PushStore::keep(Push& push) {
  std::unique_ptr<Push> arrived = unused(push.id.worker);
  std::swap(*arrived, push);
  arrived->keys_next.all = true;  // the server has them, and what lies here is of another message
  const auto place = std::ranges::upper_bound(state_.pending, arrived->version, {}, &Push::version);
  state_.pending.insert(place, std::move(arrived));
}

std::unique_ptr<Push> PushStore::unused(int worker) {
  if (unused_.empty()) return std::make_unique<Push>();
  const auto own = std::ranges::find(unused_, worker, &Unused::worker);
  if (own != unused_.end()) std::swap(*own, unused_.back());
  std::unique_ptr<Push> push = std::move(unused_.back().push);
  unused_.pop_back();
  return push;
}

std::span<const std::int64_t> PushStore::oldest_versions(std::size_t count) const {
  versions_.clear();
  for (std::size_t i = 0; i < count; ++i) versions_.push_back(state_.pending[i]->version);
  return versions_;
}

void PushStore::take(std::size_t count) {
  const auto end = state_.pending.begin() + static_cast<std::ptrdiff_t>(count);
  state_.applied.assign(std::move_iterator(state_.pending.begin()), std::move_iterator(end));
  state_.pending.erase(state_.pending.begin(), end);
}

std::span<const Push* const> PushStore::summands() {
  summands_.clear();
  for (const auto& applied : state_.applied) summands_.push_back(applied.get());
  return summands_;
}

void PushStore::clear() {
  for (auto& applied : state_.applied) {
    const int worker = applied->id.worker;
    unused_.push_back({worker, std::move(applied)});
  }
  state_.applied.clear();
}

}  // namespace asynprox
