// Where the bound that the paper prints fails: two samples in one dimension.
//
//   F = x^2/2 + x  or  x^2/2 - x,    h = 0.1 |x|,    N = 1, no delay, the step of the corollary
//
// As K grows the printed bound goes to zero, and the mean of |P|^2 at the run's own step, which it
// is about, does not. The corrected bound holds. |P|^2 at the fixed step 1/L falls. Prints the
// table of docs/theory.md, writes its picture if a file is named, and ends with 0 if all that is
// so.
#include <asynprox/charts.h>
#include <asynprox/methods.h>
#include <asynprox/solve.h>
#include <asynprox/step_sizes.h>

#include <cmath>
#include <cstdio>
#include <fstream>

namespace {

// Up to a constant, squared loss of the labels -1 and +1.
asynprox::Dataset two_samples() {
  asynprox::Dataset data;
  data.rows = asynprox::Rows::narrowed(
      {.num_columns = 1, .offsets = {0, 1, 2}, .columns = {0, 0}, .values = {1, 1}});
  data.labels = {-1, 1};
  return data;
}

asynprox::Result run(std::int64_t K) {
  return asynprox::solve(two_samples(), asynprox::SquaredLoss{}, asynprox::L1{.lambda = 0.1},
                         {.method = asynprox::AsynProxSgd{},
                          .step = asynprox::TheoryStep{.gap = 0.00105, .sigma2 = 1},
                          .workers = 1,
                          .batch_size = 1,
                          .staleness_max = 0,
                          .stop = {.steps = K},
                          .trace_every = 1,
                          .runtime = asynprox::Runtime::serial,
                          .x0 = asynprox::Vector{0.01}});
}

// The mean of |P|^2 at 1/L over the second half of the run.
double at_reference_step(const asynprox::Trace& trace) {
  double sum = 0;
  const std::size_t first = trace.size() / 2;
  for (std::size_t k = first; k < trace.size(); ++k) sum += std::pow(trace[k].gradient_mapping, 2);
  return sum / static_cast<double>(trace.size() - first);
}

asynprox::LineChart empty_chart() {
  return {.title = "Two samples: a bound that fails, and one that holds",
          .x_label = "steps K of the run",
          .y_label = "|P|^2",
          .x_scale = asynprox::Scale::log,
          .y_scale = asynprox::Scale::log,
          .series = {{.name = "bound, corrected", .markers = true},
                     {.name = "mean of |P|^2 at the run's step", .markers = true},
                     {.name = "bound, printed", .markers = true},
                     {.name = "|P|^2 at 1/L", .markers = true}}};
}

}  // namespace

int main(int argc, char** argv) {
  asynprox::LineChart chart = empty_chart();
  std::printf(
      "| K | step | mean of \\|P\\|^2 at that step | bound, printed | corrected |"
      " \\|P\\|^2 at 1/L |\n|---|---|---|---|---|---|\n");
  bool as_told = true;
  double before = 1;
  for (const std::int64_t K : {4000, 40000, 400000}) {
    const asynprox::Result result = run(K);
    const asynprox::ErgodicBound& bound = *result.theory.ergodic_bound;
    const double reference = at_reference_step(result.trace);
    std::printf("| %ld | %.1e | %.1e | %.1e | %.1f | %.1e |\n", static_cast<long>(K),
                result.theory.corollary->step, *bound.measured, bound.printed, bound.corrected,
                reference);
    const double curves[] = {bound.corrected, *bound.measured, bound.printed, reference};
    for (std::size_t i = 0; i < chart.series.size(); ++i)
      chart.series[i].points.push_back({static_cast<double>(K), curves[i]});
    as_told = as_told && *bound.measured > 9e-3 && *bound.measured < bound.corrected &&
              reference < 0.2 * before && (K < 400000 || *bound.measured > 4 * bound.printed);
    before = reference;
  }
  if (argc > 1) std::ofstream(argv[1]) << asynprox::svg(chart);
  return as_told ? 0 : 1;
}
