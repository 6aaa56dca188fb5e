// The fields of a result and its parts, listed once: see base/fields.h.
#pragma once

#include "asynprox/base/fields.h"
#include "asynprox/run/plan_fields.h"
#include "asynprox/run/result.h"

namespace asynprox {

template <IsA<TheoryCondition> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("statement", part.statement);
  visit("left", part.left);
  visit("right", part.right);
  visit("met", part.met);
}

template <IsA<ErgodicBound> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("printed", part.printed);
  visit("corrected", part.corrected);
  visit("measured", part.measured);
  visit("evaluations", part.evaluations);
}

template <IsA<Theory> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("lipschitz", part.lipschitz);
  visit("lipschitz_reason", part.lipschitz_reason);
  visit("conditions_met", part.conditions_met);
  visit("conditions", part.conditions);
  visit("assumptions", part.assumptions);
  visit("corollary", part.corollary);
  visit("ergodic_bound", part.ergodic_bound);
}

template <IsA<Result> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("has_objective", part.has_objective);
  visit("objective", part.objective);
  visit("loss_value", part.loss_value);
  visit("regularizer_value", part.regularizer_value);
  visit("gradient_mapping", part.gradient_mapping);
  visit("duality_gap", part.duality_gap);
  visit("stationarity_gap", part.stationarity_gap);
  visit("nonzeros", part.nonzeros);
  visit("dimension", part.dimension);
  visit("outputs", part.outputs);
  visit("samples", part.samples);
  visit("steps", part.steps);
  visit("sample_gradients", part.sample_gradients);
  visit("computed", part.computed);
  visit("epochs", part.epochs);
  visit("seconds", part.seconds);
  visit("evaluation_seconds", part.evaluation_seconds);
  visit("fell_back", part.fell_back);
  visit("fallback_passes", part.fallback_passes);
  visit("method_parts", part.method_parts);
  visit("stop_reason", part.stop_reason);
  visit("stop_detail", part.stop_detail);
  visit("found_nothing", part.found_nothing);
  visit("pushes_per_step", part.pushes_per_step);
  visit("staleness", part.staleness);
  visit("ledger", part.ledger);
  visit("theory", part.theory);
  visit("trace", part.trace);
  visit("plan", part.plan);
  visit("warnings", part.warnings);
}

}  // namespace asynprox
