// A part of a plan, with what there is to say about how it was chosen.
#pragma once

#include <string>
#include <vector>

namespace asynprox {

template <class Value>
struct Chosen {
  Value value;
  std::vector<std::string> choices = {};  // what was chosen for the caller, and why
  std::vector<std::string> warnings = {};
};

}  // namespace asynprox
