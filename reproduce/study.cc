#include "reproduce/study.h"

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox::reproduce {
namespace {

// A worker ten times slower than the others must not hold them, and nor must exponential times.
constexpr std::int64_t kNoBound = 1000;
constexpr std::int64_t kStepsMax = 4000;

}  // namespace

std::vector<std::uint64_t> Study::seed_numbers() const {
  std::vector<std::uint64_t> numbers;
  for (int seed = 1; seed <= seeds; ++seed) numbers.push_back(static_cast<std::uint64_t>(seed));
  return numbers;
}

Options Study::algorithm_1(const PaperProblem& problem, int workers, double step_factor) const {
  return {.method = AsynProxSgd{},
          .step = ConstantStep{.value = step_factor / problem.lipschitz()},
          .workers = workers,
          .batch_size = kBatch,
          .pushes_per_step = workers,
          .staleness_max = kNoBound,
          .stop = {.steps = kStepsMax},
          .runtime = Runtime::simulated,
          .cluster = cluster};
}

}  // namespace asynprox::reproduce
