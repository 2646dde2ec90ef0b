// The conformance test itself: what it says of a subnet administration that errs in one way, and what it
// leaves behind. Real ones are judged in tests/lab/sa_test.

#include "conformance/conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_port.h"

namespace rch::conformance {
namespace {

using test::FakePort;
using test::SmallSnapshot;
namespace common = hw::mad_header;

struct Judged {
  std::map<std::string, Finding> findings;

  Outcome of(const std::string& name) const { return findings.at(name).outcome; }
};

class Conformance : public testing::Test {
 protected:
  Conformance() {
    small.add_group(Lid(0xC000), {small.host(0), small.host(2)});
    fabric::Sl2VlMap map = fabric::kIdentitySl2Vl;
    map[15] = 15;  // no data VL
    small.set_adapter_map(map);
    for (sa::Link& link : small.snapshot.links) link.traits.mtu = 4;  // as FakePort shows it
    port.server.publish(std::make_shared<sa::Snapshot>(small.snapshot), port.now());
  }

  /// The tests of these names, all if there is none.
  Judged judge(const std::vector<std::string>& names) {
    std::vector<conformance::Test> tests = all_tests();
    if (!names.empty())
      std::erase_if(tests, [&](const conformance::Test& test) {
        return std::ranges::find(names, test.name) == names.end();
      });
    EXPECT_TRUE(names.empty() || tests.size() == names.size());
    Client client(port, stop);
    auto session = Session::begin(client, {});
    EXPECT_TRUE(session.has_value());
    Judged judged;
    run(*session, tests, [&](const TestResult& result) { judged.findings[result.name] = result.finding; });
    return judged;
  }
  Judged judge(const std::string& name) { return judge(std::vector{name}); }
  /// Nothing is registered any more.
  bool is_clean() const {
    const auto joined = port.server.groups().joined();
    return joined.groups.empty() && port.server.services() == 0 && port.server.subscriptions() == 0;
  }

  static std::uint64_t method(const hw::Mad& mad) { return get(mad, common::kMethod); }
  static std::uint64_t attribute(const hw::Mad& mad) { return get(mad, common::kAttribute); }

