#include "asynprox/base/errors.h"

#include <gtest/gtest.h>

#include <string>

namespace asynprox {
namespace {

// The message of the error that naming() lets out, and whether it is a DataError.
template <class... Errors>
std::string named(auto work) {
  try {
    naming<Errors...>("a9a", work);
  } catch (const DataError& error) {
    return std::string("data: ") + error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

void fail_of_data() { throw DataError("line 3: no label"); }
void fail_of_contract() { throw ContractError("expected 1"); }

TEST(Naming, ReturnsWhatTheWorkReturns) {
  EXPECT_EQ(naming<DataError>("a9a", [] { return 7; }), 7);
}

TEST(Naming, NamesTheSourceOfErrorsOfTheseTypesAlone) {
  EXPECT_EQ(named<DataError>(fail_of_data), "data: a9a: line 3: no label");
  EXPECT_EQ(named<DataError>(fail_of_contract), "expected 1");
  EXPECT_EQ(named<ContractError>(fail_of_contract), "data: a9a: expected 1");
  EXPECT_EQ(named<ContractError>(fail_of_data), "data: line 3: no label");
  EXPECT_EQ((named<ContractError, DataError>(fail_of_contract)), "data: a9a: expected 1");
}

}  // namespace
}  // namespace asynprox
