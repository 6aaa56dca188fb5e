#include "asynprox/regularizers/all.h"
