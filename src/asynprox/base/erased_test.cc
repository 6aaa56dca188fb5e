#include "asynprox/base/erased.h"

#include <gtest/gtest.h>

#include <string_view>
#include <tuple>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// A family of shapes.
struct ShapeInterface : MemberInterface {
  bool round = false;
  virtual double area() const = 0;
};

template <class Shape>
struct ShapeAdapter final : Adapter<ShapeInterface, Shape> {
  explicit ShapeAdapter(Shape shape) : Adapter<ShapeInterface, Shape>(std::move(shape)) {
    this->round = requires { requires Shape::round; };
  }
  double area() const override { return this->held.area(); }
};

class AnyShape : public Erased<ShapeInterface> {
 public:
  template <class Shape>
    requires requires(const Shape shape) { shape.area(); }
  explicit AnyShape(Shape shape)
      : Erased(std::make_shared<const ShapeAdapter<Shape>>(std::move(shape))) {}

  bool round() const { return held().round; }
  double size() const { return held().area(); }
};

struct Square {
  static constexpr std::string_view name = "square";
  double side = 1;
  static constexpr auto parameters() {
    return std::tuple(parameter(&Square::side, "side", at_least(0), "length"));
  }
  double area() const { return side * side; }
};

struct Disc {
  static constexpr std::string_view name = "disc";
  static constexpr bool round = true;
  static constexpr auto parameters() { return std::tuple(); }
  double area() const { return 3; }
};

TEST(Erased, HasTheNameTheSpecAndTheOperationsOfWhatItHolds) {
  const AnyShape shape(Square{.side = 3});
  EXPECT_EQ(shape.name(), "square");
  EXPECT_EQ(shape.spec(), "square:side=3");
  EXPECT_EQ(shape.size(), 9);
  EXPECT_FALSE(shape.round());
  EXPECT_TRUE(AnyShape(Disc{}).round());
}

TEST(Erased, GivesWhatItHoldsToWhoeverNamesItsType) {
  const AnyShape shape(Square{.side = 3});
  ASSERT_NE(shape.get_if<Square>(), nullptr);
  EXPECT_EQ(shape.get_if<Square>()->side, 3);
  EXPECT_EQ(shape.get_if<Disc>(), nullptr);
}

TEST(Erased, SharesItWithCopies) {
  const AnyShape shape(Square{});
  const AnyShape copy = shape;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy.get_if<Square>(), shape.get_if<Square>());
}

TEST(Erased, RefusesParametersOutOfTheirBounds) {
  EXPECT_THROW(AnyShape(Square{.side = -1}), ContractError);
}

// A family without specs.
struct NumberInterface {
  virtual ~NumberInterface() = default;
  virtual int number() const = 0;
};

struct NumberAdapter final : Adapter<NumberInterface, int> {
  using Adapter::Adapter;
  int number() const override { return held; }
};

class AnyNumber : public Erased<NumberInterface> {
 public:
  explicit AnyNumber(int number) : Erased(std::make_shared<const NumberAdapter>(number)) {}
  int number() const { return held().number(); }
};

template <class Handle>
concept HasSpec = requires(const Handle handle) { handle.spec(); };

TEST(Erased, HasNoSpecWhereTheFamilyHasNone) {
  static_assert(HasSpec<AnyShape> && !HasSpec<AnyNumber>);
  EXPECT_EQ(AnyNumber(7).number(), 7);
}

}  // namespace
}  // namespace asynprox
