// The newest models, to compute gradients at: x_k back to x_{k - T}. They are shared, not copied,
// so only dense models, whose versions are immutable, can be kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "asynprox/algorithm/messages.h"
#include "asynprox/base/fields.h"

namespace asynprox {

class ModelWindow {
 public:
  // `size`: T + 1. Memory grows as models come, up to so many.
  explicit ModelWindow(std::size_t size) : size_(size) {}

  // Keeps the models that these replies bring, the newest instead of the oldest.
  void keep(Replies& replies) {
    for (const Reply& reply : replies)
      if (reply.has_model && reply.model.version > newest_) keep(reply.model);
  }

  bool has(std::int64_t version) const {
    return version >= 0 && version <= newest_ &&
           newest_ - version < static_cast<std::int64_t>(size_);
  }

  // The reply brings the model of `version`, which is here, instead of its own.
  void replace(Model& model, std::int64_t version) const {
    model.version = version;
    model.whole = models_[place(version)];
  }

  template <IsA<ModelWindow> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("newest", part.newest_);
    visit("models", part.models_);
  }

 private:
  std::size_t place(std::int64_t version) const {
    return static_cast<std::size_t>(version) % size_;
  }

  // Versions come one after the other: each step hands out its model.
  void keep(const Model& model) {
    newest_ = model.version;
    if (place(newest_) == models_.size()) models_.emplace_back();
    models_[place(newest_)] = model.whole;
  }

  std::size_t size_;
  std::int64_t newest_ = -1;
  std::vector<std::shared_ptr<const Vector>> models_;  // version v at v mod size
};

}  // namespace asynprox
