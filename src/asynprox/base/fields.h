// For types that list their fields once, so that JSON and snapshots are written and read by the list:
//
//   template <IsA<Point> Part>
//   void visit_fields(Part& part, auto&& visit) {
//     visit("x", part.x);
//     visit("y", part.y);
//   }
//
// A class whose fields are private has such a list as a friend.
#pragma once

#include <concepts>
#include <string_view>
#include <type_traits>

namespace asynprox {

// `Part` is an `Of`, const or not.
template <class Part, class Of>
concept IsA = std::same_as<std::remove_const_t<Part>, Of>;

// What is called for each field.
struct FieldVisitor {
  void operator()(std::string_view, const auto&) const {}
};

template <class Part>
concept HasFields = requires(const Part& part, FieldVisitor visit) { visit_fields(part, visit); };

}  // namespace asynprox
