// Fitted models: their file, what they predict, and how well.
#pragma once

#include "asynprox/models/evaluation.h"    // IWYU pragma: export
#include "asynprox/models/features.h"      // IWYU pragma: export
#include "asynprox/models/fitted_model.h"  // IWYU pragma: export
#include "asynprox/models/metrics.h"       // IWYU pragma: export
#include "asynprox/models/model_file.h"    // IWYU pragma: export
#include "asynprox/models/predictions.h"   // IWYU pragma: export
#include "asynprox/models/scores.h"        // IWYU pragma: export
#include "asynprox/models/user_units.h"    // IWYU pragma: export
