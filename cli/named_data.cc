#include "cli/named_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "asynprox/base/errors.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<NamedData, 9> kAll = {{
    {.name = "a9a",
     .about = "incomes, 32,561 x 123, two labels",
     .address = "binary/a9a",
     .sha256 = "f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906",
     .bytes_max = 2329875},
    {.name = "a9a.t",
     .about = "its test set, 16,281 x 122 (--dimension 123)",
     .address = "binary/a9a.t",
     .sha256 = "1f448a153f0320399a7e40836eb207655b0bde0f21fc941cc472193daa9f5de9",
     .bytes_max = 1164628},
    {.name = "mushrooms",
     .about = "which are poisonous, 8,124 x 112, labels 1 and 2",
     .address = "binary/mushrooms",
     .sha256 = "f39a4eb628dc61a7d43760815b061c9e497aa728ce1ad8bde57a09ef6043b538",
     .bytes_max = 879712},
    {.name = "mnist",
     .about = "digits, 60,000 x 780, ten labels",
     .address = "multiclass/mnist.bz2",
     .sha256 = "c42b75fcb54dda11d97af9bd6e3950b41c93b4f44eeb9608aa115f79a5979e88"},
    {.name = "mnist.t",
     .about = "its test set, 10,000 x 778 (--dimension 780)",
     .address = "multiclass/mnist.t.bz2",
     .sha256 = "31ffc3cfb1824d0994d57172bb8ca68882e578859e1ee1bd9fc1f2f15bfd06a2"},
    {.name = "rcv1",
     .about = "news stories, 20,242 x 47,236, two labels",
     .address = "binary/rcv1_train.binary.bz2"},
    {.name = "news20",
     .about = "newsgroups, 19,996 x 1,355,191, two labels",
     .address = "binary/news20.binary.bz2"},
    {.name = "fashion-mnist",
     .about = "clothes, 60,000 pictures of 28 x 28, ten labels",
     .address = {},
     .installed = "/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz"},
    {.name = "fashion-mnist.t",
     .about = "its test set, 10,000 pictures",
     .address = {},
     .installed = "/usr/share/datasets/fashion-mnist/t10k-images-idx3-ubyte.gz"},
}};

std::string path_in(const std::string& folder, const NamedData& data) {
  return data.installed.empty() ? (fs::path(folder) / data.file_name()).string()
                                : std::string(data.installed);
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// The value of an environment variable that is an absolute path; else empty.
fs::path path_variable(const char* variable) {
  const char* const value = std::getenv(variable);
  const fs::path path = value ? value : "";
  return path.is_absolute() ? path : fs::path();
}

}  // namespace

std::string NamedData::file_name() const { return fs::path(address).filename().string(); }

std::string NamedData::unpacked_name() const {
  std::string file = file_name();
  if (file.ends_with(".bz2")) file.resize(file.size() - 4);
  return file;
}

const NamedData* named_data(std::string_view name) {
  const auto* const found = std::ranges::find(kAll, name, &NamedData::name);
  return found == kAll.end() ? nullptr : found;
}

std::vector<std::string> data_names() {
  std::vector<std::string> names;
  names.reserve(kAll.size());
  for (const NamedData& data : kAll) names.emplace_back(data.name);
  return names;
}

std::string data_list(const std::string& folder) {
  std::string text;
  for (const NamedData& data : kAll) {
    const std::string path = path_in(folder, data);
    text += fmt::format("{:<16} {:<50} {}\n", data.name, data.about,
                        is_there(path) ? path : "not here");
  }
  return text;
}

std::string data_folder() {
  if (const fs::path data_home = path_variable("XDG_DATA_HOME"); !data_home.empty())
    return (data_home / "asynprox").string();
  const fs::path home = path_variable("HOME");
  require(!home.empty(), "--out: expected a folder, for neither XDG_DATA_HOME nor HOME is set");
  return (home / ".local" / "share" / "asynprox").string();
}

std::string data_path(const std::string& typed) {
  const NamedData* const data = named_data(typed);
  if (!data || is_there(typed)) return typed;
  const std::string path =
      data->installed.empty() ? path_in(data_folder(), *data) : std::string(data->installed);
  if (is_there(path)) return path;
  if (!data->installed.empty())
    throw DataError(fmt::format("{}: not here: install the Debian package {}, which has {}", typed,
                                kFashionPackage, path));
  throw DataError(
      fmt::format("{}: not here yet: 'asynprox data fetch {}' fetches it", typed, typed));
}

}  // namespace asynprox::cli
