#include "reproduce/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reproduce/claims.h"
#include "reproduce/findings.h"
#include "reproduce/page.h"

namespace asynprox::reproduce {
namespace {

Table small() {
  return {.name = "small",
          .title = "Two rows",
          .how = "simulated",
          .note = "A note.",
          .columns = {"reading", "workers", "speedup"},
          .rows = {{"plain", 1, number(Spread{1, 0}, 2)}, {"a, \"b\"", 8, number(7.5, 2)}}};
}

TEST(Table, IsMarkdownThatNamesHowItWasMade) {
  EXPECT_EQ(markdown(small()),
            "**Two rows** (simulated)\n\n"
            "| reading | workers | speedup |\n"
            "| --- | --- | --- |\n"
            "| plain | 1 | 1.00 ± 0.00 |\n"
            "| a, \"b\" | 8 | 7.50 |\n\nA note.\n");
}

TEST(Table, HasADeviationBesideEachMeanInCsv) {
  EXPECT_EQ(csv(small()),
            "reading,workers,speedup,speedup_deviation\n"
            "plain,1,1,0\n"
            "\"a, \"\"b\"\"\",8,7.5,\n");
}

TEST(Table, KeepsNumbersAsNumbersInJson) {
  EXPECT_NE(json(small()).find("[[\"plain\", 1, {\"mean\": 1, \"deviation\": 0}], "
                               "[\"a, \\\"b\\\"\", 8, 7.5]]"),
            std::string::npos);
}

TEST(Spread, IsTheMeanAndTheStandardDeviation) {
  const Spread spread = spread_of({1, 2, 3});
  EXPECT_DOUBLE_EQ(spread.mean, 2);
  EXPECT_DOUBLE_EQ(spread.deviation, 1);
  EXPECT_TRUE(std::isnan(spread_of({5}).deviation));
  EXPECT_EQ(number(spread_of({5}), 1).text, "5.0");
}

TEST(Number, IsAWordWhereItIsNotFinite) {
  EXPECT_EQ(number(std::numeric_limits<double>::infinity(), 1).text, "never");
  EXPECT_EQ(number(Spread{std::nan(""), 0}, 1).text, "–");
  EXPECT_FALSE(number(std::nan(""), 1).value);
}

TEST(Findings, TellOfEachTableAsItComes) {
  Findings findings;
  std::string told;
  findings.on_table = [&](const Table& table) { told += table.name; };
  findings.add(small());
  EXPECT_EQ(told, "small");
  EXPECT_NE(findings.table("small"), nullptr);
  EXPECT_EQ(findings.table("large"), nullptr);
}

Table speedups_with(double iteration) {
  return {.name = "speedup_a9a",
          .how = "simulated",
          .columns = {"reading", "workers", "iteration speedup", "iteration, interpolated"},
          .rows = {{"the paper", 8, number(5.973, 3), ""},
                   {kMainReading, 8, number(iteration, 2), number(iteration, 2)}}};
}

TEST(Claims, HoldOnlyAboveThePapersFigures) {
  for (const double iteration : {5.5, 6.5}) {
    Findings findings;
    findings.add(speedups_with(iteration));
    const std::vector<Claim> all = claims(findings);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].text, "a9a: iteration speedup of 8 workers 5.973");
    EXPECT_EQ(all[0].verdict, iteration > 6 ? "holds, and more" : "less here");
  }
}

TEST(Page, SaysWhenItIsNotComplete) {
  const Findings nothing;
  EXPECT_NE(page(nothing, {.complete = false}).find("Interrupted"), std::string::npos);
  EXPECT_EQ(page(nothing, {.complete = true}).find("Interrupted"), std::string::npos);
}

}  // namespace
}  // namespace asynprox::reproduce
