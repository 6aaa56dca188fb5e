// Several classes on wide data: a pass over nonzeros and classes as a textbook writes it, a pass of ours,
// and an epoch of a run with the defaults.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/methods.h"
#include "asynprox/solve.h"
#include "asynprox/sums/linear_sum.h"

#include "benchmarks/measure.h"
#include "benchmarks/report.h"

namespace asynprox::benchmarks {
namespace {

// Rows of Zipf columns, a class by the largest of C planted scores, as text of newsgroups has it.
Dataset generated(std::size_t num_classes) {
  Dataset data = read_dataset("generate:sparse-logistic:n=16000,d=62000,nonzeros=80,columns=zipf");
  const Random random(5);
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    Vector scores(num_classes, 0);
    for (const auto& [column, value] : data.rows.row(i))
      scores[random.index_at(column, num_classes)] += value;
    data.labels[i] = static_cast<double>(std::ranges::max_element(scores) - scores.begin());
  }
  return data;
}

// Rows as arrays of entries; C coefficients per feature, side by side.
class PlainPass {
 public:
  PlainPass(const Dataset& data, std::size_t num_classes)
      : C_(num_classes), labels_(data.labels), x_(data.rows.num_columns() * C_, 1e-3), g_(x_) {
    for (std::size_t i = 0; i < data.num_samples(); ++i) rows_.push_back(data.rows.row(i));
  }

  double take() {
    double total = 0;
    Vector u(C_);
    std::ranges::fill(g_, 0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      std::ranges::fill(u, 0);
      for (const auto& [column, value] : rows_[i])
        for (std::size_t c = 0; c < C_; ++c) u[c] += value * x_[column * C_ + c];
      const auto label = static_cast<std::size_t>(labels_[i]);
      const double most = *std::ranges::max_element(u), own = u[label];
      double sum = 0;
      for (double& u_c : u) sum += u_c = std::exp(u_c - most);
      total += std::log(sum) + most - own;
      for (double& u_c : u) u_c /= sum;
      u[label] -= 1;
      for (const auto& [column, value] : rows_[i])
        for (std::size_t c = 0; c < C_; ++c) g_[column * C_ + c] += value * u[c];
    }
    return total;
  }

 private:
  std::size_t C_;
  Vector labels_, x_, g_;
  std::vector<std::vector<RowEntry>> rows_;
};

double epoch_seconds(const Dataset& data) {
  const Result result = solve(data, MultinomialLoss{}, L1{.lambda = 1e-4},
                              {.method = AsynProxSaga{}, .workers = 1, .stop = {.epochs = 6}});
  return result.seconds / result.epochs;
}

void measure(const Arguments& arguments, Report& report) {
  report.begin(
      {"classes",
       "16,000 generated rows of 80 nonzeros on average, 62,000 features, multinomial loss. "
       "An epoch is one of asyn-prox-saga with one worker, l1, the rest as by default.",
       {"classes", "plain pass, ms", "our pass, ms", "epoch, ms", "epoch to plain pass"}});
  for (const std::size_t num_classes : {5, 20, 50}) {
    const Dataset data = generated(num_classes);
    PlainPass plain(data, num_classes);
    const AnyFiniteSum f =
        LinearSum(data, data.labels, MultinomialLoss{}, {.outputs = num_classes});
    const Vector x(f.dimension(), 1e-3);
    Vector g(x.size());
    const std::vector<SampleIndex> all = all_samples(data.num_samples());
    double epoch = 1e9, total = 0;
    const std::vector<double> seconds = best_seconds({[&] { total += plain.take(); },
                                                      [&] {
                                                        std::ranges::fill(g, 0);
                                                        total += f.value_and_gradient(x, all, g);
                                                      }},
                                                     arguments.turns);
    for (int turn = 0; turn < arguments.turns; ++turn) epoch = std::min(epoch, epoch_seconds(data));
    report.add({fmt::format("{}", num_classes), 1e3 * seconds[0], 1e3 * seconds[1], 1e3 * epoch,
                std::isfinite(total) ? epoch / seconds[0] : 0});
  }
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  return asynprox::benchmarks::run_program(argc, argv, "Several classes on wide data",
                                           asynprox::benchmarks::measure);
}
