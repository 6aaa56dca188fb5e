// What a path that the user typed leads to.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace asynprox::cli {

// The status of what is there, links followed; file_type::not_found where nothing is. Throws Error,
// "<option>: <path>: <reason>", where that cannot be found out: a folder on the way that may not be
// searched, a name that is too long, links that lead in a circle.
std::filesystem::file_status look_up(std::string_view option, const std::string& path);

}  // namespace asynprox::cli
