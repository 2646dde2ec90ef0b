// Change tickets and their journals as files.

#include <gtest/gtest.h>

#include <string>

#include "base/source.h"
#include "cli/ticket.h"
#include "cli/ticket_journal.h"
#include "support/temporary_folder.h"

namespace rch::cli {
namespace {

using Direction = TicketJournal::Direction;
using JournalKind = TicketJournal::State::Kind;

Ticket a_ticket() {
  Ticket ticket;
  ticket.fabric = "f00d";
  ticket.switches = 2;
  ticket.hosts = 3;
  ticket.target = std::string(32, 'a');
  ticket.steps = "1 updn";
  ticket.configuration = {{"opensm.conf", std::string(32, 'b')}};
  ticket.accept = {"path-sls"};
  ticket.lid_file = "/var/cache/guid2lid";
  ticket.knows_levels = true;
  ticket.cut_off.hosts = {{"host1 HCA-1", Guid(0x10), Lid(7)}};
  ticket.cut_off.pairs = 4;
  ticket.cut_off.waits = std::chrono::milliseconds(1074);
  ticket.update = {3, 1, false};
  ticket.writes = {{"write forwarding tables", 5, {}, std::string(32, 'c')},
                   {"drain", 0, hw::Milliseconds(1074), ""}};
  ticket.installed = {{{Guid(1), "d1"}, {Guid(2), "d2"}}, "l", "k", "b"};
  ticket.back = {WayBack::From::found, "", std::string(32, 'e'), {2, 0, true}, 0, {"P_Keys"}};
  return ticket;
}

TEST(Ticket, IsReadAsItWasWritten) {
  const Ticket ticket = a_ticket();
  const auto read = ticket_of(ticket_text(ticket));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(difference(ticket, *read), "");
  EXPECT_EQ(ticket_text(*read), ticket_text(ticket));
  EXPECT_TRUE(read->knows_levels);
  EXPECT_EQ(read->back.stays, ticket.back.stays);
  EXPECT_TRUE(read->back.update.stops_traffic);
}

TEST(Ticket, WithoutAWayBackSaysWhy) {
  Ticket ticket = a_ticket();
  ticket.back = {};
  ticket.back.why_none = "no switch forwards yet";
  const auto read = ticket_of(ticket_text(ticket));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->back.from, WayBack::From::none);
  EXPECT_EQ(read->back.why_none, "no switch forwards yet");
}

/// What is missing must not be taken for empty.
TEST(Ticket, ThatLacksALineIsRefused) {
  const std::string text = ticket_text(a_ticket());
  std::size_t taken = 0;
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    if (line.find("\": ") == std::string::npos || line.ends_with("{") || line.ends_with("[")) continue;
    std::string without = text;
    without.erase(begin, end - begin + 1);
    const auto read = ticket_of(without);
    taken += read ? 1U : 0U;
    if (!read) continue;
    EXPECT_NE(ticket_text(*read), text) << line;
    EXPECT_NE(difference(a_ticket(), *read), "") << line << ": only a switch may be missing";
  }
  EXPECT_LE(taken, 2U) << "the two switches";
}

TEST(Ticket, TellsTheFirstDifference) {
  const Ticket ticket = a_ticket();
  const auto with = [&](auto change) {
    Ticket now = ticket;
    change(now);
    return difference(ticket, now);
  };
  EXPECT_EQ(with([](Ticket& now) { now.fabric = "beef"; }), "the fabric has other nodes or links than then");
  EXPECT_EQ(with([](Ticket& now) { now.installed.switches[1].second = "x"; }),
            "1 switch holds other tables than then, such as 0x0000000000000002");
  EXPECT_EQ(with([](Ticket& now) { now.installed.lids = "x"; }), "ports have other LIDs than then");
  EXPECT_EQ(with([](Ticket& now) { now.installed.links = "x"; }), "other links carry data than then");
  EXPECT_NE(with([](Ticket& now) { now.installed.blocks = "x"; }), "");
  EXPECT_EQ(with([](Ticket& now) { now.writes[0].digest[0] = 'x'; }),
            "the step `write forwarding tables` would write something else than the ticket says");
  EXPECT_EQ(with([](Ticket& now) { now.writes.pop_back(); }),
            "the step `drain` would write something else than the ticket says");
  EXPECT_NE(with([](Ticket& now) { now.update.drained = 2; }), "");
  EXPECT_NE(with([](Ticket& now) { now.cut_off.pairs = 5; }), "");
}

