// Ratings as entries of a full matrix X, num_users x num_items, of which few are known:
//
//   F(X; xi_i) = w_i phi(X_uv, y_i)           sample i: user u gave item v the rating y_i
//
// X lies row by row, so that nuclear:LAMBDA,columns=num_items sees the matrix. It is a linear
// model: sample i is a row with a single one, in the column u num_items + v. For small sizes.
#pragma once

#include "asynprox/data/dataset.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {

// The same samples, each a row with a one for its entry of the matrix. Throws ContractError for
// data that is no ratings, and for a matrix of more than 2^32 entries.
Dataset matrix_entries(const Dataset& ratings);

// With an intercept, F = w_i phi(X_uv + b, y_i).
LinearSum matrix_completion(const Dataset& ratings, AnyLoss loss,
                            const LinearSumOptions& options = {});

}  // namespace asynprox
