// Coefficients as a picture: what a model of images looks at.
//
// x is read row by row, from the top left; t = x_j / max |x| is what a pixel shows.
#pragma once

#include <string>
#include <string_view>

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

// Does the name end as one of the pictures that write_picture makes?
bool is_picture_name(std::string_view path);

// By the ending of `path`:
//
//   .pgm   8-bit grey. Without negative coefficients 0 is black and t = 1 white; with them
//          t = -1 is black, 0 the middle grey (128) and t = 1 white. All of x zero: black.
//   .svg   a rectangle a pixel on a white ground: the larger t, the darker the blue; negative ones
//          the darker orange. A pixel that would be white is left out.
//
// Where x is shorter than the picture, zeros follow. Throws ContractError for another ending, an x
// that is longer or not finite, a shape without pixels or of more than 2^28; Error where the file
// cannot be written (see write_whole_file).
void write_picture(const Vector& x, PictureShape shape, const std::string& path);

// The same of a model that has a picture (else ContractError). Of several outputs each has its own,
// from left to right, all by the one largest |x|.
void write_picture(const FittedModel& model, const std::string& path);

}  // namespace asynprox
