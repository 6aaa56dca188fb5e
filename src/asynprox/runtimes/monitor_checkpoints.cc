// Checkpoints of a run.
#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/runtimes/monitor.h"

namespace asynprox {

// An evaluation of the fallback counts as a step.
std::int64_t Monitor::work_done(const Server& server) const {
  return server.version() + (server.fallen_back() ? static_cast<std::int64_t>(trace().size()) : 0);
}

bool Monitor::checkpoint_due_by_work(const Server& server) const {
  if (!checkpoints_.is_on() || server.stopped()) return false;
  return wanted_to_end() || checkpoints_.due_after(work_done(server));
}

bool Monitor::checkpoint_due_by_time(const Server& server) const {
  return checkpoints_.by_time() && !server.stopped() && checkpoints_.due_at(elapsed());
}

std::optional<double> Monitor::seconds_to_next() const {
  const std::optional<double> limit = seconds_to_limit();
  if (!checkpoints_.by_time()) return limit;
  const double left = checkpoints_.seconds_left(elapsed());
  return limit ? std::min(*limit, left) : left;
}

void Monitor::save_state(const RunState& state) {
  recorder_.hand_on_all();
  checkpoints_.hooks().save(state);
}

void Monitor::end_if_wanted(Server& server, Replies& replies) const {
  if (!wanted_to_end()) return;
  interrupted_at_ = -seconds_to_end;  // the last evaluation is not worth waiting for
  server.stop(StopReason::interrupted, replies);
}

void Monitor::give_up_checkpoints(const std::string& reason) {
  checkpoints_.switch_off();
  if (checkpoints_.hooks().impossible) checkpoints_.hooks().impossible(reason);
}

void Monitor::save_clock(SnapshotWriter& writer) const {
  writer.put(clock_);
  writer.put(horizon_estimated_);
}

void Monitor::resume(const RunState& state, Server& server) {
  if (server.stopped()) throw DataError("a snapshot cannot be used: it is of a run that is over");
  SnapshotReader reader(state.clock);
  reader.get(clock_);
  reader.get(horizon_estimated_);
  reader.expect_end();
  progress_next_ = 0;
  checkpoints_.made(work_done(server), elapsed());
  recorder_.count_from(state.events);
  Event event = message_event(EventKind::resumed, 0, 0);
  event.nanoseconds = nanoseconds();
  event.message.server_version = static_cast<std::uint32_t>(server.version());
  recorder_.add(event);
  if (options_.stop_before)
    server.change_limits_from(*options_.stop_before, progress(server).epochs);
}

}  // namespace asynprox
