// What a data set looks like, for people: `asynprox data info`.
#pragma once

#include <string>

#include "asynprox/data/dataset.h"
#include "asynprox/data/labels.h"

namespace asynprox {

struct MinMeanMax {
  double min = 0;
  double mean = 0;
  double max = 0;
};

struct DataInfo {
  std::string name;
  std::size_t samples = 0;
  std::size_t dimension = 0;
  std::size_t nonzeros = 0;
  double density = 0;     // nonzeros / (samples * dimension)
  MinMeanMax row_length;  // stored entries per row
  MinMeanMax row_norm;    // as used: with row_scale
  std::size_t empty_rows = 0;
  std::size_t columns_never_seen = 0;
  LabelSummary labels;
  std::vector<std::string> label_names;    // where labels are text; as in Dataset
  std::vector<std::string> feature_names;  // one per feature, or none
  std::string form;                        // how the rows are stored
  std::size_t bytes = 0;                   // of the rows
  std::optional<PictureShape> picture;
  std::optional<RatingsShape> ratings;
};

DataInfo data_info(const Dataset& data);

}  // namespace asynprox
