// A fit whose workers are the other ranks. Every rank has built the problem from data of its own; rank 0
// plans, and hands the plan to the others.
#pragma once

#include <atomic>

#include "asynprox/fit/fit_problem.h"
#include "asynprox/mpi/mail.h"
#include "asynprox/transports/serving.h"

namespace asynprox::mpi {

// On rank 0. ContractError for other workers than the other ranks; else throws as serve() does.
// `attendance` tells what became of them.
Result serve_ranks(const FitProblem& fit, const Options& options, Mail& mail,
                   Attendance& attendance);

// On another rank. Returns when rank 0 says that the run is over, or `interrupt` becomes true. Throws
// PeerError where rank 0 is silent, and what the worker throws.
void work_as_rank(const FitProblem& fit, Mail& mail, const std::atomic<bool>* interrupt);

}  // namespace asynprox::mpi
