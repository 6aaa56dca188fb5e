// A stream of text cut into blocks of whole lines, for parsing in parallel.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "asynprox/data/input_stream.h"

namespace asynprox {

// Whether a newline between double quotes ends a line; a doubled quote is then two of them.
enum class Newlines : std::uint8_t { all, outside_quotes };

class LineBlocks {
 public:
  // The stream must outlive this.
  LineBlocks(InputStream& stream, std::size_t block_bytes, Newlines newlines = Newlines::all);

  // The next whole lines, about block_bytes of them (a longer line is a block of its own); the last
  // may lack its newline; "" at the end. Damage in the stream is thrown after the lines before it.
  std::string next();

 private:
  // In place: adds up to block_bytes_. Returns how many came; 0 at the end or at damage.
  std::size_t append(std::string& block);

  InputStream& stream_;
  std::size_t block_bytes_;
  Newlines newlines_;
  std::string rest_;  // of a line that was cut
  std::exception_ptr damage_;
};

}  // namespace asynprox
