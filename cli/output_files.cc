#include "cli/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/readers/idx.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/data/readers/utf8.h"
#include "asynprox/models/picture.h"

#include "cli/named_data.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRunFiles[] = {
    "run.json",     "events.log",    "events.log.partial", "trace.csv",    "model.json",
    "run.json.new", "trace.csv.new", "model.json.new",     "checkpoint.0", "checkpoint.1"};

// "-" is standard input, which may be a file too.
bool find_file(const std::string& path, struct stat& file) {
  return (path == "-" ? ::fstat(STDIN_FILENO, &file) : ::stat(path.c_str(), &file)) == 0;
}

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat of_a = {}, of_b = {};
  return find_file(a, of_a) && find_file(b, of_b) && S_ISREG(of_a.st_mode) &&
         of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

// Standard output or standard error, if that is the file (--log /dev/stderr): the shell has opened
// it, and what else is written there stays.
std::optional<int> standard_stream(const struct stat& file) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open = {};
    if (::fstat(stream, &open) == 0 && open.st_dev == file.st_dev && open.st_ino == file.st_ino)
      return stream;
  }
  return std::nullopt;
}

std::optional<int> standard_stream(const std::string& path) {
  struct stat file = {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  return standard_stream(file);
}

// What is not there leads to no file; that is said where it is read.
std::string path_of_data(const std::string& typed) {
  try {
    return data_path(typed);
  } catch (const Error&) {
    return typed;
  }
}

void add_data(std::string_view what, const std::string& typed, std::vector<NamedFile>& inputs) {
  const std::string path = path_of_data(typed);
  inputs.push_back({std::string(what), path});
  const std::string labels = idx_labels_path(path);
  if (!labels.empty()) inputs.push_back({fmt::format("the labels of {}", what), labels});
}

// Values of a spec that are files.
void add_spec(std::string_view what, const std::string& spec, std::vector<NamedFile>& inputs) {
  for (const Spec::Setting& setting : parse_spec(spec).settings)
    inputs.push_back({std::string(what), setting.value});
}

std::vector<NamedFile> inputs_of(const FitArguments& arguments) {
  std::vector<NamedFile> inputs = cli::inputs_of(arguments.problem.data);
  if (arguments.program.test) add_data("--test", *arguments.program.test, inputs);
  if (arguments.problem.weights) inputs.push_back({"--weights", *arguments.problem.weights});
  if (arguments.problem.start) inputs.push_back({"--start", *arguments.problem.start});
  if (arguments.program.config) inputs.push_back({"--config", *arguments.program.config});
  add_spec("--regularizer", arguments.problem.regularizer, inputs);
  if (arguments.options.delays) add_spec("--delays", arguments.options.delays->spec(), inputs);
  return inputs;
}

void require_new(std::string_view option, const std::string& path, bool force) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  require(!fs::is_directory(status),
          fmt::format("{}: expected the name of a file to write, got the folder {}", option, path));
  require(force || !fs::is_regular_file(status) || standard_stream(path),
          fmt::format("{}: {} exists already; --force replaces it", option, path));
}

// Of a file that need not exist.
fs::path whole_path(const std::string& path) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
}

bool is_device(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

void require_different(const NamedFile& a, const NamedFile& b) {
  const bool same = is_same_file(a.path, b.path) || whole_path(a.path) == whole_path(b.path);
  require(
      !same || is_device(a.path),
      fmt::format("{}: expected another file than {}, got {} for both", a.what, b.what, a.path));
}

// A replay looks for the files that run.json names.
void require_recordable(const std::vector<NamedFile>& inputs) {
  for (const NamedFile& input : inputs)
    require(
        is_utf8(input.path),
        fmt::format("--out: run.json is UTF-8 and cannot name {} ({}), so that a replay would not "
                    "find it: give the file another name, or leave --out away",
                    quoted_token(input.path), input.what));
}

}  // namespace

std::vector<NamedFile> inputs_of(const DataSpec& arguments) {
  std::vector<NamedFile> inputs;
  add_data("DATA", arguments.path, inputs);
  if (arguments.labels) inputs.push_back({"--labels", *arguments.labels});
  return inputs;
}

void require_no_input(std::string_view what, const std::string& path,
                      const std::vector<NamedFile>& inputs) {
  for (const NamedFile& input : inputs)
    require(!is_same_file(path, input.path),
            fmt::format("{}: expected a file that is not read, got {}, which is {}", what, path,
                        input.what));
}

void require_new_log(const std::string& path) { require_new("--log", path, /*force=*/false); }

void check_outputs(const FitArguments& arguments) {
  std::vector<NamedFile> outputs;
  if (arguments.program.log) outputs.push_back({"--log", *arguments.program.log});
  if (arguments.program.picture) outputs.push_back({"--picture", *arguments.program.picture});
  for (const NamedFile& output : outputs)
    require_new(output.what, output.path, arguments.program.force);
  if (arguments.program.out)
    for (const char* name : kRunFiles)
      outputs.push_back({"--out", (fs::path(*arguments.program.out) / name).string()});
  if (outputs.empty()) return;

  const std::vector<NamedFile> inputs = inputs_of(arguments);
  if (arguments.program.out) require_recordable(inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    require_no_input(outputs[i].what, outputs[i].path, inputs);
    for (std::size_t j = i + 1; j < outputs.size() && outputs[i].what != "--out"; ++j)
      require_different(outputs[i], outputs[j]);
  }
  if (arguments.program.picture)
    require(is_picture_name(*arguments.program.picture),
            "--picture: " + *arguments.program.picture +
                ": expected a picture's name to end in .pgm or .svg");
}

File open_output(std::string_view option, const std::string& path) {
  const auto fail = [&](int error_number) {
    const bool unread = error_number == ENXIO;
    throw Error(fmt::format("{}: {}: {}", option, path,
                            unread ? "nobody reads this pipe" : std::strerror(error_number)));
  };
  const std::optional<int> stream = standard_stream(path);
  const int descriptor =
      stream ? ::fcntl(*stream, F_DUPFD_CLOEXEC, 0)
             : ::open(path.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(errno);
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags >= 0 && !stream) ::fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
  File file(::fdopen(descriptor, "w"));
  if (file) return file;
  const int error_number = errno;
  ::close(descriptor);
  fail(error_number);
  return nullptr;
}

void empty_file(std::FILE* file) {
  struct stat status = {};
  if (::fstat(::fileno(file), &status) != 0 || standard_stream(status)) return;
  // Pipes and devices cannot be, and need not be.
  [[maybe_unused]] const int ignored = ::ftruncate(::fileno(file), 0);
}

}  // namespace asynprox::cli
