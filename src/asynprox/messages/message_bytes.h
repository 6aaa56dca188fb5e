// Pull, push and reply as bytes and back: decode(encode(message)) is the message, to the bit.
//
// Buffers are reused: encode() replaces what `frame` held and keeps its capacity, decode() does so
// with the lists inside a message. Once they have grown to the size of the messages of a run, neither
// allocates. docs/messages.md describes the layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "asynprox/algorithm/messages.h"

namespace asynprox {

// A pool of vectors for models, which replies carry as shared_ptr<const Vector>. A vector is used again
// once nobody else holds it; a worker that keeps one model while it decodes the next needs two.
class ModelBuffers {
 public:
  // A vector that is the caller's alone, of any size and content.
  std::shared_ptr<Vector> take();

 private:
  std::vector<std::shared_ptr<Vector>> buffers_;
};

// A list of keys that are not looked at (`all` is true), values of a model that is whole, and a model
// that is not there are left out; `detail` is cut after kMessageTextMax bytes.
void encode(const Pull& pull, std::vector<std::byte>& frame);
void encode(const Push& push, std::vector<std::byte>& frame);
void encode(const Reply& reply, std::vector<std::byte>& frame);

// Of a run whose model has this dimension, into a message whose buffers are reused. DataError for a
// frame that encode() does not write: wrong in its head or checksum (frame.h), cut short, or with a
// number, count or key out of range. What a pull or reply says then fits the model; whether the
// values of a push fit its keys is for the server to judge (push_check.h). After an error the message
// holds anything.
void decode(std::span<const std::byte> frame, std::size_t dimension, Pull& pull);
void decode(std::span<const std::byte> frame, std::size_t dimension, Push& push);
void decode(std::span<const std::byte> frame, std::size_t dimension, Reply& reply,
            ModelBuffers& buffers);

}  // namespace asynprox
