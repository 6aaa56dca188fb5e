// Proximal Newton on a working set of columns, for any number of outputs: working_set.h for one,
// class_working_set.h for several.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "asynprox/refinements/class_working_set.h"
#include "asynprox/refinements/working_set.h"

namespace asynprox {

class AnyWorkingSet {
 public:
  // Borrows the problem, for which it is possible.
  AnyWorkingSet(const Problem& problem, double eta)
      : set_(made(problem, eta)), evaluations_left_(problem.f.outputs() > 1 ? 4 : 0) {}

  static bool possible(const Problem& problem) {
    return WorkingSet::possible(problem) || ClassWorkingSet::possible(problem);
  }

  // The members of WorkingSet.
  std::optional<WorkingSet::Step> step(const EvaluatedModel& at, const WorkingSet::Wanted& wanted) {
    return std::visit([&](auto& set) { return set.step(at, wanted); }, set_);
  }
  std::int64_t samples_read() const {
    return std::visit([](const auto& set) { return set.samples_read(); }, set_);
  }
  std::int64_t entries_read() const {
    return std::visit([](const auto& set) { return set.entries_read(); }, set_);
  }

  // Of one output.
  bool by_points() const {
    const auto* const one = std::get_if<WorkingSet>(&set_);
    return one && one->by_points();
  }

  // Whether stochastic steps are to have some more evaluations, on data of more samples than
  // coordinates: sweeps over the columns of several classes cost as much as a few epochs, which may
  // be all that is needed.
  bool is_early() {
    if (evaluations_left_ == 0) return false;
    --evaluations_left_;
    return true;
  }

  void save(SnapshotWriter& writer) const {
    writer.put(evaluations_left_);
    std::visit([&](const auto& set) { set.save(writer); }, set_);
  }
  void restore(SnapshotReader& reader) {
    reader.get(evaluations_left_);
    std::visit([&](auto& set) { set.restore(reader); }, set_);
  }

 private:
  using Set = std::variant<WorkingSet, ClassWorkingSet>;

  static Set made(const Problem& problem, double eta) {
    if (ClassWorkingSet::possible(problem))
      return Set(std::in_place_type<ClassWorkingSet>, problem, eta);
    return Set(std::in_place_type<WorkingSet>, problem, eta);
  }

  Set set_;
  int evaluations_left_;
};

}  // namespace asynprox
