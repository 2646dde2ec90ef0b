// What a master tells managers that stand by, written and read.

#include "sa/manager_state.h"

#include <gtest/gtest.h>

namespace rch::sa {
namespace {

ManagerState some_state() {
  return {.from = {.session = 5, .plan = 1, .lids = 2, .records = 3},
          .now = {.session = 5, .plan = 2, .lids = 2, .records = 9, .target = 4},
          .configuration = 0xABCDEF0123456789,
          .counts = true,
          .plan = std::string(1000, 'p'),
          .target = std::string(500, 't'),
          .records = "some records"};
}

TEST(ManagerStateTest, IsReadAsItWasWritten) {
  ManagerState state = some_state();
  EXPECT_EQ(decode_state(encode(state)).value(), state);
  state.afresh = true;
  state.counts = false;
  state.plan.reset();
  state.target.reset();
  state.lids = "";
  EXPECT_EQ(decode_state(encode(state)).value(), state);
  EXPECT_EQ(encode(state).size() % 8, 0U) << "records of a table";
}

TEST(ManagerStateTest, EveryChangedByteIsFound) {
  const std::vector<std::uint8_t> whole = encode(some_state());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::uint8_t> bent = whole;
    bent[at] ^= 0x20;
    EXPECT_FALSE(decode_state(bent)) << at;
  }
}

TEST(ManagerStateTest, EveryMissingByteIsFound) {
  const std::vector<std::uint8_t> whole = encode(some_state());
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(decode_state(std::span(whole).first(size))) << size;
}

TEST(ManagerStateTest, AnotherVersionIsNamed) {
  std::vector<std::uint8_t> later = encode(some_state());
  later[5] = 4;
  EXPECT_EQ(decode_state(later).error().message,
            "no state of a subnet manager: it has version 4, this rch reads version 3");
}

TEST(ManagerStateTest, AQuestionIsReadAsItWasWritten) {
  std::vector<std::uint8_t> data(200);
  const StateQuestion question{.has = {.session = 1, .plan = 2, .lids = 3, .records = 4, .target = 5},
                               .configuration = 6};
  encode(question, data);
  EXPECT_EQ(decode_question(data), question);
  data[1] = 2;
  EXPECT_EQ(decode_question(data), std::nullopt);
}

}  // namespace
}  // namespace rch::sa
