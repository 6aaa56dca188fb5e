# asynprox_options: how every target of ours is compiled.
add_library(asynprox_options INTERFACE)
target_compile_options(asynprox_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
  # A multiplication fused with an addition rounds once: builds would differ in the last bit.
  -ffp-contract=off
  # Loops with comparisons of doubles (soft thresholds) vectorise only without traps.
  -fno-trapping-math)
if(ASYNPROX_WERROR)
  target_compile_options(asynprox_options INTERFACE -Werror)
endif()
if(ASYNPROX_SANITIZE)
  target_compile_options(asynprox_options INTERFACE
    -fsanitize=${ASYNPROX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(asynprox_options INTERFACE -fsanitize=${ASYNPROX_SANITIZE})
endif()
