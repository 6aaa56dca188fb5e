// The machine and the build a run was made with: what its last bits depend on.
#pragma once

#include <string>

namespace asynprox {

struct Machine {
  std::string processor;
  int cores = 1;
  std::string simd_level;  // of the kernels
  std::string compiler;
  std::string libm;
};

Machine this_machine();

}  // namespace asynprox
