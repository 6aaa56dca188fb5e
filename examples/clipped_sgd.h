// A method of one's own, outside the library: Algorithm 1 with steps of bounded length.
//
//   v = G min(1, radius / |G|)
//
// One sample that is far off then moves x no further than others do.
#pragma once

#include <asynprox/methods.h>

#include <cmath>
#include <string_view>
#include <tuple>

struct ClippedSgd {
  static constexpr std::string_view name = "clipped-sgd";
  static constexpr std::string_view formula = "v = G min(1, radius / |G|)";
  // v is another than G, and all of it is needed for its length.
  static constexpr asynprox::MethodTraits traits = {.lazy = asynprox::LazyForm::none,
                                                    .outside_theorem = asynprox::kOwnDirection};
  double radius = 1;

  static constexpr auto parameters() {
    return std::tuple(asynprox::parameter(&ClippedSgd::radius, "radius", asynprox::above(0),
                                          "that |v| does not exceed"));
  }

  struct ServerPart {
    ServerPart(const ClippedSgd& method, const asynprox::ServerSetup&) : radius(method.radius) {}

    bool direct(const asynprox::StepPushes&, const asynprox::StepDirection& direction) {
      const double length = std::sqrt(asynprox::dot(direction.v, direction.v));
      if (length > radius) asynprox::scale(direction.v, radius / length);
      return true;  // x moves along v
    }
    void forget() {}    // workers remember nothing,
    void restored() {}  // nor does the server

    double radius;
  };
  using WorkerPart = asynprox::PlainWorker;  // pushes the summed gradient of its samples
};
static_assert(asynprox::Method<ClippedSgd>);
