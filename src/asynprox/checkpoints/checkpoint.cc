#include "asynprox/checkpoints/checkpoint.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "asynprox/base/errors.h"
#include "asynprox/base/hash.h"
#include "asynprox/data/binary/chunk_hash.h"

namespace asynprox {
namespace {

constexpr std::array<char, 8> kMagic = {'a', 'x', 'p', 'c', 'k', 'p', 't', '\n'};
constexpr std::size_t kSections = 6;
constexpr std::array<const char*, kSections> kNames = {"writer",  "run",      "session",
                                                       "workers", "messages", "clock"};

struct SectionEntry {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

struct CheckpointHead {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kCheckpointVersion;
  std::uint32_t sections = kSections;
  std::uint64_t bytes = 0;
  std::uint64_t generation = 0;
  std::uint64_t plan_hash = 0;
  std::uint64_t steps = 0;
  std::uint64_t events = 0;
  std::uint64_t checksum = 0;
  std::array<SectionEntry, kSections> table = {};
};
static_assert(sizeof(CheckpointHead) == 160);

// Of bytes of any number: zeros fill the last block, and the number is the seed.
std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  const std::size_t whole = bytes.size() / kHashBlock * kHashBlock;
  std::array<std::byte, kHashBlock> last = {};
  if (whole < bytes.size()) std::memcpy(last.data(), &bytes[whole], bytes.size() - whole);
  return chunk_hash(last, chunk_hash(bytes.first(whole), bytes.size()));
}

std::uint64_t checksum_of(CheckpointHead head) {
  head.checksum = 0;
  return checksum_of(std::as_bytes(std::span(&head, 1)));
}

// Who wrote it, in one section.
struct CheckpointWriter {
  std::string version, build, data_fingerprint;
};

template <IsA<CheckpointWriter> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("version", part.version);
  visit("build", part.build);
  visit("data_fingerprint", part.data_fingerprint);
}

CheckpointHead head_of(std::span<const std::byte> bytes) {
  CheckpointHead head;
  if (bytes.size() < sizeof(head))
    throw DataError(fmt::format("expected a checkpoint of at least {} bytes, got {}", sizeof(head),
                                bytes.size()));
  std::memcpy(&head, bytes.data(), sizeof(head));
  if (head.magic != kMagic) throw DataError("expected a checkpoint, got something else");
  if (head.version != kCheckpointVersion)
    throw DataError(fmt::format("expected version {} of the form of checkpoints, got {}",
                                kCheckpointVersion, head.version));
  if (head.checksum != checksum_of(head) || head.sections != kSections)
    throw DataError("the checkpoint's head is damaged");
  if (head.bytes != bytes.size())
    throw DataError(
        fmt::format("expected a checkpoint of {} bytes, got {}", head.bytes, bytes.size()));
  return head;
}

// The sections, each within the bytes and undamaged.
std::array<std::span<const std::byte>, kSections> sections_of(const CheckpointHead& head,
                                                              std::span<const std::byte> bytes) {
  std::array<std::span<const std::byte>, kSections> sections;
  std::span<const std::byte> rest = bytes.subspan(sizeof(head));
  for (std::size_t i = 0; i < kSections; ++i) {
    const SectionEntry& entry = head.table[i];
    if (entry.bytes > rest.size())
      throw DataError(fmt::format("the checkpoint ends within its section '{}'", kNames[i]));
    sections[i] = rest.first(entry.bytes);
    rest = rest.subspan(entry.bytes);
    if (entry.checksum != checksum_of(sections[i]))
      throw DataError(fmt::format("the checkpoint's section '{}' is damaged", kNames[i]));
  }
  if (!rest.empty()) throw DataError("the checkpoint has bytes after its last section");
  return sections;
}

Snapshot copy_of(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

std::uint64_t hash_of_text(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return checksum_of(bytes);
}

std::vector<std::byte> encode(const Checkpoint& checkpoint) {
  const Snapshot writer =
      snapshot(CheckpointWriter{checkpoint.version, checkpoint.build, checkpoint.data_fingerprint});
  const RunState& state = checkpoint.state;
  const std::array<std::span<const std::byte>, kSections> sections = {
      writer,         std::as_bytes(std::span(checkpoint.run)),
      state.session,  state.workers,
      state.messages, state.clock};
  CheckpointHead head;
  head.generation = checkpoint.generation;
  head.plan_hash = checkpoint.plan_hash;
  head.steps = static_cast<std::uint64_t>(state.steps);
  head.events = state.events;
  head.bytes = sizeof(head);
  for (std::size_t i = 0; i < kSections; ++i) {
    head.table[i] = {.bytes = sections[i].size(), .checksum = checksum_of(sections[i])};
    head.bytes += sections[i].size();
  }
  head.checksum = checksum_of(head);

  std::vector<std::byte> bytes;
  bytes.reserve(head.bytes);
  const auto add = [&](std::span<const std::byte> part) {
    bytes.insert(bytes.end(), part.begin(), part.end());
  };
  add(std::as_bytes(std::span(&head, 1)));
  for (const auto& section : sections) add(section);
  return bytes;
}

Checkpoint decode_checkpoint(std::span<const std::byte> bytes) {
  const CheckpointHead head = head_of(bytes);
  const auto sections = sections_of(head, bytes);
  CheckpointWriter writer;
  restore(writer, sections[0]);
  Checkpoint checkpoint;
  checkpoint.generation = head.generation;
  checkpoint.plan_hash = head.plan_hash;
  checkpoint.version = std::move(writer.version);
  checkpoint.build = std::move(writer.build);
  checkpoint.data_fingerprint = std::move(writer.data_fingerprint);
  checkpoint.run.assign(reinterpret_cast<const char*>(sections[1].data()), sections[1].size());
  checkpoint.state = {.steps = static_cast<std::int64_t>(head.steps),
                      .events = head.events,
                      .session = copy_of(sections[2]),
                      .workers = copy_of(sections[3]),
                      .messages = copy_of(sections[4]),
                      .clock = copy_of(sections[5])};
  return checkpoint;
}

}  // namespace asynprox
