// ContractError (the caller broke a rule) and DataError (a file is wrong); both are Error.
#pragma once

#include "asynprox/base/errors.h"  // IWYU pragma: export
