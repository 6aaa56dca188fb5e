// Which commands of the program take which group of options.
#pragma once

#include <array>
#include <string_view>

namespace asynprox {

inline constexpr std::array<std::string_view, 2> kRunCommands = {"train", "simulate"};
inline constexpr std::array<std::string_view, 1> kTrainCommand = {"train"};
inline constexpr std::array<std::string_view, 1> kSimulateCommand = {"simulate"};
inline constexpr std::array<std::string_view, 6> kDataCommands = {
    "train", "simulate", "predict", "evaluate", "data info", "data convert"};

}  // namespace asynprox
