# asynprox_options: how every target of ours is compiled.
add_library(asynprox_options INTERFACE)
target_compile_options(asynprox_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  # A multiplication fused with an addition rounds once: builds would differ in the last bit.
  -ffp-contract=off
  # Loops with comparisons of doubles (soft thresholds) vectorise only without traps.
  -fno-trapping-math)
# GCC 12 sees strings overflow that do not, the more it inlines; Clang and the sanitizers look too.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(asynprox_options INTERFACE
    -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(ASYNPROX_WERROR)
  target_compile_options(asynprox_options INTERFACE -Werror)
endif()
if(ASYNPROX_SANITIZE)
  target_compile_options(asynprox_options INTERFACE
    -fsanitize=${ASYNPROX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(asynprox_options INTERFACE -fsanitize=${ASYNPROX_SANITIZE})
endif()

# What nearly every source reads, parsed once a target. A source still includes all that it uses:
# clang-tidy, which compiles each by itself, would tell.
set(ASYNPROX_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory>
  <numeric> <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)
