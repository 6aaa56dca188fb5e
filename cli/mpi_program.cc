#include "cli/mpi_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "asynprox/base/errors.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "asynprox-mpi";
// Of Open MPI, and of whatever else speaks PMIx or PMI: srun, mpiexec.
constexpr const char* kRankVariables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};

bool is_program(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0; }

fs::path own_folder() {
  std::error_code error;
  const fs::path own = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path(".") : own.parent_path();
}

}  // namespace

std::optional<int> rank_of_launch() {
  for (const char* const variable : kRankVariables) {
    const char* const text = std::getenv(variable);
    int rank = 0;
    if (text && std::from_chars(text, text + std::strlen(text), rank).ec == std::errc())
      return rank;
  }
  return std::nullopt;
}

bool launched_by_mpi() { return rank_of_launch().has_value(); }

void require_launched_by_mpi() {
  require(
      launched_by_mpi(),
      "--runtime mpi: expected to be started by mpirun, for example: mpirun -n 3 asynprox train "
      "DATA --runtime mpi (one server and two workers)");
}

std::optional<std::string> mpi_program() {
  const fs::path path = own_folder() / kName;
  if (!is_program(path)) return std::nullopt;
  return path.string();
}

std::optional<std::string> program_in_path(const std::string& name) {
  const char* const folders = std::getenv("PATH");
  std::istringstream list(folders ? folders : "");
  for (std::string folder; std::getline(list, folder, ':');)
    if (const fs::path path = fs::path(folder) / name; is_program(path)) return path.string();
  return std::nullopt;
}

void become_mpi_program(const std::vector<std::string>& command_line) {
  require_launched_by_mpi();
  const std::optional<std::string> program = mpi_program();
  require(
      program.has_value(),
      fmt::format("--runtime mpi: expected the program {} in {}, which is built where there is an "
                  "MPI (Debian: libopenmpi-dev); there is none",
                  kName, own_folder().string()));
  std::vector<char*> words;
  words.reserve(command_line.size() + 1);
  for (const std::string& word : command_line) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(program->c_str(), words.data());
  throw Error(fmt::format("{}: {}", *program, std::strerror(errno)));
}

}  // namespace asynprox::cli
