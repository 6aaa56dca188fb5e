// JSON text of others: how deep its lists and objects may lie in each other.
#pragma once

#include <string>
#include <string_view>

namespace asynprox {

// More than any file of ours has; copying and writing a value recurse once per level.
inline constexpr int kJsonDepthMax = 64;

// To be called on every JSON text before it is parsed. DataError, "<name>: ...", that gives the
// byte (from 1) where lists and objects become deeper than kJsonDepthMax. Whether the text is JSON
// at all is left to the parser.
void check_json_depth(std::string_view text, const std::string& name);

}  // namespace asynprox
