#include "asynprox/report/line_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asynprox/base/random.h"

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t count(const std::string& text, std::string_view piece) {
  std::size_t found = 0;
  for (auto at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) ++found;
  return found;
}

std::vector<std::string> labels(const ChartAxis& axis) {
  std::vector<std::string> texts;
  for (const double tick : axis.ticks()) texts.push_back(axis.label(tick));
  return texts;
}

TEST(ChartAxis, HoldsEveryValueBetweenAFewRisingTicks) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Random random = Random(seed);
    const Scale scale = seed % 2 == 0 ? Scale::log : Scale::linear;
    std::vector<double> values;
    for (std::uint64_t i = 0; i < 1 + seed % 5; ++i) {
      const double sign = scale == Scale::linear && random.uniform_at(2 * i) < 0.5 ? -1 : 1;
      values.push_back(sign * std::pow(10, 24 * random.uniform_at(2 * i + 1) - 12));
    }
    const ChartAxis axis(scale, values);
    ASSERT_GE(axis.ticks().size(), 2U) << seed;
    ASSERT_LE(axis.ticks().size(), 12U) << seed;
    EXPECT_TRUE(std::ranges::is_sorted(axis.ticks()));
    for (const double value : values) {
      EXPECT_GE(axis.share(value), -1e-6) << seed;
      EXPECT_LE(axis.share(value), 1 + 1e-6) << seed;
    }
    const std::vector<std::string> texts = labels(axis);
    EXPECT_EQ(std::ranges::adjacent_find(texts), texts.end()) << seed << " " << texts.front();
  }
}

TEST(ChartAxis, HasRoundTicks) {
  EXPECT_EQ(labels(ChartAxis(Scale::linear, {0, 0.93})),
            (std::vector<std::string>{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(ChartAxis(Scale::linear, {-300, 12000})),
            (std::vector<std::string>{"-2,000", "0", "2,000", "4,000", "6,000", "8,000", "10,000",
                                      "12,000"}));
}

TEST(ChartAxis, HasPowersOfTenOnALogarithmicScaleAndMoreWhereTheyAreFew) {
  EXPECT_EQ(labels(ChartAxis(Scale::log, {3e-4, 0.2})),
            (std::vector<std::string>{"10⁻³", "10⁻²", "10⁻¹"}));
  EXPECT_EQ(labels(ChartAxis(Scale::log, {1, 1024})),
            (std::vector<std::string>{"1", "10", "100", "1,000"}));
  EXPECT_EQ(labels(ChartAxis(Scale::log, {3, 12})),
            (std::vector<std::string>{"2", "5", "10", "20"}));
}

TEST(ChartAxis, EndsAtRoundNumbersBeyondTheValues) {
  const ChartAxis axis(Scale::log, {3e-4, 1024});
  EXPECT_DOUBLE_EQ(axis.min(), 2e-4);
  EXPECT_DOUBLE_EQ(axis.max(), 2000);
}

TEST(ChartAxis, DoesWithoutValues) {
  EXPECT_EQ(ChartAxis(Scale::linear, {NAN, kInfinity}).max(), 1);
  EXPECT_EQ(ChartAxis(Scale::log, {0, -3}).max(), 10);
}

LineChart two_lines() {
  return {.title = "Two lines",
          .x_label = "across",
          .y_label = "up",
          .y_scale = Scale::log,
          .series = {{.name = "first", .points = {{0, 1}, {1, 0.1}, {2, 0.01}}},
                     {.name = "second", .points = {{0, 1}, {2, 0.1}}, .markers = true}},
          .x_marks = {{.name = "here", .at = 1}}};
}

TEST(LineChart, DrawsEachSeriesOnceAndNamesEverything) {
  const std::string text = svg(two_lines());
  EXPECT_TRUE(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "));
  EXPECT_TRUE(text.ends_with("</svg>\n"));
  EXPECT_EQ(count(text, "<polyline "), 2U);
  EXPECT_EQ(count(text, "<path "), 3U);  // two markers, and one in the legend
  for (const char* name : {"Two lines", "across", "up", "first", "second", "here"})
    EXPECT_EQ(count(text, std::string(">") + name + "<"),
              name == std::string("Two lines") ? 2U : 1U)
        << name;
  EXPECT_EQ(count(text, "<script"), 0U);
}

TEST(LineChart, PutsPointsWhereTheAxesSay) {
  // The axes go from 0 to 2 and from 0.01 to 1: the corners, and the middle between them.
  EXPECT_NE(svg(two_lines()).find("points=\"78.0,46.0 318.0,196.0 558.0,346.0\""),
            std::string::npos);
}

TEST(LineChart, GivesEightSeriesEightLooks) {
  LineChart chart;
  for (int i = 0; i < 8; ++i) chart.series.push_back({.points = {{0, 0}, {1, 1}}});
  const std::string text = svg(chart);
  std::vector<std::string> looks;
  for (auto at = text.find("<polyline"); at != std::string::npos;
       at = text.find("<polyline", at + 1))
    looks.push_back(text.substr(at, text.find("/>", at) - at));
  std::ranges::sort(looks);
  EXPECT_EQ(looks.size(), 8U);
  EXPECT_EQ(std::ranges::adjacent_find(looks), looks.end());
}

TEST(LineChart, EscapesWhatSvgWouldRead) {
  const std::string text = svg({.title = "a < b & \"c\" > d", .series = {{.name = "<script>"}}});
  EXPECT_EQ(count(text, "a &lt; b &amp; &quot;c&quot; &gt; d"), 2U);
  EXPECT_EQ(count(text, "<script>"), 0U);
}

TEST(LineChart, LeavesOutWhatCannotBeShown) {
  LineChart chart = two_lines();
  const std::string without = svg(chart);
  for (const double y : {double(NAN), kInfinity, -kInfinity, 0.0, -1.0})
    chart.series[0].points.insert(chart.series[0].points.begin() + 1, ChartPoint{0.5, y});
  chart.series[1].points.push_back({NAN, 0.5});
  EXPECT_EQ(svg(chart), without);
}

TEST(LineChart, MayBeEmpty) {
  for (const LineChart& chart : {LineChart{}, LineChart{.series = {{.name = "nothing"}}}}) {
    const std::string text = svg(chart);
    EXPECT_EQ(count(text, "<polyline"), 0U);
    EXPECT_EQ(count(text, "nan"), 0U);
    EXPECT_EQ(count(text, "inf"), 0U);
  }
}

}  // namespace
}  // namespace asynprox
