#include "asynprox/messages/notices.h"

#include <gtest/gtest.h>

#include "asynprox/base/errors.h"
#include "asynprox/messages/frame.h"

namespace asynprox {
namespace {

using Bytes = std::vector<std::byte>;

template <class Message>
Bytes frame_of(const Message& message) {
  Bytes frame;
  encode(message, frame);
  return frame;
}

template <class Message>
Message there_and_back(const Message& message) {
  Message read = {};
  decode(frame_of(message), read);
  return read;
}

// Each of its truncations, and each byte of it changed.
template <class Message>
void expect_damage_found(const Message& message) {
  const Bytes frame = frame_of(message);
  Message read = {};
  for (std::size_t size = 0; size < frame.size(); ++size)
    EXPECT_THROW(decode(std::span(frame).first(size), read), DataError) << size;
  for (std::size_t at = 0; at < frame.size(); ++at) {
    Bytes changed = frame;
    changed[at] ^= std::byte{0x20};
    EXPECT_THROW(decode(changed, read), DataError) << at;
  }
}

const Assignment kAssignment = {
    .version = "0.1.0", .problem = R"({"loss": "logistic"})", .plan = "{}"};
const Failure kFailure = {.kind = FailureKind::data, .detail = "a9a.svm:3: expected a number"};

TEST(Notices, ComeBackAsTheyWere) {
  EXPECT_EQ(there_and_back(kAssignment), kAssignment);
  EXPECT_EQ(there_and_back(kFailure), kFailure);
  EXPECT_EQ(there_and_back(Sign::alive), Sign::alive);
  EXPECT_EQ(there_and_back(Sign::farewell), Sign::farewell);
}

TEST(Notices, ThatAreDamagedAreRefused) {
  expect_damage_found(kAssignment);
  expect_damage_found(kFailure);
  expect_damage_found(Sign::alive);
}

TEST(Notices, AreOfTheirKind) {
  Assignment assignment;
  Sign sign;
  EXPECT_THROW(decode(frame_of(kFailure), assignment), DataError);
  EXPECT_THROW(decode(frame_of(kAssignment), sign), DataError);
}

TEST(Notices, HoldPlansThatAreLongerThanOtherTexts) {
  Assignment assignment = kAssignment;
  assignment.plan = std::string(100'000, 'p');
  EXPECT_EQ(there_and_back(assignment), assignment);
  assignment.plan = std::string(kAssignmentTextMax + 1, 'p');
  EXPECT_THROW(frame_of(assignment), ContractError);
}

TEST(Notices, CutReasonsThatAreTooLong) {
  const Failure long_one = {.kind = FailureKind::other, .detail = std::string(5000, 'd')};
  EXPECT_EQ(there_and_back(long_one).detail, std::string(kMessageTextMax, 'd'));
}

}  // namespace
}  // namespace asynprox
