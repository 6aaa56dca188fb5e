#include "asynprox/data/readers/idx.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Pixels that are kept wide before they are narrowed.
constexpr std::size_t kBlockEntries = 1 << 16;

// Of one sample, which is unpacked as a whole: 4096 x 4096. A small packed file then takes no
// gigabytes.
constexpr std::uint64_t kColumnsMax = std::uint64_t{1} << 24;

[[noreturn]] void fail(const InputStream& stream, const std::string& problem) {
  throw DataError(fmt::format("{}: {}", stream.name(), problem));
}

std::uint32_t read_number(InputStream& stream) {
  std::array<char, 4> bytes;
  if (stream.read(bytes) < bytes.size()) fail(stream, "expected an IDX header, got fewer bytes");
  std::uint32_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::string kind_name(std::uint32_t magic) {
  switch (magic) {
    case 0x801: return "labels";
    case 0x802: return "a matrix";
    case 0x803: return "pictures";
    default: break;
  }
  switch (magic >> 8) {
    case 0x08: return "another number of dimensions";
    case 0x09: return "signed bytes";
    case 0x0b:
    case 0x0c: return "integers";
    case 0x0d: return "floats";
    case 0x0e: return "doubles";
    default: return "unknown";
  }
}

// The sizes, after a magic that must be one of `expected`.
std::vector<std::uint64_t> read_sizes(InputStream& stream,
                                      std::initializer_list<std::uint32_t> expected) {
  const std::uint32_t magic = read_number(stream);
  if (std::ranges::find(expected, magic) == expected.end()) {
    std::string wanted;
    for (const std::uint32_t one : expected)
      wanted += fmt::format("{}0x{:08x} ({})", wanted.empty() ? "" : " or ", one, kind_name(one));
    fail(stream,
         fmt::format("expected IDX magic {}, got 0x{:08x} ({})", wanted, magic, kind_name(magic)));
  }
  std::vector<std::uint64_t> sizes(magic & 0xff);
  for (std::uint64_t& size : sizes) size = read_number(stream);
  if (sizes[0] == 0) fail(stream, "expected samples, got none");
  return sizes;
}

// Hands the next `count` bytes to `take`, a piece at a time: what a damaged header promises is
// never allocated. They must be the last.
void read_bytes(InputStream& stream, std::uint64_t count,
                const std::function<void(std::span<const char>)>& take) {
  std::vector<char> buffer(std::min<std::uint64_t>(count, 1 << 16));
  for (std::uint64_t done = 0; done < count;) {
    const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), count - done);
    const std::size_t got = stream.read(std::span(buffer).first(wanted));
    done += got;
    take(std::span(buffer).first(got));
    if (got < wanted)
      fail(stream, fmt::format("expected {} bytes after the IDX header, got {}", count, done));
  }
  if (!stream.peek(1).empty())
    fail(stream, fmt::format("expected {} bytes after the IDX header, got more", count));
}

PictureShape shape_of(const std::vector<std::uint64_t>& sizes) {
  return {static_cast<int>(sizes[1]), static_cast<int>(sizes[2])};
}

}  // namespace

bool is_idx(InputStream& stream) { return stream.peek(2) == std::string_view("\0\0", 2); }

IdxImages read_idx_images(InputStream& stream) {
  const auto sizes = read_sizes(stream, {0x803, 0x802});
  const std::uint64_t last = sizes.size() == 3 ? sizes[2] : 1;
  // Sizes are below 2^32, and num_columns at most 2^24 from here on: no product overflows.
  const std::uint64_t num_columns = sizes[1] * last;
  if (num_columns == 0 || num_columns > kColumnsMax)
    fail(stream,
         fmt::format("expected 1 to {} pixels a picture, got {}", kColumnsMax, num_columns));

  IdxImages images;
  images.samples.num_columns = num_columns;
  CsrMatrix block;
  std::uint64_t column = 0;
  read_bytes(stream, sizes[0] * num_columns, [&](std::span<const char> pixels) {
    for (const char pixel : pixels) {
      if (pixel != 0) {
        block.columns.push_back(static_cast<Key>(column));
        block.values.push_back(static_cast<unsigned char>(pixel));
      }
      if (++column < num_columns) continue;
      block.offsets.push_back(block.columns.size());
      column = 0;
      if (block.columns.size() < kBlockEntries) continue;
      images.samples.rows.add(block);
      block = {};
    }
  });
  images.samples.rows.add(block);
  if (sizes.size() == 3) images.picture = shape_of(sizes);
  return images;
}

Vector read_idx_labels(InputStream& stream) {
  const auto sizes = read_sizes(stream, {0x801});
  Vector labels;
  read_bytes(stream, sizes[0], [&](std::span<const char> bytes) {
    for (const char label : bytes) labels.push_back(static_cast<unsigned char>(label));
  });
  return labels;
}

std::string idx_labels_path(const std::string& images_path) {
  const std::filesystem::path path(images_path);
  std::string name = path.filename().string();
  constexpr std::pair<std::string_view, std::string_view> kReplacements[] = {
      {"images", "labels"}, {"idx3", "idx1"}, {"idx2", "idx1"}};
  for (const auto& [old_part, new_part] : kReplacements)
    if (const std::size_t at = name.find(old_part); at != std::string::npos)
      name.replace(at, old_part.size(), new_part);
  if (name == path.filename().string()) return "";
  return path.parent_path().empty() ? name : (path.parent_path() / name).string();
}

}  // namespace asynprox
