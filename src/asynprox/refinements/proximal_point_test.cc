#include "asynprox/refinements/proximal_point.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/evaluated_model_testing.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr double kEta = 0.5;

Problem problem_of(const AnyLoss& loss, const AnyRegularizer& h, bool intercept) {
  Dataset data = read_dataset("generate:sparse-logistic:n=60,d=200,nonzeros=12");
  for (std::size_t i = 0; i < data.labels.size(); ++i)
    if (loss.name() == "poisson") data.labels[i] = static_cast<double>(i % 3);
  return make_problem(LinearSum(data, data.labels, loss, {.outputs = 1, .intercept = intercept}),
                      h);
}

// All columns of a problem, from a model of zeros.
struct Searched {
  explicit Searched(const Problem& problem, double violation = 1e-9,
                    std::int64_t work_max = std::numeric_limits<std::int64_t>::max()) {
    const bool intercept = problem.f.num_free() > 0;
    std::vector<Key> keys(problem.f.dimension() - (intercept ? 1 : 0));
    std::iota(keys.begin(), keys.end(), Key{0});
    const StoredColumns& stored = *problem.f.stored_columns();
    const SparseColumns columns = stored.of(keys, stored.lengths());
    std::vector<ColumnSpan> spans;
    for (std::size_t k = 0; k < keys.size(); ++k)
      spans.push_back({&columns.rows[columns.offsets[k]], &columns.values[columns.offsets[k]],
                       columns.offsets[k + 1] - columns.offsets[k]});
    first = evaluated(problem, Vector(problem.f.dimension(), 0));
    ProximalPoint search(
        {.problem = problem,
         .keys = keys,
         .columns = spans,
         .x = Vector(keys.size(), 0),
         .gradient = Vector(first.gradient.begin(),
                            first.gradient.begin() + static_cast<std::ptrdiff_t>(keys.size())),
         .intercept = intercept,
         .b = 0,
         .slope = intercept ? first.gradient.back() : 0,
         .outputs = first.outputs,
         .scalars = first.scalars});
    found = search.minimize({.eta = kEta, .violation = violation, .work = work_max});
    Vector x = search.x();
    if (intercept) x.push_back(search.b());
    last = evaluated(problem, x);
    mapping = gradient_mapping_norm(problem.h, last.x, last.gradient, kEta);
    work = search.work();
  }

  EvaluatedModel first, last;
  ProximalPoint::Found found;
  double mapping = 0;
  std::int64_t work = 0;
};

// Three times as many columns as samples, and strengths down to where the data is nearly interpolated.
TEST(ProximalPoint, ComesToTheMinimum) {
  int tried = 0;
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    for (const AnyRegularizer& h : std::vector<AnyRegularizer>{
             L1{.lambda = 0.01}, L1{.lambda = 1e-4}, ElasticNet{.l1 = 0.001, .l2 = 0.001},
             NonNegL1{.lambda = 0.001}, Box{.lower = -0.1, .upper = 0.2}})
      for (const bool intercept : {false, true}) {
        const Problem problem = problem_of(Loss{}, h, intercept);
        if (!problem.f.convex()) continue;
        SCOPED_TRACE(testing::Message()
                     << Loss::name << " + " << h.name() << ", intercept " << intercept);
        const Searched searched(problem);
        EXPECT_TRUE(searched.found.better);
        EXPECT_NEAR(searched.first.objective.total() - searched.last.objective.total(),
                    searched.found.fell, 1e-6 * searched.first.objective.total());
        EXPECT_LT(searched.mapping, 1e-5);
        EXPECT_GT(searched.work, 0);
        ++tried;
      }
  });
  EXPECT_EQ(tried, 6 * 5 * 2);
}

TEST(ProximalPoint, EndsWhereViolationsAreSmallEnough) {
  const Problem problem = problem_of(SquaredHingeLoss{}, L1{.lambda = 1e-3}, true);
  const Searched rough(problem, 1e-3), fine(problem, 1e-8);
  EXPECT_LT(rough.work, fine.work);
  EXPECT_LT(fine.mapping, 1e-2 * rough.mapping);
}

TEST(ProximalPoint, EndsAtALimitOfWork) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 1e-3}, true);
  const Searched whole(problem), part(problem, 1e-9, whole.work / 2);
  EXPECT_TRUE(part.found.better);
  EXPECT_LT(part.work, whole.work);
  EXPECT_LT(part.found.fell, whole.found.fell);
}

TEST(ProximalPoint, LeavesTheRestUndoneWhenToldTo) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 1e-3}, false);
  std::vector<Key> keys = {3};
  const EvaluatedModel at = evaluated(problem, Vector(problem.f.dimension(), 0));
  const StoredColumns& stored = *problem.f.stored_columns();
  const SparseColumns columns = stored.of(keys, stored.lengths());
  const std::vector<ColumnSpan> spans = {
      {columns.rows.data(), columns.values.data(), columns.offsets[1]}};
  ProximalPoint search({.problem = problem,
                        .keys = keys,
                        .columns = spans,
                        .x = {0},
                        .gradient = {at.gradient[3]},
                        .outputs = at.outputs,
                        .scalars = at.scalars});
  EXPECT_FALSE(search.minimize({.eta = kEta, .stop = [] { return true; }}).better);
  EXPECT_EQ(search.x(), Vector{0});
}

}  // namespace
}  // namespace asynprox
