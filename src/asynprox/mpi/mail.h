// Frames between ranks, by two-sided messages that nobody waits for: what is sent or received lies in a
// buffer until MPI is done with it, whatever other ranks do in the meantime.
//
// A thread of its own tells the peers now and then that this rank is alive, also while it computes for
// long; those signs of the peers are noted here, and not handed on. MPI is called by one thread at a
// time.
//
// Rank 0 writes to all others, these to rank 0 alone.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "asynprox/mpi/world.h"
#include "asynprox/transports/signs_of_life.h"

namespace asynprox::mpi {

class Mail {
 public:
  struct Letter {
    int rank = 0;
    std::span<const std::byte> frame;  // valid until the next call of receive()
  };

  // `deadline`: seconds of silence after which a rank is overdue.
  Mail(const World& world, double deadline);
  // Once all is sent, or after that many seconds.
  ~Mail();
  Mail(const Mail&) = delete;
  Mail& operator=(const Mail&) = delete;

  const World& world() const { return world_; }
  double deadline() const { return deadline_; }

  // What follows is for one thread.

  // Frames are those of a run whose models have this dimension; longer ones are refused.
  void expect(std::size_t dimension);

  // Takes the frame, and leaves a used buffer in its place. ContractError for one of 2 GiB or more,
  // PeerError where MPI refuses it.
  void send(int rank, std::vector<std::byte>& frame);

  // Waits at most so many seconds, or a moment longer.
  std::optional<Letter> receive(double seconds);

  // Has that rank been silent beyond the deadline, and for how long?
  std::optional<double> overdue(int rank) const;

  // Signs of life of that rank are handed on, until the next one was.
  void await_sign(int rank);

 private:
  struct Parcel;  // a frame that MPI is at work on

  void beat();
  void send_sign(int rank);
  bool all_sent();
  static bool finished(Parcel& parcel);
  std::unique_ptr<Parcel> unused();
  void recycle();
  void begin_receiving();
  std::optional<Letter> hand_out();
  bool is_mere_sign(const Parcel& parcel);

  const World& world_;
  const double deadline_;
  std::size_t frame_bytes_max_;

  std::mutex mutex_;  // of MPI, and of what is being sent
  std::vector<std::unique_ptr<Parcel>> leaving_, unused_;
  std::vector<std::unique_ptr<Parcel>> arriving_;
  std::unique_ptr<Parcel> read_;  // the letter handed out last

  SignsOfLife signs_;
  std::vector<bool> awaited_;  // by rank: signs of life are handed on
  double active_;              // when there was something to receive, last

  std::vector<std::byte> sign_;
  std::vector<std::unique_ptr<Parcel>> signs_sent_;  // by rank
  std::mutex end_mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread heart_;
};

}  // namespace asynprox::mpi
