#include "cli/program.h"

int main(int argc, char** argv) {
  return asynprox::cli::run_program(argc, argv, asynprox::cli::run_command);
}
