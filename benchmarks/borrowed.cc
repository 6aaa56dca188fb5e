// The engine on arrays as NumPy writes them, without Python: what python/benchmarks/overhead.py
// compares a call of ap.minimize with.
//
//   bench_borrowed FOLDER COLUMNS RUNS
//
// FOLDER has indptr and indices (int32), data and labels (float64) as raw numbers. Prints median
// milliseconds, of wall and of processor time, of a run with the defaults of the library and
// l1:1e-3 on one worker: the first line with 0 steps, the second to the tolerance.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/data/borrow.h"
#include "asynprox/fit/fit_problem.h"

namespace {

using namespace asynprox;

template <class Number>
std::vector<Number> read_raw(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw Error(path + ": cannot be read");
  std::vector<Number> numbers(static_cast<std::size_t>(file.tellg()) / sizeof(Number));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(numbers.data()),
            static_cast<std::streamsize>(numbers.size() * sizeof(Number)));
  return numbers;
}

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

// Of wall and of processor time; the second says more where others use the machine, too.
void print_medians(int runs, const auto& work) {
  std::vector<double> wall, processor;
  for (int k = 0; k < runs; ++k) {
    const auto began = std::chrono::steady_clock::now();
    const std::clock_t ticks = std::clock();
    work();
    processor.push_back(1e3 * static_cast<double>(std::clock() - ticks) / CLOCKS_PER_SEC);
    wall.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began)
            .count());
  }
  fmt::print("{:.3f} {:.3f}\n", median(wall), median(processor));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "bench_borrowed: expected FOLDER COLUMNS RUNS\n");
    return 2;
  }
  const std::string folder = argv[1];
  const auto offsets = read_raw<std::int32_t>(folder + "/indptr");
  const auto columns = read_raw<std::int32_t>(folder + "/indices");
  const auto values = read_raw<double>(folder + "/data");
  const auto labels = read_raw<double>(folder + "/labels");
  const BorrowedCsr matrix = {.num_columns = std::strtoull(argv[2], nullptr, 10),
                              .offsets = std::span(offsets),
                              .columns = std::span(columns),
                              .values = std::span(values)};
  const auto run = [&](std::optional<std::int64_t> steps) {
    ProblemSpec spec;
    spec.regularizer = "l1:1e-3";
    Options options = {.workers = 1};
    options.stop.steps = steps;
    const FitProblem problem = make_fit_problem(spec, borrow_csr(matrix, labels), {});
    const Result result = solve(problem, options);
    return fitted_model(problem, result.x, result.intercept).x.size();
  };
  const int runs = std::atoi(argv[3]);
  print_medians(runs, [&] { run(0); });
  print_medians(runs, [&] { run(std::nullopt); });
}
