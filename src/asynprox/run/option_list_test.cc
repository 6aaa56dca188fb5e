#include "asynprox/run/option_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/errors.h"
#include "asynprox/delays/all.h"

namespace asynprox {
namespace {

// Every option of a struct, to hold laws that all of them must satisfy.
template <class Owner>
class OptionLaws : public ::testing::Test {};

using Owners = ::testing::Types<DataSpec, ProblemSpec, Options>;
TYPED_TEST_SUITE(OptionLaws, Owners);

template <class Owner>
std::optional<std::string> text_after(const DeclaredOption<Owner>& option, std::string_view text) {
  Owner owner;
  option.set(owner, text, option.about.name, nullptr);
  return text_of(option.setting(owner));
}

// A text for each option that is not its default.
std::string other_text(const OptionDescription& about) {
  static const std::map<std::string, std::string> specs = {
      {"method", "asyn-prox-momentum:weight=0.5"},
      {"step", "constant:eta=0.25"},
      {"sampling", "reshuffle"},
      {"delays", "constant:T=3"},
      {"compute", "exponential:rate=10"},
      {"outages", "3/0.5/2,5/1"},
      {"speeds", "1/0.25"},
      {"faults", "random:loss=0.5"}};
  if (const auto spec = specs.find(about.name); spec != specs.end()) return spec->second;
  if (about.type == "flag") return "true";
  if (about.type == "number") return "0.5";
  if (about.type == "whole number") return "7";
  if (!about.choices.empty()) return about.choices.back();
  return "some text";
}

TYPED_TEST(OptionLaws, DefaultsReadBackAsTheDefault) {
  for (const auto& option : declared_options<TypeParam>())
    if (const auto& usual = option.about.default_value) {
      EXPECT_EQ(text_after(option, *usual), usual) << option.about.name;
    }
}

TYPED_TEST(OptionLaws, TextsReadBackAsTheyAreWritten) {
  for (const auto& option : declared_options<TypeParam>()) {
    const std::string text = other_text(option.about);
    EXPECT_EQ(text_after(option, text), text) << option.about.name;
  }
}

TYPED_TEST(OptionLaws, ChangeNoOtherOption) {
  const auto options = declared_options<TypeParam>();
  for (const auto& option : options) {
    TypeParam owner;
    option.set(owner, other_text(option.about), option.about.name, nullptr);
    for (const auto& other : options)
      if (other.about.name != option.about.name) {
        EXPECT_EQ(text_of(other.setting(owner)), other.about.default_value)
            << option.about.name << " changed " << other.about.name;
      }
  }
}

TYPED_TEST(OptionLaws, ChoicesAreEnforced) {
  for (const auto& option : declared_options<TypeParam>()) {
    if (option.about.choices.empty()) continue;
    for (const std::string& word : option.about.choices)
      EXPECT_EQ(text_after(option, word), word) << option.about.name;
    EXPECT_THROW(text_after(option, "no such word"), ContractError) << option.about.name;
  }
}

TYPED_TEST(OptionLaws, BoundsAreEnforced) {
  for (const auto& option : declared_options<TypeParam>())
    if (!option.about.bounds.empty()) {
      EXPECT_THROW(text_after(option, "-1"), ContractError) << option.about.name;
    }
}

TEST(ListOptions, AreDocumentedAndNamedOnce) {
  std::set<std::string> names;
  for (const OptionDescription& option : list_options()) {
    EXPECT_FALSE(option.meaning.empty()) << option.name;
    EXPECT_FALSE(option.type.empty()) << option.name;
    EXPECT_FALSE(option.group.empty()) << option.name;
    EXPECT_FALSE(option.commands.empty()) << option.name;
    EXPECT_EQ(option.placeholder.empty(), option.type == "flag") << option.name;
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_EQ(option.name.find('_'), std::string::npos) << option.name;
  }
  EXPECT_GT(names.size(), 50U);
}

TEST(SetOption, SetsOptionsByName) {
  Options options;
  set_option(options, "batch-size", "64");
  set_option(options, "staleness_max", "3");
  set_option(options, "method", "fista");
  set_option(options, "tolerance", "1e-6");
  set_option(options, "newton", "off");
  set_option(options, "rate-up", "1000");
  EXPECT_EQ(options.batch_size, 64);
  EXPECT_EQ(options.staleness_max, 3);
  EXPECT_EQ(options.method->name(), "fista");
  EXPECT_EQ(options.stop.tolerance, 1e-6);
  EXPECT_EQ(options.newton, false);
  EXPECT_EQ(options.cluster.rate_up, 1000);
  set_option(options, "method", "auto");
  EXPECT_FALSE(options.method);
}

TEST(SetOption, OfAProblemSetsThoseOfItsDataToo) {
  ProblemSpec problem;
  set_option(problem, "regularizer", "l1:1e-3");
  set_option(problem, "zero-based", "true");
  set_option(problem, "normalize", "rows");
  EXPECT_EQ(problem.regularizer, "l1:1e-3");
  EXPECT_TRUE(problem.data.zero_based);
  EXPECT_EQ(problem.normalize, "rows");
}

template <class Owner>
std::string refusal(std::string_view name, std::string_view text) {
  Owner owner;
  try {
    set_option(owner, name, text);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "";
}

TEST(SetOption, SuggestsTheNearestNameAndWord) {
  EXPECT_EQ(refusal<Options>("batch-sise", "1"),
            "no option 'batch-sise' (did you mean 'batch-size'?)");
  EXPECT_EQ(refusal<ProblemSpec>("zero-base", "1"),
            "no option 'zero-base' (did you mean 'zero-based'?)");
  EXPECT_EQ(refusal<Options>("frobnicate", "1"), "no option 'frobnicate'");
  EXPECT_EQ(refusal<Options>("runtime", "serail"),
            "runtime: no 'serail' (did you mean 'serial'?); there are: threads, serial, loopback, "
            "mpi");
  EXPECT_EQ(refusal<Options>("workers", "0"), "workers: expected at least 1, got 0");
  EXPECT_EQ(refusal<Options>("method", "fist").substr(0, 40),
            "no method 'fist' (did you mean 'fista'?)");
  EXPECT_EQ(refusal<Options>("step", "constant:0"), "constant: eta: expected > 0, got 0");
}

TEST(SetOption, ReadsFilesThatASpecNames) {
  Options options;
  set_option(options, "delays", "file:ages.txt", [](const std::string& path) {
    EXPECT_EQ(path, "ages.txt");
    return std::vector<double>{0, 2};
  });
  EXPECT_EQ(options.delays->max(), 2);
}

TEST(RuntimeOf, FollowsGivenDelays) {
  EXPECT_EQ(runtime_of({}), Runtime::threads);
  EXPECT_EQ(runtime_of({.delays = ConstantDelay{.steps = 1}}), Runtime::serial);
  EXPECT_EQ(runtime_of({.delays = ConstantDelay{.steps = 1}, .runtime = Runtime::threads}),
            Runtime::threads);
}

TEST(CheckChoices, RefusesWordsThatNoOptionHas) {
  EXPECT_NO_THROW(check_choices(ProblemSpec{}));
  EXPECT_THROW(check_choices({.normalize = "row"}), ContractError);
  EXPECT_THROW(check_choices({.data = {.path = "", .header = "maybe"}}), ContractError);
}

SettingValue setting(const SettingList& settings, std::string_view name) {
  const auto found =
      std::ranges::find_if(settings, [&](const auto& entry) { return entry.first == name; });
  return found == settings.end() ? SettingValue("absent") : found->second;
}

Plan some_plan() {
  Plan plan;
  plan.method.method = AsynProxSaga{};
  plan.workers.workers = 3;
  plan.batch.size = 96;
  plan.refinements.newton = true;
  plan.stop.tolerance = 1e-4;
  plan.start = Start::uniform;
  return plan;
}

TEST(Settings, AreTheOptionsAsUsed) {
  const SettingList settings =
      settings_of({.loss = "huber:1"}, {.pace = 10}, some_plan(), {{"step", "constant:1"}});
  EXPECT_EQ(setting(settings, "loss"), SettingValue("huber:1"));
  EXPECT_EQ(setting(settings, "method"), SettingValue("asyn-prox-saga"));
  EXPECT_EQ(setting(settings, "step"), SettingValue("constant:1"));
  EXPECT_EQ(setting(settings, "workers"), SettingValue(std::int64_t{3}));
  EXPECT_EQ(setting(settings, "batch-size"), SettingValue(std::int64_t{96}));
  EXPECT_EQ(setting(settings, "newton"), SettingValue("on"));
  EXPECT_EQ(setting(settings, "fallback"), SettingValue("off"));
  EXPECT_EQ(setting(settings, "tolerance"), SettingValue(1e-4));
  EXPECT_EQ(setting(settings, "epochs"), SettingValue());
  EXPECT_EQ(setting(settings, "pace"), SettingValue(10.0));
  EXPECT_EQ(setting(settings, "start"), SettingValue("uniform"));
  EXPECT_EQ(setting(settings, "intercept"), SettingValue(false));
  EXPECT_EQ(setting(settings, "latency-up"), SettingValue("absent"));
}

TEST(Settings, OfASimulationHaveTheClusterToo) {
  Plan plan = some_plan();
  plan.execution.runtime = Runtime::simulated;
  Options options;
  options.cluster.fused = false;
  const SettingList settings = settings_of({}, options, plan, {});
  EXPECT_EQ(setting(settings, "runtime"), SettingValue("simulated"));
  EXPECT_EQ(setting(settings, "latency-up"), SettingValue(1e-4));
  EXPECT_EQ(setting(settings, "separate-pull"), SettingValue(true));
  EXPECT_EQ(setting(settings, "compute"), SettingValue("lognormal"));
  EXPECT_EQ(setting(settings, "faults"), SettingValue());
}

}  // namespace
}  // namespace asynprox
