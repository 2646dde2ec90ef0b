#include "sa/alias_guids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sa/mc_member_fields.h"
#include "sa/path_fields.h"
#include "sa/server.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

using test::SmallSnapshot;
using testing::ElementsAre;
namespace common = hw::mad_header;
namespace mc = mc_member;

constexpr hw::TimePoint kStart{};
constexpr std::uint64_t kLid = 1, kBlock = 2;
constexpr Guid kOne(0xA1), kTwo(0xA2), kNone(0);

/// Components LID, block, and GUIDs by index.
std::uint64_t mask_of(std::initializer_list<unsigned> indices) {
  std::uint64_t mask = kLid | kBlock;
  for (const unsigned index : indices) mask |= std::uint64_t{1} << (4 + index);
  return mask;
}

class AliasGuidsTest : public testing::Test {
 protected:
  AliasGuidsTest() { publish(server); }

  void publish(Server& to) const { to.publish(std::make_shared<Snapshot>(small.snapshot), kStart); }
  /// Asks, as host 1, for a block of the table of host `of`.
  hw::Datagram guids(Method method, std::uint64_t mask, const std::map<unsigned, Guid>& by_index = {},
                     std::size_t of = 1, unsigned block = 0) {
    hw::Datagram datagram = request(method, Attribute::guid_info_record, mask);
    const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(header::kData);
    set(record, hw::Field{0, 0, 16}, small.lid(small.host(of)).value);
    set(record, hw::Field{2, 0, 8}, block);
    for (const auto& [index, guid] : by_index) set(record, field(index), guid.value);
    return datagram;
  }
  hw::Datagram join(Guid guid, bool joins = true) {
    hw::Datagram datagram =
        request(joins ? Method::set : Method::remove, Attribute::mc_member_record, 0b1'0011'0000'1100'0111);
    const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(header::kData);
    const Gid mgid{0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7};
    std::ranges::copy(mgid, record.begin());
    std::ranges::copy(make_gid(kLinkLocalPrefix, guid), record.begin() + mc::kPortGid);
    set(record, mc::kPKey, 0xFFFF);
    set(record, mc::kJoinState, 1);
    return datagram;
  }
  /// Sends it. What has to be written is taken by the port, or not.
  Status send(const hw::Datagram& datagram, bool taken = true) {
    server.on_datagram(datagram, kStart);
    if (const GuidWrite* write = server.guids_to_write()) {
      written = *write;
      EXPECT_TRUE(take().empty());
      server.on_guids_written(taken, kStart);
    }
    const auto out = take();
    EXPECT_EQ(out.size(), 1U);
    if (out.size() != 1) return Status::busy;
    answer = out[0].datagram.mad;
    return static_cast<Status>(get(answer, common::kStatus));
  }
  /// Sends it, and returns what comes back at once.
  std::vector<hw::OutgoingDatagram> begin(const hw::Datagram& datagram) {
    server.on_datagram(datagram, kStart);
    return take();
  }
  std::vector<hw::OutgoingDatagram> take() {
    journal += server.take_records().bytes;
    std::vector<hw::OutgoingDatagram> out;
    server.take_datagrams(out, kStart);
    return out;
  }
  static hw::Field field(unsigned index) { return {static_cast<std::uint16_t>(8 + 8 * index), 0, 64}; }
  Guid answered(unsigned index) const {
    return Guid(get(std::span(answer).subspan(header::kData), field(index)));
  }
  /// The answer to a path by GUIDs: source, destination and its LID.
  std::optional<std::tuple<Guid, Guid, Lid>> path(Guid from, Guid to) {
    hw::Datagram datagram = request(Method::get, Attribute::path_record, 0b1100);
    const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(header::kData);
    std::ranges::copy(make_gid(kLinkLocalPrefix, from), record.begin() + path_record::kSgid);
    std::ranges::copy(make_gid(kLinkLocalPrefix, to), record.begin() + path_record::kDgid);
    if (send(datagram) != Status::good) return std::nullopt;
    const std::span<const std::uint8_t> found = std::span(answer).subspan(header::kData);
    return std::tuple{guid_of(read_gid(found.subspan(path_record::kSgid))),
                      guid_of(read_gid(found.subspan(path_record::kDgid))),
                      Lid(static_cast<std::uint16_t>(get(found, path_record::kDlid)))};
  }
  Guid guid(std::size_t host) const { return small.guid(small.host(host)); }

