#include "asynprox/base/regular_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

namespace fs = std::filesystem;

class RegularFile : public testing::Test {
 protected:
  RegularFile() { fs::create_directories(folder_); }
  ~RegularFile() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string error_of(const std::string& name) const {
    try {
      open_regular_file(path(name));
    } catch (const DataError& error) {
      return error.what();
    }
    return "none";
  }

 private:
  const fs::path folder_ =
      fs::temp_directory_path() /
      ("asynprox-RegularFile-" +
       std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + "-" +
       std::to_string(::getpid()));
};

TEST_F(RegularFile, IsOpenedAlsoByALink) {
  std::ofstream(path("file")) << "some";
  fs::create_symlink(path("file"), path("link"));
  for (const char* name : {"file", "link"}) {
    const File file = open_regular_file(path(name));
    EXPECT_EQ(std::fgetc(file.get()), 's');
  }
}

TEST_F(RegularFile, IsNoPipeAndNobodyWaitsForOne) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of("pipe"), path("pipe") + ": expected an ordinary file, got a pipe");
}

TEST_F(RegularFile, IsNoFolderAndNoDevice) {
  EXPECT_EQ(error_of("."), path(".") + ": expected an ordinary file, got a folder");
  fs::create_symlink("/dev/null", path("null"));
  EXPECT_EQ(error_of("null"), path("null") + ": expected an ordinary file, got a device");
  EXPECT_EQ(error_of("absent"), path("absent") + ": No such file or directory");
}

}  // namespace
}  // namespace asynprox
