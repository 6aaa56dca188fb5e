// How a worker draws the samples of its pushes: which ones, and how much each counts.
//
//   E[ sum_i weight_i g_i ] = count * (mean of g over the range)       for any g: a law
//
// A draw is a pure function of its number, so the same samples can be had again and a recorded run
// replayed. A rule is a small struct with
//   name, formula, parameters()          see base/family.h
//   asks_for_lipschitz()                 true if it wants setup.sample_lipschitz
//   takes_turns                          a constant: draws are numbered over all workers; else
//                                        each worker counts its own
//   Sampler                              what draws: made of the rule and a SamplingSetup, with
//     draw(number, samples, weights)     fills both; weights stay empty where all are 1
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// Samples first, ..., last - 1.
struct SampleRange {
  std::size_t first = 0;
  std::size_t last = 1;

  std::size_t size() const { return last - first; }

  // Number `share` of `shares` even parts of n samples.
  static SampleRange part(std::size_t n, int share, int shares) {
    return {.first = n * share / shares, .last = n * (share + 1) / shares};
  }
};

struct SamplingSetup {
  Random random = Random(1);  // of this worker, in this life
  SampleRange range = {};     // draw from these
  std::size_t count = 1;      // so many, or fewer that count for more
  bool distinct = false;      // none twice in a draw; the range has at least `count` then

  // The same for all workers, for rules that have such.
  Random shared = Random(1);

  // L_i of every sample of f, for rules that ask for it.
  std::shared_ptr<const Vector> sample_lipschitz = {};
};

template <class Rule>
concept SamplingRule = std::default_initializable<Rule> && std::copyable<Rule> &&
                       std::constructible_from<typename Rule::Sampler, Rule, SamplingSetup> &&
                       requires(const Rule rule, typename Rule::Sampler sampler,
                                std::vector<SampleIndex>& samples, Vector& weights) {
                         { Rule::name } -> std::convertible_to<std::string_view>;
                         { Rule::formula } -> std::convertible_to<std::string_view>;
                         { Rule::takes_turns } -> std::convertible_to<bool>;
                         { rule.asks_for_lipschitz() } -> std::same_as<bool>;
                         Rule::parameters();
                         sampler.draw(std::uint64_t{}, samples, weights);
                       };

}  // namespace asynprox
