#include <nlohmann/json.hpp>

#include <cmath>

#include "asynprox/report/json_text.h"
#include "asynprox/report/run_record.h"
#include "asynprox/run/json.h"

namespace asynprox {
namespace {

using Json = nlohmann::ordered_json;

// File names may hold bytes that are no text; they must not cost a run.
std::string text_of(const Json& json) {
  return escape_controls(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json settings_object(const SettingList& settings) {
  Json object = Json::object();
  const auto to_json = []<class Value>(const Value& value) -> Json {
    if constexpr (std::is_same_v<Value, std::monostate>)
      return nullptr;
    else if constexpr (std::is_same_v<Value, double>)
      return number(value);
    else
      return value;
  };
  for (const auto& [name, value] : settings) object[name] = std::visit(to_json, value);
  return object;
}

Json staleness_object(const Result& result) {
  return {{"bound", result.plan.workers.staleness_max},
          {"max", result.staleness.max},
          {"mean", result.staleness.mean()},
          {"histogram", result.staleness.histogram}};
}

Json ledger_object(const Ledger& ledger) {
  Json refused = Json::object();
  for (int i = 0; i < kNumRefusals; ++i)
    refused[std::string(name(static_cast<Refusal>(i)))] = ledger.refused[i];
  return {{"received", ledger.received},
          {"applied", ledger.applied},
          {"pending", ledger.pending},
          {"refused", refused}};
}

Json corollary_object(const std::optional<Corollary>& corollary) {
  if (!corollary) return nullptr;
  return {{"gap", number(corollary->terms.gap)},
          {"gap_reason", corollary->gap_reason},
          {"variance", number(corollary->terms.variance)},
          {"variance_reason", corollary->variance_reason},
          {"step", number(corollary->step)},
          {"steps_least", number(corollary->steps_least)},
          {"steps_enough", corollary->steps_enough}};
}

Json ergodic_object(const std::optional<ErgodicBound>& bound) {
  if (!bound) return nullptr;
  return {{"printed", number(bound->printed)},
          {"corrected", number(bound->corrected)},
          {"measured", bound->measured ? number(*bound->measured) : Json(nullptr)},
          {"evaluations", bound->evaluations}};
}

Json theory_object(const Theory& theory) {
  Json conditions = Json::array();
  for (const TheoryCondition& condition : theory.conditions)
    conditions.push_back({{"statement", condition.statement},
                          {"left", number(condition.left)},
                          {"right", number(condition.right)},
                          {"met", condition.met}});
  return {{"lipschitz", or_null(theory.lipschitz)},
          {"lipschitz_reason", theory.lipschitz_reason},
          {"conditions_met", or_null(theory.conditions_met)},
          {"conditions", conditions},
          {"assumptions", theory.assumptions},
          {"corollary", corollary_object(theory.corollary)},
          {"ergodic_bound", ergodic_object(theory.ergodic_bound)}};
}

Json simulation_object(const SimulationReport& simulation) {
  return {{"samples_per_second", number(simulation.samples_per_second)},
          {"server_busy", simulation.server_busy},
          {"computing", simulation.computing},
          {"on_network", simulation.on_network},
          {"at_server", simulation.at_server},
          {"away", simulation.away},
          {"messages", simulation.messages},
          {"bytes", simulation.bytes},
          {"lost", simulation.lost},
          {"duplicated", simulation.duplicated},
          {"late", simulation.late},
          {"deaths", simulation.deaths},
          {"asked_again", simulation.asked_again}};
}

Json result_object(const RunRecord& record) {
  const Result& result = record.result;
  const auto objective_number = [&](double value) {
    return result.has_objective ? number(value) : Json(nullptr);
  };
  Json object = {
      {"objective", objective_number(result.objective)},
      {"loss_value", objective_number(result.loss_value)},
      {"regularizer_value", number(result.regularizer_value)},
      {"gradient_mapping", number(result.gradient_mapping)},
      {"reference_step", number(result.plan.steps.reference_step)},
      {"duality_gap", or_null(result.duality_gap)},
      {"stationarity_gap", or_null(result.stationarity_gap)},
      {"nonzeros", result.nonzeros},
      {"dimension", result.dimension},
      {"outputs", result.outputs},
      {"samples", result.samples},
      {"method_parts", result.method_parts},
      {"steps", result.steps},
      {"sample_gradients", result.sample_gradients},
      {"computed", result.computed},
      {"epochs", result.epochs},
      {"seconds", result.seconds},
      {"evaluation_seconds", result.evaluation_seconds},
      {"fallback_passes", result.fallback_passes},
      {"stop_reason", name(result.stop_reason)},
      {"stop_detail", result.stop_detail},
      {"staleness", staleness_object(result)},
      {"ledger", ledger_object(result.ledger)},
      {"theory", theory_object(result.theory)},
      {"settings", settings_object(record.settings)},
      {"choices", result.plan.choices},
      {"warnings", result.warnings},
      {"version", record.version},
      {"seed", result.plan.seed},
  };
  if (result.simulation) object["simulation"] = simulation_object(*result.simulation);
  for (const auto& [figure, value] : record.test)
    object["test"][figure] = value ? number(*value) : Json(nullptr);
  return object;
}

}  // namespace

std::string result_json(const RunRecord& record) { return text_of(result_object(record)); }

std::string run_json(const RunRecord& record) {
  Json files = Json::object();
  for (const auto& [path, hash] : record.file_hashes) files[path] = hash;
  const Machine& machine = record.machine;
  Json object = {
      {"schema", "asynprox-run"},
      {"schema_version", kRunSchemaVersion},
      {"command_line", record.command_line},
      {"data", {{"path", record.problem.data.path}, {"fingerprint", record.data_fingerprint}}},
      {"problem", Json::parse(problem_json(record.problem))},
      {"plan", Json::parse(plan_json(record.result.plan))},
      {"files", files},
      {"machine",
       {{"processor", machine.processor},
        {"cores", machine.cores},
        {"simd_level", machine.build.simd_level},
        {"compiler", machine.build.compiler},
        {"flags", machine.build.flags},
        {"libm", machine.build.libm}}},
      {"result", result_object(record)},
  };
  if (!record.stops_before.empty())
    object["resumed"] = Json::parse(limits_json(record.stops_before));
  return text_of(object);
}

}  // namespace asynprox
