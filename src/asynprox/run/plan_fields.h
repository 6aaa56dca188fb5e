// The fields of a plan and its parts, listed once: JSON is written and read by these lists.
#pragma once

#include "asynprox/base/fields.h"
#include "asynprox/run/plan.h"

namespace asynprox {

template <IsA<MethodPlan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("method", part.method);
  visit("step", part.step);
  visit("bold", part.bold);
}

template <IsA<WorkerPlan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("workers", part.workers);
  visit("slots", part.slots);
  visit("pushes_per_step", part.pushes_per_step);
  visit("staleness_max", part.staleness_max);
  visit("staleness_policy", part.staleness_policy);
  visit("staleness_expected", part.staleness_expected);
}

template <IsA<RefinementPlan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("newton", part.newton);
  visit("fallback", part.fallback);
}

template <IsA<Smoothness> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("estimate", part.estimate);
  visit("bound", part.bound);
  visit("bound_reason", part.bound_reason);
  visit("sample_mean", part.sample_mean);
  visit("sample_max", part.sample_max);
}

template <IsA<CurvaturePlan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("plain", part.plain);
  visit("scaled", part.scaled);
}

template <IsA<BatchPlan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("size", part.size);
  visit("shares", part.shares);
  visit("sampling", part.sampling);
  visit("pushes_per_pass", part.pushes_per_pass);
  visit("pushes_max", part.pushes_max);
  visit("epochs_per_pass", part.epochs_per_pass);
}

template <IsA<StepContext> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("k", part.k);
  visit("horizon", part.horizon);
  visit("steps_per_epoch", part.steps_per_epoch);
  visit("lipschitz", part.lipschitz);
  visit("lipschitz_sample_max", part.lipschitz_sample_max);
  visit("batch_size", part.batch_size);
  visit("num_samples", part.num_samples);
  visit("full_gradient", part.full_gradient);
  visit("judged", part.judged);
  visit("boldness", part.boldness);
  visit("staleness", part.staleness);
  visit("staleness_oldest", part.staleness_oldest);
  visit("staleness_max", part.staleness_max);
  visit("lipschitz_bound", part.lipschitz_bound);
  visit("gap", part.gap);
  visit("variance", part.variance);
}

template <IsA<CorollaryTerms> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("gap", part.gap);
  visit("variance", part.variance);
  visit("lipschitz", part.lipschitz);
  visit("batch_size", part.batch_size);
  visit("staleness_max", part.staleness_max);
}

template <IsA<Corollary> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("terms", part.terms);
  visit("gap_reason", part.gap_reason);
  visit("variance_reason", part.variance_reason);
  visit("step", part.step);
  visit("steps_least", part.steps_least);
  visit("steps_enough", part.steps_enough);
}

template <IsA<StepPlan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("context", part.context);
  visit("corollary", part.corollary);
  visit("reference_step", part.reference_step);
}

template <IsA<EvaluationPlan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("every", part.every);
  visit("first", part.first);
}

template <IsA<StoppingRules> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("steps", part.steps);
  visit("epochs", part.epochs);
  visit("seconds", part.seconds);
  visit("tolerance", part.tolerance);
}

template <IsA<Absence> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("worker", part.worker);
  visit("after_pushes", part.after_pushes);
  visit("seconds", part.seconds);
}

template <IsA<Outage> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("worker", part.worker);
  visit("from", part.from);
  visit("until", part.until);
}

template <IsA<Cluster> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("compute", part.compute);
  visit("latency_up", part.latency_up);
  visit("latency_down", part.latency_down);
  visit("rate_up", part.rate_up);
  visit("rate_down", part.rate_down);
  visit("push_seconds", part.push_seconds);
  visit("step_seconds", part.step_seconds);
  visit("fused", part.fused);
  visit("pipelined", part.pipelined);
  visit("outages", part.outages);
  visit("faults", part.faults);
  visit("detection", part.detection);
  visit("timeout", part.timeout);
}

template <IsA<ExecutionPlan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("runtime", part.runtime);
  visit("pin", part.pin);
  visit("pace", part.pace);
  visit("speeds", part.speeds);
  visit("absences", part.absences);
  visit("delays", part.delays);
  visit("cluster", part.cluster);
  visit("steps_outside_lock", part.steps_outside_lock);
}

template <IsA<VectorHashes> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("scales", part.scales);
  visit("sample_lipschitz", part.sample_lipschitz);
  visit("support_weights", part.support_weights);
  visit("start", part.start);
}

template <IsA<ProblemMark> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("samples", part.samples);
  visit("dimension", part.dimension);
  visit("intercepts", part.intercepts);
  visit("regularizer", part.regularizer);
}

template <IsA<Plan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("version", part.version);
  visit("problem", part.problem);
  visit("method", part.method);
  visit("workers", part.workers);
  visit("refinements", part.refinements);
  visit("curvature", part.curvature);
  visit("state", part.state);
  visit("batch", part.batch);
  visit("steps", part.steps);
  visit("evaluation", part.evaluation);
  visit("stop", part.stop);
  visit("execution", part.execution);
  visit("start", part.start);
  visit("seed", part.seed);
  visit("hashes", part.hashes);
  visit("choices", part.choices);
  visit("warnings", part.warnings);
}

}  // namespace asynprox
