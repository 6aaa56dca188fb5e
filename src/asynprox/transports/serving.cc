#include "asynprox/transports/serving.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "asynprox/messages/frame.h"
#include "asynprox/messages/message_bytes.h"
#include "asynprox/messages/notices.h"

namespace asynprox {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPatience{200};

class Serving {
 public:
  Serving(ServedRun& run, const Hello& ours, int workers, ServerPort& port,
          const std::atomic<bool>* interrupt)
      : run_(run), ours_(ours), port_(port), interrupt_(interrupt), members_(workers) {
    attendance_.missing.resize(workers);
  }

  Attendance serve() {
    while (!all_know() && !patience_is_over()) {
      if (const auto letter = port_.receive())
        take(*letter);
      else
        look_around();
      run_.watch(replies_);
      deliver();
    }
    for (std::size_t worker = 0; worker < members_.size(); ++worker)
      attendance_.missing[worker] = !members_[worker].ended;
    return std::move(attendance_);
  }

 private:
  struct Member {
    bool greeted = false;
    bool lost = false;
    bool invited = false;  // to another life
    bool ended = false;    // it knows that the run is over, or has left for good
  };

  bool all_know() const {
    return std::ranges::all_of(members_, [](const Member& m) { return m.ended || m.lost; });
  }

  // An interrupt leaves little time to save what was learnt: workers that do not answer are left.
  bool patience_is_over() {
    if (!interrupt_ || !interrupt_->load()) return false;
    const Clock::time_point now = Clock::now();
    if (!interrupted_at_) interrupted_at_ = now;
    return now - *interrupted_at_ > kPatience;
  }

  void take(const ServerPort::Letter& letter) {
    const int worker = letter.worker;
    Member& sender = members_.at(worker);
    switch (read(letter, sender)) {
      case MessageKind::hello: greet(worker, sender); break;
      case MessageKind::pull: enter(sender); break;
      case MessageKind::push: receive_push(); break;
      case MessageKind::failure: raise(worker);
      default: heed_sign(worker, sender);
    }
    if (sender.lost && !sender.invited) invite(worker);
  }

  // Reads it into the message of its kind.
  MessageKind read(const ServerPort::Letter& letter, const Member& sender) {
    try {
      const MessageKind kind = read_head(letter.frame, ours_.dimension).kind;
      const bool early = kind == MessageKind::pull || kind == MessageKind::push;
      if (early && !sender.greeted) throw DataError("expected a hello first, got another message");
      decode_as(kind, letter);
      return kind;
    } catch (const DataError& error) {
      throw PeerError(fmt::format("{}: {}", port_.name(letter.worker), error.what()));
    }
  }

  void decode_as(MessageKind kind, const ServerPort::Letter& letter) {
    switch (kind) {
      case MessageKind::hello: return decode(letter.frame, hello_);
      case MessageKind::pull:
        decode(letter.frame, ours_.dimension, pull_);
        return require_own(pull_.worker, letter.worker);
      case MessageKind::push:
        decode(letter.frame, ours_.dimension, push_);
        return require_own(push_.id.worker, letter.worker);
      case MessageKind::failure: return decode(letter.frame, failure_);
      case MessageKind::sign: return decode(letter.frame, sign_);
      case MessageKind::reply:
      case MessageKind::assignment: break;
    }
    throw DataError("expected a message of a worker, got one of a server");
  }

  static void require_own(int named, int sender) {
    if (named != sender)
      throw DataError(fmt::format("worker: expected {} in its messages, got {}", sender, named));
  }

  void greet(int worker, Member& sender) {
    const std::string difference = disagreement(ours_, hello_);
    if (!difference.empty())
      throw PeerError(fmt::format("{} cannot take part: {}", port_.name(worker), difference));
    sender.greeted = true;
  }

  void enter(Member& sender) {
    if (run_.receive(pull_, replies_) == Arrival::fenced) return;
    if (std::exchange(sender.lost, false))
      attendance_.warnings.push_back(
          fmt::format("{} is back, in another life", port_.name(pull_.worker)));
    sender.invited = false;
  }

  void receive_push() {
    if (run_.receive(push_, replies_) != Arrival::fenced) return;
    if (run_.over()) tell_the_end(push_.id.worker);
  }

  [[noreturn]] void raise(int worker) const {
    const std::string words = fmt::format("{}: {}", port_.name(worker), failure_.detail);
    switch (failure_.kind) {
      case FailureKind::contract: throw ContractError(words);
      case FailureKind::data: throw DataError(words);
      case FailureKind::other: break;
    }
    throw Error(words);
  }

  void heed_sign(int worker, Member& sender) {
    if (sign_ == Sign::alive) return;
    run_.leave(worker, replies_);
    sender.ended = true;
  }

  // A worker that was lost begins anew.
  void invite(int worker) {
    if (run_.over()) return tell_the_end(worker);
    members_[worker].invited = true;
    Reply again;
    again.worker = worker;
    again.incarnation = run_.next_life(worker);
    again.verdict = Verdict::refused;
    again.refusal = Refusal::fenced;
    send(again);
  }

  void tell_the_end(int worker) {
    Reply end;
    end.worker = worker;
    end.verdict = Verdict::stopped;
    send(end);
  }

  void look_around() {
    if (!run_.begun() && interrupt_ && interrupt_->load())
      for (std::size_t worker = 0; worker < members_.size(); ++worker)
        if (!members_[worker].ended) tell_the_end(static_cast<int>(worker));
    while (const auto loss = port_.lost()) lose(*loss);
  }

  void lose(const ServerPort::Loss& loss) {
    Member& gone = members_.at(loss.worker);
    if (gone.ended) return;
    const std::string words = fmt::format("{} {}", port_.name(loss.worker), loss.reason);
    if (!run_.begun())
      throw PeerError(
          fmt::format("{}; awaited its {}", words, gone.greeted ? "first request" : "hello"));
    gone.lost = true;
    gone.invited = false;
    if (!run_.over() && all_know()) throw PeerError(words + "; no other worker is left");
    attendance_.warnings.push_back(words + "; the run went on without it");
    run_.leave(loss.worker, replies_);
  }

  void deliver() {
    for (const Reply& reply : replies_) send(reply);
    replies_.clear();
  }

  void send(const Reply& reply) {
    encode(reply, frame_);
    port_.send(reply.worker, frame_);
    if (reply.verdict == Verdict::stopped) members_[reply.worker].ended = true;
  }

  ServedRun& run_;
  const Hello& ours_;
  ServerPort& port_;
  const std::atomic<bool>* interrupt_;
  std::optional<Clock::time_point> interrupted_at_;
  std::vector<Member> members_;
  Attendance attendance_;
  Replies replies_;
  std::vector<std::byte> frame_;
  // The messages read last: their buffers are used again.
  Hello hello_;
  Pull pull_;
  Push push_;
  Failure failure_;
  Sign sign_ = Sign::alive;
};

}  // namespace

Attendance serve(ServedRun& run, const Hello& ours, int workers, ServerPort& port,
                 const std::atomic<bool>* interrupt) {
  return Serving(run, ours, workers, port, interrupt).serve();
}

}  // namespace asynprox
