// The time of a run: wall-clock time without evaluations, but with what searches took in them; or virtual
// time, which is read where the caller says.
//
// stand_still() and go_on() are called under the lock of the run; so is seconds(). elapsed() and
// nanoseconds() may be called beside anything.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "asynprox/base/snapshot.h"

namespace asynprox {

class RunClock {
 public:
  explicit RunClock(const double* virtual_seconds = nullptr) : virtual_seconds_(virtual_seconds) {}

  bool is_virtual() const { return virtual_seconds_ != nullptr; }

  // Of the run so far.
  double seconds() const {
    if (virtual_seconds_) return *virtual_seconds_;
    return stands_still_since_.value_or(elapsed()) - evaluation_seconds_;
  }
  double evaluation_seconds() const { return evaluation_seconds_; }

  void stand_still() { stands_still_since_ = elapsed(); }
  void go_on(double search_seconds) {
    evaluation_seconds_ += elapsed() - *stands_still_since_ - search_seconds;
    stands_still_since_.reset();
  }

  // While it does not stand still: it goes on from here, maybe in another process.
  void save(SnapshotWriter& writer) const {
    writer.put(elapsed());
    writer.put(evaluation_seconds_);
  }
  void restore(SnapshotReader& reader) {
    double elapsed = 0;
    reader.get(elapsed);
    reader.get(evaluation_seconds_);
    if (!(elapsed >= 0 && elapsed <= elapsed_max))
      throw DataError("a snapshot cannot be used: a run of no such time");
    start_ = Clock::now() -
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(elapsed));
  }

  // Wall-clock time since the run began, evaluations and all.
  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  // The same for records; in virtual time, that.
  std::uint64_t nanoseconds() const {
    if (virtual_seconds_)
      return static_cast<std::uint64_t>(std::min(1e9 * *virtual_seconds_, 0x1p63));
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double elapsed_max = 1e9;  // some thirty years

  const double* virtual_seconds_;
  Clock::time_point start_ = Clock::now();
  std::optional<double> stands_still_since_;
  double evaluation_seconds_ = 0;
};

}  // namespace asynprox
