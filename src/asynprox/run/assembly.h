// The parts of Algorithm 1 as a plan has them: the server with its model, and the workers. Whoever
// has the problem, the plan and its vectors can make them.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "asynprox/algorithm/run_evaluator.h"
#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/plan.h"

namespace asynprox {

std::unique_ptr<ModelState> make_state(const Problem& problem, const Plan& plan,
                                       const PlanVectors& vectors, Vector x0);

// `recorded`: it keeps the hashes that a record of the run needs.
Server make_server(const Problem& problem, const Plan& plan, const PlanVectors& vectors, Vector x0,
                   bool recorded);

// The evaluations of a run that every runtime makes in the same way.
EvaluatorOptions evaluator_options(const Problem& problem, const Plan& plan,
                                   const PlanVectors& vectors);

// Workers 0 to count - 1 of as many. `interrupt` ends a long gradient when it becomes true.
std::vector<Worker> make_workers(const Problem& problem, const Plan& plan,
                                 const PlanVectors& vectors, int count,
                                 const std::atomic<bool>* interrupt = nullptr);

// Worker number `worker` of them alone: the others are in other processes.
Worker make_worker(const Problem& problem, const Plan& plan, const PlanVectors& vectors, int worker,
                   const std::atomic<bool>* interrupt = nullptr);

}  // namespace asynprox
