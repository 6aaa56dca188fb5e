#include "asynprox/runtimes/serial.h"

#include "asynprox/base/errors.h"
#include "asynprox/runtimes/letter_boxes.h"

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

}  // namespace

void run_serial(Server& server, std::vector<Worker>& workers, Monitor& monitor,
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
      Reply* reply = boxes.take(worker.id());
      if (!reply || !answer(worker, *reply, push, event, monitor, recorder.is_on())) continue;
      hand_over(push, event, server, recorder, replies);
      monitor.watch(server, replies);
      boxes.deliver(replies);
    }
  }
  monitor.finish(server);
}

}  // namespace asynprox
