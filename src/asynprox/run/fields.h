// For types that list their fields once, so that JSON is written and read by the list:
//
//   template <IsA<Point> Part>
//   void visit_fields(Part& part, auto&& visit) {
//     visit("x", part.x);
//     visit("y", part.y);
//   }
#pragma once

#include <concepts>
#include <type_traits>

namespace asynprox {

// `Part` is an `Of`, const or not.
template <class Part, class Of>
concept IsA = std::same_as<std::remove_const_t<Part>, Of>;

}  // namespace asynprox
