#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "conformance/conformance.h"

namespace rch::conformance {
namespace {

const Record& kMember = kMcMemberRecord;
constexpr unsigned kFull = 1, kNonMember = 2, kSendOnly = 4;

std::uint64_t value(const Reply& reply, std::string_view field) {
  return reply.data.size() < kMember.size ? 0 : number(kMember, reply.data, field);
}

Finding create(Session& session) {
  const Gid group = session.own_group(1);
  Judgement judgement;
  const Reply created = session.ask(session.creation(group).request(method::kSet));
  judgement.expect_status(created, status::kGood, "Set with all components");
  if (!created.good()) return judgement.finding();
  judgement.expect(value(created, "MLID") >= 0xC000 && value(created, "MLID") != 0xFFFF,
                   fmt::format("MLID 0x{:04x}", value(created, "MLID")));
  judgement.expect(value(created, "JoinState") == kFull, "JoinState of the answer is not 1");
  for (const std::string_view selector : {"MTUSelector", "RateSelector", "PacketLifeTimeSelector"})
    judgement.expect(value(created, selector) == 2, fmt::format("{} of the answer is not 2", selector));
  const Reply found = session.ask(Fields(kMember).set("MGID", group).request(method::kGet));
  judgement.expect(found.good() && value(found, "MLID") == value(created, "MLID"),
                   "Get by MGID: " + found.text());
  const Reply other = session.ask(session.creation(session.own_group(2)).request(method::kSet));
  judgement.expect(other.good() && value(other, "MLID") != value(created, "MLID"),
                   "a second group has the same MLID");
  judgement.note(fmt::format("MLIDs 0x{:04x} and 0x{:04x}", value(created, "MLID"), value(other, "MLID")));
  return judgement.finding();
}

Finding missing_components(Session& session) {
  Judgement judgement;
  for (const std::string_view field :
       {"MGID", "PortGID", "JoinState", "Q_Key", "TClass", "P_Key", "FlowLabel", "SL"})
    judgement.expect_status(
        session.ask(session.creation(session.own_group(3)).without(field).request(method::kSet)),
        status::kInsufficientComponents, fmt::format("creation without {}", field));
  const Reply none = session.ask(Fields(kMember).set("MGID", session.own_group(3)).request(method::kGet));
  judgement.expect_status(none, status::kNoRecords, "the group after that");
  judgement.note("status 0x0600 for each of 8 components");
  return judgement.finding();
}

Finding first_joins(Session& session) {
  const Gid group = session.own_group(4);
  Judgement judgement;
  for (const unsigned state : {0U, kNonMember, kSendOnly, kNonMember | kSendOnly})
    judgement.expect_status(session.ask(session.creation(group, state).request(method::kSet)),
                            status::kRequestInvalid, fmt::format("creation with JoinState {}", state));
  for (const unsigned state : {3U, 7U}) {
    judgement.expect_status(session.ask(session.creation(group, state).request(method::kSet)), status::kGood,
                            fmt::format("creation with JoinState {}", state));
    judgement.expect_status(
        session.ask(session.membership(group, session.host().gid(), state).request(method::kDelete)),
        status::kGood, fmt::format("leaving with JoinState {}", state));
  }
  judgement.note("a group begins with a full member");
  return judgement.finding();
}

Finding terms(Session& session) {
  const Gid group = session.own_group(5);
  Judgement judgement;
  const Reply created = session.ask(session.creation(group).request(method::kSet));
  if (!created.good()) return {Outcome::fail, "creation: " + created.text()};
  const auto join = [&] { return session.membership(group, session.host().gid(), kFull); };
  const auto refuse = [&](const Fields& fields, std::string_view what) {
    judgement.expect_status(session.ask(fields.request(method::kSet)), status::kRequestInvalid, what);
  };
  const std::uint64_t mtu = value(created, "MTU"), rate = value(created, "Rate");
  refuse(join().set("Q_Key", std::uint64_t{0x1}), "join with another Q_Key");
  refuse(join().set("P_Key", std::uint64_t{0x9234}), "join with another P_Key");
  refuse(join().set("SL", std::uint64_t{9}), "join with another SL");
  refuse(join().set("TClass", std::uint64_t{9}), "join with another TClass");
  refuse(join().set("FlowLabel", std::uint64_t{9}), "join with another FlowLabel");
  refuse(join().select("MTU", 2, mtu == 1 ? 2 : mtu - 1), "join with another MTU");
  refuse(join().select("MTU", 0, mtu), "join with a greater MTU");
  refuse(join().select("MTU", 1, mtu), "join with a lower MTU");
  refuse(join().select("Rate", 2, rate == 2 ? 3 : 2), "join with another rate");
  refuse(join().select("Rate", 0, rate), "join with a greater rate");
  judgement.expect_status(
      session.ask(join().select("MTU", 2, mtu).select("Rate", 2, rate).request(method::kSet)), status::kGood,
      "join with the values of the group");
  judgement.note("what differs from the group is refused");
  return judgement.finding();
}

/// osmtest: bits of one member come and go.
Finding join_states(Session& session) {
  const Gid group = session.own_group(6);
  Judgement judgement;
  struct Step {
    std::uint8_t method;
    unsigned state;
    bool good;
    unsigned then;
  };
  static constexpr Step kSteps[] = {
      {method::kSet, 1, true, 1},    {method::kSet, 2, true, 3},    {method::kDelete, 6, false, 3},
      {method::kDelete, 2, true, 1}, {method::kSet, 4, true, 5},    {method::kSet, 2, true, 7},
      {method::kDelete, 2, true, 5}, {method::kDelete, 5, true, 0}, {method::kDelete, 1, false, 0}};
  for (const Step& step : kSteps) {
    const Fields fields = step.method == method::kSet
                              ? session.creation(group, step.state)
                              : session.membership(group, session.host().gid(), step.state);
    const Reply reply = session.ask(fields.request(step.method));
    const std::string what = fmt::format(
        "{} JoinState {}", step.method == method::kSet ? "joining with" : "leaving with", step.state);
    if (!step.good) judgement.expect_status(reply, status::kRequestInvalid, what);
    if (step.good)
      judgement.expect(reply.good() && value(reply, "JoinState") == step.then,
                       fmt::format("{}: {}, JoinState {}, expected {}", what, reply.text(),
                                   value(reply, "JoinState"), step.then));
    judgement.expect(session.join_state(group, session.host().gid()) == step.then,
                     fmt::format("after {}: JoinState {}, expected {}", what,
                                 session.join_state(group, session.host().gid()), step.then));
  }
  judgement.note("states add up, and only those of the member can be left");
  return judgement.finding();
}

/// A full, a non-member and a send-only member, in every order; two of them other hosts, by proxy.
Finding join_orders(Session& session) {
  const auto second = session.other_host(0), third = session.other_host(1);
  if (!second || !third) return skipped("there are no two other hosts");
  struct Joiner {
    Gid port;
    unsigned state;
  };
  const std::array<Joiner, 3> joiners{
      {{session.host().gid(), kFull}, {*second, kNonMember}, {*third, kSendOnly}}};
  std::array<std::size_t, 3> order{0, 1, 2};
  Judgement judgement;
  std::uint8_t number_of = 16;
  do {
    const Gid group = session.own_group(number_of++);
    bool exists = false;
    for (const std::size_t i : order) {
      const Joiner& joiner = joiners[i];
      exists = exists || joiner.state == kFull;
      const Reply reply = session.ask(
          session.creation(group, joiner.state).set("PortGID", joiner.port).request(method::kSet));
      judgement.expect_status(
          reply, exists ? status::kGood : status::kRequestInvalid,
          fmt::format("join of JoinState {} in order {}{}{}", joiner.state, order[0], order[1], order[2]));
    }
    judgement.expect_status(
        session.ask(session.membership(group, joiners[0].port, kFull).request(method::kDelete)),
        status::kGood, "leave of the full member");
    judgement.expect_status(session.ask(Fields(kMember).set("MGID", group).request(method::kGet)),
                            status::kNoRecords, "the group without a full member");
  } while (std::ranges::next_permutation(order).found && !session.client().stopped());
  judgement.note("6 orders");
  return judgement.finding();
}

Finding last_leave(Session& session) {
  const Gid group = session.own_group(7), own = session.host().gid();
  Judgement judgement;
  const Reply created = session.ask(session.creation(group).request(method::kSet));
  judgement.expect_status(session.ask(session.membership(group, own, kFull).request(method::kDelete)),
                          status::kGood, "leave");
  judgement.expect_status(session.ask(Fields(kMember).set("MGID", group).request(method::kGet)),
                          status::kNoRecords, "Get after the last leave");
  judgement.expect_status(session.ask(session.membership(group, own, kFull).request(method::kDelete)),
                          status::kRequestInvalid, "second leave");
  const Reply again = session.ask(session.creation(group).request(method::kSet));
  judgement.expect_status(again, status::kGood, "creation again");
  judgement.note(fmt::format("MLID 0x{:04x}, then 0x{:04x}", value(created, "MLID"), value(again, "MLID")));
  return judgement.finding();
}

Finding group_ids(Session& session) {
  const std::uint64_t low = session.host().guid.value;
  Judgement judgement;
  const Reply chosen = session.ask(session.creation(Gid{}).request(method::kSet));
  judgement.expect(chosen.good() && chosen.data.size() >= kMember.size && chosen.data[0] == 0xFF,
                   "creation with MGID 0: " + chosen.text());
  struct Bad {
    std::uint64_t high;
    std::string_view what;
  };
  static constexpr Bad kBad[] = {{0xFA12A01C00000000, "first byte FA"},
                                 {0xEF12A01C00000000, "first byte EF"},
                                 {0xFF22A01C00000000, "flags 2"},
                                 {0xFF12A01B00000000, "signature A01B in the scope of the link"}};
  for (const Bad& bad : kBad)
    judgement.expect_status(session.ask(session.creation(make_gid(bad.high, low)).request(method::kSet)),
                            status::kRequestInvalid, bad.what);
  if (chosen.good()) judgement.note("chosen: " + text_of(gid(kMember, chosen.data, "MGID")));
  return judgement.finding();
}

Finding selectors(Session& session) {
  constexpr std::uint64_t k4096 = 5, k256 = 1, kSlowest = 2, kNoMtu = 6, kNoRate = 63;
  Judgement judgement;
  const auto create_with = [&](std::string_view field, unsigned selector, std::uint64_t expected) {
    const Gid group = session.own_group(8);
    const Reply reply =
        session.ask(session.creation(group).select(field, selector, expected).request(method::kSet));
    if (reply.good())
      session.ask(session.membership(group, session.host().gid(), kFull).request(method::kDelete));
    return reply;
  };
  const auto refuse = [&](std::string_view field, unsigned selector, std::uint64_t expected) {
    judgement.expect_status(create_with(field, selector, expected), status::kRequestInvalid,
                            fmt::format("{} selector {} value {}", field, selector, expected));
  };
  const auto take = [&](std::string_view field, unsigned selector, std::uint64_t expected) {
    judgement.expect_status(create_with(field, selector, expected), status::kGood,
                            fmt::format("{} selector {} value {}", field, selector, expected));
  };
  refuse("MTU", 0, k4096);
  refuse("MTU", 1, k256);
  refuse("MTU", 2, kNoMtu);
  refuse("Rate", 1, kSlowest);
  refuse("Rate", 2, kNoRate);
  take("MTU", 0, k256);
  take("MTU", 2, k256);
  take("MTU", 3, k256);
  take("Rate", 2, kSlowest);
  take("Rate", 3, kSlowest);
  take("PacketLifeTime", 2, 18);
  judgement.note("what cannot be is refused, what can be is taken");
  return judgement.finding();
}

}  // namespace

void add_multicast_tests(std::vector<Test>& tests) {
  tests.push_back({"multicast-create", "A group that this port creates", create});
  tests.push_back(
      {"multicast-missing-components", "Creation without a component that it needs", missing_components});
  tests.push_back({"multicast-first-join", "JoinStates that create a group", first_joins});
  tests.push_back({"multicast-terms", "Joins that do not fit the group", terms});
  tests.push_back({"multicast-join-states", "JoinStates of one member add up and go", join_states});
  tests.push_back(
      {"multicast-join-orders", "Full, non-member and send-only joins in every order", join_orders});
  tests.push_back({"multicast-last-leave", "A group goes with its last full member", last_leave});
  tests.push_back({"multicast-mgids", "MGIDs that are chosen, and bad ones", group_ids});
  tests.push_back({"multicast-selectors", "MTU, rate and packet life of new groups", selectors});
}

}  // namespace rch::conformance
