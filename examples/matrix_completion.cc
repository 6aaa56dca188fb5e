// Matrix completion: what would people give the films that they have not seen?
//
//   u = b0 + b_user + b_item + U_user'V_item        two numbers for each, found from known ratings
#include <asynprox/dataset.h>
#include <asynprox/factorization.h>
#include <asynprox/random.h>
#include <asynprox/solve.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

namespace {

// 150 people like either wit or action, as films have both; a third of them is rated. A file of
// yours is as simple: a line "user item rating" each, between tabs.
void write_some_ratings(const char* path) {
  const asynprox::Random random(1);
  std::ofstream file(path);
  for (std::uint64_t user = 0; user < 150; ++user)
    for (std::uint64_t film = 0; film < 80; ++film) {
      const std::uint64_t draw = 2 * (80 * user + film);
      if (random.uniform_at(draw) > 1.0 / 3) continue;
      const double taste = user % 2 == 0 ? 1 : -1, wit = static_cast<double>(film % 9) / 4 - 1;
      const double noise = random.uniform_at(draw + 1) - 0.5;
      file << "person" << user << "\tfilm" << film << '\t'
           << std::clamp(std::round(3 + 2 * taste * wit + noise), 1.0, 5.0) << '\n';
    }
}

double rmse(const asynprox::Vector& predicted, const asynprox::Vector& ratings) {
  double squares = 0;
  for (std::size_t i = 0; i < ratings.size(); ++i)
    squares += (predicted[i] - ratings[i]) * (predicted[i] - ratings[i]);
  return std::sqrt(squares / static_cast<double>(ratings.size()));
}

}  // namespace

int main() {
  write_some_ratings("ratings.tsv");
  const auto [train, test] =
      asynprox::split(asynprox::read_ratings("ratings.tsv"), /*test_share=*/0.2, /*seed=*/1);

  const asynprox::Factorization f(train, asynprox::SquaredLoss{}, /*rank=*/2);
  const asynprox::Result result =
      asynprox::solve(f, asynprox::SquaredL2{.lambda = 1e-3}, {.workers = 2});

  const asynprox::Vector constant(test.num_samples(), f.model().offset);
  const double error = rmse(f.model().scores(test.rows, result.x), test.labels);
  std::printf("%zu ratings held out: off by %.2f, and by %.2f if all were the mean\n",
              test.num_samples(), error, rmse(constant, test.labels));
  return error < 0.6 * rmse(constant, test.labels) ? 0 : 1;
}
