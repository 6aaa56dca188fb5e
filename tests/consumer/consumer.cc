// A program of somebody else's: fits a line through three points, and reads a file.
#include <asynprox/methods.h>
#include <asynprox/solve.h>
#include <asynprox/version.h>

#include <cmath>
#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  const asynprox::Dataset data =
      argc > 1 ? asynprox::read_dataset(argv[1])
               : asynprox::read_dataset("generate:sparse-logistic:n=50,d=3,nonzeros=2");
  const asynprox::Result result =
      asynprox::solve(data, asynprox::SquaredLoss{}, asynprox::Zero{},
                      {.method = asynprox::Fista{}, .workers = 2, .stop = {.steps = 300}});
  std::printf("asynprox %s: %zu samples, slope %.3f\n", std::string(asynprox::kVersion).c_str(),
              data.num_samples(), result.x[0]);
  return 0;
}
