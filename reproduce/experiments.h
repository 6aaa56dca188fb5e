// The experiments, a file each: what each adds to the findings.
#pragma once

#include "reproduce/findings.h"
#include "reproduce/problem.h"
#include "reproduce/study.h"

namespace asynprox::reproduce {

// The paper's section 5.

// `reference_NAME`: the reference point by proximal gradient and by the eigenvalue.
void report_reference(const PaperProblem& problem, Findings& findings);

// `speedup_NAME`: Tables 2 and 3, in three readings. `schedule_NAME`: the paper's step sizes.
void study_speedup(const Study& study, const PaperProblem& problem, Findings& findings);
void study_schedules(const Study& study, const PaperProblem& problem, Findings& findings);

// `figure1_NAME`, `figure2_NAME`: suboptimality against sample gradients and against time.
void draw_figures(const Study& study, const PaperProblem& problem, Findings& findings);

// `paced_speedup_NAME`, `paced_uneven_NAME`: the same in real time, on threads that sleep.
void study_paced(const Study& study, const PaperProblem& problem, Findings& findings);

// What the paper does not show.

// `uneven_NAME`: synchronous against asynchronous, with slow workers.
void study_uneven(const Study& study, const PaperProblem& problem, Findings& findings);

// `centered_NAME`: columns of mean 0. The problem given is the centred one.
void study_centered(const Study& study, const PaperProblem& problem, Findings& findings);

// `many_workers_NAME`: up to 1,024.
void study_many_workers(const Study& study, const PaperProblem& problem, Findings& findings);

// `delays_NAME`: steps to the target against a constant delay of T steps. The problem given is the
// centred one: on the easy one the first gradients are nearly as good as later ones.
void study_delays(const Study& study, const PaperProblem& problem, Findings& findings);

// `tuned_NAME`: the best for one worker against the best for eight.
void study_tuned(const Study& study, const PaperProblem& problem, Findings& findings);

}  // namespace asynprox::reproduce
