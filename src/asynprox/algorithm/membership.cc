#include "asynprox/algorithm/membership.h"

#include <utility>

namespace asynprox {
namespace {

// Computed again at the newest model, a gradient that is still not finite ends the run.
constexpr int kNonfiniteRefusalsMax = 1;

}  // namespace

bool Membership::is_late(const Pull& pull) const {
  const Member& member = of(pull.worker);
  return std::pair(pull.incarnation, pull.sequence) <
         std::pair(member.incarnation, member.last_sequence);
}

bool Membership::begins_another_life(const Pull& pull) const {
  const int before = of(pull.worker).incarnation;
  return before >= 0 && pull.incarnation > before;
}

void Membership::enter(const Pull& pull) {
  // What it sent before, and is still on its way, is void.
  state_.members.at(pull.worker) = {
      .present = true, .incarnation = pull.incarnation, .last_sequence = pull.sequence};
}

std::optional<Refusal> Membership::refusal(const PushId& id) const {
  const Member& member = of(id.worker);
  if (!member.present || id.incarnation != member.incarnation) return Refusal::fenced;
  if (id.sequence <= member.last_sequence) return Refusal::duplicate;
  return std::nullopt;
}

bool Membership::received_nonfinite(int worker) {
  Member& member = state_.members.at(worker);
  if (++member.refusals_nonfinite <= kNonfiniteRefusalsMax) return false;
  member.refusals_nonfinite = 0;
  return true;
}

}  // namespace asynprox
