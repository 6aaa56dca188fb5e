// events.log: the events of a run, in a file.
//
// The first 512 bytes are text: the word asynprox-events, the version of the form, a JSON object
// that names the build, and spaces. Then come the events, 32 bytes each, as algorithm/event.h has
// them, little-endian.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asynprox/algorithm/event.h"
#include "asynprox/base/file.h"
#include "asynprox/report/machine.h"

namespace asynprox {

// Writes beside `path` until close(), which gives the file its name; without that nothing is left.
// All throw Error: "<path>: cannot be written: <reason>".
class EventFileWriter {
 public:
  EventFileWriter(std::string path, const Build& build);
  // Goes on with what a run has left there, or under its name until close(): with the first so many
  // events. DataError if there are not as many, or they are of another build.
  EventFileWriter(std::string path, const Build& build, std::uint64_t events);
  ~EventFileWriter();
  EventFileWriter(const EventFileWriter&) = delete;
  EventFileWriter& operator=(const EventFileWriter&) = delete;

  const std::string& partial_path() const { return partial_path_; }  // its name until close()

  void add(std::span<const Event> events);

  // Waits until the disk has what was added. May be called beside add().
  void sync();
  // A checkpoint counts on what was added: it stays, under the name until close(), whatever happens.
  void stay() { stays_ = true; }

  // Waits until the disk has all of it. Nothing is added afterwards.
  void finish();
  void close();

 private:
  [[noreturn]] void fail() const;

  std::string path_, partial_path_;
  bool stays_ = false;
  File file_;
};

// Throws DataError for what is not such a file, or not all of it.
class EventFileReader {
 public:
  // `whole`: false for what a run that was killed has left, whose last event may be cut.
  explicit EventFileReader(const std::string& path, bool whole = true);

  const Build& build() const { return build_; }
  std::optional<Event> next();

 private:
  std::string path_;
  File file_;
  Build build_;
  std::vector<Event> events_;
  std::size_t place_ = 0;
};

}  // namespace asynprox
