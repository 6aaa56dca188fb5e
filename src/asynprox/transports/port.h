// What carries the messages of a run between the server and its workers, as frames of bytes
// (messages/frame.h). A transport is a ServerPort and a WorkerPort; what they carry is decided by
// serving.h and working.h, which are the same for all of them.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asynprox/base/errors.h"

namespace asynprox {

// The other side is gone, is silent, or is not what it should be. The message says who, and what was
// awaited or expected of it.
class PeerError : public Error {
 public:
  using Error::Error;
};

// The server's side. Used by one thread.
class ServerPort {
 public:
  struct Letter {
    int worker = 0;
    std::span<const std::byte> frame;  // valid until the next call of receive()
  };
  // A worker that has given no sign of life for too long, and the reason in words.
  struct Loss {
    int worker = 0;
    std::string reason;
  };

  virtual ~ServerPort() = default;

  virtual std::string name(int worker) const = 0;  // for a person: "rank 3 (host node07)"

  // The next letter; none, where none came within a millisecond or so. Signs of life are delivered
  // too, if the worker was reported as lost before.
  virtual std::optional<Letter> receive() = 0;

  // Takes the frame, and leaves a used buffer in its place. Does not wait until it is received.
  virtual void send(int worker, std::vector<std::byte>& frame) = 0;

  // A worker that was lost since the last call; each is reported once, until it is heard of again.
  virtual std::optional<Loss> lost() = 0;
};

// A worker's side. Used by one thread.
class WorkerPort {
 public:
  virtual ~WorkerPort() = default;

  // Waits for the next frame, valid until the next call. PeerError where the server is gone, or has
  // been silent for too long; `awaited` is what its message calls the frame.
  virtual std::span<const std::byte> receive(const char* awaited) = 0;

  // Takes the frame, and leaves a used buffer in its place.
  virtual void send(std::vector<std::byte>& frame) = 0;
};

}  // namespace asynprox
