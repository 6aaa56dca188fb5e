#include "asynprox/report/event_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/base/json_depth.h"
#include "asynprox/base/regular_file.h"

namespace asynprox {
namespace {

static_assert(std::endian::native == std::endian::little, "events are written as they lie");

constexpr std::string_view kMagic = "asynprox-events 1\n";
constexpr std::size_t kHeaderBytes = 512;
constexpr std::size_t kEventsAtOnce = 4096;

std::string header_of(const Build& build) {
  const nlohmann::ordered_json object = {{"version", build.version},
                                         {"compiler", build.compiler},
                                         {"flags", build.flags},
                                         {"simd_level", build.simd_level},
                                         {"libm", build.libm}};
  std::string header = std::string(kMagic) + object.dump();
  ensure(header.size() < kHeaderBytes, "the build's description is too long");
  header.resize(kHeaderBytes, ' ');
  header.back() = '\n';
  return header;
}

Build build_of(const std::string& header, const std::string& path) {
  const std::string text = header.substr(kMagic.size());
  check_json_depth(text, path);
  try {
    const auto object = nlohmann::json::parse(text);
    return {object.at("version"), object.at("compiler"), object.at("flags"),
            object.at("simd_level"), object.at("libm")};
  } catch (const nlohmann::json::exception& error) {
    throw DataError(fmt::format("{}: its header is damaged: {}", path, error.what()));
  }
}

// A new file, whatever stood there: what a run that was killed has left goes away, and a link that
// somebody put there is not followed. Null, and errno, where that fails.
File new_file_at(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return nullptr;
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) return nullptr;
  File file(::fdopen(descriptor, "wb"));
  if (!file) ::close(descriptor);
  return file;
}

}  // namespace

EventFileWriter::EventFileWriter(std::string path, const Build& build)
    : path_(std::move(path)), partial_path_(path_ + ".partial"), file_(new_file_at(partial_path_)) {
  if (!file_) fail();
  const std::string header = header_of(build);
  if (std::fwrite(header.data(), 1, header.size(), file_.get()) == header.size()) return;
  const int error = errno;
  std::remove(partial_path_.c_str());
  errno = error;
  fail();
}

EventFileWriter::EventFileWriter(std::string path, const Build& build, std::uint64_t events)
    : path_(std::move(path)), partial_path_(path_ + ".partial"), stays_(true) {
  const bool is_partial = std::filesystem::exists(partial_path_);
  const std::string& found = is_partial ? partial_path_ : path_;
  const std::string other_build =
      difference(EventFileReader(found, /*whole=*/false).build(), build);
  if (!other_build.empty()) throw DataError(fmt::format("{}: {}", found, other_build));
  const std::uintmax_t bytes = kHeaderBytes + events * sizeof(Event);
  const std::uintmax_t there = std::filesystem::file_size(found);
  if (there < bytes)
    throw DataError(fmt::format("{}: expected {} events up to the checkpoint, got {}", found,
                                events, (there - kHeaderBytes) / sizeof(Event)));
  if (!is_partial && std::rename(path_.c_str(), partial_path_.c_str()) != 0) fail();
  if (::truncate(partial_path_.c_str(), static_cast<off_t>(bytes)) != 0) fail();
  file_.reset(std::fopen(partial_path_.c_str(), "abe"));
  if (!file_) fail();
}

EventFileWriter::~EventFileWriter() {
  file_.reset();
  if (!partial_path_.empty() && !stays_) std::remove(partial_path_.c_str());
}

// A stream has a lock of its own.
void EventFileWriter::sync() {
  if (std::fflush(file_.get()) != 0) fail();
  if (::fsync(::fileno(file_.get())) != 0 && errno != EINVAL) fail();
}

void EventFileWriter::add(std::span<const Event> events) {
  if (std::fwrite(events.data(), sizeof(Event), events.size(), file_.get()) != events.size())
    fail();
}

void EventFileWriter::finish() {
  if (!file_) return;
  // Some file systems say only now that they are full. Those that cannot say answer EINVAL.
  if (std::fflush(file_.get()) != 0) fail();
  if (::fsync(::fileno(file_.get())) != 0 && errno != EINVAL) fail();
  if (std::fclose(file_.release()) != 0) fail();
}

void EventFileWriter::close() {
  finish();
  if (std::rename(partial_path_.c_str(), path_.c_str()) != 0) fail();
  partial_path_.clear();
}

void EventFileWriter::fail() const {
  throw Error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
}

EventFileReader::EventFileReader(const std::string& path, bool whole)
    : path_(path), file_(open_regular_file(path)) {
  std::string header(kHeaderBytes, ' ');
  const std::size_t read = std::fread(header.data(), 1, header.size(), file_.get());
  if (read < kHeaderBytes || !header.starts_with(kMagic))
    throw DataError(fmt::format("{}: expected the events of a run, got something else", path));
  build_ = build_of(header, path);
  const std::uintmax_t bytes = std::filesystem::file_size(path) - kHeaderBytes;
  if (whole && bytes % sizeof(Event) != 0)
    throw DataError(fmt::format("{}: expected events of {} bytes, got {} bytes more", path,
                                sizeof(Event), bytes % sizeof(Event)));
}

std::optional<Event> EventFileReader::next() {
  if (place_ == events_.size()) {
    events_.resize(kEventsAtOnce);
    events_.resize(std::fread(events_.data(), sizeof(Event), kEventsAtOnce, file_.get()));
    place_ = 0;
    if (events_.empty()) return std::nullopt;
  }
  return events_[place_++];
}

}  // namespace asynprox
