// The program asynprox-mpi, which alone links MPI, and what starts it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace asynprox::cli {

// Was this process started by mpirun, or by whatever else starts MPI programs? Then its rank, if that
// can be told.
bool launched_by_mpi();
std::optional<int> rank_of_launch();

// ContractError, with an example, unless it was.
void require_launched_by_mpi();

// Where it is: beside this program. Empty: it was not built.
std::optional<std::string> mpi_program();

// Of a program in one of the folders of PATH.
std::optional<std::string> program_in_path(const std::string& name);

// Goes on as that program, with the same command line. ContractError where this was not started by mpirun,
// or there is no such program.
[[noreturn]] void become_mpi_program(const std::vector<std::string>& command_line);

}  // namespace asynprox::cli
