#include "cli/download.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <memory>
#include <string_view>

#include "asynprox/base/new_file.h"
#include "asynprox/version.h"

namespace asynprox::cli {
namespace {

constexpr long kWholeContent = 200, kRangeNotSatisfiable = 416;

// A server that is slower for long might as well have gone.
constexpr long kBytesPerSecondMin = 1000;

// The file is emptied and written in place: what is also known by another name must not be lost.
void require_own_file(const std::string& path, const struct stat& status) {
  const bool own = S_ISREG(status.st_mode) && status.st_nlink == 1;
  if (own) return;
  const char* const found = S_ISREG(status.st_mode)   ? "file that has a second name"
                            : S_ISLNK(status.st_mode) ? "symbolic link"
                            : S_ISDIR(status.st_mode) ? "folder"
                                                      : "pipe, socket or device";
  throw Error(
      fmt::format("{}: expected an ordinary file, or none, to download into, got a {}; "
                  "remove it",
                  path, found));
}

// Opens the file, or makes it. Neither follows a link nor waits for the reader of a pipe.
int open_partial(const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) == 0) require_own_file(path, status);
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (descriptor < 0) fail_to_write(path, errno);
  return descriptor;
}

// The file that is downloaded into; nobody else's while it is open. One that was made here and is
// closed with nothing in it is removed.
class PartialFile {
 public:
  explicit PartialFile(const std::string& path)
      : path_(path), is_new_(::access(path.c_str(), F_OK) != 0), descriptor_(open_partial(path)) {
    try {
      if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
        throw Error(path + ": another program downloads into it");
      // It may have been replaced since it was looked at.
      struct stat status = {};
      if (::fstat(descriptor_, &status) != 0) fail_to_write(path, errno);
      require_own_file(path, status);
      size_ = static_cast<std::uint64_t>(status.st_size);
    } catch (...) {
      ::close(descriptor_);
      throw;
    }
  }
  ~PartialFile() {
    if (is_new_ && size_ == 0) remove();
    ::close(descriptor_);
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }

  bool empty() {
    size_ = 0;
    return ::ftruncate(descriptor_, 0) == 0;
  }

  // False, with errno set, where it cannot be written.
  bool append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written =
          ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      size_ += static_cast<std::uint64_t>(written);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  // There is none any more, once it is closed.
  void remove() const { ::unlink(path_.c_str()); }

  bool sync() const { return ::fsync(descriptor_) == 0 || errno == EINVAL; }

