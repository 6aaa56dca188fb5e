#include <exception>
#include <new>
#include <stdexcept>

#include "asynprox/base/errors.h"

#include "cli/bus_errors.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/process.h"
#include "cli/terminal.h"

namespace {

using namespace asynprox::cli;

int run_command(const Arguments& arguments) {
  return std::visit([](const auto& command) { return run(command); }, arguments);
}

}  // namespace

int main(int argc, char** argv) {
  prepare_process();
  explain_bus_errors();
  try {
    const ParsedCommandLine parsed = parse_command_line({argv + 1, argv + argc});
    return parsed.exit_code ? *parsed.exit_code : run_command(parsed.arguments);
  } catch (const asynprox::ContractError& error) {
    say_error(error.what());
    return kUsage;
  } catch (const asynprox::DataError& error) {
    say_error(error.what());
    return kData;
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