TEST(Ticket, OfAnotherVersionIsRefused) {
  std::string text = ticket_text(a_ticket());
  const std::size_t at = text.find("\"rch_ticket\": 1");
  text.replace(at, 15, "\"rch_ticket\": 2");
  EXPECT_FALSE(ticket_of(text));
  EXPECT_FALSE(ticket_of("{}"));
  EXPECT_FALSE(ticket_of("no JSON"));
}

class JournalOfTicket : public rch::test::TemporaryFolder {
 protected:
  TicketJournal open() {
    auto journal = TicketJournal::open(path, kTicket);
    EXPECT_TRUE(journal) << journal.error().message;
    return std::move(*journal);
  }
  const std::string path = (folder_ / "ticket.journal").string();
  const std::string kTicket = std::string(32, 'a');
};

TEST_F(JournalOfTicket, RemembersWhatBeganAndEnded) {
  EXPECT_EQ(open().state().kind, JournalKind::fresh);
  {
    TicketJournal journal = open();
    ASSERT_TRUE(journal.begin(Direction::forward));
    EXPECT_EQ(journal.state().kind, JournalKind::open);
  }
  {
    TicketJournal journal = open();
    EXPECT_EQ(journal.state().kind, JournalKind::open);
    ASSERT_TRUE(journal.begin(Direction::back));
    ASSERT_TRUE(journal.end());
  }
  const TicketJournal journal = open();
  EXPECT_EQ(journal.state().kind, JournalKind::ended);
  EXPECT_EQ(journal.state().direction, Direction::back);
}

TEST_F(JournalOfTicket, BelongsToOneProcess) {
  const TicketJournal journal = open();
  const auto second = TicketJournal::open(path, kTicket);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another process"), std::string::npos);
}

TEST_F(JournalOfTicket, OfAnotherTicketIsRefused) {
  ASSERT_TRUE(open().begin(Direction::forward));
  EXPECT_FALSE(TicketJournal::open(path, std::string(32, 'b')));
  EXPECT_EQ(journal_state(path)->kind, JournalKind::open);
}

/// A process that is killed within a write leaves the begin of a line. It counts as not written, and the next
/// line stands alone.
TEST_F(JournalOfTicket, ThatWasCutShortAtAnyByteSaysWhatWasWhole) {
  {
    TicketJournal journal = open();
    ASSERT_TRUE(journal.begin(Direction::forward));
    ASSERT_TRUE(journal.end());
  }
  const std::string whole = *read_file(path);
  const std::size_t first = whole.find('\n') + 1;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    ASSERT_TRUE(write_file(path, whole.substr(0, size)));
    TicketJournal journal = open();
    const JournalKind is = size < first          ? JournalKind::fresh
                           : size < whole.size() ? JournalKind::open
                                                 : JournalKind::ended;
    EXPECT_EQ(journal.state().kind, is) << size;
    ASSERT_TRUE(journal.begin(Direction::back));
    EXPECT_EQ(journal_state(path)->kind, JournalKind::open);
    EXPECT_EQ(journal_state(path)->direction, Direction::back);
  }
}

TEST_F(JournalOfTicket, WithADamagedLineIsRefused) {
  {
    TicketJournal journal = open();
    ASSERT_TRUE(journal.begin(Direction::forward));
    ASSERT_TRUE(journal.end());
  }
  const std::string whole = *read_file(path);
  for (std::size_t at = 0; at + 1 < whole.size(); ++at) {
    std::string bent = whole;
    bent[at] = bent[at] == 'x' ? 'y' : 'x';
    ASSERT_TRUE(write_file(path, bent));
    EXPECT_FALSE(TicketJournal::open(path, kTicket)) << at;
  }
}

}  // namespace
}  // namespace rch::cli
