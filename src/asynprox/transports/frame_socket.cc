#include "asynprox/transports/frame_socket.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "asynprox/base/errors.h"
#include "asynprox/messages/frame.h"

namespace asynprox {

FrameSocket::~FrameSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::pair<FrameSocket, FrameSocket> FrameSocket::connected(std::size_t dimension) {
  std::array<int, 2> ends = {};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw Error(fmt::format("no pair of sockets can be had: {}", std::strerror(errno)));
  return {FrameSocket(ends[0], dimension), FrameSocket(ends[1], dimension)};
}

bool FrameSocket::send(std::span<const std::byte> frame) const {
  while (!frame.empty()) {
    const ssize_t sent = ::send(descriptor_, frame.data(), frame.size(), MSG_NOSIGNAL);
    if (sent >= 0)
      frame = frame.subspan(static_cast<std::size_t>(sent));
    else if (errno == EPIPE || errno == ECONNRESET)
      return false;
    else if (errno != EINTR)
      throw Error(fmt::format("a message cannot be sent: {}", std::strerror(errno)));
  }
  return true;
}

std::size_t FrameSocket::read(std::span<std::byte> bytes) const {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::recv(descriptor_, bytes.data() + filled, bytes.size() - filled, 0);
    if (got == 0 || (got < 0 && errno == ECONNRESET)) return filled;
    if (got > 0)
      filled += static_cast<std::size_t>(got);
    else if (errno != EINTR)
      throw Error(fmt::format("a message cannot be received: {}", std::strerror(errno)));
  }
  return filled;
}

bool FrameSocket::receive(std::vector<std::byte>& frame) const {
  frame.resize(kFrameHeadBytes);
  const std::size_t head = read(frame);
  if (head == 0) return false;
  const std::size_t body = read_head(std::span(frame).first(head), dimension_).body_bytes;
  frame.resize(kFrameHeadBytes + body);
  const std::size_t got = read(std::span(frame).subspan(kFrameHeadBytes));
  if (got < body)
    throw DataError(fmt::format("message: expected a body of {} bytes, got {}", body, got));
  return true;
}

void FrameSocket::shut() const { ::shutdown(descriptor_, SHUT_RDWR); }

}  // namespace asynprox
