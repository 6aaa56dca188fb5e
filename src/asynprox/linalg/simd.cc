#include "asynprox/linalg/simd.h"

#include <hwy/highway.h>

#include <algorithm>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Highway's targets that were compiled and that this processor has, from the lowest (a better
// target is a lower bit), whatever is in use.
const std::vector<std::int64_t>& all_targets() {
  static const std::vector<std::int64_t> targets = [] {
    std::vector<std::int64_t> found = hwy::SupportedAndGeneratedTargets();
    std::ranges::reverse(found);
    return found;
  }();
  return targets;
}

std::string_view name_of(std::int64_t target) {
  switch (target) {
#if HWY_ARCH_X86
    case HWY_SSE4: return "sse4";
    case HWY_AVX2: return "avx2";
    case HWY_AVX3: return "avx512";
    case HWY_EMU128:
    case HWY_SCALAR: return "sse2";  // plain loops, for the compiler's own level
#else
    case HWY_NEON: return "neon";
#endif
    default: return "portable";
  }
}

}  // namespace

std::string_view simd_level() {
  const std::int64_t in_use = hwy::SupportedTargets();
  const auto best =
      std::ranges::find_if(all_targets().rbegin(), all_targets().rend(),
                           [=](std::int64_t target) { return (target & in_use) != 0; });
  return name_of(*best);
}

std::vector<std::string> simd_levels() {
  std::vector<std::string> names;
  for (const std::int64_t target : all_targets()) names.emplace_back(name_of(target));
  return names;
}

void set_simd_level(std::string_view level) {
  std::int64_t allowed = 0;  // this level and those below
  std::string list;
  for (const std::int64_t target : all_targets()) {
    list += (list.empty() ? "" : ", ") + std::string(name_of(target));
    allowed |= target;
    if (name_of(target) != level) continue;
    hwy::SetSupportedTargetsForTest(allowed);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  throw ContractError("SIMD level: expected one of " + list + ", got '" + std::string(level) + "'");
}

}  // namespace asynprox
