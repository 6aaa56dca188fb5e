#include "asynprox/data/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/input_stream.h"

namespace asynprox {
namespace {

constexpr std::array<std::uint32_t, 64> kRounds = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void Sha256::add_block(const unsigned char* block) {
  std::array<std::uint32_t, 64> w;
  for (std::size_t t = 0; t < 16; ++t)
    w[t] = std::uint32_t{block[4 * t]} << 24 | std::uint32_t{block[4 * t + 1]} << 16 |
           std::uint32_t{block[4 * t + 2]} << 8 | block[4 * t + 3];
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t a = w[t - 15], b = w[t - 2];
    w[t] = w[t - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + w[t - 7] +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + kRounds[t] + w[t];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<std::uint32_t, 8> sums = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += sums[i];
}

void Sha256::add(std::span<const char> bytes) {
  for (std::size_t held = size_ % 64; !bytes.empty(); held = size_ % 64) {
    const std::size_t count = std::min(bytes.size(), 64 - held);
    std::copy_n(bytes.begin(), count, open_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(count);
    size_ += count;
    if (held + count == 64) add_block(open_.data());
  }
}

std::string Sha256::finish() {
  const std::uint64_t bits = 8 * size_;
  std::vector<char> end(1, '\x80');
  while ((size_ + end.size()) % 64 != 56) end.push_back(0);
  for (int shift = 56; shift >= 0; shift -= 8)
    end.push_back(static_cast<char>(bits >> shift & 0xff));
  add(end);
  std::string digits;
  for (const std::uint32_t word : state_) digits += fmt::format("{:08x}", word);
  return digits;
}

std::string sha256_of_unpacked(const std::string& path, std::uint64_t bytes_max) {
  InputStream stream(path);
  Sha256 hash;
  std::vector<char> buffer(1 << 16);
  std::uint64_t bytes = 0;
  while (const std::size_t count = stream.read(buffer)) {
    bytes += count;
    if (bytes > bytes_max)
      throw DataError(fmt::format("{}: expected at most {} bytes once it is unpacked, got more",
                                  path, bytes_max));
    hash.add(std::span(buffer).first(count));
  }
  return hash.finish();
}

}  // namespace asynprox
