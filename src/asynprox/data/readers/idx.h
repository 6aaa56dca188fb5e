// IDX, the binary form of MNIST and its like: big-endian, unsigned bytes only.
//
//   magic  0 0 8 R      R dimensions: 1 for labels, 2 for a matrix, 3 for pictures
//   sizes  R 32-bit numbers, the first is the number of samples
//   data   the product of the sizes, in bytes
#pragma once

#include <optional>
#include <string>

#include "asynprox/data/dataset.h"
#include "asynprox/data/readers/input_stream.h"
#include "asynprox/data/readers/labelled_rows.h"

namespace asynprox {

// Whether the stream starts as IDX does: two zero bytes, which no text has.
bool is_idx(InputStream& stream);

struct IdxImages {
  CollectedRows samples = {};  // a row a picture, without the zeros; no labels
  std::optional<PictureShape> picture = {};
};

// Both throw DataError, naming the file, for another magic or type and for a file that is shorter
// or longer than its sizes say.
IdxImages read_idx_images(InputStream& stream);
Vector read_idx_labels(InputStream& stream);

// Where the labels of these images lie: `labels` for `images`, `idx1` for `idx3` (or `idx2`) in the
// file's name. "" if the name has none of them.
std::string idx_labels_path(const std::string& images_path);

}  // namespace asynprox
