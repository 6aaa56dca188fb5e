#include <fmt/format.h>

#include "asynprox/report/run_record.h"

namespace asynprox {
namespace {

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

std::string method_line(const Settings& settings) {
  return line("method",
              fmt::format("{} ({} runtime, {} model), {} worker{}, batch {} in {} push{}, "
                          "step {}",
                          name(settings.method), name(settings.runtime), name(settings.state),
                          settings.workers, settings.workers == 1 ? "" : "s",
                          grouped(settings.batch_size), settings.pushes_per_step,
                          settings.pushes_per_step == 1 ? "" : "es", settings.step));
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

}  // namespace

std::string trace_csv(const Trace& trace) {
  std::string text =
      "seconds,steps,sample_gradients,epochs,objective,gradient_mapping,nonzeros,staleness_max\n";
  for (const Evaluation& row : trace)
    text += fmt::format("{},{},{},{},{},{},{},{}\n", row.seconds, row.steps, row.sample_gradients,
                        row.epochs, row.objective, row.gradient_mapping, row.nonzeros,
                        row.staleness_max);
  return text;
}

std::string summary(const RunRecord& record) {
  const Result& result = record.result;
  std::string text = method_line(result.settings);
  text +=
      line("objective", fmt::format("{:.10g} = loss {:.10g} + regularizer {:.10g}",
                                    result.objective, result.loss_value, result.regularizer_value));
  text += line("stationary", fmt::format("gradient mapping {:.2e} at step {:.4g}",
                                         result.gradient_mapping, result.reference_step));
  text += line("nonzeros", fmt::format("{} of {}", grouped(result.nonzeros),
                                       grouped(static_cast<std::int64_t>(result.x.size()))));
  std::string test;
  for (const auto& [figure, value] : record.test)
    if (value) test += fmt::format("{}{} {:.6g}", test.empty() ? "" : ", ", figure, *value);
  if (!test.empty()) text += line("test", test);
  text += line("run", fmt::format("{} steps, {:.4g} epochs, {:.3g} s (evaluations: {:.3g} s more)",
                                  grouped(result.steps), result.epochs, result.seconds,
                                  result.evaluation_seconds));
  text += line("staleness", fmt::format("mean {:.3g}, max {}, bound {}", result.staleness.mean(),
                                        result.staleness.max, result.staleness_bound));
  text += line("theory", theory_words(result.theory));
  text += line("seed", fmt::format("{}", result.settings.seed));
  text += line("stopped", fmt::format("{}: {}", name(result.stop_reason), result.stop_detail));
  return text;
}

}  // namespace asynprox
