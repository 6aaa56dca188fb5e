// A fitted model as a file: JSON, with numbers that come back bit for bit.
//
//   {
//     "format": "asynprox-model", "format_version": 3, "version": "0.1.0",
//     "loss": "logistic", "regularizer": "l1:1e-4", "normalize_rows": false,
//     "labels": {"negative": -1, "positive": 1, "one_against_rest": false},      or null
//     "picture": {"height": 28, "width": 28},                                    or null
//     "dimension": 784,
//     "outputs": 10,                      C, where it is not 1
//     "x": [0.5, -1e-300, ...],           C numbers a feature, side by side
//
// and, only where the model has them,
//
//     "intercept": [0.5, ...],            C numbers
//     "column_scale": [2, 0.3, ...],      one a feature
//     "center": [0.1, 0.25, ...],         one a feature
//     "classes": [0, 1, 2],               the label number of each output
//     "label_names": ["cat", "dog"],      what label 0, 1, ... is called
//     "feature_names": ["age", ...]       one a feature
//     "model": "factors:rank=8",          where it is not linear: x is then as kinds.h says
//     "ratings": {"users": 9, "items": 7} of a model of ratings
//     "label_column": "1"                 of CSV whose labels were not last: which column, or
//     "none"
//   }
//
// A file with none of the fields that came later (outputs, intercept, column_scale, classes, the
// names) has the format version 1, one without a model, ratings, a label column or a size 2: older
// programs read what they know.
//
// Where fewer than half of x, of the column scale or of the centre are nonzero (-0 counts as one:
// it has a bit of its own), it is written as "x": {"size": 784, "indices": [3, 17], "values": [0.5,
// 2]}, indices from 0 and rising. The size, which a wrong dimension would contradict, came with the
// format version 3; files without it are read, too.
#pragma once

#include <string>

#include "asynprox/models/fitted_model.h"

namespace asynprox {

// The text of the file. Throws ContractError for a model that check_model refuses. Bytes of a text
// that are not UTF-8 are written as U+FFFD.
std::string model_json(const FittedModel& model);

// Throws what model_json throws, and Error where the file cannot be written (see write_whole_file).
void write_model(const FittedModel& model, const std::string& path);

// The file may be compressed, as data may be. Throws DataError, "<path>: <field>: expected ..., got
// ...", for whatever write_model would not have written: damage, a field that is missing, unknown
// or given twice, a newer format, a value that check_model refuses.
FittedModel read_model(const std::string& path);

}  // namespace asynprox
