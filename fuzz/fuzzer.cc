// The program of one target; libFuzzer has main() and calls this.
#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  asynprox::fuzz::FUZZ_TARGET(std::as_bytes(std::span(data, size)));
  return 0;
}
