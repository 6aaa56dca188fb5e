#include "asynprox/report/read_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "asynprox/base/errors.h"
#include "asynprox/base/json_depth.h"
#include "asynprox/report/run_record.h"

namespace asynprox {
namespace {

using Json = nlohmann::ordered_json;

// The longest lists in it are a line per setting and per step of staleness.
constexpr std::size_t kRunBytesMax = std::size_t{64} << 20;

std::string text_of(const Json& value) { return value.is_string() ? value : Json(value.dump()); }

RecordedRun run_of(const Json& object, const std::string& path) {
  if (object.at("schema") != "asynprox-run" || object.at("schema_version") != kRunSchemaVersion)
    throw DataError(
        fmt::format("{}: expected run.json of schema version {}", path, kRunSchemaVersion));
  RecordedRun run;
  for (const auto& [name, value] : object.at("result").at("settings").items())
    if (!value.is_null()) run.settings.emplace_back(name, text_of(value));
  run.data_path = object.at("data").at("path");
  run.data_fingerprint = object.at("data").at("fingerprint");
  for (const auto& [file, hash] : object.at("files").items())
    run.file_hashes.emplace_back(file, hash);
  return run;
}

// As it stands in the file.
std::string text_in(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw DataError(fmt::format("{}: {}", path, std::strerror(errno)));
  std::string text;
  for (std::array<char, 1 << 16> piece; file && text.size() <= kRunBytesMax;) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw DataError(path + ": cannot be read");
  if (text.size() > kRunBytesMax)
    throw DataError(
        fmt::format("{}: expected run.json of at most {} MiB", path, kRunBytesMax >> 20));
  return text;
}

}  // namespace

RecordedRun read_run(const std::string& path) {
  const std::string text = text_in(path);
  check_json_depth(text, path);
  try {
    return run_of(Json::parse(text), path);
  } catch (const Json::exception& error) {
    throw DataError(fmt::format("{}: expected run.json of a run: {}", path, error.what()));
  }
}

}  // namespace asynprox
