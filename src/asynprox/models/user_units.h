// A linear model in the units of the user's columns: scaling and centring of the columns undone.
//
//   u_ic = s_i z_i'w_c + v_c                          z_i: row i of the user's table
//   w_jc = D_jj x_jc,  v_c = b_c - sum_j mu_j x_jc    in the notation of FittedModel
//   s_i = 1 / |z_i| where rows are normalised, else 1
#pragma once

#include "asynprox/linalg/vectors.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

struct UserUnits {
  Vector coefficients = {};  // w: C numbers per feature, side by side
  Vector intercepts = {};    // v: one per output
};

// Throws ContractError for a model that is not linear.
UserUnits in_user_units(const FittedModel& model);

}  // namespace asynprox
