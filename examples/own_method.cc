// A method of one's own (clipped_sgd.h) under every runtime, on data with a few wild labels. With
// one sample a step, squared loss and the clip are what the Huber loss is to Algorithm 1.
#include <asynprox/solve.h>

#include <cmath>
#include <cstdio>

#include "clipped_sgd.h"

namespace {

// y = 2 z for z = 0.01, 0.02, ..., 1; every tenth label is off by 50.
asynprox::Dataset data_with_outliers() {
  asynprox::CsrMatrix matrix;
  matrix.num_columns = 1;
  asynprox::Dataset data;
  for (int i = 1; i <= 100; ++i) {
    const double z = i / 100.0;
    matrix.columns.push_back(0);
    matrix.values.push_back(z);
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(2 * z + (i % 10 == 0 ? 50 : 0));
  }
  data.rows = asynprox::Rows::narrowed(matrix);
  return data;
}

double slope(const asynprox::AnyMethod& method, asynprox::Runtime runtime) {
  const asynprox::Result result =
      asynprox::solve(data_with_outliers(), asynprox::SquaredLoss{}, asynprox::Zero{},
                      {.method = method,
                       .workers = 4,
                       .batch_size = 1,
                       .pushes_per_step = 1,
                       .stop = {.epochs = 200},
                       .runtime = runtime});
  return result.x[0];
}

}  // namespace

int main() {
  using asynprox::Runtime;
  bool found = true;
  for (const Runtime runtime : {Runtime::serial, Runtime::threads, Runtime::simulated}) {
    const double plain = slope(asynprox::AsynProxSgd{}, runtime);
    const double clipped = slope(ClippedSgd{.radius = 1}, runtime);
    std::printf("%-10s slope by asyn-prox-sgd %6.3f, clipped %6.3f   (the truth is 2)\n",
                std::string(name(runtime)).c_str(), plain, clipped);
    found = found && std::abs(clipped - 2) < 0.5 && std::abs(plain - 2) > 3;
  }
  return found ? 0 : 1;
}
