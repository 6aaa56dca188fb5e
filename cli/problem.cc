#include "cli/problem.h"

#include <fmt/format.h>

#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/data/fingerprint.h"

#include "cli/lookup.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

// What cannot be looked up is a file that cannot be read.
fs::file_status look_up_start(const std::string& path) {
  try {
    return look_up("--start", path);
  } catch (const Error& error) {
    throw DataError(error.what());
  }
}

// Where the run begins: by name, at numbers of a file, or with a saved model.
struct ChosenStart {
  Start start = Start::automatic;
  std::optional<Vector> x0 = {};
  std::optional<FittedModel> model = {};
};

ChosenStart choose_start(const ProblemSpec& spec, SpecFiles& files) {
  if (!spec.start || *spec.start == name(Start::automatic)) return {};
  for (const Start start : {Start::zeros, Start::uniform, Start::random})
    if (*spec.start == name(start)) return {.start = start};
  if (!fs::exists(look_up_start(*spec.start)))
    require_one_of("--start", *spec.start, {"zeros", "uniform", "random", "a file"});
  if (is_model_file(*spec.start)) return {.model = files.model(*spec.start)};
  return {.x0 = files.reader()(*spec.start)};
}

// The data, with its weights. Notes its fingerprint.
Dataset load_data(const ProblemSpec& spec, const ModelKind& model, BuiltProblem& built) {
  DataSpec named = spec.data;
  named.ratings = named.ratings || takes_ratings(model);
  Dataset data = load(named);
  check_room_for_model(data, /*outputs=*/1);
  built.data_fingerprint = fingerprint(data);
  if (spec.weights) built.files.weigh(data, *spec.weights);
  return data;
}

// The saved model that the run begins with, as this run's data is treated.
void continue_from_model(const FittedModel& saved, BuiltProblem& built) {
  try {
    begin_with_model(saved, built);
  } catch (const ContractError& error) {
    throw ContractError(fmt::format("--start: {}: {}", *built.spec.start, error.what()));
  }
}

}  // namespace

BuiltProblem build_problem(const ProblemSpec& spec, std::uint64_t seed) {
  BuiltProblem built;
  const ChosenStart chosen_start = choose_start(spec, built.files);
  const ReadNumbers read = built.files.reader();
  const EarlyChoices early = make_early_choices(spec, {.read = read});
  Dataset data = load_data(spec, early.model, built);
  static_cast<FitProblem&>(built) =
      make_fit_problem(spec, early, std::move(data), {.read = read, .seed = seed});
  for (const std::string& warning : built.warnings) say_warning(warning);
  built.start = chosen_start.start;
  built.x0 = chosen_start.x0;
  if (chosen_start.model) continue_from_model(*chosen_start.model, built);
  return built;
}

}  // namespace asynprox::cli
