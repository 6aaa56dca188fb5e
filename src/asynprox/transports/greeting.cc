#include "asynprox/transports/greeting.h"

#include <fmt/format.h>

#include <utility>

#include "asynprox/base/hash.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/run/json.h"
#include "asynprox/version.h"

namespace asynprox {
namespace {

std::uint64_t hash_of(const std::string& text) {
  Hash hash;
  hash.add(text.size());
  for (const char letter : text) hash.add(static_cast<unsigned char>(letter));
  return hash.value();
}

}  // namespace

Hello hello_of(const Plan& plan, std::size_t dimension, std::string data_fingerprint) {
  return {.version = std::string(kVersion),
          .plan_hash = hash_of(plan_json(plan)),
          .data_fingerprint = std::move(data_fingerprint),
          .dimension = dimension,
          .build = fmt::format("{} {}", kBuildFlags, simd_level())};
}

}  // namespace asynprox
