// One `T` per worker, by its number, for workers that are not known before they send something.
#pragma once

#include <cstddef>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/fields.h"

namespace asynprox {

template <class T>
class PerWorker {
 public:
  // Makes room for it, if it is new.
  T& at(int worker) {
    const std::size_t place = place_of(worker);
    if (place >= all_.size()) [[unlikely]]
      all_.resize(place + 1);
    return all_[place];
  }

  // A fresh T, if nothing was noted of the worker.
  const T& operator[](int worker) const {
    const std::size_t place = place_of(worker);
    if (place < all_.size()) [[likely]]
      return all_[place];
    static const T nothing{};
    return nothing;
  }

  std::size_t size() const { return all_.size(); }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  template <IsA<PerWorker> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("all", part.all_);
  }

 private:
  static std::size_t place_of(int worker) {
    require(worker >= 0, "worker: expected a number of at least 0");
    return static_cast<std::size_t>(worker);
  }

  std::vector<T> all_;
};

}  // namespace asynprox
