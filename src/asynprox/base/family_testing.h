// For laws: typed tests over every member of a family, named as the members are.
//
//   TYPED_TEST_SUITE(LossLaws, TypesOf<AllLosses>::type, MemberName);
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "asynprox/base/family.h"

namespace asynprox {

template <class Members>
struct TypesOf;
template <class... Members>
struct TypesOf<Family<Members...>> {
  using type = ::testing::Types<Members...>;
};

struct MemberName {
  template <class Member>
  static std::string GetName(int) {
    std::string name(Member::name);
    std::ranges::replace(name, '-', '_');
    return name;
  }
};

}  // namespace asynprox
