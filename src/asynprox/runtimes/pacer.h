// Lets workers take the time of slower machines, so that a few cores show what many such machines
// do.
//
//   A push of n samples by worker j takes at least n / (pace * speed_j) seconds.
//
// They are seconds of the pacer's clock, which stands still while the model is evaluated, as the
// run's does: else a worker would get for nothing the time that it pauses beside an evaluation.
// Safe to call from several threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

// Speeds and rates are at least this much: what is divided by a few of them stays finite.
inline constexpr double kSpeedMin = 1e-100;

// Throws ContractError, "<what>: expected ...", unless it is such a number, and finite.
void require_speed(std::string_view what, double value);

class Pacer {
 public:
  // `pace` in samples per second; speeds of the workers, 1 for those that are not listed.
  Pacer(double pace, Vector speeds);

  double seconds() const;  // of the clock
  double seconds_for(int worker, std::int64_t num_samples) const;

  // Returns when the clock shows so many seconds, or once the run has ended: at once.
  void wait_until(double seconds);

  void stand_still();
  void go_on();
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  Seconds shown() const;  // under the lock

  const double pace_;
  const Vector speeds_;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  const Clock::time_point start_ = Clock::now();
  std::optional<Clock::time_point> still_since_;
  Seconds still_{0};  // in all, without the present one
  bool ended_ = false;
};

}  // namespace asynprox
