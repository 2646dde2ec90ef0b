// The compliance statements that the release notes of OpenSM 3.3 list as unmet, section 3.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "conformance/conformance.h"

namespace rch::conformance {
namespace {

const Record& kPorts = kFabricRecords[1];
const Record& kSwitches = kFabricRecords[3];

Finding keys_in_one_write(Session&) {
  return not_observable("a client sees the result of writes to PortInfo, not the writes");
}

/// C14-67. The M_Key of the port of the subnet manager guards its SMInfo.
Finding guarded_sm_info(Session& session) {
  const auto m_key = session.settings().m_key;
  if (!m_key || *m_key == 0) return skipped("--m-key does not tell the M_Key of the subnet manager's port");
  const auto ask = [&](hw::Method method, std::uint64_t key) {
    return session.client().ask_agent(
        {.to = session.server(), .method = method, .attribute = hw::Attribute::sm_info}, key, 2);
  };
  Judgement judgement;
  judgement.expect(ask(hw::Method::get, *m_key).has_value(), "Get(SMInfo) with the M_Key is not answered");
  judgement.expect(!ask(hw::Method::get, ~*m_key), "Get(SMInfo) with another M_Key is answered");
  judgement.expect(!ask(hw::Method::get, 0), "Get(SMInfo) without M_Key is answered");
  judgement.note("answered with the M_Key, dropped with another and without");
  return judgement.finding();
}

Finding missing_m_key(Session&) {
  return not_observable("what a subnet manager tells a higher level does not go by the fabric");
}

/// C14-62.1.1.12
Finding random_m_keys(Session& session) {
  if (!session.key()) return skipped("M_Keys are shown to the trusted only; --sa-key names the SA_Key");
  const Reply reply = session.ask(Fields(kPorts).request(method::kGetTable, *session.key()));
  std::set<std::uint64_t> keys;
  std::size_t without = 0, ports = 0;
  for (std::size_t i = 0; i < reply.count(); ++i) {
    const std::uint64_t key = number(kPorts, reply.record(i), "M_Key");
    // Ports of a switch share that of port 0.
    if (number(kPorts, reply.record(i), "GidPrefix") == 0) continue;
    ++ports;
    if (key == 0) ++without;
    keys.insert(key);
  }
  Judgement judgement;
  judgement.expect(ports != 0, "PortInfoRecords: " + reply.text());
  judgement.expect(without == 0, fmt::format("{} of {} end ports have no M_Key", without, ports));
  judgement.expect(without != 0 || keys.size() == ports,
                   fmt::format("{} end ports share {} M_Keys", ports, keys.size()));
  judgement.note(fmt::format("{} end ports with an M_Key of their own", ports));
  return judgement.finding();
}

/// C14-62.1.1.13
Finding protect_bits(Session& session) {
  const Reply reply = session.ask(Fields(kPorts).request(method::kGetTable));
  std::set<std::uint64_t> levels;
  for (std::size_t i = 0; i < reply.count(); ++i)
    if (number(kPorts, reply.record(i), "GidPrefix") != 0)
      levels.insert(number(kPorts, reply.record(i), "M_KeyProtectBits"));
  std::string seen;
  for (const std::uint64_t level : levels) seen += fmt::format("{}{}", seen.empty() ? "" : ", ", level);
  return not_observable(fmt::format("a client does not know the policy; seen: M_KeyProtectBits {}", seen));
}

/// LIDs of switches with a random forwarding table.
std::optional<std::size_t> random_tables(Session& session, std::size_t& with_default_port) {
  const Reply reply = session.ask(Fields(kSwitches).request(method::kGetTable));
  if (!reply.good()) return std::nullopt;
  std::size_t random = 0;
  for (std::size_t i = 0; i < reply.count(); ++i) {
    if (number(kSwitches, reply.record(i), "RandomFDBCap") == 0) continue;
    ++random;
    if (number(kSwitches, reply.record(i), "DefaultPort") != 255) ++with_default_port;
  }
  return random;
}

/// C14-62.1.1.24 and .32
Finding random_forwarding(Session& session, bool table) {
  std::size_t with_default_port = 0;
  const auto random = random_tables(session, with_default_port);
  if (!random) return {Outcome::fail, "SwitchInfoRecords are not answered"};
  if (*random == 0) return skipped("no switch has a random forwarding table (RandomFDBCap 0)");
  if (table) return not_observable("subnet administration has no record of random forwarding tables");
  return {with_default_port == *random ? Outcome::pass : Outcome::fail,
          fmt::format("{} of {} switches with RandomFDBCap have a DefaultPort", with_default_port, *random)};
}

/// C15-0.1.8.6
Finding trace_table(Session& session) {
  const auto other = session.other_host(0);
  if (!other) return skipped("there is no other host");
  Request request = Fields(kPathRecord)
                        .set("SGID", session.host().gid())
                        .set("DGID", *other)
                        .request(method::kGetTraceTable);
  request.attribute = attribute::kTraceRecord;
  const Reply reply = session.ask(request);
  Judgement judgement;
  judgement.expect(reply.good() && reply.count() > 1, "GetTraceTable: " + reply.text());
  // From one channel adapter to another, by switches.
  constexpr std::size_t kTraceSize = 48;
  constexpr std::uint64_t kAdapter = 1, kSwitch = 2;
  for (std::size_t i = 0; reply.record_size == kTraceSize && i < reply.count(); ++i) {
    const bool is_end = i == 0 || i + 1 == reply.count();
    const std::uint64_t type = hw::get(reply.record(i), {11, 0, 8});
    judgement.expect(type == (is_end ? kAdapter : kSwitch), fmt::format("NodeType {} of record {}", type, i));
  }
  judgement.note(fmt::format("GetTraceTable: {} TraceRecords", reply.count()));
  return judgement.finding();
}

Fields service_of(const Session& session, std::uint64_t number) {
  return Fields(kServiceRecord)
      .set("ServiceID", 0x5243480000000200 + number)
      .set("ServiceGID", session.host().gid())
      .set("ServiceName", "rch sa test, statements");
}

/// C15-0.1.13
Finding service_p_key(Session& session) {
  std::uint64_t foreign = 0x9234;
  const auto is_ours = [&](std::uint64_t key) {
    return std::ranges::any_of(session.host().pkeys,
                               [&](std::uint16_t own) { return (own & 0x7FFFU) == (key & 0x7FFFU); });
  };
  while (is_ours(foreign)) ++foreign;
  Judgement judgement;
  judgement.expect_refused(
      session.ask(service_of(session, 1).set("ServiceP_Key", foreign).request(method::kSet)),
      fmt::format("creation with P_Key 0x{:04x}, which this port does not have", foreign));
  judgement.expect_status(
      session.ask(
          service_of(session, 2).set("ServiceP_Key", std::uint64_t{session.pkey()}).request(method::kSet)),
      status::kGood, "creation with a P_Key of this port");
  judgement.expect_refused(
      session.ask(service_of(session, 2).set("ServiceP_Key", foreign).request(method::kDelete)),
      "deletion with the foreign P_Key");
  const auto other = session.other_host(0);
  if (other)
    judgement.expect_refused(session.ask(service_of(session, 3)
                                             .set("ServiceGID", make_gid(session.host().prefix, 1))
                                             .set("ServiceP_Key", std::uint64_t{session.pkey()})
                                             .request(method::kSet)),
                             "creation for a GID that does not exist, with P_Key");
  judgement.note(fmt::format("refused with P_Key 0x{:04x}, taken with 0x{:04x}", foreign, session.pkey()));
  return judgement.finding();
}

/// C15-0.1.14
Finding service_keys(Session& session) {
  const Gid key = make_gid(0x1122334455667788, 1), other = make_gid(0x1122334455667788, 2);
  const Fields named = service_of(session, 4).set("ServiceKey", key);
  Judgement judgement;
  judgement.expect_status(session.ask(named.request(method::kSet)), status::kGood,
                          "creation with a ServiceKey");
  judgement.expect_refused(
      session.client().ask(service_of(session, 4).set("ServiceKey", other).request(method::kSet)),
      "change with another ServiceKey");
  judgement.expect_refused(
      session.client().ask(service_of(session, 4).set("ServiceKey", other).request(method::kDelete)),
      "deletion with another ServiceKey");
  judgement.expect_status(session.ask(named.request(method::kDelete)), status::kGood,
                          "deletion with the ServiceKey");
  judgement.note("a record with a ServiceKey is changed and deleted with that key only");
  return judgement.finding();
}

/// C15-0.1.23.4
Finding subscriber_queue_pairs(Session& session) {
  session.ask(subscription(66, true));
  const Fields own = Fields(kInformInfoRecord).set("SubscriberGID", session.host().gid());
  const auto queue_pairs = [&](const Reply& reply) {
    std::set<std::uint64_t> found;
    for (std::size_t i = 0; i < reply.count(); ++i)
      found.insert(number(kInformInfoRecord, reply.record(i), "QPN"));
    return found;
  };
  const Reply plain = session.ask(own.request(method::kGetTable));
  Judgement judgement;
  judgement.expect(plain.count() != 0, "InformInfoRecords: " + plain.text());
  judgement.expect(queue_pairs(plain) == std::set<std::uint64_t>{0},
                   "the queue pair is shown to the untrusted");
  if (session.key())
    judgement.expect(queue_pairs(session.ask(own.request(method::kGetTable, *session.key()))) ==
                         std::set<std::uint64_t>{1},
                     "the trusted do not see the queue pair");
  judgement.note(session.key() ? "0 without SA_Key, the queue pair with it"
                               : "0 without SA_Key; no SA_Key to ask with");
  return judgement.finding();
}

Finding forwarding_permission(Session&) {
  return not_observable("a client cannot leave a partition while it is subscribed");
}

/// o15-0.1.8: creation with fields that cannot be met.
Finding unmeetable_fields(Session& session) {
  Judgement judgement;
  const auto refuse = [&](const Fields& fields, const std::string& what) {
    judgement.expect_status(session.ask(fields.request(method::kSet)), status::kRequestInvalid, what);
  };
  const auto group = [&] { return session.creation(session.own_group(10)); };
  refuse(group().select("MTU", 0, session.host().mtu), "an MTU above that of the port");
  refuse(group().set("P_Key", std::uint64_t{0x9234}), "a P_Key that the port does not have");
  const Record& maps = kFabricRecords[2];
  const Reply map = session.ask(Fields(maps).set("LID", session.host().lid.value).request(method::kGetTable));
  std::size_t unusable = 0;
  for (std::uint16_t sl = 0; map.count() != 0 && sl < 16; ++sl) {
    const auto vl = hw::get(
        map.record(0), {static_cast<std::uint16_t>(8 + sl / 2), static_cast<std::uint8_t>(sl % 2 * 4), 4});
    if (vl != 15) continue;
    ++unusable;
    refuse(group().set("SL", std::uint64_t{sl}), fmt::format("SL {}, which the port maps to VL 15", sl));
  }
  judgement.note(
      unusable == 0
          ? "MTU and P_Key; the port has a VL for every SL, and FlowLabel and TClass can always be met"
          : fmt::format("MTU, P_Key and {} SLs", unusable));
  return judgement.finding();
}

/// Where the switch of this port sends packets of an MLID.
struct Forwarding {
  bool anywhere = false;
  bool to_us = false;
};

/// None: the tables cannot be read.
std::optional<Forwarding> forwarding_of(Session& session, std::uint64_t mlid) {
  const Record &links = kFabricRecords[7], &tables = kFabricRecords[5];
  const Reply link = session.ask(Fields(links)
                                     .set("FromLID", session.host().lid.value)
                                     .set("FromPort", session.host().port_number)
                                     .request(method::kGet));
  if (!link.good()) return std::nullopt;
  const std::uint64_t port = number(links, link.record(0), "ToPort");
  const Reply blocks = session.ask(Fields(tables)
                                       .set("LID", number(links, link.record(0), "ToLID"))
                                       .set("BlockNum", (mlid - 0xC000) / 32)
                                       .request(method::kGetTable));
  if (!blocks.good()) return std::nullopt;
  Forwarding found;
  for (std::size_t i = 0; i < blocks.count(); ++i) {
    const auto ports =
        hw::get(blocks.record(i), {static_cast<std::uint16_t>(8 + (mlid - 0xC000) % 32 * 2), 0, 16});
    found.anywhere |= ports != 0;
    found.to_us |=
        number(tables, blocks.record(i), "Position") == port / 16 && (ports >> port % 16 & 1U) != 0;
  }
  return found;
}

/// Once the group is routed. The entry of a group that had the MLID before may stand until then.
std::optional<Forwarding> routed(Session& session, std::uint64_t mlid) {
  constexpr int kWaits = 20;
  std::optional<Forwarding> found;
  for (int i = 0; i < kWaits && !(found && found->anywhere && !found->to_us); ++i) {
    session.client().reports(hw::Milliseconds(500), SIZE_MAX);
    found = forwarding_of(session, mlid);
  }
  return found;
}

/// o15-0.1.12
Finding send_only(Session& session) {
  const auto other = session.other_host(0), third = session.other_host(1);
  if (!other || !third) return skipped("there are no two other hosts");
  const Gid group = session.own_group(11);
  for (const Gid& receiver : {*other, *third}) {
    const Reply reply = session.ask(session.creation(group).set("PortGID", receiver).request(method::kSet));
    if (!reply.good()) return skipped("no join for another host: " + reply.text());
  }
  constexpr unsigned kSender = 4;
  const Reply joined =
      session.ask(session.membership(group, session.host().gid(), kSender).request(method::kSet));
  Judgement judgement;
  judgement.expect_status(joined, status::kGood, "send-only join");
  if (!joined.good()) return judgement.finding();
  const std::uint64_t mlid = number(kMcMemberRecord, joined.data, "MLID");
  judgement.expect(session.join_state(group, session.host().gid()) == kSender, "the JoinState is not 4");
  const auto found = routed(session, mlid);
  judgement.expect(found.has_value(), "MulticastForwardingTableRecords are not answered");
  if (!found) return judgement.finding();
  judgement.expect(found->anywhere, "the switch does not forward the group");
  judgement.expect(!found->to_us, "the switch forwards the group to the port that only sends");
  judgement.note("JoinState 4, and the switch does not forward the group to this port");
  return judgement.finding();
}

}  // namespace

void add_statement_tests(std::vector<Test>& tests) {
  tests.push_back({"C14-22", "M_Key, protection and lease are set by one SubnSet", keys_in_one_write});
  tests.push_back({"C14-44", "A missing M_Key is told to the higher level", missing_m_key});
  tests.push_back({"C14-67", "SMInfo is answered to the M_Key of the port only", guarded_sm_info});
  tests.push_back({"C14-62.1.1.12", "Each node has a random M_Key", random_m_keys});
  tests.push_back({"C14-62.1.1.13", "M_KeyProtectBits as the policy says", protect_bits});
  tests.push_back({"C14-62.1.1.24", "DefaultPort of switches with random tables",
                   [](Session& session) { return random_forwarding(session, false); }});
  tests.push_back({"C14-62.1.1.32", "Random forwarding tables are configured",
                   [](Session& session) { return random_forwarding(session, true); }});
  tests.push_back({"C15-0.1.8.6", "SubnAdmGetTraceTable is answered", trace_table});
  tests.push_back(
      {"C15-0.1.13", "ServiceP_Key is one of the requester and of the ServiceGID", service_p_key});
  tests.push_back({"C15-0.1.14", "ServiceKeys guard what they were registered with", service_keys});
  tests.push_back({"C15-0.1.23.4", "Queue pairs of subscribers are for the trusted", subscriber_queue_pairs});
  tests.push_back({"o13-17.1.2", "A subscription without permission is removed", forwarding_permission});
  tests.push_back({"o15-0.1.8", "A group with fields that cannot be met is refused", unmeetable_fields});
  tests.push_back({"o15-0.1.12", "A send-only member receives nothing", send_only});
}

}  // namespace rch::conformance
