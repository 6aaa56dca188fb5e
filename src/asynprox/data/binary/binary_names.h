// The section of a binary file that holds names of features and of labels:
//
//   two 64-bit counts, of features and of labels; a 64-bit length for each name; their bytes
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace asynprox {

struct Names {
  std::vector<std::string> features = {};
  std::vector<std::string> labels = {};
};

// Nothing at all if there are no names.
std::vector<std::byte> packed_names(const Names& names);

// Nothing if the bytes are not what packed_names() makes.
std::optional<Names> unpacked_names(std::span<const std::byte> bytes);

}  // namespace asynprox
