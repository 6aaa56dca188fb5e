// Files that a command writes: none that it reads, and none that is there unless --force says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "asynprox/base/file.h"

#include "cli/arguments.h"

namespace asynprox::cli {

// A file that a command reads or writes, and what a user calls it: "DATA", "--weights".
struct NamedFile {
  std::string what;
  std::string path;
};

// DATA and the labels that belong to it.
std::vector<NamedFile> inputs_of(const DataSpec& arguments);

// Throws ContractError, naming `what`, if the file to be written is one of those that are read, by
// whatever name: the two lead to the same device and inode.
void require_no_input(std::string_view what, const std::string& path,
                      const std::vector<NamedFile>& inputs);

// Of `train` and `simulate`, before any work: --log, --picture and the files of --out are neither
// read nor the same, --log and --picture are new or --force was given, and the picture is of a kind
// that can be written. Throws ContractError.
void check_outputs(const FitArguments& arguments);

// The file of --log is none that exists. Throws ContractError.
void require_new_log(const std::string& path);

// Opens a file for text, without waiting: a pipe that nobody reads is an error. What an ordinary
// file held stays until empty_file() is called. Throws Error.
File open_output(std::string_view option, const std::string& path);
void empty_file(std::FILE* file);

}  // namespace asynprox::cli
