#include "asynprox/report/read_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>

#include "asynprox/base/errors.h"
#include "asynprox/base/json_depth.h"
#include "asynprox/base/regular_file.h"
#include "asynprox/report/run_record.h"
#include "asynprox/run/json.h"

namespace asynprox {
namespace {

using Json = nlohmann::json;

// The longest lists in it are a line per setting and per step of staleness.
constexpr std::size_t kRunBytesMax = std::size_t{64} << 20;

RecordedRun run_of(const Json& object, const std::string& path) {
  const auto version = object.find("schema_version");
  if (object.at("schema") != "asynprox-run" || version == object.end() || !version->is_number())
    throw DataError(fmt::format("{}: expected run.json of a run", path));
  if (*version != kRunSchemaVersion)
    throw DataError(fmt::format(
        "{}: expected a run of schema version {}, got {}: it was recorded by another version of "
        "asynprox, with which it can be replayed",
        path, kRunSchemaVersion, version->dump()));
  RecordedRun run;
  run.problem = problem_from_json(object.at("problem").dump());
  run.plan_json = object.at("plan").dump();
  run.data_fingerprint = object.at("data").at("fingerprint");
  for (const auto& [file, hash] : object.at("files").items())
    run.file_hashes.emplace_back(file, hash);
  if (const auto resumed = object.find("resumed"); resumed != object.end())
    run.stops_before = limits_from_json(resumed->dump());
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
