// A run as a value: its plan as JSON, and the events that reached the server as a file. With the
// data, replay() makes the same run of them, to the bit.
#pragma once

#include "asynprox/report/event_file.h"  // IWYU pragma: export
#include "asynprox/run/json.h"           // IWYU pragma: export
#include "asynprox/run/plan.h"           // IWYU pragma: export
