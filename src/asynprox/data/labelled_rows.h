// Samples as a reader or a generator hands them over, before they are given their final form.
#pragma once

#include "asynprox/linalg/rows.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

struct LabelledRows {
  CsrMatrix matrix;
  Vector labels;  // one a row
};

}  // namespace asynprox
