// The ranks that mpirun has started, and what this one is among them. Rank 0 serves, rank r is worker
// r - 1.
#pragma once

#include <string>
#include <vector>

namespace asynprox::mpi {

class World {
 public:
  // Once per process; every rank makes one, together: they tell each other their hosts. Throws Error
  // where MPI cannot be begun.
  World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(hosts_.size()); }
  std::string name(int rank) const;  // "rank 3 (host node07)"

  // The end, which all ranks come to together. Whoever still waits for another rank after `deadline`
  // seconds ends this process, with `exit_code`.
  void finalize(double deadline, int exit_code) const;

  // Ends all ranks.
  [[noreturn]] static void abort(int exit_code);

 private:
  int rank_ = 0;
  std::vector<std::string> hosts_;
};

}  // namespace asynprox::mpi
