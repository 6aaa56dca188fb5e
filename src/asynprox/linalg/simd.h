// Which vector instructions the kernels use: the best that this processor has, unless a lower level
// is asked for.
//
// Levels have names: "sse2", "sse4", "avx2", "avx512" on x86-64. All of them give the same bits:
// the kernels multiply and add apart, and sum in an order that knows no vector width.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace asynprox {

// The level in use.
std::string_view simd_level();

// Those that are available here, from the lowest.
std::vector<std::string> simd_levels();

// To be called before any work. ContractError, with the list, for a level that is not available.
void set_simd_level(std::string_view level);

}  // namespace asynprox
