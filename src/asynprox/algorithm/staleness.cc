#include "asynprox/algorithm/staleness.h"

#include <algorithm>

#include "asynprox/base/errors.h"

namespace asynprox {

void InFlight::add(std::int64_t version) {
  add(groups_, version);
  ++size_;
}

void InFlight::remove(std::int64_t version) {
  remove(groups_, version);
  --size_;
}

void InFlight::add(std::vector<Group>& groups, std::int64_t version) {
  const auto place = std::ranges::lower_bound(groups, version, {}, &Group::version);
  if (place != groups.end() && place->version == version)
    ++place->count;
  else
    groups.insert(place, {version, 1});
}

void InFlight::remove(std::vector<Group>& groups, std::int64_t version) {
  const auto place = std::ranges::lower_bound(groups, version, {}, &Group::version);
  ensure(place != groups.end() && place->version == version, "no such gradient in flight");
  if (--place->count == 0) groups.erase(place);
}

bool InFlight::on_time(const std::vector<Group>& groups, std::int64_t k) const {
  // Of gradients with the same version the last in order is the latest.
  std::int64_t count = 0;
  return std::ranges::all_of(groups, [&](const Group& group) {
    count += group.count;
    return k + (count - 1) / pushes_per_step_ - group.version <= staleness_max_;
  });
}

bool InFlight::on_time_without(std::span<const std::int64_t> taken, std::int64_t k) const {
  scratch_ = groups_;
  for (const std::int64_t version : taken) remove(scratch_, version);
  return on_time(scratch_, k);
}

bool InFlight::on_time_with(std::int64_t version, std::int64_t k) const {
  scratch_ = groups_;
  add(scratch_, version);
  return on_time(scratch_, k);
}

void StalenessStatistics::add(std::int64_t staleness) {
  max = std::max(max, staleness);
  if (static_cast<std::size_t>(staleness) >= histogram.size()) histogram.resize(staleness + 1, 0);
  ++histogram[staleness];
}

double StalenessStatistics::mean() const {
  double count = 0, total = 0;
  for (std::size_t staleness = 0; staleness < histogram.size(); ++staleness) {
    count += static_cast<double>(histogram[staleness]);
    total += static_cast<double>(histogram[staleness]) * static_cast<double>(staleness);
  }
  return count > 0 ? total / count : 0;
}

std::int64_t expected_staleness(int workers, int pushes_per_step) {
  return (std::int64_t{workers} + pushes_per_step - 2) / pushes_per_step;
}

}  // namespace asynprox