  SmallSnapshot small{test::clos(2, 2, 4)};
  FakePort port{small};
  std::atomic<bool> stop = false;
};

TEST_F(Conformance, SoundAdministrationPassesAndNothingIsLeftBehind) {
  const Judged judged = judge(std::vector<std::string>{});
  for (const auto& [name, finding] : judged.findings) {
    // No M_Keys, and no fabric behind the port whose tables could follow.
    const bool known = name == "C14-62.1.1.12" || name == "o15-0.1.12";
    EXPECT_TRUE(known || finding.outcome != Outcome::fail) << name << ": " << finding.seen;
  }
  EXPECT_EQ(judged.findings.at("o15-0.1.8").seen, "MTU, P_Key and 1 SLs");
  EXPECT_EQ(judged.of("components-MCMemberRecord"), Outcome::pass);
  EXPECT_EQ(judged.of("reports"), Outcome::pass);
  EXPECT_EQ(judged.of("rmpp-window"), Outcome::pass);
  EXPECT_EQ(judged.of("cleaning-up"), Outcome::pass);
  EXPECT_TRUE(is_clean());
}

// Each component of each record: an administration that ignores it is found out.
TEST_F(Conformance, EachIgnoredComponentIsFound) {
  const std::pair<const Record*, std::vector<unsigned>> kCases[] = {
      {&kFabricRecords[0], {0, 7, 8, 14}},   {&kFabricRecords[1], {0, 1, 5, 7, 15}},
      {&kFabricRecords[7], {0, 1, 2, 3}},    {&kPathRecord, {2, 4, 17}},
      {&kMcMemberRecord, {0, 2, 6, 13, 16}}, {&kServiceRecord, {0, 6, 22, 36}},
      {&kInformInfoRecord, {1, 10}}};
  for (const auto& [record, numbers] : kCases)
    for (const unsigned number : numbers) {
      port.bend_request = [&, of = record->attribute](hw::Mad& mad) {
        const std::uint64_t mask = get(mad, header::kComponentMask);
        if (attribute(mad) == of && method(mad) == method::kGetTable)
          set(mad, header::kComponentMask, mask & ~(std::uint64_t{1} << number));
        return true;
      };
      const std::string name = "components-" + std::string(record->name);
      const Judged judged = judge(name);
      EXPECT_EQ(judged.of(name), Outcome::fail) << name << " " << number;
      EXPECT_THAT(judged.findings.at(name).seen, testing::HasSubstr("(" + std::to_string(number)));
    }
}

TEST_F(Conformance, RefusalsThatDoNotComeAreFound) {
  const auto says_good = [](std::uint16_t of) {
    return [of](hw::Mad& mad) {
      if (attribute(mad) == of && get(mad, common::kStatus) != 0) set(mad, common::kStatus, 0);
      return true;
    };
  };
  port.bend_answer = says_good(attribute::kMcMemberRecord);
  for (const std::string name : {"multicast-missing-components", "multicast-first-join", "multicast-terms",
                                 "multicast-join-states", "multicast-join-orders", "multicast-last-leave",
                                 "multicast-mgids", "multicast-selectors", "o15-0.1.8"})
    EXPECT_EQ(judge(name).of(name), Outcome::fail) << name;
  port.bend_answer = says_good(attribute::kServiceRecord);
  for (const std::string name : {"service-records", "service-lease", "C15-0.1.13", "C15-0.1.14"})
    EXPECT_EQ(judge(name).of(name), Outcome::fail) << name;
  port.bend_answer = says_good(attribute::kInformInfo);
  for (const std::string name : {"subscriptions", "security-traps"})
    EXPECT_EQ(judge(name).of(name), Outcome::fail) << name;
  port.bend_answer = says_good(attribute::kNodeRecord);
  for (const std::string name : {"unsupported", "numbers-of-records"})
    EXPECT_EQ(judge(name).of(name), Outcome::fail) << name;
  port.bend_answer = says_good(attribute::kPathRecord);
  EXPECT_EQ(judge("paths").of("paths"), Outcome::fail);
}

TEST_F(Conformance, KeysThatAreShownAreFound) {
  port.bend_request = [&](hw::Mad& mad) {
    set(mad, header::kSmKey, small.snapshot.plan.options.manager.sa_key);
    return true;
  };
  for (const std::string name : {"wrong-key", "secrets", "C15-0.1.23.4"})
    EXPECT_EQ(judge(name).of(name), Outcome::fail) << name;
}

TEST_F(Conformance, BrokenTransfersAreFound) {
  const auto is_segment = [](const hw::Mad& mad, std::uint64_t number) {
    return get(mad, header::kRmppType) == header::kTypeData && get(mad, header::kSegment) == number;
  };
  port.bend_answer = [&](hw::Mad& mad) {
    if (is_segment(mad, 2)) set(mad, header::kRmppFlags, header::kActive | header::kFirst);
    return true;
  };
  EXPECT_EQ(judge("rmpp-segments").of("rmpp-segments"), Outcome::fail);
  port.bend_answer = [&](hw::Mad& mad) { return !is_segment(mad, 2); };
  EXPECT_EQ(judge("rmpp-window").of("rmpp-window"), Outcome::fail);
  // An administration that takes every ACK for a wide one.
  port.bend_answer = [](hw::Mad&) { return true; };
  port.bend_request = [](hw::Mad& mad) {
    if (get(mad, header::kRmppType) == header::kTypeAck) set(mad, header::kLength, 1000);
    return true;
  };
  EXPECT_EQ(judge("rmpp-window").of("rmpp-window"), Outcome::fail);
  port.bend_request = [](hw::Mad& mad) { return get(mad, header::kRmppType) != header::kTypeAbort; };
  EXPECT_EQ(judge("rmpp-abort").of("rmpp-abort"), Outcome::fail);
}

TEST_F(Conformance, ReportsThatDoNotComeAreFound) {
  port.bend_answer = [](hw::Mad& mad) { return method(mad) != method::kReport; };
  EXPECT_EQ(judge("reports").of("reports"), Outcome::fail);
}

TEST_F(Conformance, WhatCannotBeRemovedIsTold) {
  port.bend_request = [](hw::Mad& mad) { return method(mad) != method::kDelete; };
  EXPECT_EQ(judge("multicast-create").of("cleaning-up"), Outcome::fail);
  EXPECT_FALSE(is_clean());
}

// A signal at any moment: what was registered until then is removed.
TEST_F(Conformance, AnInterruptedRunLeavesNothingBehind) {
  for (const std::size_t after : {40U, 100U, 250U, 400U, 700U, 1000U, 1300U}) {
    stop = false;
    std::size_t registered = 0;
    const std::size_t limit = port.sent + after;
    port.bend_request = [&](hw::Mad& mad) {
      if (method(mad) == method::kSet) ++registered;
      stop = port.sent >= limit;
      return true;
    };
    const Judged judged = judge(std::vector<std::string>{});
    EXPECT_TRUE(stop);
    EXPECT_EQ(judged.of("cleaning-up"), Outcome::pass);
    EXPECT_TRUE(is_clean()) << after;
  }
}

// The same within the removal at the end of a test, which is not broken off.
TEST_F(Conformance, AnInterruptionAtEachRequestOfATestLeavesNothingBehind) {
  for (const std::string name : {"C15-0.1.13", "C15-0.1.14", "subscriptions", "multicast-create"})
    for (std::size_t after = 1;; ++after) {
      stop = false;
      const std::size_t limit = port.sent + after;
      port.bend_request = [&](hw::Mad&) {
        stop = stop || port.sent >= limit;
        return true;
      };
      judge(name);
      ASSERT_TRUE(is_clean()) << name << " after " << after << " requests";
      if (!stop) break;
    }
}

TEST_F(Conformance, ASilentAdministrationIsFoundOut) {
  port.bend_request = [](hw::Mad&) { return false; };
  EXPECT_EQ(judge("class-port-info").of("class-port-info"), Outcome::fail);
}

}  // namespace
}  // namespace rch::conformance
