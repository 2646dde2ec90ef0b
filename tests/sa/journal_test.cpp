// What hosts registered, written as a journal and read by the next process.

#include "sa/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sa/server.h"
#include "small_snapshot.h"

namespace rch::sa {
namespace {

using test::SmallSnapshot;
namespace common = hw::mad_header;

constexpr hw::TimePoint kOpened{};
constexpr std::uint64_t kJoinMask = 0b1'0011'0000'1100'0111;

std::vector<JournalRecord> some_records() {
  return {{.attribute = Attribute::mc_member_record, .port = Guid(0x1234), .record = {1, 2, 3}},
          {.attribute = Attribute::service_record, .gone = true, .number = 77, .port = Guid(5), .record = {}},
          {.attribute = Attribute::inform_info,
           .trusted = true,
           .service_level = 3,
           .number = 0x00FFFFFF,
           .port = Guid(0xFFFFFFFFFFFFFFFF),
           .record = std::vector<std::uint8_t>(36, 0xA5)}};
}

std::string journal_of(const std::vector<JournalRecord>& records) {
  std::string journal(journal_heading());
  for (const JournalRecord& record : records) append(journal, record);
  return journal;
}

TEST(Journal, IsReadAsItWasWritten) {
  const JournalContent content = read_journal(journal_of(some_records()));
  EXPECT_EQ(content.records, some_records());
  EXPECT_EQ(content.damage, "");
}

// Wherever a write was cut off, what is before it counts, and the damage is told.
TEST(Journal, IsReadUpToWhereItWasCutOff) {
  const auto all = some_records();
  const std::string whole = journal_of(all);
  std::vector<std::size_t> ends;
  for (std::size_t n = 0; n <= all.size(); ++n)
    ends.push_back(journal_of({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)}).size());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const JournalContent content = read_journal(std::string_view(whole).substr(0, size));
    const auto kept = static_cast<std::size_t>(std::ranges::upper_bound(ends, size) - ends.begin());
    EXPECT_EQ(content.records.size(), kept == 0 ? 0 : kept - 1) << size;
    EXPECT_EQ(content.damage.empty(), std::ranges::find(ends, size) != ends.end()) << size;
  }
}

TEST(Journal, EveryChangedByteIsDamage) {
  const std::string whole = journal_of(some_records());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string bent = whole;
    bent[at] = static_cast<char>(bent[at] ^ 0x20);
    EXPECT_NE(read_journal(bent).damage, "") << at;
  }
}

class Restart : public testing::Test {
 protected:
  Restart() { server.publish(std::make_shared<Snapshot>(small.snapshot), kOpened); }

  hw::Datagram membership(Method method, std::uint8_t group, std::size_t host) {
    hw::Datagram datagram = request(method, Attribute::mc_member_record, kJoinMask, host);
    const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(header::kData);
    const Gid mgid{0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, group};
    std::ranges::copy(mgid, record.begin());
    std::ranges::copy(make_gid(kLinkLocalPrefix, small.fabric().port(small.host(host)).guid),
                      record.begin() + 16);
    set(record, hw::Field{40, 0, 16}, 0xFFFF);
    set(record, hw::Field{48, 4, 4}, 1);
    return datagram;
  }
  hw::Datagram service(std::uint64_t id, std::uint32_t seconds) {
    hw::Datagram datagram = request(Method::set, Attribute::service_record, 0b10011);
    set(datagram.mad, hw::Field{56, 0, 64}, id);
    set(datagram.mad, hw::Field{56 + 28, 0, 32}, seconds);
    return datagram;
  }
  hw::Datagram subscription() {
    hw::Datagram datagram = request(Method::set, Attribute::inform_info, 0);
    const std::span<std::uint8_t> record = std::span(datagram.mad).subspan(header::kData);
    for (const auto& [byte, width, value] : {std::tuple{16, 16, 0xFFFF},
                                             {22, 8, 1},
                                             {23, 8, 1},
                                             {24, 16, 0xFFFF},
                                             {26, 16, 0xFFFF},
                                             {28, 24, 1},
                                             {33, 24, 0xFFFFFF}})
      set(record, hw::Field{static_cast<std::uint16_t>(byte), 0, static_cast<std::uint8_t>(width)},
          static_cast<std::uint64_t>(value));
    return datagram;
  }
  /// Sends it. The journal has what it changes before the answer is taken.
  void send(const hw::Datagram& datagram, hw::TimePoint now = kOpened) {
    server.on_datagram(datagram, now);
    server.on_time(now);
    keep();
    std::vector<hw::OutgoingDatagram> out;
    server.take_datagrams(out, now);
    ASSERT_EQ(out.size(), 1U);
    EXPECT_EQ(get(out[0].datagram.mad, common::kStatus), 0U);
  }
  void keep() {
    const hw::Keeping keeping = server.take_records();
    if (keeping.afresh) journal.clear();
    rewrites += keeping.afresh ? 1U : 0U;
    journal += keeping.bytes;
  }
  /// What a process that begins with the journal knows.
  std::vector<JournalRecord> known_after_restart(hw::TimePoint now = kOpened) const {
    Server next;
    next.restore(read_journal(journal), now);
    next.publish(std::make_shared<Snapshot>(small.snapshot), now);
    next.on_time(now + std::chrono::seconds(1));  // as known() does
    return read_journal(next.take_records().bytes).records;
  }
  std::vector<JournalRecord> known() {
    server.on_not_kept();
    server.on_time(kOpened + std::chrono::seconds(1));
    keep();
    return read_journal(journal).records;
  }

  SmallSnapshot small{test::clos(2, 2, 2)};
  test::Requests request{small};
  Server server;
  std::string journal;
  unsigned rewrites = 0;
};

