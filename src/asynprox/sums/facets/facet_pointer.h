// What AnyFiniteSum answers when it is asked for a facet: a pointer, null where f does not offer it.
// Nobody has to ask first who knows that f offers it: a call of an absent facet is a BugError that
// names it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "asynprox/base/errors.h"

namespace asynprox {

template <class Facet>
class FacetPointer {
 public:
  FacetPointer(std::nullptr_t) {}  // NOLINT: converts
  FacetPointer(const Facet* facet, std::string_view name) : facet_(facet), name_(name) {}

  operator const Facet*() const { return facet_; }  // NOLINT: converts
  const Facet* operator->() const {
    if (!facet_) [[unlikely]]
      throw BugError("internal error: a finite sum without the facet " + std::string(name_));
    return facet_;
  }

 private:
  const Facet* facet_ = nullptr;
  std::string_view name_ = "nobody asked for";
};

}  // namespace asynprox
