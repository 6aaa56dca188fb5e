#include "asynprox/base/family.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <variant>

namespace asynprox {
namespace {

struct Circle {
  static constexpr std::string_view name = "circle";
  static constexpr std::string_view formula = "|x| = radius";
  double radius = 0;
  double width = 2;
  std::string colour = "red";
  static constexpr std::array<std::string_view, 2> colours = {"red", "blue"};
  static constexpr auto parameters() {
    return std::tuple(
        parameter(&Circle::radius, "radius", above(0), "half across", Presence::required),
        parameter(&Circle::width, "width", at_least(1), "of the line"),
        word_parameter(&Circle::colour, "colour", colours, "of the line"));
  }
};

struct Polygon {
  static constexpr std::string_view name = "polygon";
  static constexpr std::string_view formula = "x between corners";
  std::int64_t corners = 3;
  std::int64_t turns = 0;
  std::int64_t colour = 1;
  static constexpr auto parameters() {
    return std::tuple(parameter(&Polygon::corners, "corners", at_least(3), "how many"),
                      parameter(&Polygon::turns, "turns", any_number(), "to the left"),
                      parameter(&Polygon::colour, "colour", from_to(1, 1e6), "by its number"));
  }
};

struct Points {
  static constexpr std::string_view name = "points";
  static constexpr std::string_view formula = "x in a list";
  NumbersFile list;
  static constexpr auto parameters() {
    return std::tuple(file_parameter(&Points::list, "list", "the points"));
  }
};

struct Nothing {
  static constexpr std::string_view name = "nothing";
  static constexpr std::string_view formula = "no x";
  static constexpr auto parameters() { return std::tuple(); }
};

using Shapes = Family<Circle, Points, Nothing, Polygon>;
using AnyShape = std::variant<Circle, Points, Nothing, Polygon>;

AnyShape make(std::string_view text, const ReadNumbers& read = nullptr) {
  return make_from_family<AnyShape>(Shapes{}, "shape", parse_spec(text), read);
}

std::string error_of(std::string_view text) {
  try {
    make(text);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Family, MakesTheMemberThatIsNamed) {
  const auto circle = std::get<Circle>(make("circle:3"));
  EXPECT_EQ(circle.radius, 3);
  EXPECT_EQ(circle.width, 2);
  EXPECT_EQ(std::get<Circle>(make("circle:width=5,radius=1")).width, 5);
  EXPECT_EQ(circle.colour, "red");
  EXPECT_EQ(std::get<Circle>(make("circle:1,colour=blue")).colour, "blue");
  EXPECT_TRUE(std::holds_alternative<Nothing>(make("nothing")));
}

TEST(Family, ReadsTheFileThatAParameterNames) {
  const ReadNumbers read = [](const std::string& path) {
    return std::vector<double>{static_cast<double>(path.size())};
  };
  EXPECT_EQ(std::get<Points>(make("points:list=abc", read)).list.numbers, (std::vector<double>{3}));
}

TEST(Family, RefusesWithASuggestion) {
  EXPECT_EQ(
      error_of("cirle:3"),
      "no shape 'cirle' (did you mean 'circle'?); there are: circle, points, nothing, polygon");
  EXPECT_EQ(
      error_of("circle:radios=3"),
      "circle: no parameter 'radios' (did you mean 'radius'?); it has: radius, width, colour");
  EXPECT_EQ(error_of("circle:0"), "circle: radius: expected > 0, got 0");
  EXPECT_EQ(error_of("circle:3,width=0.5"), "circle: width: expected >= 1, got 0.5");
  EXPECT_EQ(error_of("circle:3,radius=4"), "circle: 'radius' is given twice");
  EXPECT_EQ(error_of("circle:x"), "circle: radius: expected a number, got 'x'");
  EXPECT_EQ(error_of("circle:3,colour=bleu"),
            "circle: colour: expected red or blue, got 'bleu' (did you mean 'blue'?)");
  EXPECT_EQ(error_of("circle"),
            "circle: 'radius' is missing (half across); write circle:radius=VALUE");
  EXPECT_EQ(error_of("nothing:1"), "nothing: takes no parameters, got '1'");
}

TEST(Family, KnowsTheNamesOfOtherPrograms) {
  const auto error = [](const std::string& family, const std::string& name) -> std::string {
    try {
      family_detail::fail_unknown_name({.name = name, .settings = {}}, family, {"l1", "squared"});
    } catch (const ContractError& refused) {
      return refused.what();
    }
  };
  EXPECT_EQ(error("regularizer", "lasso"),
            "no regularizer 'lasso' (here it is l1); there are: l1, squared");
  EXPECT_EQ(error("loss", "hinge"),
            "no loss 'hinge' (here it is smoothed-hinge or squared-hinge); there are: l1, squared");
  EXPECT_EQ(error("loss", "lasso"), "no loss 'lasso'; there are: l1, squared");
}

TEST(Family, ChecksMembersMadeWithoutASpecToo) {
  EXPECT_NO_THROW(check_parameters(Circle{.radius = 1}));
  EXPECT_THROW(check_parameters(Circle{.radius = -1}), ContractError);
  EXPECT_THROW(check_parameters(Circle{.radius = std::nan("")}), ContractError);
  EXPECT_THROW(check_parameters(Circle{.radius = 1, .colour = "green"}), ContractError);
}

TEST(Family, DescribesItself) {
  const auto members = describe(Shapes{});
  ASSERT_EQ(members.size(), 4u);
  EXPECT_EQ(members[0].parameters[0].default_value, "");
  EXPECT_EQ(members[0].parameters[0].bounds, "> 0");
  EXPECT_EQ(members[0].parameters[1].default_value, "2");
  EXPECT_EQ(members[0].parameters[2].default_value, "red");
  EXPECT_EQ(members[0].parameters[2].bounds, "red or blue");
  EXPECT_EQ(members[1].parameters[0].bounds, "a file, one number per line");
  EXPECT_EQ(members[3].parameters[0].default_value, "3");
  EXPECT_EQ(members[3].parameters[0].bounds, "a whole number >= 3");
  EXPECT_EQ(members[3].parameters[1].bounds, "a whole number");
  EXPECT_EQ(members[3].parameters[2].bounds, "a whole number from 1 to 1000000");
}

TEST(Family, ReadsWholeNumbersHoweverTheyAreSpelt) {
  for (const auto& [spelling, number] : {std::pair("7", 7), std::pair("1e6", 1'000'000),
                                         std::pair("2.50e1", 25), std::pair("4.0", 4)})
    EXPECT_EQ(std::get<Polygon>(make(std::string("polygon:") + spelling)).corners, number);
  EXPECT_EQ(std::get<Polygon>(make("polygon:turns=-4")).turns, -4);
  EXPECT_EQ(std::get<Polygon>(make("polygon:9007199254740992")).corners, 9007199254740992);
}

TEST(Family, RefusesNumbersThatAreNotWhole) {
  EXPECT_EQ(error_of("polygon:4.5"), "polygon: corners: expected a whole number >= 3, got 4.5");
  EXPECT_EQ(error_of("polygon:2"), "polygon: corners: expected a whole number >= 3, got 2");
  EXPECT_EQ(error_of("polygon:turns=0.5"), "polygon: turns: expected a whole number, got 0.5");
  EXPECT_EQ(error_of("polygon:colour=0"),
            "polygon: colour: expected a whole number from 1 to 1000000, got 0");
  EXPECT_EQ(error_of("polygon:1e300"),
            "polygon: corners: expected a whole number of at most 9007199254740992, got 1e300");
  EXPECT_EQ(error_of("polygon:x"), "polygon: corners: expected a number, got 'x'");
  EXPECT_NO_THROW(check_parameters(Polygon{}));
  EXPECT_THROW(check_parameters(Polygon{.corners = 2}), ContractError);
  EXPECT_THROW(check_parameters(Polygon{.corners = std::int64_t{1} << 60}), ContractError);
}

}  // namespace
}  // namespace asynprox
