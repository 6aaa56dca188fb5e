#include "cli/lookup.h"

#include <fmt/format.h>

#include <system_error>

#include "asynprox/base/errors.h"

namespace asynprox::cli {

std::filesystem::file_status look_up(std::string_view option, const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::none)
    throw Error(fmt::format("{}: {}: {}", option, path, error.message()));
  return status;
}

}  // namespace asynprox::cli
