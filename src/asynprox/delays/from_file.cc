#include "asynprox/delays/from_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/base/errors.h"

namespace asynprox {

void FileDelay::check() const {
  require(!file.numbers.empty(), fmt::format("file: '{}' has no numbers", file.path));
  for (std::size_t j = 0; j < file.numbers.size(); ++j)
    require_delay(file.numbers[j], fmt::format("file: '{}', number {}", file.path, j + 1));
}

std::int64_t FileDelay::max() const {
  return static_cast<std::int64_t>(*std::ranges::max_element(file.numbers));
}

std::int64_t FileDelay::tau(const DelayContext& context) const {
  const std::size_t place = static_cast<std::size_t>(context.number) % file.numbers.size();
  return std::min(static_cast<std::int64_t>(file.numbers[place]), context.k);
}

}  // namespace asynprox
