#include "asynprox/mpi/world.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "asynprox/base/errors.h"

namespace asynprox::mpi {
namespace {

constexpr std::size_t kHostBytes = 64;

using HostName = std::array<char, kHostBytes>;

HostName this_host() {
  HostName name = {};
  if (::gethostname(name.data(), name.size() - 1) != 0) name = {'?'};
  return name;
}

}  // namespace

World::World() {
  int level = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
    throw Error("MPI cannot be begun");
  if (level < MPI_THREAD_SERIALIZED)
    throw Error(
        "MPI: expected one that two threads may call in turns, got one for a single thread");
  // What fails is to be told in our words.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const HostName own = this_host();
  std::vector<HostName> all(static_cast<std::size_t>(size));
  if (MPI_Allgather(own.data(), kHostBytes, MPI_CHAR, all.data(), kHostBytes, MPI_CHAR,
                    MPI_COMM_WORLD) != MPI_SUCCESS)
    throw Error("MPI: the ranks could not tell each other their hosts");
  for (HostName& host : all) {
    host.back() = 0;
    hosts_.emplace_back(host.data());
  }
}

std::string World::name(int rank) const {
  return fmt::format("rank {} (host {})", rank, hosts_.at(static_cast<std::size_t>(rank)));
}

void World::finalize(double deadline, int exit_code) const {
  std::mutex mutex;
  std::condition_variable done;
  bool finalized = false;
  std::thread watchdog([&] {
    std::unique_lock lock(mutex);
    const std::chrono::duration<double> patience(deadline);
    if (!done.wait_for(lock, patience, [&] { return finalized; })) ::_exit(exit_code);
  });
  MPI_Finalize();
  {
    const std::lock_guard lock(mutex);
    finalized = true;
  }
  done.notify_one();
  watchdog.join();
}

void World::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  ::_exit(exit_code);
}

}  // namespace asynprox::mpi
