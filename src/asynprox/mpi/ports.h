// The two ends of a run over MPI, as transports/ has them.
#pragma once

#include <vector>

#include "asynprox/mpi/mail.h"
#include "asynprox/transports/port.h"

namespace asynprox::mpi {

class RankZeroPort final : public ServerPort {
 public:
  explicit RankZeroPort(Mail& mail);

  std::string name(int worker) const override { return mail_.world().name(worker + 1); }
  std::optional<Letter> receive() override;
  void send(int worker, std::vector<std::byte>& frame) override { mail_.send(worker + 1, frame); }
  std::optional<Loss> lost() override;

 private:
  Mail& mail_;
  std::vector<bool> reported_;  // by worker: as lost
};

class WorkerRankPort final : public WorkerPort {
 public:
  explicit WorkerRankPort(Mail& mail) : mail_(mail) {}

  std::span<const std::byte> receive(const char* awaited) override;
  void send(std::vector<std::byte>& frame) override { mail_.send(/*rank=*/0, frame); }

 private:
  Mail& mail_;
};

}  // namespace asynprox::mpi
