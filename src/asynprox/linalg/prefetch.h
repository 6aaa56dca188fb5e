// Asking for memory before it is needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace asynprox {

// For a line that is about to be written: it comes as this core's own. A copy that is only asked
// for to be read has to be taken from the other cores once more, write by write. (Of the built-in
// function GCC makes that only where told that the processor has the instruction; on x86-64 those
// that do not have it ignore it.)
[[gnu::always_inline]] inline void prefetch_to_write(const void* line) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(line)));
#else
  __builtin_prefetch(line, 1);
#endif
}

// Numbers of one array that are asked for at once, at most: what comes after pushes them out of
// the first cache again, and they are read in order anyway.
inline constexpr std::size_t kPrefetchedMax = 2048;
inline constexpr std::size_t kNumbersInLine = 8;

// For numbers that another core has written. Asked for all together they take as long as a few of
// them do one after the other.
[[gnu::always_inline]] inline void prefetch_all(std::span<const double> numbers) {
  const std::size_t count = std::min(numbers.size(), kPrefetchedMax);
  for (std::size_t j = 0; j < count; j += kNumbersInLine) __builtin_prefetch(numbers.data() + j);
}

[[gnu::always_inline]] inline void prefetch_all_to_write(std::span<const double> numbers) {
  const std::size_t count = std::min(numbers.size(), kPrefetchedMax);
  for (std::size_t j = 0; j < count; j += kNumbersInLine) prefetch_to_write(numbers.data() + j);
}

}  // namespace asynprox
