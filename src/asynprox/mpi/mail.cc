#include "asynprox/mpi/mail.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <utility>

#include "asynprox/messages/frame.h"
#include "asynprox/messages/notices.h"
#include "asynprox/transports/idle.h"
#include "asynprox/transports/port.h"

namespace asynprox::mpi {
namespace {

constexpr int kTag = 1;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> words = {};
  int length = 0;
  MPI_Error_string(code, words.data(), &length);
  throw PeerError(fmt::format("MPI: {}: {}", what, words.data()));
}

std::size_t longest_frame(std::size_t dimension) {
  std::size_t longest = 0;
  for (int kind = 1; kind <= static_cast<int>(kLastMessageKind); ++kind)
    longest = std::max(longest, body_bytes_max(static_cast<MessageKind>(kind), dimension));
  return kFrameHeadBytes + longest;
}

}  // namespace

struct Mail::Parcel {
  int rank = 0;
  std::vector<std::byte> bytes;  // at least as long as the frame
  std::size_t length = 0;
  MPI_Request request = MPI_REQUEST_NULL;

  std::span<const std::byte> frame() const { return std::span(bytes).first(length); }
};

Mail::Mail(const World& world, double deadline)
    : world_(world),
      deadline_(deadline),
      frame_bytes_max_(longest_frame(0)),
      signs_(static_cast<std::size_t>(world.size()), deadline, seconds_now()),
      awaited_(static_cast<std::size_t>(world.size())),
      active_(seconds_now()) {
  encode(Sign::alive, sign_);
  for (int rank = 0; rank < world.size(); ++rank) signs_sent_.push_back(std::make_unique<Parcel>());
  heart_ = std::thread([this] { beat(); });
}

Mail::~Mail() {
  {
    const std::lock_guard lock(end_mutex_);
    ended_ = true;
  }
  end_.notify_one();
  heart_.join();
  const double start = seconds_now();
  while (!all_sent() && seconds_now() - start < deadline_) take(Rest::sleep);
}

bool Mail::all_sent() {
  try {
    recycle();
    return leaving_.empty();
  } catch (const PeerError&) {
    return true;  // as far as can be
  }
}

void Mail::expect(std::size_t dimension) { frame_bytes_max_ = longest_frame(dimension); }

void Mail::beat() {
  const std::chrono::duration<double> interval(SignsOfLife::interval(deadline_));
  const int first = world_.rank() == 0 ? 1 : 0, end = world_.rank() == 0 ? world_.size() : 1;
  std::unique_lock lock(end_mutex_);
  while (!end_.wait_for(lock, interval, [this] { return ended_; })) {
    const std::lock_guard one_at_a_time(mutex_);
    for (int rank = first; rank < end; ++rank) send_sign(rank);
  }
}

void Mail::send_sign(int rank) {
  Parcel& parcel = *signs_sent_[static_cast<std::size_t>(rank)];
  try {
    // Whoever does not take them is sent no more.
    if (finished(parcel))
      check(MPI_Isend(sign_.data(), static_cast<int>(sign_.size()), MPI_BYTE, rank, kTag,
                      MPI_COMM_WORLD, &parcel.request),
            "a sign of life cannot be sent");
  } catch (const PeerError&) {
    // Its silence will tell.
  }
}

bool Mail::finished(Parcel& parcel) {
  int done = 1;
  if (parcel.request != MPI_REQUEST_NULL)
    check(MPI_Test(&parcel.request, &done, MPI_STATUS_IGNORE), "a message");
  return done != 0;
}

std::unique_ptr<Mail::Parcel> Mail::unused() {
  if (unused_.empty()) return std::make_unique<Parcel>();
  auto parcel = std::move(unused_.back());
  unused_.pop_back();
  return parcel;
}

void Mail::recycle() {
  for (std::size_t i = leaving_.size(); i-- > 0;) {
    if (!finished(*leaving_[i])) continue;
    unused_.push_back(std::move(leaving_[i]));
    leaving_.erase(leaving_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void Mail::send(int rank, std::vector<std::byte>& frame) {
  require(
      frame.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
      fmt::format("mpi: expected messages of less than 2 GiB, got one of {} bytes", frame.size()));
  const std::lock_guard lock(mutex_);
  recycle();
  auto parcel = unused();
  std::swap(parcel->bytes, frame);
  parcel->rank = rank;
  parcel->length = parcel->bytes.size();
  check(MPI_Isend(parcel->bytes.data(), static_cast<int>(parcel->length), MPI_BYTE, rank, kTag,
                  MPI_COMM_WORLD, &parcel->request),
        "a message cannot be sent");
  leaving_.push_back(std::move(parcel));
}

std::optional<Mail::Letter> Mail::receive(double seconds) {
  const double start = seconds_now();
  for (;;) {
    const double now = seconds_now();
    signs_.listen(now);
    {
      const std::lock_guard lock(mutex_);
      if (read_) unused_.push_back(std::move(read_));
      begin_receiving();
      if (auto letter = hand_out()) {
        active_ = now;
        return letter;
      }
    }
    if (now - start >= seconds) return std::nullopt;
    take(rest_after(now - active_));
  }
}

void Mail::begin_receiving() {
  int found = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  check(MPI_Improbe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &found, &message, &status),
        "no message can be received");
  if (found == 0) return;
  int count = 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  const int rank = status.MPI_SOURCE;
  signs_.heard(static_cast<std::size_t>(rank), seconds_now());
  if (count < 0 || static_cast<std::size_t>(count) > frame_bytes_max_)
    throw PeerError(fmt::format("{}: expected a message of at most {} bytes, got {}",
                                world_.name(rank), frame_bytes_max_, count));
  auto parcel = unused();
  parcel->rank = rank;
  parcel->length = static_cast<std::size_t>(count);
  if (parcel->bytes.size() < parcel->length) parcel->bytes.resize(parcel->length);
  check(MPI_Imrecv(parcel->bytes.data(), count, MPI_BYTE, &message, &parcel->request),
        "a message cannot be received");
  arriving_.push_back(std::move(parcel));
}

// The first of those that are there.
std::optional<Mail::Letter> Mail::hand_out() {
  for (std::size_t i = 0; i < arriving_.size(); ++i) {
    if (!finished(*arriving_[i])) continue;
    read_ = std::move(arriving_[i]);
    arriving_.erase(arriving_.begin() + static_cast<std::ptrdiff_t>(i));
    signs_.heard(static_cast<std::size_t>(read_->rank), seconds_now());
    if (!is_mere_sign(*read_)) return Letter{read_->rank, read_->frame()};
    unused_.push_back(std::move(read_));
    return std::nullopt;
  }
  return std::nullopt;
}

bool Mail::is_mere_sign(const Parcel& parcel) {
  if (!std::ranges::equal(parcel.frame(), sign_)) return false;
  const bool awaited = awaited_[static_cast<std::size_t>(parcel.rank)];
  awaited_[static_cast<std::size_t>(parcel.rank)] = false;
  return !awaited;
}

std::optional<double> Mail::overdue(int rank) const {
  const auto peer = static_cast<std::size_t>(rank);
  const double now = seconds_now();
  if (!signs_.overdue(peer, now)) return std::nullopt;
  return signs_.silence(peer, now);
}

void Mail::await_sign(int rank) { awaited_[static_cast<std::size_t>(rank)] = true; }

}  // namespace asynprox::mpi
