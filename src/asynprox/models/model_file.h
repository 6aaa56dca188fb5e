// A fitted model as a file: JSON, with numbers that come back bit for bit.
//
//   {
//     "format": "asynprox-model", "format_version": 4, "version": "0.1.0",
//     "loss": "logistic", "regularizer": "l1:1e-4", "normalize_rows": false,
//     "labels": {"negative": -1, "positive": 1, "one_against_rest": false},      or null
//     "picture": {"height": 28, "width": 28},                                    or null
//     "dimension": 784,
//     "outputs": 10,                      C, where it is not 1
//     "x": {"size": 7840, "indices": [3, 17], "values": [0.5, -1e-300]}
//
// and, only where the model has them,
//
//     "model": "factors:rank=8",          where it is not linear: x is then as kinds.h says
//     "ratings": {"users": 9, "items": 7} of a model of ratings
//     "intercept": [0.5, ...],            C numbers
//     "column_scale": [2, 0.3, ...],      one per feature
//     "center": [0.1, 0.25, ...],         one per feature
//     "classes": [0, 1, 2],               the label number of each output
//     "label_names": ["cat", "dog"],      what label 0, 1, ... is called
//     "feature_names": ["age", ...]       one per feature
//     "label_column": "1"                 of CSV whose labels were not last: the column, or "none"
//     "label_column_name": "kind"         of CSV with a header: what that column was called
//   }
//
// docs/files.md describes each field. x is written by its nonzeros (-0 counts as one: it has a bit
// of its own), indices from 0 and rising; coefficient c of feature j is number C j + c.
//
// A file without label_column_name has the format version 3, so that older programs read it. Files
// of the versions 1 to 3 are read: 1 knows no outputs, intercept, column_scale, classes and names,
// 2 no model, ratings and label_column; in all three x, column_scale and center may be a list of
// all numbers or an object as above, where that of versions 1 and 2 has no size.
#pragma once

#include <cstdint>
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

// The same for a model of at most so many coefficients and features; one of more is refused before
// anything of its size is allocated. A file of a few bytes may hold 2^27 coefficients, nearly all zero,
// which take a gigabyte: whoever reads files of strangers sets a limit (of at most 2^32).
FittedModel read_model_within(const std::string& path, std::uint64_t coefficients_max);

}  // namespace asynprox
