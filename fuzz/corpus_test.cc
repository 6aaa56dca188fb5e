// Every input of fuzz/corpus through its target, in the builds that all tests run in: what fuzzing
// found stays found.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz/targets.h"

namespace asynprox::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> inputs_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

std::string bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class FuzzCorpus : public ::testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, EveryInputIsReadOrRefused) {
  const std::vector<fs::path> paths = inputs_of(fs::path(FUZZ_CORPUS) / GetParam().name);
  EXPECT_FALSE(paths.empty());
  for (const fs::path& path : paths) {
    SCOPED_TRACE(path);
    const std::string bytes = bytes_of(path);
    EXPECT_NO_THROW(GetParam().run(std::as_bytes(std::span(bytes))));
  }
}

// Cut short anywhere and with single bytes changed, they are read or refused too.
TEST_P(FuzzCorpus, DamagedInputsAreReadOrRefused) {
  constexpr std::size_t kBytesMax = 4096, kPlaces = 64;
  for (const fs::path& path : inputs_of(fs::path(FUZZ_CORPUS) / GetParam().name)) {
    SCOPED_TRACE(path);
    std::string bytes = bytes_of(path);
    if (bytes.size() > kBytesMax) continue;
    for (std::size_t place = 0; place < std::min(kPlaces, bytes.size()); ++place) {
      const std::size_t at = place * bytes.size() / std::min(kPlaces, bytes.size());
      EXPECT_NO_THROW(GetParam().run(std::as_bytes(std::span(bytes).first(at))));
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (place % 8)));
      EXPECT_NO_THROW(GetParam().run(std::as_bytes(std::span(bytes))));
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (place % 8)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, FuzzCorpus, ::testing::ValuesIn(kTargets),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(FuzzCorpusFolder, HasATargetForEachOfItsFolders) {
  for (const fs::path& path : inputs_of(FUZZ_CORPUS))
    EXPECT_TRUE(std::ranges::any_of(kTargets, [&](const Target& target) {
      return path.filename() == target.name;
    })) << path;
}

}  // namespace
}  // namespace asynprox::fuzz
