#include "asynprox/report/read_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "asynprox/base/errors.h"
#include "asynprox/base/regular_file.h"
#include "asynprox/report/run_record.h"

namespace asynprox {
namespace {

using Json = nlohmann::ordered_json;

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

}  // namespace

RecordedRun read_run(const std::string& path) {
  const File file = open_regular_file(path);
  try {
    return run_of(Json::parse(file.get()), path);
  } catch (const Json::exception& error) {
    throw DataError(fmt::format("{}: expected run.json of a run: {}", path, error.what()));
  }
}

}  // namespace asynprox
