#include "asynprox/models/write_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

#include "asynprox/base/errors.h"
#include "asynprox/base/file_size_limit_testing.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string error_of(const std::string& path, std::string_view bytes) {
  try {
    write_whole_file(path, bytes);
  } catch (const ContractError& error) {
    return std::string("a contract error: ") + error.what();
  } catch (const DataError& error) {
    return std::string("a data error: ") + error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::ptrdiff_t num_files(const TemporaryFolder& folder) {
  return std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator());
}

TEST(WriteWholeFile, LeavesExactlyTheBytesAndNothingBeside) {
  const TemporaryFolder folder;
  const std::string large(3'000'000, '\x80');
  for (const std::string& bytes : {std::string(), std::string("a\0\n\r\n", 5), large}) {
    write_whole_file(folder.path("file"), bytes);
    EXPECT_EQ(bytes_of(folder.path("file")), bytes);
    EXPECT_EQ(num_files(folder), 1);
  }
}

TEST(WriteWholeFile, GivesAFileThePermissionsOfAnyOther) {
  const TemporaryFolder folder;
  write_whole_file(folder.path("ours"), "");
  EXPECT_EQ(fs::status(folder.path("ours")).permissions(),
            fs::status(folder.write("other", "")).permissions());
}

TEST(WriteWholeFile, KeepsALinkAndWritesWhatItLeadsTo) {
  const TemporaryFolder folder;
  fs::create_symlink(folder.write("file", "old"), folder.path("link"));
  write_whole_file(folder.path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.path("link")));
  EXPECT_EQ(bytes_of(folder.path("file")), "new");
}

TEST(WriteWholeFile, PassesByAFileThatIsInTheWay) {
  const TemporaryFolder folder;
  const std::string in_the_way =
      folder.write("file." + std::to_string(::getpid()) + "-0.tmp", "of somebody else");
  write_whole_file(folder.path("file"), "new");
  EXPECT_EQ(bytes_of(folder.path("file")), "new");
  EXPECT_EQ(bytes_of(in_the_way), "of somebody else");
}

TEST(WriteWholeFile, LeavesTheOldFileWhenThereIsNoRoomForTheNew) {
  const TemporaryFolder folder;
  const std::string path = folder.write("file", "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_EQ(error_of(path, std::string(5000, 'x')), path + ": cannot be written: File too large");
  }
  EXPECT_EQ(bytes_of(path), "old");
  EXPECT_EQ(num_files(folder), 1);
}

TEST(WriteWholeFile, WritesToADeviceInPlaceAndTellsThatItIsFull) {
  if (!fs::is_character_file("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  EXPECT_EQ(error_of("/dev/full", "some"), "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(WriteWholeFile, WritesToAPipeThatIsReadAndDoesNotWaitForAReader) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(error_of(path, "some"), path + ": cannot be written: nobody reads this pipe");
  const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(error_of(path, "some"), "no error");
  std::array<char, 8> bytes = {};
  EXPECT_EQ(::read(reader, bytes.data(), bytes.size()), 4);
  EXPECT_STREQ(bytes.data(), "some");
  ::close(reader);
}

TEST(WriteWholeFile, SaysWhyAFolderCannotBeWrittenIn) {
  const TemporaryFolder folder;
  const std::string absent = folder.path("no-such-folder/file");
  EXPECT_EQ(error_of(absent, ""), absent + ": cannot be written: No such file or directory");
  const std::string under_a_file = folder.write("file", "") + "/model.json";
  EXPECT_EQ(error_of(under_a_file, ""), under_a_file + ": cannot be written: Not a directory");
  EXPECT_EQ(error_of(folder.path(""), ""), folder.path("") + ": cannot be written: Is a directory");
}

TEST(WriteWholeFile, SaysThatAFolderIsNotForThisUser) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryFolder folder;
  fs::create_directory(folder.path("closed"));
  fs::permissions(folder.path("closed"), fs::perms::owner_read | fs::perms::owner_exec);
  const std::string path = folder.path("closed/file");
  EXPECT_EQ(error_of(path, ""), path + ": cannot be written: Permission denied");
}

}  // namespace
}  // namespace asynprox
