// asynprox data convert: data of any kind in our binary form.
#include <fmt/format.h>

#include <filesystem>

#include "asynprox/data/binary/binary_file.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/output_files.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

// "8388608, 0.31 of FILE", without the second half for what is no file.
std::string bytes_text(std::uint64_t bytes, const std::string& source,
                       std::uintmax_t source_bytes) {
  if (source_bytes == 0) return fmt::format("{}", bytes);
  return fmt::format("{}, {:.3g} of {}", bytes,
                     static_cast<double>(bytes) / static_cast<double>(source_bytes), source);
}

std::uintmax_t size_of_file(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

}  // namespace

int run(const DataConvertArguments& arguments) {
  // The binary form may be written over itself, which changes nothing; other data would be lost.
  if (!is_binary_file(arguments.data.path))
    require_no_input("OUT", arguments.out, inputs_of(arguments.data));
  check_output_file(arguments.out, arguments.force);
  const std::uintmax_t source_bytes = size_of_file(arguments.data.path);
  // What is damaged must not get checksums that say it is not.
  if (is_binary_file(arguments.data.path)) verify_binary_file(arguments.data.path);
  const Dataset data = load(arguments.data);
  const SignalWatch signals;
  const auto bytes = write_binary_file(data, arguments.out, [&] { return !signals.flag().load(); });
  if (!bytes) return signals.exit_code();
  print_words(fmt::format("{:<11} {}\n{:<11} {}\n{:<11} {}\n{:<11} {}\n{:<11} {}\n", "samples",
                          data.num_samples(), "features", data.dimension(), "stored as",
                          data.rows.form(), "bytes", bytes_text(*bytes, data.name, source_bytes),
                          "saved", arguments.out));
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
