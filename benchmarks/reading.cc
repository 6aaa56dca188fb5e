// How fast data is read: bench_reading TEXT BINARY, the same data as LIBSVM text and in the binary
// form (asynprox data convert TEXT BINARY).
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <string>

#include "asynprox/data/dataset.h"

#include "benchmarks/measure.h"

namespace {

using namespace asynprox;

int measure(const std::string& text, const std::string& binary) {
  const double megabytes = static_cast<double>(std::filesystem::file_size(text)) / 1e6;
  const auto best =
      benchmarks::best_seconds({[&] { read_dataset(text, {.threads = 1}); },
                                [&] { read_dataset(text); }, [&] { read_dataset(binary); }},
                               /*turns=*/9);
  fmt::print("text, one thread     {:8.1f} MB/s\n", megabytes / best[0]);
  fmt::print("text, every core     {:8.1f} MB/s\n", megabytes / best[1]);
  fmt::print("binary, opened in    {:8.3f} ms, {:.3g} % of the text\n", 1e3 * best[2],
             100 * best[2] / best[1]);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3) return measure(argv[1], argv[2]);
    fmt::print(stderr, "bench_reading TEXT BINARY\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_reading: {}\n", error.what());
    return 1;
  }
}
