// asynprox data fetch: public data sets, by name.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "asynprox/base/new_file.h"
#include "asynprox/base/regular_file.h"
#include "asynprox/data/readers/input_stream.h"
#include "asynprox/data/sha256.h"

#include "cli/commands.h"
#include "cli/download.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/named_data.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// How many times its packed limit a data set may be once it is unpacked.
constexpr std::uint64_t kUnpackedMax = 32;

// Where a data set's file is, what is on its way there, and the checksum of a first download.
struct Places {
  std::string file, partial, record;
};

Places places_of(const NamedData& data, const std::string& folder) {
  const std::string file = (fs::path(folder) / data.file_name()).string();
  return {file, file + ".partial", file + ".sha256"};
}

// Whether there is anything of that name, a link to nothing included.
bool is_there(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (status.type() == fs::file_type::none) throw Error(path + ": " + error.message());
  return fs::exists(status);
}

// Pinned, or else as it was recorded; empty if neither is there.
std::string expected_checksum(const NamedData& data, const Places& places) {
  if (!data.sha256.empty()) return std::string(data.sha256);
  if (!is_there(places.record)) return "";
  const File record = open_regular_file(places.record);
  std::array<char, 65> checksum{};  // 64 digits
  const std::size_t read = std::fread(checksum.data(), 1, checksum.size() - 1, record.get());
  const std::string_view text(checksum.data(), read);
  return std::string(text.substr(0, text.find_first_of(" \t\r\n")));
}

void record_checksum(const NamedData& data, const Places& places, const std::string& checksum) {
  const std::string line = checksum + "  " + data.unpacked_name() + "\n";
  NewFile record(places.record);
  record.write_at(0, std::as_bytes(std::span(line)));
  record.keep();
}

// As the first bytes tell, to which the rest has to fit.
bool is_bzip2(const std::string& path) {
  const File file = open_regular_file(path);
  std::array<char, 3> start{};
  return std::fread(start.data(), 1, start.size(), file.get()) == start.size() &&
         std::string_view(start.data(), start.size()) == "BZh" && InputStream(path).packed();
}

// The checksum of the file, all of which has been unpacked then. DataError, which says
// `what_then`, if that cannot be done, and if it is not the checksum expected: a page that says
// something instead of the file has none to fail where none is known.
std::string checked(const NamedData& data, const std::string& path, const std::string& expected,
                    const std::string& what_then) {
  std::string checksum;
  try {
    if (data.file_name().ends_with(".bz2") && !is_bzip2(path))
      throw DataError(path + ": expected a file packed by bzip2, got another");
    checksum = sha256_of_unpacked(path, kUnpackedMax * data.bytes_max);
  } catch (const DataError& error) {
    throw DataError(fmt::format("{}; {}", error.what(), what_then));
  }
  if (expected.empty() || checksum == expected) return checksum;
  throw DataError(fmt::format("{}: expected the checksum {} (SHA-256, unpacked), got {}; {}", path,
                              expected, checksum, what_then));
}

std::string progress_text(const std::string& name, const DownloadProgress& progress) {
  const auto megabytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e6; };
  if (progress.total == 0) return fmt::format("{}: {:.1f} MB", name, megabytes(progress.bytes));
  return fmt::format(
      "{}: {:.1f} of {:.1f} MB, {:.0f} %", name, megabytes(progress.bytes),
      megabytes(progress.total),
      100 * static_cast<double>(progress.bytes) / static_cast<double>(progress.total));
}

// How long a server may be slow: as the user's environment says, or as usual.
long slow_seconds_max() {
  const char* const text = std::getenv("ASYNPROX_DATA_PATIENCE");
  if (!text || !*text) return DownloadLimits().slow_seconds_max;
  constexpr long kMax = 86'400;
  long seconds = 0;
  const std::string_view typed = text;
  const auto [stop, error] = std::from_chars(typed.begin(), typed.end(), seconds);
  require(error == std::errc() && stop == typed.end() && seconds >= 1 && seconds <= kMax,
          fmt::format("ASYNPROX_DATA_PATIENCE: expected a whole number of seconds from 1 to {}, "
                      "got '{}'",
                      kMax, typed));
  return seconds;
}

