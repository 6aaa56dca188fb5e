#include "asynprox/base/snapshot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace asynprox {
namespace {

enum class Colour { red, green };

struct Inner {
  double number = 0;
  std::optional<int> maybe = {};
  bool operator==(const Inner&) const = default;
};

template <IsA<Inner> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("number", part.number);
  visit("maybe", part.maybe);
}

struct Outer {
  bool flag = false;
  Colour colour = Colour::red;
  std::string text;
  std::vector<double> numbers;
  std::vector<bool> flags;
  std::deque<int> queue;
  std::array<std::uint8_t, 3> few{};
  std::vector<Inner> inner;
  std::unique_ptr<Inner> owned;
  std::shared_ptr<const std::vector<double>> shared;
};

template <IsA<Outer> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("flag", part.flag);
  visit("colour", part.colour);
  visit("text", part.text);
  visit("numbers", part.numbers);
  visit("flags", part.flags);
  visit("queue", part.queue);
  visit("few", part.few);
  visit("inner", part.inner);
  visit("owned", part.owned);
  visit("shared", part.shared);
}

Outer full() {
  Outer outer;
  outer.flag = true;
  outer.colour = Colour::green;
  outer.text = std::string("a\0b", 3);
  outer.numbers = {-0.0, std::numeric_limits<double>::infinity(), 1e-320};
  outer.flags = {true, false, true};
  outer.queue = {3, -1};
  outer.few = {1, 2, 255};
  outer.inner = {{.number = 1}, {.number = 2, .maybe = 7}};
  outer.owned = std::make_unique<Inner>(Inner{.number = 5});
  outer.shared = std::make_shared<const std::vector<double>>(2, 0.5);
  return outer;
}

TEST(Snapshot, RestoresEveryField) {
  const Outer before = full();
  const Snapshot bytes = snapshot(before);
  Outer after;
  after.owned = std::make_unique<Inner>();
  after.queue = {1, 2, 3};
  restore(after, bytes);
  EXPECT_TRUE(same_state(before, after));
  EXPECT_EQ(state_hash(before), state_hash(after));
  EXPECT_TRUE(std::signbit(after.numbers[0]));
  EXPECT_EQ(after.inner, before.inner);
  EXPECT_EQ(after.queue, before.queue);
  EXPECT_EQ(after.text, before.text);
  EXPECT_EQ(after.flags, before.flags);
  EXPECT_EQ(*after.shared, *before.shared);
  EXPECT_NE(after.shared, before.shared) << "others may hold the one before";
}

TEST(Snapshot, TellsStatesApart) {
  Outer other = full();
  other.numbers[0] = 0.0;
  EXPECT_FALSE(same_state(full(), other));
  EXPECT_NE(state_hash(full()), state_hash(other));
  other = full();
  other.inner[0].maybe = 0;
  EXPECT_FALSE(same_state(full(), other));
}

TEST(Snapshot, RefusesEveryTruncation) {
  const Snapshot bytes = snapshot(full());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Outer outer;
    EXPECT_THROW(restore(outer, std::span(bytes).first(size)), DataError) << size;
  }
  Snapshot longer = bytes;
  longer.push_back(std::byte{0});
  Outer outer;
  EXPECT_THROW(restore(outer, longer), DataError);
}

TEST(Snapshot, TrustsNoCount) {
  SnapshotWriter writer;
  writer.put_count(std::uint64_t{1} << 60);
  std::vector<double> numbers;
  EXPECT_THROW(restore(numbers, writer.bytes()), DataError);
  std::string text;
  EXPECT_THROW(restore(text, writer.bytes()), DataError);
  std::vector<Inner> inner;
  EXPECT_THROW(restore(inner, writer.bytes()), DataError);
}

}  // namespace
}  // namespace asynprox
