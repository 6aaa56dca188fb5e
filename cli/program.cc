#include "cli/program.h"

#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

#include "asynprox/base/errors.h"
#include "asynprox/transports/port.h"

#include "cli/bus_errors.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/mpi_program.h"
#include "cli/process.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

// Of the ranks of one run only rank 0 speaks, of mistakes on the command line too.
bool another_rank_speaks(const std::vector<std::string>& words) {
  const bool over_mpi = std::ranges::any_of(
      words, [](std::string_view word) { return word == "mpi" || word == "--runtime=mpi"; });
  return over_mpi && rank_of_launch().value_or(0) > 0;
}

}  // namespace

int guarded(const std::function<int()>& work) {
  try {
    return work();
  } catch (const ContractError& error) {
    say_error(error.what());
    return kUsage;
  } catch (const DataError& error) {
    say_error(error.what());
    return kData;
  } catch (const PeerError& error) {
    say_error(error.what());
    return kServerFailed;
  } catch (const std::bad_alloc&) {
    say_error("out of memory: the data, the model or a batch is too large for this machine");
    return kFailed;
  } catch (const std::length_error&) {
    say_error("out of memory: a batch or a model of this size cannot be held");
    return kFailed;
  } catch (const std::exception& error) {
    say_error(error.what());
    return kFailed;
  }
}

int run_command(const Arguments& arguments) {
  return std::visit([](const auto& command) { return run(command); }, arguments);
}

int run_program(int argc, char** argv, const std::function<int(const Arguments&)>& run_command) {
  prepare_process();
  explain_bus_errors();
  return guarded([&] {
    const std::vector<std::string> words(argv + 1, argv + argc);
    set_silent(another_rank_speaks(words));
    const ParsedCommandLine parsed = parse_command_line(words);
    return parsed.exit_code ? *parsed.exit_code : run_command(parsed.arguments);
  });
}

}  // namespace asynprox::cli
