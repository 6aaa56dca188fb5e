#include "asynprox/report/kept_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "asynprox/base/errors.h"
#include "asynprox/base/json_depth.h"
#include "asynprox/run/json.h"

namespace asynprox {
namespace {

using Json = nlohmann::json;

template <class Pairs>
Json object_of(const Pairs& pairs) {
  Json object = Json::object();
  for (const auto& [name, value] : pairs) object[name] = value;
  return object;
}

KeptRun run_of(const Json& object, const ReadNumbers& read) {
  KeptRun run;
  run.command = object.at("command");
  run.command_line = object.at("command_line").get<std::vector<std::string>>();
  for (const auto& [name, text] : object.at("given").items())
    run.given.emplace(name, text.get<std::string>());
  run.problem = problem_from_json(object.at("problem").dump());
  run.plan = plan_from_json(object.at("plan").dump(), read);
  run.stops_before = limits_from_json(object.at("resumed").dump());
  for (const auto& [file, hash] : object.at("files").items())
    run.file_hashes.emplace_back(file, hash);
  const Json& build = object.at("build");
  run.build = {.version = build.at("version"),
               .compiler = build.at("compiler"),
               .flags = build.at("flags"),
               .simd_level = build.at("simd_level"),
               .libm = build.at("libm")};
  run.recorded = object.at("recorded");
  return run;
}

}  // namespace

std::string kept_run_json(const KeptRun& run) {
  const Json object = {{"command", run.command},
                       {"command_line", run.command_line},
                       {"given", object_of(run.given)},
                       {"problem", Json::parse(problem_json(run.problem))},
                       {"plan", Json::parse(plan_json(run.plan))},
                       {"resumed", Json::parse(limits_json(run.stops_before))},
                       {"files", object_of(run.file_hashes)},
                       {"build",
                        {{"version", run.build.version},
                         {"compiler", run.build.compiler},
                         {"flags", run.build.flags},
                         {"simd_level", run.build.simd_level},
                         {"libm", run.build.libm}}},
                       {"recorded", run.recorded}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

KeptRun kept_run_from_json(std::string_view text, const ReadNumbers& read) {
  check_json_depth(text, "the run of a checkpoint");
  try {
    return run_of(Json::parse(text), read);
  } catch (const Json::exception& error) {
    throw DataError(fmt::format("expected a checkpoint of a run of the program: {}", error.what()));
  }
}

}  // namespace asynprox
