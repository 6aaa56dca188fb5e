#include "reproduce/curve.h"

#include <gtest/gtest.h>

#include "reproduce/side_by_side.h"
#include "reproduce/speedup.h"
#include "reproduce/study.h"

namespace asynprox::reproduce {
namespace {

Curve falling(const std::vector<double>& suboptimalities) {
  Curve curve;
  for (std::size_t k = 0; k < suboptimalities.size(); ++k) {
    const auto at = static_cast<double>(k);
    curve.points.push_back({at, 100 * at, at / 10, 2 * at, suboptimalities[k]});
  }
  return curve;
}

TEST(Passage, IsTheFirstPointThatIsLowEnough) {
  const Curve curve = falling({1, 1e-2, 1e-4, 1e-2, 1e-5});
  EXPECT_EQ(first_passage(curve, 1e-3)->steps, 2);
  EXPECT_EQ(first_passage(curve, 1e-4)->sample_gradients, 200);
  EXPECT_FALSE(first_passage(curve, 1e-6));
}

TEST(Passage, IsInterpolatedInTheLogarithm) {
  const CurvePoint half_way = *interpolated_passage(falling({1, 1e-2, 1e-4}), 1e-3);
  EXPECT_DOUBLE_EQ(half_way.steps, 1.5);
  EXPECT_DOUBLE_EQ(half_way.sample_gradients, 150);
  EXPECT_DOUBLE_EQ(half_way.seconds, 3);
  EXPECT_EQ(interpolated_passage(falling({1e-4}), 1e-3)->steps, 0);
  EXPECT_EQ(interpolated_passage(falling({1, -1e-17}), 1e-3)->steps, 1);
  EXPECT_FALSE(interpolated_passage(falling({1, 0.1}), 1e-3));
}

TEST(Speedup, IsWhatThePaperDefines) {
  const Passages one{.workers = 1,
                     .first = {{.sample_gradients = 900, .seconds = 9}},
                     .interpolated = {{.sample_gradients = 800, .seconds = 8}},
                     .staleness_means = {0}};
  const Passages four{.workers = 4,
                      .first = {{.sample_gradients = 1000, .seconds = 3}},
                      .interpolated = {{.sample_gradients = 1000, .seconds = 2}},
                      .staleness_means = {0.75}};
  const Speedup speedup = speedups({one, four}).back();
  EXPECT_DOUBLE_EQ(speedup.iteration.mean, 3.6);
  EXPECT_DOUBLE_EQ(speedup.iteration_interpolated.mean, 3.2);
  EXPECT_DOUBLE_EQ(speedup.time.mean, 3);
  EXPECT_DOUBLE_EQ(speedup.time_interpolated.mean, 4);
}

TEST(Measure, EndsAtTheTargetAndWhenInterrupted) {
  const PaperProblem problem =
      make_problem("tiny", read_dataset("generate:nn-pca:n=200,d=10"), false, false, 1);
  const Options options = Study{}.algorithm_1(problem, 4, 1);
  const Curve curve = measure(problem, options, 1e-2, {});
  EXPECT_LE(curve.points.back().suboptimality, 1e-2);
  EXPECT_GT(curve.points[curve.points.size() - 2].suboptimality, 1e-2);
  const std::atomic<bool> interrupted = true;
  EXPECT_THROW(measure(problem, options, 1e-2, {.interrupt = &interrupted}), Interrupted);
}

TEST(Reference, IsTheEigenvaluesAnswerWhereNothingIsNegative) {
  const PaperProblem problem =
      make_problem("tiny", read_dataset("generate:nn-pca:n=200,d=10"), false, false, 2);
  EXPECT_EQ(problem.reference.from_starts.size(), 2U);
  for (const double value : problem.reference.from_starts)
    EXPECT_NEAR(value, -problem.lipschitz() / 2, 1e-12);
}

TEST(PaperData, IsReplacedAndSaysSoWhereItIsNotThere) {
  const std::vector<PaperData> data = find_paper_data("no/such/folder");
  ASSERT_EQ(data.size(), 2U);
  for (const PaperData& each : data) {
    EXPECT_FALSE(each.is_papers);
    EXPECT_NE(each.substituted.find("not in no/such/folder"), std::string::npos);
    EXPECT_NE(each.name, "a9a");
    EXPECT_NE(each.name, "mnist");
  }
}

TEST(SideBySide, DoesEachPieceOnceAndPassesOnWhatIsThrown) {
  std::vector<int> done(100, 0);
  side_by_side(3, done.size(), [&](std::size_t i) { ++done[i]; });
  EXPECT_EQ(done, std::vector<int>(100, 1));
  EXPECT_THROW(side_by_side(2, 10, [](std::size_t) { throw Interrupted{}; }), Interrupted);
}

}  // namespace
}  // namespace asynprox::reproduce
