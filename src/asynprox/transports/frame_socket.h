// Frames through a stream socket: one end of it.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace asynprox {

class FrameSocket {
 public:
  FrameSocket() = default;
  // Owns the descriptor. `dimension`: of the models of the run, which bounds what is received.
  FrameSocket(int descriptor, std::size_t dimension)
      : descriptor_(descriptor), dimension_(dimension) {}
  FrameSocket(FrameSocket&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), dimension_(other.dimension_) {}
  FrameSocket& operator=(FrameSocket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    dimension_ = other.dimension_;
    return *this;
  }
  ~FrameSocket();

  // Both ends of a connection inside this process. Throws Error where the system gives none.
  static std::pair<FrameSocket, FrameSocket> connected(std::size_t dimension);

  int descriptor() const { return descriptor_; }

  // Returns once all of it is written. False: the other end is closed.
  bool send(std::span<const std::byte> frame) const;

  // Waits for a whole frame. False: the other end was closed before it began. Its head is checked before
  // there is room made for its body: DataError for what is no frame, or one that is cut short.
  bool receive(std::vector<std::byte>& frame) const;

  // Nothing more is sent or received: whoever waits at either end is let go.
  void shut() const;

 private:
  std::size_t read(std::span<std::byte> bytes) const;

  int descriptor_ = -1;
  std::size_t dimension_ = 0;
};

}  // namespace asynprox
