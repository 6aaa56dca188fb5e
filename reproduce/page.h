// What was found, as a page: each claim of the paper beside what was measured, then every table and
// picture, then why the two differ where they do.
#pragma once

#include <string>

#include "reproduce/findings.h"

namespace asynprox::reproduce {

struct PageOptions {
  std::string command = {};  // that made it
  std::string machine = {};  // that it ran on
  bool complete = true;      // or interrupted
};

std::string page(const Findings& findings, const PageOptions& options);

// A few lines for a terminal: the claims that have been measured.
std::string summary(const Findings& findings);

}  // namespace asynprox::reproduce
