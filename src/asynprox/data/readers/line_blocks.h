// A stream of text cut into blocks of whole lines, for parsing in parallel.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "asynprox/data/readers/input_stream.h"

namespace asynprox {

// Whether a newline between double quotes ends a line; a doubled quote is then two of them.
enum class Newlines : std::uint8_t { all, outside_quotes };

// A line is held whole, and a small packed file may unpack to any length of it.
inline constexpr std::size_t kLineBytesMax = std::size_t{256} << 20;

class LineBlocks {
 public:
  // The stream must outlive this.
  LineBlocks(InputStream& stream, std::size_t block_bytes, Newlines newlines = Newlines::all,
             std::size_t line_bytes_max = kLineBytesMax);

  // The next whole lines, about block_bytes of them (a longer line is a block of its own); the last
  // may lack its newline; "" at the end. Damage in the stream is thrown after the lines before it.
  // DataError for a line that is longer than line_bytes_max by a block or more.
  std::string next();

 private:
  // In place: adds up to block_bytes_. Returns how many came; 0 at the end or at damage.
  std::size_t append(std::string& block);
  [[noreturn]] void fail_too_long() const;

  InputStream& stream_;
  std::size_t block_bytes_;
  std::size_t line_bytes_max_;
  Newlines newlines_;
  std::string rest_;  // of a line that was cut
  std::exception_ptr damage_;
};

}  // namespace asynprox