// False if it was interrupted.
bool download_shown(const NamedData& data, const std::string& address, const Places& places,
                    bool quiet, const SignalWatch& signals) {
  ProgressLine line(!quiet);
  Clock::time_point shown = Clock::now();
  const DownloadLimits limits = {.bytes_max = data.bytes_max,
                                 .slow_seconds_max = slow_seconds_max()};
  return download(address, places.partial, limits, [&](const DownloadProgress& progress) {
    const Clock::time_point now = Clock::now();
    if (now - shown > std::chrono::milliseconds(200)) {
      shown = now;
      line.show(progress_text(std::string(data.name), progress));
    }
    return !signals.flag().load();
  });
}

std::string address_of(const NamedData& data, const DataFetchArguments& arguments) {
  const char* const variable = std::getenv("ASYNPROX_DATA_URL");
  std::string base(variable && *variable ? variable : kDataAddress);
  if (arguments.base_url) base = std::string(*arguments.base_url);
  if (!base.ends_with('/')) base += '/';
  return base + std::string(data.address);
}

// What came is checked under its provisional name, and only then gets its own.
void accept(const NamedData& data, const Places& places, const std::string& expected) {
  try {
    const std::string checksum = checked(data, places.partial, expected, "nothing is kept");
    if (expected.empty()) record_checksum(data, places, checksum);
  } catch (const DataError&) {
    std::error_code ignored;
    fs::remove(places.partial, ignored);
    throw;
  }
  std::error_code error;
  fs::rename(places.partial, places.file, error);
  if (error) fail_to_write(places.file, error.value());
}

int fetch(const NamedData& data, const DataFetchArguments& arguments) {
  const std::string folder = arguments.out ? *arguments.out : data_folder();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail_to_write(folder, error.value());
  const Places places = places_of(data, folder);
  const std::string expected = expected_checksum(data, places);
  if (is_there(places.file)) {
    open_regular_file(places.file);  // a pipe would be waited for
    checked(data, places.file, expected, "remove it, and fetch it again");
    print(places.file + "\n");
    if (!arguments.quiet)
      say(fmt::format("{} is here already, and {}", data.name,
                      expected.empty() ? "can be unpacked; no checksum is known to compare it with"
                                       : "its checksum is as expected"));
    return kDone;
  }
  const SignalWatch signals;
  if (!download_shown(data, address_of(data, arguments), places, arguments.quiet, signals)) {
    say(is_there(places.partial)
            ? fmt::format("interrupted; what has come stays in {}, and the same command goes on "
                          "from there",
                          places.partial)
            : "interrupted before anything came");
    return signals.exit_code();
  }
  accept(data, places, expected);
  print(places.file + "\n");
  if (!arguments.quiet)
    say(!expected.empty() ? "the checksum is as expected"
                          : "no checksum is known: that of this download is in " + places.record);
  return kDone;
}

int find_installed(const NamedData& data) {
  print(data_path(std::string(data.name)) + "\n");
  return kDone;
}

}  // namespace

int run(const DataFetchArguments& arguments) {
  require(arguments.list != arguments.name.has_value(),
          "data fetch: expected a NAME, or --list; see 'asynprox data fetch --help'");
  if (arguments.list) {
    print(data_list(arguments.out ? *arguments.out : data_folder()));
    flush_output();
    return kDone;
  }
  require_one_of("data fetch", *arguments.name, data_names());
  const NamedData& data = *named_data(*arguments.name);
  try {
    const int code = data.installed.empty() ? fetch(data, arguments) : find_installed(data);
    flush_output();
    return code;
  } catch (const ServerError& error) {
    say_error(error.what());
    return kServerFailed;
  }
}

}  // namespace asynprox::cli
