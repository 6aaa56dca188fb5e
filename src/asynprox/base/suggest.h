// "Did you mean": the known name nearest to what was typed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace asynprox {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

// " (did you mean 'NAME'?)" where a name is near enough to be a slip, else "".
std::string did_you_mean(std::string_view typed, std::span<const std::string> names);

// "a, b, c".
std::string joined(std::span<const std::string> names);

}  // namespace asynprox
