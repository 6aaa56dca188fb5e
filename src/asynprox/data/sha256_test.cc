#include "asynprox/data/sha256.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/data/temporary_folder_testing.h"

namespace asynprox {
namespace {

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.finish();
}

// The examples of the standard.
TEST(Sha256, GivesTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  const std::string text(300, 'x');
  for (std::size_t piece = 1; piece <= 130; ++piece) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += piece)
      hash.add(std::string_view(text).substr(at, piece));
    EXPECT_EQ(hash.finish(), sha256(text)) << piece;
  }
}

TEST(Sha256, OfAFileIsOfWhatIsPackedInIt) {
  const TemporaryFolder folder;
  const std::string text(200'000, 'y');
  EXPECT_EQ(sha256_of_unpacked(folder.write("plain", text)), sha256(text));
  EXPECT_EQ(sha256_of_unpacked(folder.write("packed", compressed(text, "bzip2"))), sha256(text));
}

TEST(Sha256, OfAFileThatUnpacksToMoreThanItMayIsRefused) {
  const TemporaryFolder folder;
  const std::string text(200'000, 'y');
  const std::string path = folder.write("packed", compressed(text, "bzip2"));
  EXPECT_EQ(sha256_of_unpacked(path, text.size()), sha256(text));
  EXPECT_THROW(sha256_of_unpacked(path, text.size() - 1), DataError);
}

}  // namespace
}  // namespace asynprox