 private:
  std::string path_;
  bool is_new_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

// One request, as curl's callbacks see it.
struct Transfer {
  CURL* curl;
  PartialFile& file;
  const DownloadLimits& limits;
  const std::function<bool(const DownloadProgress&)>& go_on;
  std::uint64_t asked_from = 0;
  std::uint64_t range_begin = 0;  // as the server says
  std::uint64_t range_total = 0;  // how long all of it is; 0 if it does not say
  bool started = false;
  bool wrong_range = false;
  bool too_long = false;
  int write_error = 0;
};

// The address as messages show it. All up to the last @ may be a user's name and password, wherever
// it stands: a password with a slash in it ends what URLs call the authority too early.
std::string without_password(const std::string& address) {
  const std::size_t scheme = address.find("://");
  const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
  const std::size_t at = address.rfind('@');
  if (at == std::string::npos || at < begin) return address;
  return address.substr(0, begin) + "***" + address.substr(at);
}

// "Content-Range: bytes 100-199/200"
std::size_t take_header(char* line, std::size_t, std::size_t size, void* user) {
  constexpr std::string_view kName = "content-range: bytes ";
  const std::string_view header(line, size);
  if (header.size() <= kName.size() || !curl_strnequal(line, kName.data(), kName.size()))
    return size;
  Transfer& transfer = *static_cast<Transfer*>(user);
  std::from_chars(line + kName.size(), line + size, transfer.range_begin);
  const std::size_t slash = std::min(header.find('/'), size - 1);
  std::from_chars(line + slash + 1, line + size, transfer.range_total);
  return size;
}

std::size_t take_bytes(char* bytes, std::size_t, std::size_t size, void* user) {
  if (size == 0) return 0;  // which libcurl may say of an empty answer
  Transfer& transfer = *static_cast<Transfer*>(user);
  if (!transfer.started) {
    transfer.started = true;
    long status = 0;
    curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
    const bool whole = status == kWholeContent;
    transfer.wrong_range = !whole && transfer.range_begin != transfer.asked_from;
    if (transfer.wrong_range) return 0;
    if (whole && !transfer.file.empty()) {
      transfer.write_error = errno;
      return 0;
    }
  }
  transfer.too_long = transfer.file.size() + size > transfer.limits.bytes_max;
  if (transfer.too_long) return 0;
  if (transfer.file.append({bytes, size})) return size;
  transfer.write_error = errno;
  return 0;
}

int take_progress(void* user, curl_off_t total, curl_off_t, curl_off_t, curl_off_t) {
  const Transfer& transfer = *static_cast<Transfer*>(user);
  const std::uint64_t before =
      transfer.started && transfer.range_begin > 0 ? transfer.range_begin : 0;
  const DownloadProgress progress{transfer.file.size(),
                                  total > 0 ? before + static_cast<std::uint64_t>(total) : 0};
  return transfer.go_on(progress) ? 0 : 1;
}

template <class Value>
void set(CURL* curl, CURLoption option, Value value) {
  ensure(curl_easy_setopt(curl, option, value) == CURLE_OK, "libcurl knows no such option");
}

void set_options(Transfer& transfer, const std::string& address, char* error_text) {
  CURL* const curl = transfer.curl;
  const std::string agent = "asynprox/" + std::string(kVersion);  // libcurl copies texts
  set(curl, CURLOPT_URL, address.c_str());
  set(curl, CURLOPT_USERAGENT, agent.c_str());
  set(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  set(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  set(curl, CURLOPT_FOLLOWLOCATION, 1L);
  set(curl, CURLOPT_MAXREDIRS, 5L);
  set(curl, CURLOPT_FAILONERROR, 1L);
  set(curl, CURLOPT_NOSIGNAL, 1L);
  set(curl, CURLOPT_CONNECTTIMEOUT, 30L);
  set(curl, CURLOPT_LOW_SPEED_LIMIT, kBytesPerSecondMin);
  set(curl, CURLOPT_LOW_SPEED_TIME, transfer.limits.slow_seconds_max);
  // What the server announces; take_bytes() counts what it sends.
  set(curl, CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(transfer.limits.bytes_max));
  set(curl, CURLOPT_ERRORBUFFER, error_text);
  set(curl, CURLOPT_HEADERFUNCTION, take_header);
  set(curl, CURLOPT_HEADERDATA, static_cast<void*>(&transfer));
  set(curl, CURLOPT_WRITEFUNCTION, take_bytes);
  set(curl, CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  set(curl, CURLOPT_NOPROGRESS, 0L);
  set(curl, CURLOPT_XFERINFOFUNCTION, take_progress);
  set(curl, CURLOPT_XFERINFODATA, static_cast<void*>(&transfer));
}

std::string resumed_text(const PartialFile& file) {
  if (file.size() == 0) return "";
  return fmt::format("; {} bytes are here, and the same command goes on from there", file.size());
}

[[noreturn]] void fail(const Transfer& transfer, CURLcode code, const std::string& address,
                       const char* error_text) {
  if (transfer.write_error != 0) fail_to_write(transfer.file.path(), transfer.write_error);
  if (transfer.too_long || code == CURLE_FILESIZE_EXCEEDED) {
    transfer.file.remove();
    throw ServerError(fmt::format("{}: expected at most {} bytes, got more; nothing is kept",
                                  address, transfer.limits.bytes_max));
  }
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  if (code == CURLE_HTTP_RETURNED_ERROR)
    throw ServerError(fmt::format("{}: the server answered {}", address, status));
  throw ServerError(fmt::format("{}: {}{}", address,
                                *error_text ? error_text : curl_easy_strerror(code),
                                resumed_text(transfer.file)));
}

// What ended well may still not be all of it.
void check_complete(const Transfer& transfer, const std::string& address) {
  long status = 0;
  curl_easy_getinfo(transfer.curl, CURLINFO_RESPONSE_CODE, &status);
  if (!transfer.started)
    throw ServerError(fmt::format("{}: the server answered {} and sent nothing{}", address, status,
                                  resumed_text(transfer.file)));
  if (transfer.file.size() < transfer.range_total)
    throw ServerError(fmt::format("{}: the server sent less than the {} bytes that it has{}",
                                  address, transfer.range_total, resumed_text(transfer.file)));
}

enum class Outcome { done, ended, begin_anew };

Outcome request(CURL* curl, const std::string& address, PartialFile& file,
                const DownloadLimits& limits,
                const std::function<bool(const DownloadProgress&)>& go_on) {
  curl_easy_reset(curl);
  Transfer transfer{
      .curl = curl, .file = file, .limits = limits, .go_on = go_on, .asked_from = file.size()};
  std::array<char, CURL_ERROR_SIZE> error_text{};
  set_options(transfer, address, error_text.data());
  const std::string range = std::to_string(file.size()) + "-";
  if (file.size() > 0) set(curl, CURLOPT_RANGE, range.c_str());
  const CURLcode code = curl_easy_perform(curl);
  if (code == CURLE_OK) {
    check_complete(transfer, without_password(address));
    return Outcome::done;
  }
  if (code == CURLE_ABORTED_BY_CALLBACK) return Outcome::ended;
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  const bool useless =
      transfer.wrong_range || (code == CURLE_HTTP_RETURNED_ERROR && status == kRangeNotSatisfiable);
  if (useless && transfer.asked_from > 0) return Outcome::begin_anew;
  fail(transfer, code, without_password(address), error_text.data());
}

}  // namespace

bool download(const std::string& address, const std::string& partial, const DownloadLimits& limits,
              const std::function<bool(const DownloadProgress&)>& go_on) {
  ensure(curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK, "libcurl does not start");
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 curl_easy_cleanup);
  ensure(curl != nullptr, "no memory for a transfer");
  PartialFile file(partial);
  if (file.size() > limits.bytes_max && !file.empty()) fail_to_write(partial, errno);
  Outcome outcome = request(curl.get(), address, file, limits, go_on);
  // What is here is longer than what the server has, or all of it: only the whole can tell.
  if (outcome == Outcome::begin_anew) {
    if (!file.empty()) fail_to_write(partial, errno);
    outcome = request(curl.get(), address, file, limits, go_on);
  }
  if (outcome == Outcome::done && !file.sync()) fail_to_write(partial, errno);
  return outcome == Outcome::done;
}

}  // namespace asynprox::cli