  SmallSnapshot small{test::clos(2, 2, 2)};
  test::Requests request{small};
  Server server;
  GuidWrite written;
  hw::Mad answer{};
  std::string journal;
};

TEST_F(AliasGuidsTest, AreWrittenBeforeWhoAskedIsAnswered) {
  ASSERT_EQ(send(guids(Method::set, mask_of({1, 2}), {{1, kOne}, {2, kTwo}})), Status::good);
  EXPECT_EQ(written.port, guid(1));
  EXPECT_THAT(written.guids, ElementsAre(guid(1), kOne, kTwo, kNone, kNone, kNone, kNone, kNone));
  EXPECT_EQ(answered(1), kOne);
  EXPECT_EQ(answered(2), kTwo);
  ASSERT_EQ(send(guids(Method::get, kLid | kBlock)), Status::good);
  EXPECT_THAT((std::array{answered(0), answered(1), answered(2), answered(3)}),
              ElementsAre(guid(1), kOne, kTwo, kNone));
}

TEST_F(AliasGuidsTest, OfAPortThatDoesNotTakeThemAreNotThere) {
  EXPECT_EQ(send(guids(Method::set, mask_of({1}), {{1, kOne}}), false), Status::no_resources);
  ASSERT_EQ(send(guids(Method::get, kLid | kBlock)), Status::good);
  EXPECT_EQ(answered(1), kNone);
  EXPECT_FALSE(path(guid(0), kOne));
}

TEST_F(AliasGuidsTest, AreRefusedByTheRules) {
  EXPECT_EQ(send(guids(Method::set, kLid, {})), Status::insufficient_components);
  EXPECT_EQ(send(guids(Method::set, mask_of({0}), {{0, kOne}})), Status::request_invalid);
  EXPECT_EQ(send(guids(Method::set, mask_of({1}), {{1, kOne}}, 1, 2)), Status::no_records);  // room for 16
  EXPECT_EQ(send(guids(Method::set, mask_of({1}), {{1, kOne}}, 2)),
            Status::request_denied);  // of another port
  hw::Datagram trusted = guids(Method::set, mask_of({1}), {{1, kOne}}, 2);
  set(trusted.mad, header::kSmKey, small.snapshot.plan.options.manager.sa_key);
  EXPECT_EQ(send(trusted), Status::good);
  EXPECT_EQ(written.port, guid(2));
}

/// sm_assigned_guid.
TEST_F(AliasGuidsTest, AreMadeUpOfTheOuiAndTheByteOfTheManager) {
  small.snapshot.plan.options.administration.assigned_guid = 0xAB;
  publish(server);
  ASSERT_EQ(send(guids(Method::set, mask_of({1, 2}))), Status::good);
  EXPECT_EQ(answered(1).value >> 24U, 0x001405AB00U);
  EXPECT_EQ(answered(2).value, answered(1).value + 1);
}

TEST_F(AliasGuidsTest, AreMadeUpForZeroAndNotTakenFromOthers) {
  ASSERT_EQ(send(guids(Method::set, mask_of({1, 2, 3}), {{2, guid(2)}, {3, kOne}})), Status::good);
  EXPECT_NE(answered(1), kNone);
  EXPECT_EQ(answered(2), kNone);  // another port came with it
  ASSERT_EQ(send(guids(Method::set, mask_of({4}), {{4, kOne}})), Status::good);
  EXPECT_EQ(answered(4), kNone);  // index 3 has it
  ASSERT_EQ(send(guids(Method::set, mask_of({3}), {{3, kOne}})), Status::good);
  EXPECT_EQ(answered(3), kOne);
}

TEST_F(AliasGuidsTest, LeadToThePort) {
  EXPECT_FALSE(path(guid(0), kOne));
  ASSERT_EQ(send(guids(Method::set, mask_of({1}), {{1, kOne}})), Status::good);
  EXPECT_EQ(path(guid(0), kOne), (std::tuple{guid(0), kOne, small.lid(small.host(1))}));
  EXPECT_EQ(path(kOne, guid(0)), (std::tuple{kOne, guid(0), small.lid(small.host(0))}));
  ASSERT_EQ(send(guids(Method::remove, mask_of({1}))), Status::good);
  EXPECT_EQ(answered(1), kOne);
  EXPECT_FALSE(path(guid(0), kOne));
}

