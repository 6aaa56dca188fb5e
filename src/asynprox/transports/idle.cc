#include "asynprox/transports/idle.h"

#include <chrono>
#include <thread>

namespace asynprox {
namespace {

// An answer comes so much later at most.
constexpr std::chrono::microseconds kSleep{100};

}  // namespace

void take(Rest rest) {
  switch (rest) {
    case Rest::spin: return;
    case Rest::yield: return std::this_thread::yield();
    case Rest::sleep: return std::this_thread::sleep_for(kSleep);
  }
}

}  // namespace asynprox
