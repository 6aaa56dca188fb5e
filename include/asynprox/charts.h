// Line charts as SVG.
#pragma once

#include "asynprox/report/line_chart.h"  // IWYU pragma: export
