#include "reproduce/reproduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/solve.h"

#include "reproduce/experiments.h"

namespace asynprox::reproduce {
namespace {

// Paced runs last as long as they last, and differ little.
constexpr int kPacedSeeds = 3;

class Reproduction {
 public:
  Reproduction(const ReproductionOptions& options, Findings& findings)
      : options_(options), findings_(findings) {
    study_.seeds = options.seeds.value_or(options.quick ? 3 : 10);
    study_.quick = options.quick;
    study_.watch = options.watch;
  }

  void run() {
    bool is_first = true;
    for (const PaperData& wanted : data()) {
      if (!wanted.substituted.empty()) findings_.add_note(wanted.substituted);
      tell("reading " + wanted.path);
      const Dataset data = read_dataset(wanted.path, {.dimension = wanted.dimension});
      run_paper(wanted, data);
      run_beyond(wanted, data, is_first);
      is_first = false;
    }
  }

 private:
  std::vector<PaperData> data() const {
    if (!options_.data) return find_paper_data(options_.data_folder);
    return {{.name = "data", .is_papers = false, .path = *options_.data}};
  }

  void tell(const std::string& text) const { study_.watch.tell(text); }

  // The costs of a push and of a step, as measured here, at the assumed pace.
  Cluster calibrated(const PaperProblem& problem) const {
    Options options = Study{}.algorithm_1(problem, 8, 1);
    options.calibrate = true;
    options.stop = {.steps = 0};
    return solve(problem.f, NonNegBall{}, options).plan.execution.cluster;
  }

  void run_paper(const PaperData& wanted, const Dataset& data) {
    tell(wanted.name + ": the reference point");
    const PaperProblem problem =
        make_problem(wanted.name, data, wanted.is_papers, false, options_.quick ? 3 : 10);
    report_reference(problem, findings_);
    tell(wanted.name + ": costs of this machine");
    study_.cluster = calibrated(problem);
    study_speedup(study_, problem, findings_);
    draw_figures(study_, problem, findings_);
    Study paced = study_;
    paced.seeds = std::min(study_.seeds, options_.quick ? 1 : kPacedSeeds);
    study_paced(paced, problem, findings_);
    study_uneven(study_, problem, findings_);
    if (options_.quick && problem.data.num_samples() > 40000) return;
    study_schedules(study_, problem, findings_);
    study_many_workers(study_, problem, findings_);
    study_tuned(study_, problem, findings_);
  }

  // Centred columns; and on the first data set, what both would show alike.
  void run_beyond(const PaperData& wanted, const Dataset& data, bool is_first) {
    tell(wanted.name + ": the reference point of centred columns");
    const PaperProblem centered =
        make_problem(wanted.name, data, wanted.is_papers, true, options_.quick ? 0 : 10);
    study_centered(study_, centered, findings_);
    if (!is_first) return;
    Study study = study_;
    study.seeds = std::min(study_.seeds, 3);
    study_delays(study, centered, findings_);
  }

  const ReproductionOptions& options_;
  Findings& findings_;
  Study study_;
};

}  // namespace

bool reproduce_all(const ReproductionOptions& options, Findings& findings) {
  require(!options.seeds || *options.seeds >= 1,
          fmt::format("seeds: expected at least 1, got {}", options.seeds.value_or(0)));
  try {
    Reproduction(options, findings).run();
    return true;
  } catch (const Interrupted&) {
    return false;
  }
}

}  // namespace asynprox::reproduce