TEST_F(Restart, KnowsWhatHostsRegistered) {
  for (const std::size_t host : {1U, 2U, 3U}) send(membership(Method::set, 7, host));
  send(membership(Method::set, 8, 1));
  send(membership(Method::remove, 7, 2));
  send(membership(Method::remove, 8, 1));
  send(service(77, 100));
  send(service(78, 0xFFFFFFFF));
  send(subscription());
  const auto found = known_after_restart();
  EXPECT_EQ(found.size(), 5U);
  EXPECT_EQ(found, known());
}

TEST_F(Restart, AGroupKeepsItsMlid) {
  send(membership(Method::set, 7, 1));
  send(membership(Method::set, 8, 2));
  send(membership(Method::remove, 7, 1));
  const Lid mlid = server.groups().all().rbegin()->second.mlid;
  Server next;
  next.restore(read_journal(journal), kOpened);
  next.publish(std::make_shared<Snapshot>(small.snapshot), kOpened);
  EXPECT_EQ(next.groups().all().rbegin()->second.mlid, mlid);
  ASSERT_EQ(next.groups().joined().groups.size(), 1U);
  EXPECT_EQ(next.groups().joined().groups[0].members.size(), 1U);
  EXPECT_TRUE(next.knows_hosts_of(small.fabric()));
}

// A lease lasts as long as was left when it was written.
TEST_F(Restart, LeasesGoOn) {
  send(service(77, 100));
  const hw::TimePoint later = kOpened + std::chrono::seconds(1000);
  Server next;
  next.restore(read_journal(journal), later);
  EXPECT_EQ(next.deadline(), later + std::chrono::seconds(100));
}

TEST_F(Restart, PortsThatAreGoneHaveLeft) {
  send(membership(Method::set, 7, 1));
  send(membership(Method::set, 7, 3));
  const SmallSnapshot less(test::clos(1, 2, 2));
  server.publish(std::make_shared<Snapshot>(less.snapshot), kOpened);
  keep();
  for (const JournalRecord& record : known_after_restart())
    EXPECT_NE(record.port, small.fabric().port(small.host(3)).guid);
}

TEST_F(Restart, AJournalIsWrittenAnewBeforeItIsMuchLargerThanWhatItTells) {
  for (int times = 0; times < 3000; ++times) {
    send(membership(Method::set, 7, 1));
    send(membership(Method::remove, 7, 1));
  }
  EXPECT_GT(rewrites, 2U);
  EXPECT_LT(journal.size(), 200000U);
  EXPECT_TRUE(known_after_restart().empty());
}

// What was registered with the manager before us is kept before ports name us.
TEST_F(Restart, WhatWasTakenOverIsKeptAtOnce) {
  send(membership(Method::set, 7, 1));
  for (const bool whole : {true, false}) {
    Server next;
    next.take_over(read_journal(journal), whole, kOpened);
    const hw::Keeping kept = next.take_records();
    EXPECT_TRUE(kept.afresh);
    EXPECT_EQ(read_journal(kept.bytes).records.size(), read_journal(journal).records.size());
    Server again;
    again.restore(read_journal(kept.bytes), kOpened);
    EXPECT_EQ(again.knows_hosts_of(small.fabric()), whole) << "otherwise hosts are asked";
    EXPECT_TRUE(next.take_records().empty());
  }
}

// A journal that breaks off while it is written anew, between two records too, does not look whole.
TEST_F(Restart, AJournalThatBreaksOffIsNotKnownToBeWhole) {
  send(membership(Method::set, 7, 1));
  Server next;
  next.take_over(read_journal(journal), true, kOpened);
  const std::string whole = next.take_records().bytes;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    Server again;
    again.restore(read_journal(whole.substr(0, size)), kOpened);
    EXPECT_EQ(again.knows_hosts_of(small.fabric()), size == whole.size()) << size;
  }
}

// Nothing is written before the first plan: the journal of the process before stands.
TEST_F(Restart, StandsUntilTheFirstPlan) {
  Server next;
  EXPECT_TRUE(next.take_records().empty());
  next.restore(read_journal(journal_of(some_records())), kOpened);
  EXPECT_TRUE(next.take_records().empty());
  EXPECT_EQ(next.groups().all().size(), 0U);  // records of another size are passed over
}

// What a full disk did not take is written a second later, all of it.
TEST_F(Restart, WhatCouldNotBeKeptIsTriedAgainASecondLater) {
  send(membership(Method::set, 7, 1));
  server.on_not_kept();
  EXPECT_TRUE(server.take_records().empty());
  server.on_time(kOpened + std::chrono::seconds(1));
  const hw::Keeping keeping = server.take_records();
  EXPECT_TRUE(keeping.afresh);
  EXPECT_EQ(read_journal(keeping.bytes).records.size(), 1U);
}

TEST_F(Restart, DamageIsNoWholeJournal) {
  send(membership(Method::set, 7, 1));
  Server next;
  next.restore(read_journal(journal.substr(0, journal.size() - 1)), kOpened);
  EXPECT_FALSE(next.knows_hosts_of(small.fabric()));
}

// A host that was away was forgotten. The plan that is kept may be older than that, and still have it.
TEST_F(Restart, KnowsNotTheHostsOfAnOlderFabric) {
  const SmallSnapshot less(test::clos(1, 2, 2));
  server.publish(std::make_shared<Snapshot>(less.snapshot), kOpened);
  keep();
  Server next;
  next.restore(read_journal(journal), kOpened);
  EXPECT_FALSE(next.knows_hosts_of(small.fabric()));
  EXPECT_TRUE(next.knows_hosts_of(less.fabric()));
}

}  // namespace
}  // namespace rch::sa