TEST_F(AliasGuidsTest, JoinGroupsEachForItself) {
  ASSERT_EQ(send(guids(Method::set, mask_of({1, 2}), {{1, kOne}, {2, kTwo}})), Status::good);
  ASSERT_EQ(send(join(kOne)), Status::good);
  EXPECT_EQ(get(std::span(answer).subspan(header::kData), mc::kProxyJoin), 0U);
  ASSERT_EQ(send(join(kTwo)), Status::good);
  ASSERT_EQ(server.groups().joined().groups.size(), 1U);
  EXPECT_THAT(server.groups().joined().groups[0].members, ElementsAre(guid(1)));
  EXPECT_EQ(send(guids(Method::remove, mask_of({1}))), Status::request_denied);  // it is a member
  EXPECT_EQ(send(join(kOne, false)), Status::good);
  EXPECT_EQ(send(guids(Method::remove, mask_of({1}))), Status::good);
  EXPECT_THAT(server.groups().joined().groups[0].members, ElementsAre(guid(1)));
  EXPECT_EQ(send(join(kTwo, false)), Status::good);
  EXPECT_TRUE(server.groups().joined().groups.empty());
}

TEST_F(AliasGuidsTest, SurviveARestartWithTheirGroups) {
  ASSERT_EQ(send(guids(Method::set, mask_of({1}), {{1, kOne}})), Status::good);
  ASSERT_EQ(send(guids(Method::set, mask_of({2}), {{2, kTwo}})), Status::good);
  ASSERT_EQ(send(join(kOne)), Status::good);
  ASSERT_EQ(send(guids(Method::remove, mask_of({2}))), Status::good);
  Server next;
  next.restore(read_journal(journal), kStart);
  publish(next);
  std::swap(server, next);
  EXPECT_TRUE(path(guid(0), kOne));
  EXPECT_FALSE(path(guid(0), kTwo));
  EXPECT_EQ(send(guids(Method::remove, mask_of({1}))), Status::request_denied);
  EXPECT_EQ(send(join(kOne, false)), Status::good);
}

TEST_F(AliasGuidsTest, GoWithTheirPort) {
  ASSERT_EQ(send(guids(Method::set, mask_of({1}), {{1, kOne}})), Status::good);
  AliasGuids aliases;
  aliases.note(written);
  EXPECT_EQ(aliases.owner(kOne), guid(1));
  aliases.follow(SmallSnapshot(test::clos(1, 1, 1)).fabric());
  EXPECT_FALSE(aliases.owner(kOne));
  EXPECT_EQ(aliases.take_changes().size(), 2U);
}

// The trust model drops what an untrusted host asks, unless the option allows it.
TEST_F(AliasGuidsTest, AreForTheTrustedIfTheOptionSaysSo) {
  auto& options = small.snapshot.plan.options.administration;
  options.enhanced_trust_model = true;
  publish(server);
  EXPECT_EQ(send(guids(Method::set, mask_of({1}), {{1, kOne}})), Status::good);
  options.allow_untrusted_guid_records = false;
  publish(server);
  server.on_datagram(guids(Method::set, mask_of({2}), {{2, kTwo}}), kStart);
  EXPECT_EQ(server.guids_to_write(), nullptr);
  EXPECT_TRUE(take().empty());
  EXPECT_EQ(server.counters().distrusted, 1U);
}

// A process that starts anew repeats the TransactionIDs of one before it: it must get its own answer alone.
TEST_F(AliasGuidsTest, RequestUnderTheTransactionOfAnotherGetsItsOwnAnswer) {
  const hw::Datagram first = guids(Method::set, mask_of({1}), {{1, kOne}});
  hw::Datagram second = guids(Method::set, mask_of({2}), {{2, kTwo}});
  hw::Datagram reading = guids(Method::get, kLid | kBlock);
  for (hw::Datagram* datagram : {&second, &reading})
    set(datagram->mad, common::kTransaction, get(first.mad, common::kTransaction));
  EXPECT_TRUE(begin(first).empty());
  EXPECT_TRUE(begin(first).empty());
  EXPECT_EQ(server.counters().repeated, 1U);
  EXPECT_TRUE(begin(second).empty());
  server.on_guids_written(true, kStart);  // of the first: nobody waits for it
  EXPECT_TRUE(take().empty());
  server.on_guids_written(true, kStart);
  const auto out = take();
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(get(out[0].datagram.mad, header::kComponentMask), mask_of({2}));

  EXPECT_TRUE(begin(guids(Method::remove, mask_of({1}))).empty());
  ASSERT_NE(server.guids_to_write(), nullptr);
  EXPECT_EQ(begin(reading).size(), 1U) << "another transaction";
}

}  // namespace
}  // namespace rch::sa
