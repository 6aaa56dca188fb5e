#include "asynprox/report/run_record.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace asynprox {
namespace {

RunRecord sample_record() {
  RunRecord record;
  record.result.objective = std::numeric_limits<double>::infinity();
  record.result.loss_value = 0.1;
  record.result.staleness.add(2);
  record.result.ledger = {.received = 3, .applied = 1, .pending = 1, .refused = {1}};
  record.result.stop_reason = StopReason::epoch_limit;
  record.result.trace = {{.seconds = 0.5, .steps = 10, .objective = 0.25}};
  record.settings = {{"loss", "logistic"}, {"workers", std::int64_t{2}}, {"dimension", {}}};
  record.result.method_parts = {"asyn-prox-sgd"};
  record.version = "1.2.3";
  record.command_line = {"asynprox", "train", "a9a"};
  record.problem.data.path = "a9a";
  return record;
}

TEST(RunRecord, HoldsEveryPinnedKeyOfTheResult) {
  const auto json = nlohmann::json::parse(result_json(sample_record()));
  for (const std::string key : {"objective",
                                "loss_value",
                                "regularizer_value",
                                "gradient_mapping",
                                "reference_step",
                                "duality_gap",
                                "nonzeros",
                                "dimension",
                                "outputs",
                                "samples",
                                "steps",
                                "sample_gradients",
                                "computed",
                                "epochs",
                                "seconds",
                                "evaluation_seconds",
                                "stop_reason",
                                "stop_detail",
                                "staleness",
                                "ledger",
                                "theory",
                                "settings",
                                "version",
                                "seed"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const std::string key : {"bound", "max", "mean", "histogram"})
    EXPECT_TRUE(json["staleness"].contains(key)) << key;
  for (const std::string key : {"stale", "duplicate", "nonfinite", "shape", "fenced"})
    EXPECT_TRUE(json["ledger"]["refused"].contains(key)) << key;
  for (const std::string key : {"lipschitz", "conditions_met", "conditions"})
    EXPECT_TRUE(json["theory"].contains(key)) << key;
}

TEST(RunRecord, WritesInfiniteNumbersAsWordsAndUnusedOnesAsNull) {
  const auto json = nlohmann::json::parse(result_json(sample_record()));
  EXPECT_EQ(json["objective"], "inf");
  EXPECT_EQ(json["loss_value"], 0.1);
  EXPECT_TRUE(json["duality_gap"].is_null());
  EXPECT_TRUE(json["settings"]["dimension"].is_null());
  EXPECT_EQ(json["settings"]["workers"], 2);
  EXPECT_EQ(json["stop_reason"], "epoch_limit");
}

TEST(RunRecord, NamesTheMachineAndTheCommand) {
  RunRecord record = sample_record();
  record.machine = this_machine();
  const auto json = nlohmann::json::parse(run_json(record));
  EXPECT_EQ(json["schema_version"], 2);
  EXPECT_EQ(json["command_line"][1], "train");
  EXPECT_GE(json["machine"]["cores"], 1);
  EXPECT_FALSE(json["machine"]["compiler"].get<std::string>().empty());
  EXPECT_EQ(json["result"]["version"], "1.2.3");
}

TEST(TraceCsv, HasThePinnedColumns) {
  EXPECT_EQ(trace_csv(sample_record().result.trace),
            "seconds,steps,sample_gradients,epochs,objective,gradient_mapping,nonzeros,"
            "staleness_max,duality_gap\n0.5,10,0,0,0.25,0,0,0,\n");
}

TEST(Summary, SaysWhatCameOfTheRunInWords) {
  RunRecord record = sample_record();
  record.result.steps = 1234567;
  const std::string text = summary(record);
  for (const std::string words : {"asyn-prox-sgd", "1,234,567 steps", "epoch_limit", "objective"})
    EXPECT_NE(text.find(words), std::string::npos) << words;
}

TEST(Summary, SaysThatARunWasPaced) {
  RunRecord record = sample_record();
  EXPECT_EQ(summary(record).find("paced"), std::string::npos);
  record.result.plan.execution.pace = 81920;
  record.result.plan.execution.speeds = {1, 0.25};
  EXPECT_NE(summary(record).find("paced at 81920 samples per second per worker, speeds 1/0.25"),
            std::string::npos);
}

}  // namespace
}  // namespace asynprox
