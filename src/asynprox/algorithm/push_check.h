// Whether a push is well formed and finite: what can be said of it without the server's state.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "asynprox/algorithm/messages.h"

namespace asynprox {

struct PushCheck {
  std::optional<Refusal> refusal = {};  // shape or nonfinite
  std::string detail = {};
};

// Of a push to a model of so many coordinates.
PushCheck check_push(const Push& push, std::size_t dimension);

// The first key that such a model does not have; null: it has them all.
const Key* key_beyond(const Keys& keys, std::size_t dimension);

}  // namespace asynprox
