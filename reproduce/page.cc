#include "reproduce/page.h"

#include <fmt/format.h>

#include "asynprox/version.h"

#include "reproduce/claims.h"

namespace asynprox::reproduce {
namespace {

constexpr const char* kIntroduction = R"(
*Asynchronous Stochastic Proximal Methods for Nonconvex Nonsmooth Optimization* (Zhu, Niu, Li) has
one experiment: non-negative PCA on a9a and mnist, with 1, 2, 4 and 8 workers. Here it is made again,
and what it leaves open is measured too.

- **Simulated** figures come from the simulator: the library's own server and workers, in virtual
  time, with the costs of a push and of a step as measured on the machine below. The paper states
  no times: that 8192 samples take a worker 100 ms is an assumption.
- **Paced** figures are real seconds of real threads that sleep until a machine of that pace would
  have been done. Evaluations are off the clock in both.
- Suboptimality is Psi(x) - Psi*, with Psi* exact where no entry of the data is negative.
- The number of steps to 1e-3 is small and whole, so raw speedups jump. Interpolated ones are read
  where the line through the two steps around 1e-3, in log(suboptimality), crosses it.

The same on the paper's own stack, Ray with TensorFlow's gradients: [paper_ray.md](paper_ray.md).
)";

constexpr const char* kSpeedupWords = R"(
Three readings of what the paper ran stand side by side, because they differ and the paper does not
say which is meant:

1. **Algorithm 1 with m = p**: N = 8192 samples per step, shared by p pushes. This is the algorithm as
   described in words (N/m samples per worker), and what `--workers p` does here.
2. **A push is a whole batch**: m = 1, every push has 8192 samples and is a step. This is what the
   worker's line 4 says as printed (a sum to N).
3. **Tuned apart**: as the first, with the best step for each number of workers.

The iteration speedup is p T_1 / T_p, where T counts the sample gradients that the server has applied
when 1e-3 is reached; the time speedup is the ratio of times.
)";

constexpr const char* kDifferences = R"(
## Where the paper and the measurements differ, and why we think so

- **The a9a row.** With m = p the number of steps hardly grows with p, since the mean staleness is
  (p - 1)/m, less than one step: at eta = 0.5/L every p needs the same number of steps, and the
  iteration speedup is p. The paper's 1.98, 3.58, 5.97 come out of the second reading, where the mean
  staleness is p - 1 steps; so do its figures for mnist, with a step about six times shorter. That is
  consistent with what the authors may have run, and no proof of it.
- **Superlinear times.** The paper's time speedups at 2 workers are 2.2 and 2.3. Workers that compute
  at a fixed pace cannot give that, simulated or real; something else (caches, memory, the baseline's
  own overhead) must have helped.
- **A speedup can be inflated by a slow baseline.** Some hundred samples per step reach 1e-3 on these
  data nearly as surely as 8192 do, and a longer step needs fewer of them. The table of the best of
  one worker over the best of eight says what is left once both are free to choose.
- **K >= ... (T+1)^4.** The corollary's step is safe, and 11 to 850 times more cautious than 1/L on
  these data: see the figure of steps against delay.

## Slips in the paper

- The worker's line 4 of Algorithm 1 sums to N where line 3 chose N/m samples. We take N/m, so that a
  step sees N samples.
- The proof of Theorem 1 drops a term: E<x_{k+1} - xbar, delta> is not 0, since x_{k+1} depends on
  the noise delta. It adds eta sigma^2/(2N) a step, and the bound holds with 4 sigma^2 sum eta /
  (N sum(eta - 8 L eta^2)) added to it. Without it the printed bound can fail for a constant batch.
- The proof of the corollary writes 2 - 16 L eta^2 where 8/(eta - 8 L eta^2) = 16/(eta (2 - 16 L eta))
  needs 2 - 16 L eta; with eta <= 1/(16 L) that is at least 1 too, and the bound stands.
- l_k := min(k+T-1, K) is the last index of a sum over l of eta_{k+l}; it should be min(T, K-k).
)";

class Page {
 public:
  Page(const Findings& findings, const PageOptions& options)
      : findings_(findings), options_(options) {}

  std::string text() {
    text_ = "# The paper's experiments, made again\n\n";
    text_ += fmt::format("Made by `{}` (asynprox {}) on {}.\n", options_.command, kVersion,
                         options_.machine);
    if (!options_.complete) text_ += "\n**Interrupted: what follows is what was found by then.**\n";
    text_ += kIntroduction;
    for (const std::string& note : findings_.notes()) text_ += fmt::format("- {}\n", note);
    add_claims();
    section("The reference point", {"reference"});
    section("Tables 2 and 3: speedup", {"speedup", "schedule"}, kSpeedupWords);
    section("Figures 1 and 2", {"figure1", "figure2"});
    section("In real time", {"paced_speedup", "paced_uneven"});
    section("Workers that are not alike", {"uneven"});
    section("Columns of mean 0", {"centered"},
            "\nCentred data has several local minima, and -L/2 is far below the best of them.\n");
    section("To 1,024 workers", {"many_workers"});
    section(
        "Old gradients", {"delays"},
        "\nAlgorithm 2 of the paper with a constant delay, tau(k, i) = min(T, k): what "
        "staleness itself "
        "costs. K^(1/4) is the paper's limit for a linear speedup. On centred columns: without "
        "that, gradients at the start are nearly as good as later ones, and age costs nothing.\n");
    section("The best of one worker over the best of eight", {"tuned"});
    return text_ + kDifferences;
  }

 private:
  void add_claims() {
    const std::vector<Claim> all = claims(findings_);
    if (all.empty()) return;
    text_ += "\n## The claims\n\n| the paper | measured | verdict | table |\n";
    text_ += "| --- | --- | --- | --- |\n";
    for (const Claim& claim : all)
      text_ += fmt::format("| {} | {} | {} | `{}` |\n", claim.text, claim.measured, claim.verdict,
                           claim.table);
  }

  // The tables and pictures whose names begin so; nothing where there is none.
  void section(const std::string& title, const std::vector<std::string>& kinds,
               const std::string& words = "") {
    std::string body;
    for (const std::string& kind : kinds) {
      for (const Table& table : findings_.tables())
        if (table.name.starts_with(kind + "_")) body += "\n" + markdown(table);
      for (const Figure& figure : findings_.figures())
        if (figure.name.starts_with(kind + "_"))
          body += fmt::format("\n![{0} ({1})]({2}.svg)\n\n*{0} ({1}).*\n", figure.chart.title,
                              figure.how, figure.name);
    }
    if (!body.empty()) text_ += fmt::format("\n## {}\n{}{}", title, words, body);
  }

  const Findings& findings_;
  const PageOptions& options_;
  std::string text_;
};

}  // namespace

std::string page(const Findings& findings, const PageOptions& options) {
  return Page(findings, options).text();
}

std::string summary(const Findings& findings) {
  std::string text;
  for (const Claim& claim : claims(findings))
    text += fmt::format("{}\n    {}: {}\n", claim.text, claim.measured, claim.verdict);
  return text;
}

}  // namespace asynprox::reproduce
