// For tests: a folder of files that goes away with the test.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace asynprox {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("asynprox-") + test->test_suite_name() + "-" + test->name() + "-" +
               std::to_string(getpid()) + "-" + std::to_string(number_++));
    std::filesystem::create_directories(folder_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path(std::string_view name) const { return (folder_ / name).string(); }

  // The path of a new file of these bytes.
  std::string write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

 private:
  static inline int number_ = 0;  // a test may have several
  std::filesystem::path folder_;
};

// `filter` is libarchive's: "gzip", "bzip2", "xz" or "zstd".
inline std::string compressed(std::string_view bytes, const char* filter) {
  std::string packed(bytes.size() + 100'000, '\0');
  std::size_t used = 0;
  archive* const writer = archive_write_new();
  archive_write_add_filter_by_name(writer, filter);
  archive_write_set_format_raw(writer);
  archive_write_set_bytes_in_last_block(writer, 1);  // no padding
  archive_write_open_memory(writer, packed.data(), packed.size(), &used);
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_write_header(writer, entry);
  archive_write_data(writer, bytes.data(), bytes.size());
  archive_entry_free(entry);
  const int closed = archive_write_close(writer);
  archive_write_free(writer);
  EXPECT_EQ(closed, ARCHIVE_OK) << filter;
  packed.resize(used);
  return packed;
}

inline constexpr const char* kFilters[] = {"gzip", "bzip2", "xz", "zstd"};

}  // namespace asynprox
