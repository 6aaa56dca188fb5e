#include "asynprox/report/machine.h"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "asynprox/linalg/simd.h"
#include "asynprox/version.h"

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

// glibc has its functions twice, and takes those with fused multiplications where they run.
std::string libm_name() {
#if defined(__x86_64__)
  const char* const fused = __builtin_cpu_supports("fma") ? " with fma" : "";
#else
  const char* const fused = "";
#endif
  return fmt::format("glibc {}{}", gnu_get_libc_version(), fused);
}

}  // namespace

Build this_build() {
  return {.version = std::string(kVersion),
          .compiler = compiler_name(),
          .flags = std::string(kBuildFlags),
          .simd_level = std::string(simd_level()),
          .libm = libm_name()};
}

std::string difference(const Build& recorded, const Build& here) {
  std::string text;
  const auto compare = [&](std::string_view what, std::string_view then, std::string_view now) {
    if (then == now) return;
    text +=
        fmt::format("{}recorded with {} {}, this is {}", text.empty() ? "" : "; ", what, then, now);
  };
  compare("version", recorded.version, here.version);
  compare("compiler", recorded.compiler, here.compiler);
  compare("flags", recorded.flags, here.flags);
  compare("SIMD level", recorded.simd_level, here.simd_level);
  compare("libm", recorded.libm, here.libm);
  return text;
}

Machine this_machine() {
  return {.processor = processor_name(),
          .cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency())),
          .build = this_build()};
}

}  // namespace asynprox
