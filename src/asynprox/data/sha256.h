// SHA-256, the checksum that files are published with.
//
// National Institute of Standards and Technology (2015), Secure Hash Standard, FIPS 180-4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace asynprox {

class Sha256 {
 public:
  void add(std::span<const char> bytes);

  // 64 hexadecimal digits, of all that was added. Nothing may be added after it.
  std::string finish();

 private:
  void add_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> open_ = {};  // a block that is not full yet
  std::uint64_t size_ = 0;                   // bytes added
};

// Of what is in the file once it is unpacked. Throws DataError for one that cannot be read, and for
// more bytes than `bytes_max`.
std::string sha256_of_unpacked(const std::string& path,
                               std::uint64_t bytes_max = ~std::uint64_t{0});

}  // namespace asynprox
