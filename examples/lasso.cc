// The lasso: least squares that find the two features of ten that made the labels.
#include <asynprox/methods.h>
#include <asynprox/random.h>
#include <asynprox/solve.h>

#include <cstdio>

namespace {

constexpr std::size_t kSamples = 200, kFeatures = 10;

// y = 3 z_2 - 2 z_7 + a little noise, counting from 0.
asynprox::Dataset data_of_two_features() {
  const asynprox::Random random(1);
  std::uint64_t draw = 0;
  const auto uniform = [&] { return 2 * random.uniform_at(draw++) - 1; };
  asynprox::CsrMatrix matrix{.num_columns = kFeatures};
  asynprox::Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (std::size_t j = 0; j < kFeatures; ++j) {
      matrix.columns.push_back(static_cast<asynprox::Key>(j));
      matrix.values.push_back(uniform());
    }
    const double* z = &matrix.values[i * kFeatures];
    data.labels.push_back(3 * z[2] - 2 * z[7] + 0.1 * uniform());
    matrix.offsets.push_back(matrix.columns.size());
  }
  data.rows = asynprox::Rows::narrowed(matrix);
  return data;
}

}  // namespace

int main() {
  const asynprox::Dataset data = data_of_two_features();
  // fista finds the exact support; it looks at all samples in every step.
  const asynprox::Result result =
      asynprox::solve(data, asynprox::SquaredLoss{}, asynprox::L1{.lambda = 0.1},
                      {.method = asynprox::Fista{}, .stop = {.steps = 200}});
  for (std::size_t j = 0; j < result.x.size(); ++j)
    std::printf("feature %zu  %8.4f\n", j, result.x[j]);
  return result.nonzeros == 2 && result.x[2] > 2 && result.x[7] < -1 ? 0 : 1;
}
