// What reached the server, in order: with the seed, all there is to know of an asynchronous run.
// The same events give the same iterates to the bit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>

#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/stopping.h"

namespace asynprox {

enum class EventKind : std::uint8_t {
  pull,       // a worker came
  push,       // and brought a gradient
  left,       // and went
  evaluated,  // the model was evaluated, and steps may go on
  horizon,    // the number of steps to come was estimated
  stopped,    // the run stopped, after so many steps
  end,        // with this model
  resumed,    // the run goes on from a checkpoint, maybe in another process
};

// One event, as it lies in memory and in a file: 32 bytes, the last 16 by kind.
struct Event {
  // A pull, a push, a leave, a stop or a resumption. 32 bits are enough: 2^32 events would be a file of 128 GiB.
  struct Message {
    std::uint32_t incarnation;
    std::uint32_t sequence;        // of a push
    std::uint32_t version;         // of the model that a push was computed at
    std::uint32_t server_version;  // k when it arrived
  };
  // An evaluation or the end.
  struct Hashes {
    std::uint64_t steps;  // what the steps so far wrote
    std::uint64_t model;  // the whole model
  };

  struct Horizon {
    std::uint64_t steps;
    std::uint64_t server_version;  // k when it was estimated
  };

  std::uint64_t nanoseconds = 0;  // since the run began; evaluations count
  float compute_seconds = 0;      // how long the worker computed a push
  std::uint16_t worker = 0;
  EventKind kind = EventKind::push;
  // Of a push: see outcome_of(); of a stop: its StopReason; of an evaluation: 0, or 1 more than the
  // models it had looked at when it was cut short.
  std::uint8_t outcome = 0;
  union {
    Message message = {0, 0, 0, 0};
    Hashes hashes;
    Horizon horizon;
  };
};
static_assert(sizeof(Event) == 32 && std::is_trivially_copyable_v<Event>);

inline constexpr int kRecordedWorkersMax = 1 << 16;

// The event of a message, but for when and at which version of the model it arrived.
inline Event message_event(EventKind kind, int worker, int incarnation) {
  Event event;
  event.worker = static_cast<std::uint16_t>(worker);
  event.kind = kind;
  event.message.incarnation = static_cast<std::uint32_t>(incarnation);
  return event;
}
inline Event push_event(const Push& push) {
  Event event = message_event(EventKind::push, push.id.worker, push.id.incarnation);
  event.message.sequence = static_cast<std::uint32_t>(push.id.sequence);
  event.message.version = static_cast<std::uint32_t>(push.version);
  return event;
}

// Where the events of a run go, in their order.
class EventLog {
 public:
  virtual ~EventLog() = default;

  // False: nobody wants them, and they need not be made.
  virtual bool is_on() const = 0;
  virtual void add(const Event& event) = 0;
};

// What became of a push when it arrived: 0 if it was accepted, else 1 more than its Refusal.
constexpr std::uint8_t outcome_of(std::optional<Refusal> refusal) {
  return refusal ? static_cast<std::uint8_t>(1 + static_cast<int>(*refusal)) : 0;
}

// Gets the events, in order, from one thread at a time.
using EventSink = std::function<void(std::span<const Event>)>;

// Gives the events, in order; none after the last.
using EventSource = std::function<std::optional<Event>()>;

}  // namespace asynprox
