#include "asynprox/data/readers/input_stream.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

// Reads in pieces of an awkward size.
std::string all_of(InputStream& stream, std::size_t piece = 777) {
  std::string bytes, buffer(piece, '\0');
  while (const std::size_t count = stream.read(buffer)) bytes.append(buffer, 0, count);
  return bytes;
}

std::string error_of(const std::string& path) {
  try {
    InputStream stream(path);
    all_of(stream);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

// Hard to compress, so that a truncated file ends in the middle of the content.
std::string random_text(std::size_t size) {
  std::string text(size, ' ');
  for (std::size_t i = 0; i < size; ++i)
    text[i] = static_cast<char>('!' + Random(1).index_at(i, 90));
  return text;
}

TEST(InputStream, GivesBackWhatWasCompressedByEveryFilter) {
  const TemporaryFolder folder;
  for (const std::size_t size : {1ul, 5ul, 300'000ul}) {
    const std::string text = random_text(size);
    InputStream plain(folder.write("plain", text));
    EXPECT_EQ(all_of(plain), text);
    for (const char* filter : kFilters) {
      InputStream packed(folder.write(filter, compressed(text, filter)));
      EXPECT_EQ(all_of(packed), text) << filter;
    }
  }
}

TEST(InputStream, ReadsSeveralCompressedPartsAsOne) {
  const TemporaryFolder folder;
  for (const char* filter : kFilters) {
    InputStream stream(
        folder.write(filter, compressed("one\n", filter) + compressed("two\n", filter)));
    EXPECT_EQ(all_of(stream), "one\ntwo\n") << filter;
  }
}

TEST(InputStream, OfAnEmptyFileIsEmpty) {
  const TemporaryFolder folder;
  InputStream plain(folder.write("empty", ""));
  EXPECT_EQ(all_of(plain), "");
  EXPECT_EQ(plain.peek(2), "");
  for (const char* filter : kFilters) {
    InputStream packed(folder.write(filter, compressed("", filter)));
    EXPECT_EQ(all_of(packed), "") << filter;
  }
}

TEST(InputStream, PeeksWithoutTaking) {
  const TemporaryFolder folder;
  InputStream stream(folder.write("text", "abcdef"));
  EXPECT_EQ(stream.peek(2), "ab");
  EXPECT_EQ(stream.peek(4), "abcd");
  EXPECT_EQ(stream.peek(1), "a");
  EXPECT_EQ(all_of(stream, 3), "abcdef");
  EXPECT_EQ(stream.peek(1), "");
}

TEST(InputStream, NoticesTruncationAtEveryPlaceAndWithEveryFilter) {
  const TemporaryFolder folder;
  const std::string text = random_text(400);
  for (const char* filter : kFilters) {
    const std::string packed = compressed(text, filter);
    // A shorter file cannot be told from text, whose reader then refuses it.
    for (std::size_t size = 14; size < packed.size(); ++size) {
      const std::string error = error_of(folder.write("cut", packed.substr(0, size)));
      EXPECT_TRUE(
          error.starts_with(folder.path("cut") + ": cannot be unpacked, damaged or cut short ("))
          << filter << " cut to " << size << " of " << packed.size() << ": " << error;
    }
  }
}

TEST(InputStream, GivesEveryByteBeforeTheDamage) {
  const TemporaryFolder folder;
  const std::string text = random_text(1'500'000);  // bzip2 unpacks 900 kB at once
  for (const char* filter : kFilters) {
    const std::string packed = compressed(text, filter);
    const std::string path = folder.write("cut", packed.substr(0, packed.size() - 1000));
    std::size_t counts[2] = {0, 0};
    const std::size_t pieces[2] = {777, 100'000};
    for (int k : {0, 1}) {
      InputStream stream(path);
      std::string buffer(pieces[k], '\0');
      EXPECT_THROW(while (const std::size_t count = stream.read(buffer)) counts[k] += count,
                   DataError);
      EXPECT_THROW(stream.read(buffer), DataError) << "damage stays";
    }
    EXPECT_EQ(counts[0], counts[1]) << filter;
  }
}

TEST(InputStream, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of(folder.path("absent")), folder.path("absent") + ": no such file");
  EXPECT_EQ(error_of(folder.path("")), folder.path("") + ": expected a file, got a directory");
  EXPECT_EQ(error_of(""), ": no such file");
  const std::string locked = folder.write("locked", "1");
  std::filesystem::permissions(locked, std::filesystem::perms::none);
  if (access(locked.c_str(), R_OK) != 0) {
    EXPECT_EQ(error_of(locked), locked + ": cannot be read: Permission denied");
  }
}

TEST(InputStream, ReadsStandardInput) {
  const TemporaryFolder folder;
  const std::string path = folder.write("packed", compressed("1 2:3\n", "xz"));
  // A child, because standard input belongs to the process.
  EXPECT_EXIT(
      {
        if (!std::freopen(path.c_str(), "rb", stdin)) std::_Exit(2);
        InputStream stream("-");
        std::_Exit(stream.name() == "standard input" && all_of(stream) == "1 2:3\n" ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace asynprox
