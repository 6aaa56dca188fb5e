#include "asynprox/runtimes/serial.h"

#include <algorithm>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// A letter box for each worker; a worker has at most one model to answer at a time.
class LetterBoxes {
 public:
  explicit LetterBoxes(std::size_t workers) : boxes_(workers), full_(workers, false) {}

  // Buffers are swapped, so that they are used again.
  void deliver(Replies& replies) {
    for (Reply& reply : replies) {
      const int worker = reply.worker;
      std::swap(boxes_[worker], reply);
      full_[worker] = true;
    }
    replies.clear();
  }
  // The letter for this worker, once.
  Reply* take(int worker) {
    if (!full_[worker]) return nullptr;
    full_[worker] = false;
    return &boxes_[worker];
  }
  bool all_empty() const { return std::ranges::find(full_, true) == full_.end(); }

 private:
  std::vector<Reply> boxes_;
  std::vector<bool> full_;
};

}  // namespace

void run_serial(Server& server, std::vector<Worker>& workers, Monitor& monitor) {
  LetterBoxes boxes(workers.size());
  Replies replies;
  Push push;
  for (Worker& worker : workers) server.receive(worker.pull(), replies);
  while (!server.stopped()) {
    monitor.watch(server, replies);
    boxes.deliver(replies);
    ensure(server.stopped() || !boxes.all_empty(), "every worker is held: nothing can go on");
    for (Worker& worker : workers) {
      Reply* reply = boxes.take(worker.id());
      if (!reply || !worker.answer(*reply, push)) continue;
      server.receive(push, replies);
      monitor.watch(server, replies);
      boxes.deliver(replies);
    }
  }
  monitor.finish(server);
}

}  // namespace asynprox
