#include "asynprox/models/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "asynprox/base/errors.h"
#include "asynprox/models/write_file.h"

namespace asynprox {
namespace {

constexpr std::int64_t kPixelsMax = 1 << 28;
constexpr int kPointsPerPixel = 10;  // how large the drawing is shown unless asked otherwise

using Colour = std::array<int, 3>;
constexpr Colour kInk = {16, 42, 92};
constexpr Colour kNegativeInk = {176, 58, 8};

void check(const Vector& x, PictureShape shape) {
  require(shape.height >= 1 && shape.width >= 1,
          fmt::format("picture: expected a height and a width of at least 1, got {} and {}",
                      shape.height, shape.width));
  const std::int64_t pixels = std::int64_t{shape.height} * shape.width;
  require(pixels <= kPixelsMax, fmt::format("picture: expected at most {} pixels, got {} x {}",
                                            kPixelsMax, shape.height, shape.width));
  require(x.size() <= static_cast<std::size_t>(pixels),
          fmt::format("picture: expected at most {} x {} coefficients, got {}", shape.height,
                      shape.width, x.size()));
  require(all_finite(x), "picture: expected finite coefficients");
}

double largest_magnitude(const Vector& x) {
  double largest = 0;
  for (const double x_j : x) largest = std::max(largest, std::abs(x_j));
  return largest;
}

// t, with zeros after the last coefficient.
Vector shares(const Vector& x, PictureShape shape) {
  const double largest = largest_magnitude(x);
  Vector t(static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width));
  if (largest > 0) std::ranges::transform(x, t.begin(), [&](double x_j) { return x_j / largest; });
  return t;
}

std::string pgm(const Vector& x, PictureShape shape) {
  const Vector t = shares(x, shape);
  const bool any_negative = std::ranges::any_of(t, [](double t_j) { return t_j < 0; });
  std::string bytes = fmt::format("P5\n{} {}\n255\n", shape.width, shape.height);
  for (const double t_j : t) {
    const double share_of_white = any_negative ? (1 + t_j) / 2 : t_j;
    bytes += static_cast<char>(static_cast<unsigned char>(std::lround(255 * share_of_white)));
  }
  return bytes;
}

std::string colour(double t) {
  const Colour& ink = t < 0 ? kNegativeInk : kInk;
  const auto channel = [&](std::size_t k) {
    return std::lround(255 - std::abs(t) * (255 - ink[k]));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2));
}

std::string svg(const Vector& x, PictureShape shape) {
  const Vector t = shares(x, shape);
  const auto width = static_cast<std::size_t>(shape.width);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{2}\" "
      "height=\"{3}\" shape-rendering=\"crispEdges\">\n"
      "<title>{4} coefficients as {1} rows of {0}, the largest in magnitude {5:.4g}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      shape.width, shape.height, std::int64_t{kPointsPerPixel} * shape.width,
      std::int64_t{kPointsPerPixel} * shape.height, x.size(), largest_magnitude(x));
  for (std::size_t j = 0; j < t.size(); ++j) {
    const std::string fill = t[j] == 0 ? "#ffffff" : colour(t[j]);
    if (fill == "#ffffff") continue;
    text += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"1\" height=\"1\" fill=\"{}\"/>\n",
                        j % width, j / width, fill);
  }
  return text + "</svg>\n";
}

}  // namespace

bool is_picture_name(std::string_view path) {
  return path.ends_with(".pgm") || path.ends_with(".svg");
}

void write_picture(const Vector& x, PictureShape shape, const std::string& path) {
  const bool is_pgm = path.ends_with(".pgm");
  require(is_picture_name(path), path + ": expected a picture's name to end in .pgm or .svg");
  check(x, shape);
  write_whole_file(path, is_pgm ? pgm(x, shape) : svg(x, shape));
}

void write_picture(const FittedModel& model, const std::string& path) {
  require(model.picture.has_value(), "picture: expected a model of pictures");
  const PictureShape shape = *model.picture;
  if (model.outputs == 1) return write_picture(model.x, shape, path);
  const auto outputs = static_cast<std::int64_t>(model.outputs);
  check(Vector(), {.height = shape.height, .width = shape.width});
  require(
      outputs <= kPixelsMax / (std::int64_t{shape.height} * shape.width) &&
          model.dimension() <= static_cast<std::size_t>(std::int64_t{shape.height} * shape.width),
      fmt::format("picture: expected at most {} x {} coefficients for each of {} outputs, and "
                  "{} pixels in all",
                  shape.height, shape.width, outputs, kPixelsMax));
  const PictureShape wide{.height = shape.height, .width = static_cast<int>(outputs * shape.width)};
  const auto width = static_cast<std::size_t>(shape.width);
  Vector x(model.outputs * width * static_cast<std::size_t>(shape.height));
  for (std::size_t j = 0; j < model.dimension(); ++j)
    for (std::size_t c = 0; c < model.outputs; ++c)
      x[(j / width * model.outputs + c) * width + j % width] = model.x[j * model.outputs + c];
  write_picture(x, wide, path);
}

}  // namespace asynprox
