//   tau(k, i) = min(t_j, k),   j = (k m + i) mod J,   t the J numbers of a file
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/delays/delay.h"

namespace asynprox {

struct FileDelay {
  static constexpr std::string_view name = "file";
  static constexpr std::string_view formula = "tau(k, i) = min(t, k), t the next number of a file";
  NumbersFile file = {};  // one number a push, in order; after the last comes the first

  static constexpr auto parameters() {
    return std::tuple(file_parameter(&FileDelay::file, "file",
                                     "the age of each gradient in order, in steps, again and again",
                                     Presence::required));
  }

  void check() const;
  std::int64_t max() const;
  std::int64_t tau(const DelayContext& context) const;
};
static_assert(GivenDelay<FileDelay>);

}  // namespace asynprox
