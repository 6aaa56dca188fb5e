#include "asynprox/data/magnitudes.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Two columns, the second of values of about this size, and an empty one.
Dataset columns_of(double size) {
  Dataset data = {.name = "d"};
  data.rows = Rows::narrowed({.num_columns = 3,
                              .offsets = {0, 2, 4},
                              .columns = {0, 1, 0, 1},
                              .values = {1, size, 0.1, -size}});
  data.labels = {size, -size};
  return data;
}

std::string message_of(const Dataset& data, void (*check)(const Dataset&)) {
  try {
    check(data);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(Magnitudes, OfValuesWhoseSquaresUnderflowAreRefused) {
  for (const double size : {5e-324, 1e-320, 1e-200, 1e-163, 1e-150}) {
    EXPECT_NE(message_of(columns_of(size), check_column_magnitudes).find("column 2"),
              std::string::npos)
        << size;
    EXPECT_NE(message_of(columns_of(size), check_label_magnitudes).find("labels"),
              std::string::npos)
        << size;
  }
}

TEST(Magnitudes, OfOthersAreTaken) {
  for (const double size : {0.0, 1e-140, 1.0, 1e150}) {
    EXPECT_EQ(message_of(columns_of(size), check_column_magnitudes), "") << size;
    EXPECT_EQ(message_of(columns_of(size), check_label_magnitudes), "") << size;
  }
}

TEST(Magnitudes, AreThoseOfTheScaledColumns) {
  Dataset data = columns_of(1e-200);
  data.column_scale = {1, 1e200, 1};
  EXPECT_EQ(message_of(data, check_column_magnitudes), "");
  data.column_scale = {1e-200, 1e200, 1};
  EXPECT_NE(message_of(data, check_column_magnitudes).find("column 1"), std::string::npos);
  data = columns_of(1e-200);
  data.row_scale = {1e200, 1e200};
  EXPECT_EQ(message_of(data, check_column_magnitudes), "");
}

}  // namespace
}  // namespace asynprox
