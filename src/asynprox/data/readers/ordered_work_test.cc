#include "asynprox/data/readers/ordered_work.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <vector>

namespace asynprox {
namespace {

// While it lives no thread can be started, as where a limit of threads is reached: each would need
// a stack that is larger than memory.
class NoThreads {
 public:
  NoThreads() {
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    ::pthread_attr_init(&huge);
    ::pthread_attr_setstacksize(&huge, std::size_t{1} << 46);
    ::pthread_setattr_default_np(&huge);
    ::pthread_attr_destroy(&huge);
  }
  ~NoThreads() {
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_ = {};
};

std::vector<int> squares(std::size_t threads) {
  std::vector<int> taken;
  const auto take = [&](int result) { taken.push_back(result); };
  OrderedWork<int, decltype(take)> work(threads, take);
  for (int i = 0; i < 100; ++i) work.add([i] { return i * i; });
  work.finish();
  return taken;
}

TEST(OrderedWork, GivesTheSameOnAnyNumberOfThreads) {
  const std::vector<int> alone = squares(1);
  EXPECT_EQ(alone.size(), 100);
  EXPECT_EQ(squares(2), alone);
  EXPECT_EQ(squares(7), alone);
}

TEST(OrderedWork, IsDoneByTheCallerWhereTheSystemStartsNoThread) {
  const std::vector<int> alone = squares(1);
  const NoThreads limit;
  EXPECT_THROW(std::thread([] {}).join(), std::system_error);
  EXPECT_EQ(squares(4), alone);
}

}  // namespace
}  // namespace asynprox
