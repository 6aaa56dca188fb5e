// A server and its workers on one thread, as the serial runtime drives them, without evaluations:
// what a step costs, and nothing else.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/runtimes/letter_boxes.h"
#include "asynprox/sampling/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox::benchmarks {

struct LoopOptions {
  int workers = 1;  // and as many pushes per step
  std::int64_t samples_per_push = 1024;
  double eta = 1e-3;
  bool lazy = false;
};

class RunLoop {
 public:
  RunLoop(const AnyFiniteSum& f, const AnyRegularizer& h, const LoopOptions& options)
      : server_(make_state(Vector(f.dimension(), options.lazy ? 0 : 1e-3), h.bound(f.dimension()),
                           options.lazy),
                ConstantStep{.value = options.eta}, {},
                {.pushes_per_step = options.workers,
                 .batch_size = options.workers * options.samples_per_push},
                Stopping({.seconds = 1e9}, 1), EvaluationSchedule::every(std::int64_t{1} << 40)),
        boxes_(options.workers) {
    for (int worker = 0; worker < options.workers; ++worker) {
      workers_.emplace_back(f, AsynProxSgd{}, Replacement{},
                            WorkerOptions{.worker = worker,
                                          .workers = options.workers,
                                          .samples_per_push = options.samples_per_push,
                                          .keyed = options.lazy});
      server_.receive(workers_.back().pull(), replies_);
    }
    server_.evaluated({}, replies_);
    boxes_.deliver(replies_);
  }

  // Every worker makes this many pushes.
  void take(std::int64_t pushes) {
    for (std::int64_t i = 0; i < pushes; ++i)
      for (Worker& worker : workers_) {
        worker.answer(*boxes_.take(worker.id()), push_);
        const auto start = std::chrono::steady_clock::now();
        server_.receive(push_, replies_);
        boxes_.deliver(replies_);
        server_seconds_ +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      }
  }

  // In calls of the server, so far: what a lock would be held for.
  double server_seconds() const { return server_seconds_; }

 private:
  static std::unique_ptr<ModelState> make_state(Vector x0, AnyRegularizer h, bool lazy) {
    return lazy ? make_lazy_state(x0, std::move(h)) : make_dense_state(std::move(x0), std::move(h));
  }

  Server server_;
  std::vector<Worker> workers_;
  LetterBoxes boxes_;
  Replies replies_;
  Push push_;
  double server_seconds_ = 0;
};

}  // namespace asynprox::benchmarks
