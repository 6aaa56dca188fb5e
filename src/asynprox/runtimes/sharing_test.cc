// What threads share beside the server: the lock, the desk and the record.
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "asynprox/runtimes/desk.h"
#include "asynprox/runtimes/recorder.h"
#include "asynprox/runtimes/spin_lock.h"

namespace asynprox {
namespace {

// Runs work(0), work(1), ... side by side.
template <class Work>
void in_threads(int count, Work work) {
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (int i = 0; i < count; ++i) threads.emplace_back([=] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

TEST(SpinLock, LetsOneInAtATime) {
  SpinLock lock;
  std::int64_t sum = 0;
  in_threads(8, [&](int) {
    for (int i = 0; i < 5000; ++i) {
      const std::lock_guard guard(lock);
      ++sum;
    }
  });
  EXPECT_EQ(sum, 40'000);
}

// Longer than anybody spins: those who wait have gone to sleep.
TEST(SpinLock, WakesThoseWhoSleep) {
  SpinLock lock;
  int entered = 0;
  lock.lock();
  std::thread holder([&] {
    in_threads(4, [&](int) {
      const std::lock_guard guard(lock);
      ++entered;
    });
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(entered, 0);
  lock.unlock();
  holder.join();
  EXPECT_EQ(entered, 4);
}

TEST(Desk, DeliversEveryReplyToAThreadThatSpinsOrSleeps) {
  Desk desk;
  SpinLock lock;
  constexpr std::int64_t kReplies = 2000;
  std::atomic<std::int64_t> taken = 0;
  std::thread worker([&] {
    for (std::int64_t i = 1; i <= kReplies; ++i) {
      while (desk.wait() == Signal::help) {
      }
      EXPECT_EQ(desk.reply.model.version, i);
      taken = i;
    }
  });
  for (std::int64_t i = 1; i <= kReplies; ++i) {
    while (taken != i - 1) std::this_thread::yield();
    if (i % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (i % 3 == 0 && desk.call_for_help()) desk.wake();
    Reply reply;
    reply.model.version = i;
    const std::lock_guard guard(lock);
    if (desk.deliver(reply)) desk.wake();
  }
  worker.join();
  EXPECT_EQ(taken, kReplies);
}

TEST(Recorder, HandsOnEveryEventInOrder) {
  std::vector<std::uint32_t> got;
  Recorder recorder([&](std::span<const Event> events) {
    for (const Event& event : events) got.push_back(event.message.sequence);
  });
  SpinLock lock;
  std::uint32_t next = 0;
  in_threads(3, [&](int) {
    for (int i = 0; i < 20'000; ++i) {
      {
        const std::lock_guard guard(lock);
        Event event;
        event.message.sequence = next++;
        recorder.add(event);
      }
      recorder.hand_on();
    }
  });
  recorder.close();
  ASSERT_EQ(got.size(), 60'000U);
  for (std::uint32_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], i);
}

TEST(Recorder, OfNothingKeepsNothing) {
  Recorder recorder;
  EXPECT_FALSE(recorder.is_on());
  recorder.add({});
  recorder.hand_on();
  recorder.close();
}

}  // namespace
}  // namespace asynprox
