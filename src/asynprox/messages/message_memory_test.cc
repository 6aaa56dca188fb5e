// Messages are written and read without allocations once their buffers have grown. A program of its
// own: it replaces operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "asynprox/messages/message_bytes.h"
#include "asynprox/messages/messages_testing.h"

namespace {
std::atomic<std::int64_t> allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace asynprox {
namespace {

constexpr std::size_t kDimension = 1000;

TEST(MessageMemory, IsReused) {
  RandomMessages random(1, kDimension);
  std::vector<Pull> pulls;
  std::vector<Push> pushes;
  std::vector<Reply> replies;
  for (int i = 0; i < 30; ++i) {
    pulls.push_back(random.pull());
    pushes.push_back(random.push());
    replies.push_back(random.reply());
  }
  std::vector<std::byte> frame;
  Pull pull;
  Push push;
  Reply reply;
  ModelBuffers buffers;
  const auto pass_all = [&] {
    for (std::size_t i = 0; i < pulls.size(); ++i) {
      encode(pulls[i], frame);
      decode(frame, kDimension, pull);
      encode(pushes[i], frame);
      decode(frame, kDimension, push);
      encode(replies[i], frame);
      decode(frame, kDimension, reply, buffers);
    }
  };
  const std::int64_t none = allocations;
  pass_all();
  EXPECT_GT(allocations, none);
  const std::int64_t before = allocations;
  pass_all();
  EXPECT_EQ(allocations, before);
}

// The model that a worker still holds is not written over by the next.
TEST(MessageMemory, OfAModelIsReusedOnlyWhenNobodyHoldsIt) {
  ModelBuffers buffers;
  const auto reply_of = [](double x) {
    Reply reply;
    reply.has_model = true;
    reply.model.whole = std::make_shared<const Vector>(Vector(3, x));
    return reply;
  };
  std::vector<std::byte> frame;
  Reply first, second;
  encode(reply_of(1), frame);
  decode(frame, 3, first, buffers);
  const std::shared_ptr<const Vector> held = first.model.whole;
  encode(reply_of(2), frame);
  decode(frame, 3, first, buffers);
  EXPECT_EQ(*held, Vector(3, 1.0));
  EXPECT_EQ(*first.model.whole, Vector(3, 2.0));
  decode(frame, 3, second, buffers);
  EXPECT_NE(second.model.whole, first.model.whole);
}

}  // namespace
}  // namespace asynprox
