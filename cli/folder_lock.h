// One program at a time writes to a folder of results.
#pragma once

#include <string>

namespace asynprox::cli {

// A lock (flock) on the folder itself, so that no file of its own is left there. It ends with the
// object, or with the program however that ends.
class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Locks the folder `path`, which exists; a second call looks whether what is locked is still the
  // folder of that name, and locks that. Throws Error, naming `option`, if another program holds
  // it. File systems that know no such locks leave it unlocked.
  void lock(const std::string& option, const std::string& path);

  bool held() const { return held_; }

 private:
  void release();

  int descriptor_ = -1;
  bool held_ = false;
};

}  // namespace asynprox::cli
