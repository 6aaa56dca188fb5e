#include "asynprox/linalg/buffer.h"

#include <cstdint>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace asynprox {
namespace {

std::shared_ptr<std::byte> from_heap(std::size_t size) {
  constexpr auto kAlignment = static_cast<std::align_val_t>(kCacheLine);
  auto* const begin = static_cast<std::byte*>(::operator new(size, kAlignment));
  return {begin, [](std::byte* memory) { ::operator delete(memory, kAlignment); }};
}

#if defined(__linux__)

constexpr std::size_t kMappedMin = std::size_t{1} << 16;
constexpr std::size_t kPage = std::size_t{1} << 12;
constexpr std::size_t kLargePage = std::size_t{1} << 21;

std::byte* map(std::size_t size) {
  void* const memory =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(memory);
}

// Sampled rows and coordinates lie anywhere: with pages of 4 kB nearly each would miss the table of
// pages too. Where there are no large pages to give, nothing is lost.
std::byte* map_in_large_pages(std::size_t size) {
  std::byte* const memory = map(size + kLargePage);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (kLargePage - address % kLargePage) % kLargePage;
  if (before > 0) munmap(memory, before);
  std::byte* const begin = memory + before;
  const std::size_t whole_pages = (size + kPage - 1) / kPage * kPage;
  if (kLargePage - before > whole_pages - size)
    munmap(begin + whole_pages, size + kLargePage - before - whole_pages);
  madvise(begin, whole_pages, MADV_HUGEPAGE);
  return begin;
}

// From the system and back to it: a heap would keep what is freed before its end.
std::shared_ptr<std::byte> from_system(std::size_t size) {
  std::byte* const memory = size >= kLargePage ? map_in_large_pages(size) : map(size);
  return {memory, [size](std::byte* begin) { munmap(begin, size); }};
}

#endif

}  // namespace

std::shared_ptr<std::byte> allocate_buffer(std::size_t size) {
#if defined(__linux__)
  if (size >= kMappedMin) return from_system(size);
#endif
  return from_heap(size);
}

}  // namespace asynprox
