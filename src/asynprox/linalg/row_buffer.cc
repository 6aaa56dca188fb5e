#include "asynprox/linalg/row_buffer.h"

#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace asynprox {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

// Sampled rows lie anywhere: with pages of 4 kB nearly each of them would also miss the table of
// pages. A system that has no large pages to give is no worse off.
void ask_for_large_pages([[maybe_unused]] std::byte* begin, [[maybe_unused]] std::size_t size) {
#if defined(__linux__)
  madvise(begin, size, MADV_HUGEPAGE);
#endif
}

}  // namespace

std::shared_ptr<std::byte> allocate_buffer(std::size_t size) {
  const bool large = size >= 2 * kLargePage;
  const auto alignment = static_cast<std::align_val_t>(large ? kLargePage : kCacheLine);
  auto* const begin = static_cast<std::byte*>(::operator new(size, alignment));
  if (large) ask_for_large_pages(begin, size);
  return {begin, [alignment](std::byte* memory) { ::operator delete(memory, alignment); }};
}

}  // namespace asynprox
