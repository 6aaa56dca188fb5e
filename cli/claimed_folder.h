// --out: a folder that one run at a time writes to.
#pragma once

#include <string>
#include <string_view>

#include "cli/folder_lock.h"

namespace asynprox::cli {

// All throw Error, "--out: <path>: <reason>", where the folder cannot be looked up, made or read.
class ClaimedFolder {
 public:
  // Looks whether the folder is ours to write to, locks it if it exists, and changes nothing.
  // ContractError for a file, and for a folder with something in it unless `force`.
  ClaimedFolder(std::string path, bool force);

  // Makes the folder, locks it, and looks once more.
  void claim();

  // Removes what runs that were killed while they wrote have left: files with a provisional name
  // (base/new_file.h) of a file that `is_ours`. Nothing, where the folder could not be locked.
  void remove_leftovers(bool (*is_ours)(std::string_view name)) const;

  const std::string& path() const { return path_; }

 private:
  void require_no_dangling_link() const;
  void require_empty_or_force() const;

  std::string path_;
  bool force_;
  FolderLock lock_;
};

}  // namespace asynprox::cli
