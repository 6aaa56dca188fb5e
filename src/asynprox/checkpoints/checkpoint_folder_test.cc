#include "asynprox/checkpoints/checkpoint_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "asynprox/base/errors.h"
#include "asynprox/base/file_size_limit_testing.h"
#include "asynprox/base/random.h"
#include "asynprox/checkpoints/checkpoints_testing.h"

namespace asynprox {
namespace {

namespace fs = std::filesystem;

class CheckpointFolderTest : public testing::Test {
 protected:
  CheckpointFolderTest() : folder_(testing::TempDir() + "checkpoints-" + test_name()) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CheckpointFolderTest() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ + "/" + name; }

  // Saves checkpoints of generation 0, 1, ...
  void save(int count) {
    CheckpointFolder files(folder_);
    for (int i = 0; i < count; ++i) {
      Checkpoint checkpoint = small_checkpoint(0);
      checkpoint.state.steps = 100 + i;
      files.save(checkpoint);
    }
  }

  static std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  const std::string folder_;

 private:
  static std::string test_name() {
    return testing::UnitTest::GetInstance()->current_test_info()->name();
  }
};

TEST_F(CheckpointFolderTest, KeepsTheTwoNewest) {
  save(5);
  EXPECT_EQ(read_checkpoint(path("checkpoint.0")).generation, 4U);
  EXPECT_EQ(read_checkpoint(path("checkpoint.1")).generation, 3U);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
  const FoundCheckpoint newest = newest_checkpoint(folder_);
  EXPECT_EQ(newest.path, path("checkpoint.0"));
  EXPECT_EQ(newest.checkpoint.state.steps, 104);
  EXPECT_EQ(newest.damaged, "");
}

TEST_F(CheckpointFolderTest, GoesOnCountingGenerations) {
  save(3);
  Checkpoint checkpoint = small_checkpoint(0);
  CheckpointFolder(folder_, newest_checkpoint(folder_).checkpoint.generation + 1).save(checkpoint);
  EXPECT_EQ(newest_checkpoint(folder_).checkpoint.generation, 3U);
  EXPECT_EQ(read_checkpoint(path("checkpoint.0")).generation, 2U);
}

// Every truncation, and 2,000 random bits: the older one is taken, and it is said why.
TEST_F(CheckpointFolderTest, TakesTheOlderOneWhereTheNewestIsDamaged) {
  save(2);
  const std::string newest = path("checkpoint.1"), whole = bytes_of(newest);
  const auto expect_older = [&](const std::string& bytes) {
    write(newest, bytes);
    const FoundCheckpoint found = newest_checkpoint(folder_);
    EXPECT_EQ(found.checkpoint.state.steps, 100);
    EXPECT_EQ(found.damaged.find(newest + ": "), 0U) << found.damaged;
  };
  for (std::size_t size = 0; size < whole.size(); ++size) expect_older(whole.substr(0, size));
  const Random random(3);
  for (int flip = 0; flip < 2000; ++flip) {
    const auto bit = random.index_at(flip, 8 * whole.size());
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    expect_older(bytes);
  }
}

TEST_F(CheckpointFolderTest, SaysWhyNoneCanBeUsed) {
  EXPECT_THROW(newest_checkpoint(folder_), DataError);
  save(2);
  for (const char* name : kCheckpointFiles) write(path(name), "x");
  try {
    newest_checkpoint(folder_);
    ADD_FAILURE();
  } catch (const DataError& error) {
    const std::string what = error.what();
    for (const char* name : kCheckpointFiles)
      EXPECT_NE(what.find(path(name) + ": expected a checkpoint"), std::string::npos) << what;
  }
}

TEST_F(CheckpointFolderTest, LeavesBothWhereTheDiskIsFull) {
  save(2);
  const std::string older = bytes_of(path("checkpoint.0")), newer = bytes_of(path("checkpoint.1"));
  {
    const FileSizeLimit full(64);
    Checkpoint checkpoint = small_checkpoint(0);
    try {
      CheckpointFolder(folder_, 2).save(checkpoint);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(path("checkpoint.0") + ": cannot be written: "), 0U)
          << error.what();
    }
  }
  EXPECT_EQ(bytes_of(path("checkpoint.0")), older);
  EXPECT_EQ(bytes_of(path("checkpoint.1")), newer);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

TEST_F(CheckpointFolderTest, RemovesThem) {
  save(2);
  remove_checkpoints(folder_);
  EXPECT_TRUE(fs::is_empty(folder_));
}

}  // namespace
}  // namespace asynprox
