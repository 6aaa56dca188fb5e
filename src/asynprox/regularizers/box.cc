#include "asynprox/regularizers/box.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"

namespace asynprox {

void Box::bind(std::size_t) const {
  if (!(lower <= upper))
    throw ContractError(
        fmt::format("box: expected lower <= upper, got lower {} and upper {}", lower, upper));
}

}  // namespace asynprox
