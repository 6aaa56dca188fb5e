// A file from a web server, in as many goes as it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "asynprox/base/errors.h"

namespace asynprox::cli {

// The other side failed, or cannot be reached.
class ServerError : public Error {
 public:
  using Error::Error;
};

struct DownloadProgress {
  std::uint64_t bytes = 0;  // that are here
  std::uint64_t total = 0;  // 0 while it is not known
};

struct DownloadLimits {
  std::uint64_t bytes_max = 0;  // of the whole file
  // So long a server may be slower than 1,000 bytes per second.
  long slow_seconds_max = 60;
};

// Appends to the file `partial` what it lacks of what is at the address, by a Range request if it
// has something already; a server that does not know those sends all of it, and it begins anew.
// True when all of it is there; false if `go_on` ended it. Whatever happens, what has come stays in
// the file, unless it is more than bytes_max: then nothing is kept; a file
// that was not there is not left empty. A link, a pipe or whatever else is no ordinary file is
// refused. ServerError for what the server, or the way to it, does, without the password that the
// address may have; Error where the file cannot be written, or another is at it.
bool download(const std::string& address, const std::string& partial, const DownloadLimits& limits,
              const std::function<bool(const DownloadProgress&)>& go_on);

}  // namespace asynprox::cli
