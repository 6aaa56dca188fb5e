#include "asynprox/run/choices.h"

namespace asynprox {

std::string_view name(Runtime runtime) {
  switch (runtime) {
    case Runtime::serial: return "serial";
    case Runtime::threads: return "threads";
    case Runtime::simulated: return "simulated";
    case Runtime::cluster: return "cluster";
    case Runtime::loopback: return "loopback";
    case Runtime::mpi: return "mpi";
  }
  return "";
}

std::string_view name(StateChoice state) {
  switch (state) {
    case StateChoice::automatic: return "auto";
    case StateChoice::dense: return "dense";
    case StateChoice::lazy: return "lazy";
  }
  return "";
}

std::string_view name(Start start) {
  switch (start) {
    case Start::automatic: return "auto";
    case Start::zeros: return "zeros";
    case Start::uniform: return "uniform";
    case Start::random: return "random";
    case Start::given: return "given";
  }
  return "";
}

std::string_view name(StalenessPolicy policy) {
  return policy == StalenessPolicy::hold ? "hold" : "recompute";
}

}  // namespace asynprox
