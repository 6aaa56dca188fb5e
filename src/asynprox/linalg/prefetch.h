// Asking for memory before it is needed.
#pragma once

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

}  // namespace asynprox
