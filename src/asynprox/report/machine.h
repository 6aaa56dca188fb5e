// The machine and the build that a run was made with.
#pragma once

#include <string>

namespace asynprox {

// What the last bits of a run depend on.
struct Build {
  std::string version = {};
  std::string compiler = {};
  std::string flags = {};
  std::string simd_level = {};  // of the kernels
  std::string libm = {};
};

Build this_build();

// What differs, for a person: "recorded with gcc 12.2.0, this is gcc 13.1.0". Empty: nothing.
std::string difference(const Build& recorded, const Build& here);

struct Machine {
  std::string processor = {};
  int cores = 1;
  Build build = {};
};

Machine this_machine();

}  // namespace asynprox
