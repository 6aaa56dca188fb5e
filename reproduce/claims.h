// What the paper claims, beside what was measured.
#pragma once

#include <string>
#include <vector>

#include "reproduce/findings.h"

namespace asynprox::reproduce {

struct Claim {
  std::string text;      // as the paper has it
  std::string measured;  // in words and figures
  std::string verdict;   // "holds", "holds here", "not so"
  std::string table;     // where it was read off
};

// Those that these findings speak of.
std::vector<Claim> claims(const Findings& findings);

// The reading in which Algorithm 1 is meant, and its row in a table of speedups.
inline constexpr const char* kMainReading = "Algorithm 1, m = p, eta = 0.5/L";

}  // namespace asynprox::reproduce
