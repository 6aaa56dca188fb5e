#include "asynprox/base/option_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

enum class Colour { red, blue };
std::string_view name(Colour colour) { return colour == Colour::red ? "red" : "blue"; }

constexpr std::array kColours = {Colour::red, Colour::blue};
constexpr std::array<Choice<bool>, 2> kSides = {{{"left", false}, {"right", true}}};
constexpr std::array<std::string_view, 2> kSizes = {"small", "large"};
constexpr std::array<std::string_view, 2> kPaint = {"paint", "draw"};

struct Brush {
  double width = 1.5;
  bool dry = true;

  static constexpr auto options() {
    return std::tuple(option(&Brush::width, "brush_width", above(0), "of the brush"),
                      option(&Brush::dry, "wet", Flag{.value = false}, "the brush is wet"));
  }
};

struct Painting {
  int layers = 0;
  std::optional<std::int64_t> strokes = {};
  std::uint64_t seed = 1;
  Colour colour = Colour::red;
  std::optional<Colour> frame = {};
  bool side = false;
  std::string size = "small";
  std::optional<std::string> title = {};
  std::vector<double> mixture = {};
  Brush brush = {};
  bool loud = false;

  static constexpr auto options() {
    return std::tuple(
        group("Paint", kPaint,
              option(&Painting::layers, "layers", Whole{.least = 1, .open = 0}, "of paint", "many"),
              option(&Painting::strokes, "strokes", Whole{.least = 0}, "per layer"),
              option(&Painting::seed, "seed", Whole{.least = 0}, "of chance"),
              option(&Painting::colour, "colour", Enumeration<Colour>{kColours}, "of it"),
              option(&Painting::frame, "frame", Enumeration<Colour>{kColours}, "of its frame"),
              option(&Painting::side, "side", Choices<bool>{kSides}, "to begin with"),
              option(&Painting::size, "size", Words{kSizes}, "of it"),
              option(&Painting::title, "title", AnyText{"TEXT"}, "of it", "none"),
              option(&Painting::mixture, "mixture", numbers_form("A/B"), "of paints")),
        group("Brush", kPaint, part(&Painting::brush)),
        unrecorded_group("Output", kPaint, option(&Painting::loud, "loud", Flag{}, "tell all")));
  }
};

const DeclaredOption<Painting>& declared(std::string_view name) {
  static const auto all = declared_options<Painting>();
  const auto found =
      std::ranges::find_if(all, [&](const auto& option) { return option.about.name == name; });
  if (found == all.end()) throw BugError(std::string(name));
  return *found;
}

std::optional<std::string> text_after(std::string_view name, std::string_view text) {
  Painting painting;
  declared(name).set(painting, text, std::string(name), nullptr);
  return text_of(declared(name).setting(painting));
}

