#include "asynprox/simulator/virtual_machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/runtimes/pacer.h"

namespace asynprox {
namespace {

constexpr std::uint64_t kComputeStream = 0x434f4d50;
constexpr std::uint64_t kDeathStream = 0x444541;

// An outage comes in whichever life; a death by chance is of one.
constexpr std::uint64_t kAnyLife = ~std::uint64_t{0};

// Of one slot, at once, before it asks less often.
constexpr int kLettersUsualMax = 32;

double exponential(const Random& random, std::uint64_t counter, double mean) {
  return -mean * std::log1p(-random.uniform_at(counter));
}

}  // namespace

VirtualMachines::VirtualMachines(std::vector<Worker>& workers, const Cluster& cluster,
                                 const Vector& speeds, std::uint64_t seed, Post& post)
    : workers_(workers),
      cluster_(cluster),
      post_(post),
      random_(seed),
      slots_(workers.size()),
      machines_(cluster.pipelined ? workers.size() / 2 : workers.size()) {
  for (std::size_t i = 0; i < speeds.size(); ++i) machines_[i].speed = speeds[i];
  for (const Outage& outage : cluster.outages)
    post_.agenda().note(outage.from, {.kind = Happening::Kind::dies,
                                      .place = outage.worker,
                                      .number = kAnyLife,
                                      .until = outage.until});
  for (std::size_t slot = 0; slot < slots_.size(); ++slot)
    post_.agenda().note(0, {.kind = Happening::Kind::enters, .place = static_cast<int>(slot)});
  for (std::size_t i = 0; i < machines_.size(); ++i) note_death_by_chance(static_cast<int>(i), 0);
}

bool VirtualMachines::lives(const Letter& letter) const {
  return machines_[machine_number(letter.slot)].alive && slots_[letter.slot].life == letter.life;
}

void VirtualMachines::enter(int slot, double now) {
  if (machine_of(slot).alive) send_pull(slot, now);
}

void VirtualMachines::send_pull(int slot, double now) {
  const LetterNumber number = post_.letters().open(LetterKind::pull, slot, slots_[slot].life);
  post_.letters()[number].pull = workers_[slot].pull();
  post_.send(Direction::up, number, now);
  wait_for_answer(slot, now);
}

void VirtualMachines::arrive(LetterNumber number, double now) {
  Letter& letter = post_.letters()[number];
  const int slot_number = letter.slot;
  Slot& slot = slots_[slot_number];
  Machine& machine = machine_of(slot_number);
  if (letter.kind == LetterKind::receipt && machine.alive && letter.life == slot.life)
    post_.send(Direction::up, post_.letters().open(LetterKind::want, slot_number, slot.life), now);
  // An answer to what was asked before the worker died, or that has come already, is none.
  const Reply& reply = letter.reply;
  const bool answers = letter.kind == LetterKind::reply && machine.alive && slot.awaiting &&
                       reply.has_model && reply.incarnation == slot.life &&
                       reply.sequence == slot.sequence;
  if (answers) {
    slot.awaiting = false;
    seconds_at_server_ += letter.at_server;
    std::swap(slot.reply, letter.reply);
    machine.ready.push_back(slot_number);
  }
  post_.letters().close(number);
  if (answers && !machine.computing) compute_next(machine, now);
}

// The gradient is computed now, and ready later.
void VirtualMachines::compute_next(Machine& machine, double now) {
  machine.computing = !machine.ready.empty();
  if (!machine.computing) return;
  machine.computing_since = now;
  const int number = machine.ready.front();
  machine.ready.pop_front();
  Slot& slot = slots_[number];
  ensure(workers_[number].answer(slot.reply, slot.push), "a reply with a model is to be answered");
  slot.reply.model.whole.reset();
  const Random chance = random_.stream(kComputeStream).stream(number).stream(slot.pushes++);
  slot.compute_seconds =
      cluster_.compute.seconds(static_cast<double>(slot.push.num_samples), chance) / machine.speed;
  post_.agenda().note(now + slot.compute_seconds,
                      {.kind = Happening::Kind::computed,
                       .place = number,
                       .number = static_cast<std::uint64_t>(slot.life)});
}

void VirtualMachines::send_push(int slot_number, std::uint64_t life, double now) {
  Slot& slot = slots_[slot_number];
  if (static_cast<std::uint64_t>(slot.life) != life) return;
  computed(machine_of(slot_number), now);
  slot.sequence = slot.push.id.sequence;
  const LetterNumber number = post_.letters().open(LetterKind::push, slot_number, slot.life);
  Letter& letter = post_.letters()[number];
  letter.compute_seconds = slot.compute_seconds;
  if (cluster_.faults.of_messages())
    letter.push = slot.push;
  else
    std::swap(letter.push, slot.push);
  post_.send(Direction::up, number, now);
  wait_for_answer(slot_number, now);
  compute_next(machine_of(slot_number), now);
}

void VirtualMachines::wait_for_answer(int slot_number, double now) {
  Slot& slot = slots_[slot_number];
  slot.awaiting = true;
  ++slot.wait;
  // Where no message is lost, an answer comes.
  if (!cluster_.faults.of_messages()) return;
  const double patience = seconds_to_wait(post_.letters().num_open(slot_number));
  require(now + patience > now,
          fmt::format("timeout: {} seconds do not move the virtual clock any more, which has come "
                      "to {} seconds: expected a longer timeout, or times of the cluster that are "
                      "not so different from it",
                      cluster_.timeout, now));
  post_.agenda().note(
      now + patience,
      {.kind = Happening::Kind::no_answer, .place = slot_number, .number = slot.wait});
}

// Twice as long for each letter above what a timeout of any use leads to: where letters take far
// longer than that, their number stays bounded by the logarithm of how much.
double VirtualMachines::seconds_to_wait(int letters_open) const {
  const double seconds = std::ldexp(cluster_.timeout, std::max(0, letters_open - kLettersUsualMax));
  return std::min(seconds, 1 / kSpeedMin);
}

void VirtualMachines::ask_again(int slot_number, std::uint64_t wait, double now) {
  const Slot& slot = slots_[slot_number];
  if (!machine_of(slot_number).alive || !slot.awaiting || slot.wait != wait) return;
  ++asked_again_;
  if (slot.sequence == 0) return send_pull(slot_number, now);
  const LetterNumber number = post_.letters().open(LetterKind::push, slot_number, slot.life);
  post_.letters()[number].push = slot.push;
  post_.letters()[number].push.repeated = true;
  post_.send(Direction::up, number, now);
  wait_for_answer(slot_number, now);
}

void VirtualMachines::die(int number, std::uint64_t life, double until, double now) {
  Machine& machine = machines_[number];
  if (life != kAnyLife && life != machine.lives) return;
  machine.gone_until = std::max(machine.gone_until, until);
  if (std::isfinite(until))
    post_.agenda().note(until, {.kind = Happening::Kind::returns, .place = number});
  if (!machine.alive) return;  // it stays away for longer, maybe
  ++deaths_;
  ++machine.lives;
  if (machine.computing) computed(machine, now);
  machine.alive = machine.computing = false;
  machine.gone_since = now;
  machine.ready.clear();
  for (std::size_t i = number; i < slots_.size(); i += machines_.size()) {
    const int slot = static_cast<int>(i);
    const LetterNumber gone = post_.letters().open(LetterKind::gone, slot, slots_[slot].life);
    post_.agenda().note(now + cluster_.detection,
                        {.kind = Happening::Kind::at_server, .number = gone});
    ++slots_[slot].life;
    slots_[slot].awaiting = false;
    slots_[slot].sequence = 0;
  }
}

void VirtualMachines::come_back(int number, double now) {
  Machine& machine = machines_[number];
  if (machine.alive || now < machine.gone_until) return;
  seconds_away_ += now - machine.gone_since;
  machine.alive = true;
  for (std::size_t i = number; i < slots_.size(); i += machines_.size()) {
    workers_[i].rejoin();
    send_pull(static_cast<int>(i), now);
  }
  note_death_by_chance(number, now);
}

void VirtualMachines::note_death_by_chance(int number, double now) {
  const Faults& faults = cluster_.faults;
  if (faults.deaths == 0) return;
  const Random chance = random_.stream(kDeathStream).stream(number).stream(machines_[number].lives);
  const double death = now + exponential(chance, 0, 1 / faults.deaths);
  post_.agenda().note(death, {.kind = Happening::Kind::dies,
                              .place = number,
                              .number = machines_[number].lives,
                              .until = death + exponential(chance, 1, faults.away)});
}

void VirtualMachines::computed(Machine& machine, double now) {
  seconds_computing_ += now - machine.computing_since;
  machine.computing_since = now;
}

double VirtualMachines::seconds_computing(double now) const {
  double seconds = seconds_computing_;
  for (const Machine& machine : machines_)
    if (machine.computing) seconds += now - machine.computing_since;
  return seconds;
}

double VirtualMachines::seconds_away(double now) const {
  double seconds = seconds_away_;
  for (const Machine& machine : machines_)
    if (!machine.alive) seconds += now - machine.gone_since;
  return seconds;
}

}  // namespace asynprox
