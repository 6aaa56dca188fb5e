#include <fmt/format.h>

#include <cmath>

#include "asynprox/report/run_record.h"

namespace asynprox {
namespace {

// A mean loss of classes that is as small only where each sample is on its own side, by far.
constexpr double kSeparated = 1e-8;

// 32561 as "32,561".
std::string grouped(std::int64_t number) {
  std::string digits = fmt::format("{}", number);
  for (std::size_t place = digits.size(); place > 3 && digits[place - 4] != '-';) {
    place -= 3;
    digits.insert(place, 1, ',');
  }
  return digits;
}

std::string line(std::string_view label, const std::string& text) {
  return fmt::format("{:<11} {}\n", label, text);
}

// "threads runtime", and what makes its time another than the machine's own.
std::string runtime_words(const ExecutionPlan& execution) {
  std::string words = fmt::format("{} runtime", name(execution.runtime));
  if (execution.pace)
    words += fmt::format(", paced at {:.6g} samples per second per worker", *execution.pace);
  if (!execution.speeds.empty())
    words += fmt::format(", speeds {}", fmt::join(execution.speeds, "/"));
  return words;
}

std::string method_line(const Result& result) {
  const Plan& plan = result.plan;
  const WorkerPlan& crew = plan.workers;
  const std::string parts = fmt::format("{}", fmt::join(result.method_parts, " + "));
  const std::string workers =
      fmt::format("{} worker{}", crew.workers, crew.workers == 1 ? "" : "s");
  if (!plan.method.takes_steps())
    return line("method",
                fmt::format("{} ({}), {}", parts, runtime_words(plan.execution), workers));
  std::string batch = fmt::format("{} in {} push{}", grouped(plan.batch.size), crew.pushes_per_step,
                                  crew.pushes_per_step == 1 ? "" : "es");
  if (result.pushes_per_step > crew.pushes_per_step)
    batch += fmt::format(", grown to {} pushes", grouped(result.pushes_per_step));
  return line("method", fmt::format("{} ({}, {} model), {}, batch {}, step {}", parts,
                                    runtime_words(plan.execution), name(plan.state), workers, batch,
                                    plan.method.step.name()));
}

std::string theory_words(const Theory& theory) {
  if (!theory.conditions_met) return "the paper's theorem says nothing about this run";
  std::string words =
      fmt::format("the steps {} the conditions of the paper's Theorem 1 for L <= {:.4g}",
                  *theory.conditions_met ? "meet" : "are larger than", *theory.lipschitz);
  if (theory.corollary)
    words += fmt::format("; its corollary needs {:.3g} steps{}", theory.corollary->steps_least,
                         theory.corollary->steps_enough ? "" : ", more than these");
  return words;
}

std::string cluster_words(const SimulationReport& simulation) {
  const auto percent = [](double share) { return fmt::format("{:.3g} %", 100 * share); };
  std::string words = fmt::format(
      "workers compute {} of the time, wait {} for the network and {} for the server, which is "
      "busy {}",
      percent(simulation.computing), percent(simulation.on_network), percent(simulation.at_server),
      percent(simulation.server_busy));
  if (simulation.deaths > 0)
    words +=
        fmt::format("; {} deaths, away {}", grouped(simulation.deaths), percent(simulation.away));
  if (simulation.lost + simulation.duplicated + simulation.late > 0)
    words += fmt::format("; of {} messages {} lost, {} doubled, {} late",
                         grouped(simulation.messages), grouped(simulation.lost),
                         grouped(simulation.duplicated), grouped(simulation.late));
  return words;
}

// A bound that is nearly as large as the objective says nothing.
std::string error_words(const Result& result) {
  const double gap = *result.duality_gap, size = std::abs(result.objective);
  if (gap > 0.5 * size && size > 0) return "no useful bound is known";
  return fmt::format("at most {:.2e} above the minimum, by the duality gap", gap);
}

// Losses that come to 0 only as their outputs go to infinity, and did, with no h to hold them back.
bool separated(const RunRecord& record) {
  const std::string loss = record.problem.loss.value_or("");
  return (loss == "logistic" || loss == "multinomial") && record.problem.model == "linear" &&
         record.result.regularizer_value == 0 && record.result.nonzeros > 0 &&
         record.result.objective < kSeparated;
}

std::string run_words(const Result& result) {
  const std::string steps =
      result.plan.method.takes_steps() ? fmt::format("{} steps, ", grouped(result.steps)) : "";
  return fmt::format("{}{:.4g} epochs, {:.3g} {} (evaluations: {:.3g} s more)", steps,
                     result.epochs, result.seconds, result.simulation ? "virtual s" : "s",
                     result.evaluation_seconds);
}

}  // namespace

std::string trace_csv(const Trace& trace) {
  std::string text =
      "seconds,steps,sample_gradients,epochs,objective,gradient_mapping,nonzeros,staleness_max,"
      "duality_gap\n";
  for (const Evaluation& row : trace)
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{}\n", row.seconds, row.steps, row.sample_gradients,
                    row.epochs, row.has_objective ? fmt::format("{}", row.objective) : "",
                    row.gradient_mapping, row.nonzeros, row.staleness_max,
                    row.duality_gap ? fmt::format("{}", *row.duality_gap) : "");
  return text;
}

std::string summary(const RunRecord& record, const SummaryOptions& options) {
  const Result& result = record.result;
  std::string text = method_line(result);
  if (options.verbose)
    for (const std::string& choice : result.plan.choices) text += line("chosen", choice);
  if (result.has_objective)
    text += line("objective",
                 fmt::format("{:.10g} = loss {:.10g} + regularizer {:.10g}", result.objective,
                             result.loss_value, result.regularizer_value));
  if (result.duality_gap) text += line("error", error_words(result));
  if (options.verbose || !result.has_objective)
    text +=
        line("stationary", fmt::format("gradient mapping {:.2e} at step {:.4g}",
                                       result.gradient_mapping, result.plan.steps.reference_step));
  text += line("nonzeros", fmt::format("{} of {}", grouped(result.nonzeros),
                                       grouped(static_cast<std::int64_t>(result.x.size()))));
  std::string test;
  for (const auto& [figure, value] : record.test)
    if (value) test += fmt::format("{}{} {:.6g}", test.empty() ? "" : ", ", figure, *value);
  if (!test.empty()) text += line("test", test);
  text += line("run", run_words(result));
  if (result.fell_back)
    text += line("fallback", fmt::format("stochastic steps did not meet the tolerance: proximal "
                                         "Newton and FISTA with a line search followed ({} passes "
                                         "of FISTA)",
                                         grouped(result.fallback_passes)));
  if (result.simulation) text += line("cluster", cluster_words(*result.simulation));
  if (options.verbose) {
    text += line("staleness", fmt::format("mean {:.3g}, max {}, bound {}", result.staleness.mean(),
                                          result.staleness.max, result.plan.workers.staleness_max));
    text += line("theory", theory_words(result.theory));
    text += line("seed", fmt::format("{}", result.plan.seed));
  }
  text += line("stopped", fmt::format("{}: {}", name(result.stop_reason), result.stop_detail));
  if (separated(record))
    text += line("note",
                 "the classes can be separated: without a penalty the coefficients grow without "
                 "bound, and their size has no meaning");
  return text;
}

}  // namespace asynprox