std::string refusal(std::string_view name, std::string_view text) {
  try {
    text_after(name, text);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "";
}

TEST(DeclaredOptions, AreListedInTheirOrderWithThoseOfParts) {
  std::string names;
  for (const auto& option : declared_options<Painting>()) names += option.about.name + " ";
  EXPECT_EQ(names,
            "layers strokes seed colour frame side size title mixture brush-width wet loud ");
}

TEST(DeclaredOptions, TellTypeDefaultBoundsChoicesGroupAndCommands) {
  const OptionDescription& layers = declared("layers").about;
  EXPECT_EQ(layers.type, "whole number");
  EXPECT_EQ(layers.values(), "at least 1; default: many");
  EXPECT_TRUE(layers.optional());
  EXPECT_TRUE(layers.taken_by("draw"));
  EXPECT_FALSE(layers.taken_by("print"));
  EXPECT_TRUE(layers.recorded);
  EXPECT_EQ(declared("colour").about.values(), "red, blue; default: red");
  EXPECT_FALSE(declared("colour").about.optional());
  EXPECT_EQ(declared("brush-width").about.values(), "a number above 0; default: 1.5");
  EXPECT_EQ(declared("brush-width").about.group, "Brush");
  EXPECT_EQ(declared("title").about.placeholder, "TEXT");
  EXPECT_EQ(declared("loud").about.values(), "");
  EXPECT_FALSE(declared("loud").about.recorded);
}

TEST(DeclaredOptions, ReadBackWhatTheyWrite) {
  for (const auto& [option, text] :
       std::vector<std::pair<std::string, std::string>>{{"layers", "3"},
                                                        {"strokes", "0"},
                                                        {"seed", "18446744073709551615"},
                                                        {"colour", "blue"},
                                                        {"frame", "red"},
                                                        {"side", "right"},
                                                        {"size", "large"},
                                                        {"title", "a, b"},
                                                        {"mixture", "1/0.5"},
                                                        {"brush-width", "0.1"},
                                                        {"wet", "true"},
                                                        {"loud", "false"}})
    EXPECT_EQ(text_after(option, text), text) << option;
}

TEST(DeclaredOptions, SetTheFieldThatTheyAreDeclaredFor) {
  Painting painting;
  declared("wet").set(painting, "true", "wet", nullptr);
  declared("frame").set(painting, "blue", "frame", nullptr);
  declared("side").set(painting, "right", "side", nullptr);
  EXPECT_FALSE(painting.brush.dry);
  EXPECT_EQ(painting.frame, Colour::blue);
  EXPECT_TRUE(painting.side);
}

TEST(DeclaredOptions, RefuseWhatIsNoValueNamingWhatIs) {
  EXPECT_EQ(refusal("layers", "0"), "layers: expected at least 1, got 0");
  EXPECT_EQ(refusal("layers", "1.5"), "layers: expected a whole number, got '1.5'");
  EXPECT_EQ(refusal("layers", "0x1"), "layers: expected a whole number, got '0x1'");
  EXPECT_EQ(refusal("layers", ""), "layers: expected a whole number, got ''");
  EXPECT_EQ(refusal("layers", "99999999999"),
            "layers: expected a whole number, got '99999999999', which is too large");
  EXPECT_EQ(refusal("seed", "-1"), "seed: expected a whole number of at least 0, got '-1'");
  EXPECT_EQ(refusal("brush-width", "0"), "brush-width: expected a number above 0, got 0");
  EXPECT_EQ(refusal("brush-width", "wide"), "brush-width: expected a number, got 'wide'");
  EXPECT_EQ(refusal("colour", "rde"),
            "colour: no 'rde' (did you mean 'red'?); there are: red, blue");
  EXPECT_EQ(refusal("size", "huge"), "size: no 'huge'; there are: small, large");
  EXPECT_EQ(refusal("loud", "yes"), "loud: expected true or false, got 'yes'");
  EXPECT_EQ(refusal("mixture", "1//2"), "mixture: expected a number, got ''");
}

TEST(DeclaredOptions, LeaveAFieldAsItWasWhereTheTextIsRefused) {
  Painting painting = {.layers = 2, .strokes = 7, .frame = Colour::blue};
  for (const char* name : {"layers", "strokes", "frame"})
    EXPECT_THROW(declared(name).set(painting, "-1", name, nullptr), ContractError) << name;
  EXPECT_EQ(painting.layers, 2);
  EXPECT_EQ(painting.strokes, 7);
  EXPECT_EQ(painting.frame, Colour::blue);
}

TEST(DeclaredOptions, ListTheirFieldsByName) {
  Painting painting = {.seed = 9};
  std::string names;
  visit_option_fields(painting, [&]<class Field>(const char* name, Field& field) {
    names += std::string(name) + " ";
    if constexpr (std::is_same_v<Field, std::uint64_t>) field = 10;
  });
  EXPECT_EQ(names,
            "layers strokes seed colour frame side size title mixture brush_width wet loud ");
  EXPECT_EQ(painting.seed, 10U);
}

}  // namespace
}  // namespace asynprox
