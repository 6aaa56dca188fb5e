#include "asynprox/report/read_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "asynprox/base/errors.h"
#include "asynprox/report/run_record.h"

namespace asynprox {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

RecordedRun read_run(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw DataError(fmt::format("{}: {}", path, std::strerror(errno)));
  try {
    return run_of(Json::parse(file), path);
  } catch (const Json::exception& error) {
    throw DataError(fmt::format("{}: expected run.json of a run: {}", path, error.what()));
  }
}

}  // namespace asynprox
