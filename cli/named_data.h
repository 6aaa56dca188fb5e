// The public data sets that have a name here, and where they are kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace asynprox::cli {

struct NamedData {
  std::string_view name;
  std::string_view about;
  // Below the address of the LIBSVM data sets; empty for what is installed with a Debian package.
  std::string_view address;
  std::string_view installed = {};
  // SHA-256 of the file as it is unpacked; empty where we know none: then that of the first
  // download is kept beside the file, and later ones are compared with it.
  std::string_view sha256 = {};

  // The size of the file, where it is known, or else more than it will be: no more is downloaded.
  std::uint64_t bytes_max = std::uint64_t{256} << 20;

  std::string file_name() const;      // as it is kept: "mnist.bz2"
  std::string unpacked_name() const;  // "mnist"
};

inline constexpr std::string_view kDataAddress =
    "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/";
inline constexpr std::string_view kFashionPackage = "dataset-fashion-mnist";

// The one of this name, if there is one.
const NamedData* named_data(std::string_view name);
std::vector<std::string> data_names();

// For each of them its name, what it is, and its file if it is here.
std::string data_list(const std::string& folder);

// $XDG_DATA_HOME/asynprox, else ~/.local/share/asynprox. ContractError if neither is known.
std::string data_folder();

// What a user means by DATA: a path that exists, or anything that is no name of ours, stays as it
// is; a name becomes the path of its file. DataError, saying what to do, if that is not there.
std::string data_path(const std::string& typed);

}  // namespace asynprox::cli
