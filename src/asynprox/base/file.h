// A C file that closes itself.
#pragma once

#include <cstdio>
#include <memory>

namespace asynprox {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace asynprox
