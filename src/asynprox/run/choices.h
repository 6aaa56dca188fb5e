// The choices of a run that are one word of a few.
#pragma once

#include <array>
#include <string_view>

#include "asynprox/algorithm/staleness.h"

namespace asynprox {

enum class Runtime {
  serial,     // the workers take turns on the caller's thread
  threads,    // one thread per worker
  simulated,  // on a virtual cluster, in virtual time
  cluster,    // processes elsewhere, which send messages (served_run.h)
  loopback,   // the same in one process: a thread per worker, which sends its messages as bytes
  mpi,        // processes that mpirun starts: the program asynprox-mpi
};

// Are the workers served by messages, one at a time, each in a thread or process of its own?
constexpr bool is_served(Runtime runtime) {
  return runtime == Runtime::cluster || runtime == Runtime::loopback || runtime == Runtime::mpi;
}

enum class StateChoice { automatic, dense, lazy };

// x_0. It is moved to prox_h of itself where h is infinite there.
enum class Start {
  automatic,  // uniform for pca, where f itself says (see finite_sum.h), else zeros
  zeros,
  uniform,  // 1 / sqrt(d) everywhere
  random,   // each coordinate uniform in [-1, 1) / sqrt(d)
  given,    // by the caller, as numbers
};

inline constexpr std::array kRuntimes = {Runtime::serial,  Runtime::threads,  Runtime::simulated,
                                         Runtime::cluster, Runtime::loopback, Runtime::mpi};
inline constexpr std::array kStateChoices = {StateChoice::automatic, StateChoice::dense,
                                             StateChoice::lazy};
inline constexpr std::array kStarts = {Start::automatic, Start::zeros, Start::uniform,
                                       Start::random, Start::given};
inline constexpr std::array kStalenessPolicies = {StalenessPolicy::hold,
                                                  StalenessPolicy::recompute};

// The spelling of these on the command line and in records: "hold", "serial", ...
std::string_view name(Runtime runtime);
std::string_view name(StateChoice state);
std::string_view name(Start start);
std::string_view name(StalenessPolicy policy);

}  // namespace asynprox
