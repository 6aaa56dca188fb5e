#include "asynprox/report/read_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>

#include "asynprox/base/errors.h"
#include "asynprox/base/json_depth.h"
#include "asynprox/base/regular_file.h"
#include "asynprox/report/run_record.h"

namespace asynprox {
namespace {

using Json = nlohmann::ordered_json;

// The longest lists in it are a line per setting and per step of staleness.
constexpr std::size_t kRunBytesMax = std::size_t{64} << 20;

void add_setting(const std::string& name, const Json& value, RecordedRun& run) {
  if (value.is_null() || value == false) return;
  if (value == true)
    run.settings.push_back({name, std::nullopt});
  else
    run.settings.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
}

RecordedRun run_of(const Json& object, const std::string& path) {
  if (object.at("schema") != "asynprox-run" || object.at("schema_version") != kRunSchemaVersion)
    throw DataError(
        fmt::format("{}: expected run.json of schema version {}", path, kRunSchemaVersion));
  RecordedRun run;
  for (const auto& [name, value] : object.at("result").at("settings").items())
    add_setting(name, value, run);
  run.data_path = object.at("data").at("path");
  run.data_fingerprint = object.at("data").at("fingerprint");
  for (const auto& [file, hash] : object.at("files").items())
    run.file_hashes.emplace_back(file, hash);
  return run;
}

// As it stands in the file.
std::string text_in(const std::string& path) {
  const File file = open_regular_file(path);
  std::string text;
  std::array<char, 1 << 16> piece;
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), size);
    if (text.size() > kRunBytesMax)
      throw DataError(
          fmt::format("{}: expected run.json of at most {} MiB", path, kRunBytesMax >> 20));
  }
  if (std::ferror(file.get()) != 0) throw DataError(path + ": cannot be read");
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
