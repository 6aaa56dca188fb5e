// What the program ends with; documented in docs/command_line.md.
#pragma once

namespace asynprox::cli {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kData = 3;
inline constexpr int kDiverged = 4;
inline constexpr int kServerFailed = 5;
inline constexpr int kNotConverged = 6;
inline constexpr int kInterrupted = 130;
inline constexpr int kTerminated = 143;

}  // namespace asynprox::cli
