#include "asynprox/runtimes/serial.h"

#include "asynprox/base/errors.h"
#include "asynprox/runtimes/letter_boxes.h"
#include "asynprox/runtimes/model_window.h"

namespace asynprox {
namespace {

void enter(const Worker& worker, Server& server, const Monitor& monitor, Recorder& recorder,
           Replies& replies) {
  const Pull pull = worker.pull();
  Event event = message_event(EventKind::pull, pull.worker, pull.incarnation);
  event.nanoseconds = monitor.nanoseconds();
  recorder.add(event);
  server.receive(pull, replies);
}

void hand_over(Push& push, Event event, Server& server, Recorder& recorder, Replies& replies) {
  event.message.server_version = static_cast<std::uint32_t>(server.version());
  event.outcome = outcome_of(server.accept(push, server.check(push), replies));
  recorder.add(event);
  server.proceed(replies);
  recorder.hand_on();
}

// False: the run is over for this worker.
bool answer(Worker& worker, Reply& reply, Push& push, Event& event, const Monitor& monitor,
            bool recorded) {
  const std::uint64_t start = recorded ? monitor.nanoseconds() : 0;
  if (!worker.answer(reply, push)) return false;
  if (!recorded) return true;
  event = push_event(push);
  event.nanoseconds = monitor.nanoseconds();
  event.compute_seconds = 1e-9F * static_cast<float>(event.nanoseconds - start);
  return true;
}

void run_rounds(Server& server, std::vector<Worker>& workers, Monitor& monitor,
                Recorder& recorder) {
  LetterBoxes boxes(workers.size());
  Replies replies;
  Push push;
  Event event;
  for (const Worker& worker : workers) enter(worker, server, monitor, recorder, replies);
  while (!server.stopped()) {
    monitor.watch(server, replies);
    boxes.deliver(replies);
    ensure(server.stopped() || !boxes.all_empty(), "every worker is held: nothing can go on");
    for (Worker& worker : workers) {
      if (server.stopped()) break;  // a push that came now would be in the record, and nowhere else
      Reply* reply = boxes.take(worker.id());
      if (!reply || !answer(worker, *reply, push, event, monitor, recorder.is_on())) continue;
      hand_over(push, event, server, recorder, replies);
      monitor.watch(server, replies);
      boxes.deliver(replies);
    }
  }
}

void run_delayed(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
                 const GivenDelays& delays) {
  LetterBoxes boxes(workers.size());
  ModelWindow window(delays.delay.max() + 1);
  Replies replies;
  Push push;
  Event event;
  const auto settle = [&] {
    monitor.watch(server, replies);
    window.keep(replies);
    boxes.deliver(replies);
  };
  for (const Worker& worker : workers) enter(worker, server, monitor, recorder, replies);
  settle();
  while (!server.stopped()) {
    const std::int64_t k = server.version(), i = server.ledger().pending;
    Worker& worker = workers[(k * delays.pushes_per_step + i) % workers.size()];
    Reply* reply = boxes.take(worker.id());
    ensure(reply && reply->has_model, "a worker whose turn it is has no model");
    window.replace(reply->model, k - delays.tau(k, i));
    if (!answer(worker, *reply, push, event, monitor, recorder.is_on())) continue;
    hand_over(push, event, server, recorder, replies);
    settle();
  }
}

}  // namespace

void run_serial(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
                const RunOptions& options) {
  if (options.delays)
    run_delayed(server, workers, monitor, recorder, *options.delays);
  else
    run_rounds(server, workers, monitor, recorder);
  monitor.finish(server);
}

}  // namespace asynprox
