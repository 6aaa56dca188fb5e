// How fast data is read: LIBSVM text, and the same data in the binary form, which is mapped.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "asynprox/data/binary/binary_file.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/readers/input_stream.h"

#include "benchmarks/measure.h"
#include "benchmarks/report.h"

namespace asynprox::benchmarks {
namespace {

namespace fs = std::filesystem;

// A folder of our own that goes when we go.
class ScratchFolder {
 public:
  ScratchFolder() { fs::create_directories(path_); }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_ = fs::temp_directory_path() / "asynprox-bench-reading";
};

void unpack(const std::string& from, const std::string& to) {
  InputStream stream(from);
  std::ofstream file(to, std::ios::binary);
  std::vector<char> buffer(1 << 20);
  while (const std::size_t bytes = stream.read(buffer))
    file.write(buffer.data(), static_cast<std::streamsize>(bytes));
}

void measure(const Arguments& arguments, Report& report) {
  const ScratchFolder folder;
  report.begin({"reading",
                "LIBSVM text, unpacked and in the page cache; the binary form is opened, which "
                "maps it and checks its header.",
                {"data", "MB of text", "MB/s, one thread", "MB/s, every core", "ms to open binary",
                 "% of reading the text"}});
  for (const std::string name : {"a9a", "mnist"}) {
    const std::string text = folder.file(name), binary = folder.file(name + ".axp");
    unpack((fs::path(arguments.data_folder) / (name + ".xz")).string(), text);
    write_binary_file(read_dataset(text), binary);
    const std::vector<double> seconds =
        best_seconds({[&] { read_dataset(text, {.threads = 1}); }, [&] { read_dataset(text); },
                      [&] { read_dataset(binary); }},
                     arguments.turns);
    const double megabytes = static_cast<double>(fs::file_size(text)) / 1e6;
    report.add({name, megabytes, megabytes / seconds[0], megabytes / seconds[1], 1e3 * seconds[2],
                100 * seconds[2] / seconds[1]});
  }
}

}  // namespace
}  // namespace asynprox::benchmarks

int main(int argc, char** argv) {
  return asynprox::benchmarks::run_program(argc, argv, "Reading data",
                                           asynprox::benchmarks::measure);
}
