#include "asynprox/report/machine.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace asynprox {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string compiler_name() {
#if defined(__clang__)
  return fmt::format("clang {}", __clang_version__);
#else
  return fmt::format("gcc {}", __VERSION__);
#endif
}

// What the compiler was told to use: there is no choice at run time yet.
std::string simd_level() {
#if defined(__AVX512F__)
  return "avx512";
#elif defined(__AVX2__)
  return "avx2";
#elif defined(__SSE2__)
  return "sse2";
#else
  return "portable";
#endif
}

}  // namespace

Machine this_machine() {
  return {.processor = processor_name(),
          .cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency())),
          .simd_level = simd_level(),
          .compiler = compiler_name(),
          .libm = fmt::format("glibc {}", gnu_get_libc_version())};
}

}  // namespace asynprox
