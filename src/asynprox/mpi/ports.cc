#include "asynprox/mpi/ports.h"

#include <fmt/format.h>

namespace asynprox::mpi {
namespace {

// A server looks at its limits of time as often as that.
constexpr double kServerWaitSeconds = 1e-3;
constexpr double kWorkerWaitSeconds = 0.05;

}  // namespace

RankZeroPort::RankZeroPort(Mail& mail)
    : mail_(mail), reported_(static_cast<std::size_t>(mail.world().size() - 1)) {}

std::optional<ServerPort::Letter> RankZeroPort::receive() {
  const auto letter = mail_.receive(kServerWaitSeconds);
  if (!letter) return std::nullopt;
  const int worker = letter->rank - 1;
  reported_[static_cast<std::size_t>(worker)] = false;
  return Letter{worker, letter->frame};
}

std::optional<ServerPort::Loss> RankZeroPort::lost() {
  for (std::size_t worker = 0; worker < reported_.size(); ++worker) {
    if (reported_[worker]) continue;
    const int rank = static_cast<int>(worker) + 1;
    const auto silence = mail_.overdue(rank);
    if (!silence) continue;
    reported_[worker] = true;
    mail_.await_sign(rank);
    return Loss{static_cast<int>(worker),
                fmt::format("gave no sign of life for {:.1f} s", *silence)};
  }
  return std::nullopt;
}

std::span<const std::byte> WorkerRankPort::receive(const char* awaited) {
  for (;;) {
    if (const auto letter = mail_.receive(kWorkerWaitSeconds)) return letter->frame;
    if (const auto silence = mail_.overdue(/*rank=*/0))
      throw PeerError(fmt::format("{} gave no sign of life for {:.1f} s; awaited {}",
                                  mail_.world().name(0), *silence, awaited));
  }
}

}  // namespace asynprox::mpi
