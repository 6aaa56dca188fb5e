#include <string>

#include "asynprox/base/errors.h"

#include "cli/arguments.h"
#include "cli/options.h"
#include "cli/usage.h"
#include "fuzz/memory_file.h"
#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

// A program with the options of `train`: making it takes longer than reading a file.
class Program {
 public:
  Program() {
    CLI::App& train = *app_.add_subcommand("train");
    cli::add_options(train, "train", fit_.problem);
    cli::add_options(train, "train", fit_.options);
    cli::add_options(train, "train", fit_.program);
  }
  const CLI::App& app() const { return app_; }

 private:
  CLI::App app_;
  cli::FitArguments fit_;
};

}  // namespace

void fuzz_config(Input input) {
  static const Program program;
  const std::string& path = memory_file(input);
  try {
    cli::words_of({"train", "data", "--config", path}, program.app());
  } catch (const DataError&) {
  } catch (const ContractError&) {
  }
}

}  // namespace asynprox::fuzz
