#include "asynprox/runtimes/pacer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Waits are cut here, so that no time is beyond what a clock can count to.
constexpr std::chrono::duration<double> kWaitMax(3600);

}  // namespace

void require_speed(std::string_view what, double value) {
  require(value > 0 && std::isfinite(value),
          fmt::format("{}: expected a number above 0, got {}", what, value));
  require(value >= kSpeedMin,
          fmt::format("{}: expected a number of at least {}, got {}", what, kSpeedMin, value));
}

Pacer::Pacer(double pace, Vector speeds) : pace_(pace), speeds_(std::move(speeds)) {}

double Pacer::seconds() const {
  const std::lock_guard lock(mutex_);
  return shown().count();
}

double Pacer::seconds_for(int worker, std::int64_t num_samples) const {
  const auto place = static_cast<std::size_t>(worker);
  const double speed = place < speeds_.size() ? speeds_[place] : 1;
  return static_cast<double>(num_samples) / (pace_ * speed);
}

void Pacer::wait_until(double seconds) {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    if (still_since_) {
      changed_.wait(lock);
      continue;
    }
    const Seconds left = Seconds(seconds) - shown();
    if (left <= Seconds(0)) return;
    changed_.wait_for(lock, std::min(left, kWaitMax));
  }
}

void Pacer::stand_still() {
  const std::lock_guard lock(mutex_);
  still_since_ = Clock::now();
  changed_.notify_all();
}

void Pacer::go_on() {
  const std::lock_guard lock(mutex_);
  still_ += Clock::now() - *still_since_;
  still_since_.reset();
  changed_.notify_all();
}

void Pacer::end() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

Pacer::Seconds Pacer::shown() const {
  return Seconds(still_since_.value_or(Clock::now()) - start_) - still_;
}

}  // namespace asynprox
