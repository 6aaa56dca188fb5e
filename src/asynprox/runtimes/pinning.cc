#include "asynprox/runtimes/pinning.h"

#include <algorithm>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace asynprox {

#if defined(__linux__)

int usable_cores() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) return std::max(1, CPU_COUNT(&usable));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void pin_this_thread(int number) {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return;
  int skip = number % std::max(1, CPU_COUNT(&usable));
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &usable) || skip-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

#else

int usable_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void pin_this_thread(int) {}

#endif

}  // namespace asynprox
