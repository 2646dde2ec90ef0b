#include <fmt/format.h>

#include "conformance/conformance.h"

namespace rch::conformance {
namespace {

constexpr std::uint16_t kUnknownAttribute = 0x00AA;

Finding class_port_info(Session& session) {
  Judgement judgement;
  const Reply reply = session.ask({.attribute = attribute::kClassPortInfo});
  judgement.expect_status(reply, status::kGood, "Get(ClassPortInfo)");
  if (!reply.good() || reply.data.size() < 8) return judgement.finding();
  const auto version = hw::get(reply.data, {1, 0, 8});
  judgement.expect(hw::get(reply.data, {0, 0, 8}) == 1, "BaseVersion is not 1");
  judgement.expect(version == 2, fmt::format("ClassVersion is {}, not 2", version));
  judgement.expect(get(reply.first, header::kSmKey) == 0, "the answer shows an SM_Key");
  judgement.note(fmt::format("CapabilityMask 0x{:04x}, CapabilityMask2 0x{:07x}, RespTimeValue {}",
                             hw::get(reply.data, {2, 0, 16}), hw::get(reply.data, {4, 0, 32}) >> 5U,
                             hw::get(reply.data, {7, 3, 5})));
  return judgement.finding();
}

Finding unsupported(Session& session) {
  Judgement judgement;
  const auto expect = [&](std::uint8_t method, std::uint16_t attribute, std::string_view what) {
    const Reply reply = session.client().ask({.method = method, .attribute = attribute}, 2);
    judgement.expect_status(reply, status::kUnsupported, what);
  };
  expect(method::kSet, attribute::kNodeRecord, "Set(NodeRecord)");
  expect(method::kSet, attribute::kSmInfoRecord, "Set(SMInfoRecord)");
  expect(method::kSet, attribute::kInformInfoRecord, "Set(InformInfoRecord)");
  expect(method::kGet, kUnknownAttribute, "Get of attribute 0x00AA");
  judgement.note("status 0x000c for what is not supported");
  return judgement.finding();
}

Finding numbers_of_records(Session& session) {
  constexpr std::uint64_t kNoLid = 0xBFFF, kMulticastLid = 0xFFFF;
  const Record& nodes = kFabricRecords.front();
  Judgement judgement;
  judgement.expect_status(session.ask(Fields(nodes).request(method::kGet)), status::kTooManyRecords,
                          "Get(NodeRecord) of all");
  judgement.expect_status(session.ask(Fields(nodes).set("LID", kNoLid).request(method::kGet)),
                          status::kNoRecords, "Get(NodeRecord) of LID 0xBFFF");
  for (const std::uint64_t lid : {kNoLid, kMulticastLid}) {
    const Reply none = session.ask(Fields(nodes).set("LID", lid).request(method::kGetTable));
    judgement.expect(
        none.good() && none.count() == 0,
        fmt::format("GetTable(NodeRecord) of LID 0x{:04X}: {}, expected an empty table", lid, none.text()));
  }
  const Reply own = session.ask(Fields(nodes).set("LID", session.host().lid.value).request(method::kGet));
  judgement.expect(own.good() && own.count() == 1, "Get(NodeRecord) of our LID: " + own.text());
  judgement.note("none, one and too many are told apart");
  return judgement.finding();
}

/// osmtest: a key that is wrong is not answered; whoever guesses learns nothing.
Finding wrong_key(Session& session) {
  constexpr std::uint64_t kWrong = 0x9999999999999999;
  const Reply reply = session.client().ask({.attribute = attribute::kClassPortInfo, .key = kWrong}, 1);
  Judgement judgement;
  judgement.expect(!reply.answered, "a request with a wrong SM_Key is answered: " + reply.text());
  judgement.note("no answer");
  return judgement.finding();
}

Finding secrets(Session& session) {
  if (!session.key()) return skipped("requests with SA_Key are not answered; --sa-key names another");
  const Reply plain = session.ask(Fields(kPKeyTableRecord).request(method::kGetTable));
  const Reply trusted = session.ask(Fields(kPKeyTableRecord).request(method::kGetTable, *session.key()));
  Judgement judgement;
  judgement.expect(trusted.good() && trusted.count() > 0,
                   "P_KeyTableRecords for the trusted: " + trusted.text());
  judgement.expect(!plain.good() || plain.count() == 0, "P_KeyTableRecords without SA_Key: " + plain.text());
  const Record& ports = kFabricRecords[1];
  const Reply infos = session.ask(Fields(ports).request(method::kGetTable));
  std::size_t shown = 0;
  for (std::size_t i = 0; i < infos.count(); ++i)
    if (number(ports, infos.record(i), "M_Key") != 0) ++shown;
  judgement.expect(shown == 0, fmt::format("{} M_Keys are shown to the untrusted", shown));
  judgement.note(
      fmt::format("P_KeyTableRecord: trusted {}, others {}; no M_Key shown", trusted.text(), plain.text()));
  return judgement.finding();
}

/// Each record of a table is what a Get by its own key fields returns (osmtest, flow v).
Finding consistency(Session& session) {
  const Record &nodes = kFabricRecords[0], &ports = kFabricRecords[1], &links = kFabricRecords[7];
  const Reply node = session.ask(Fields(nodes).request(method::kGetTable));
  const Reply port = session.ask(Fields(ports).request(method::kGetTable));
  const Reply link = session.ask(Fields(links).request(method::kGetTable));
  Judgement judgement;
  judgement.expect(node.count() > 0, "NodeRecords: " + node.text());
  judgement.expect(port.count() >= node.count(), "PortInfoRecords: " + port.text());
  judgement.expect(link.count() > 0 && link.count() % 2 == 0, "LinkRecords: " + link.text());
  std::size_t homeless = 0, one_way = 0;
  for (std::size_t i = 0; i < port.count(); ++i) {
    const std::uint64_t lid = number(ports, port.record(i), "EndportLID");
    bool known = false;
    for (std::size_t j = 0; j < node.count() && !known; ++j)
      known = number(nodes, node.record(j), "LID") == lid;
    if (!known) ++homeless;
  }
  const auto end = [&](std::size_t i, std::string_view lid, std::string_view number_of) {
    return std::pair(number(links, link.record(i), lid), number(links, link.record(i), number_of));
  };
  for (std::size_t i = 0; i < link.count(); ++i) {
    bool back = false;
    for (std::size_t j = 0; j < link.count() && !back; ++j)
      back = end(i, "FromLID", "FromPort") == end(j, "ToLID", "ToPort") &&
             end(i, "ToLID", "ToPort") == end(j, "FromLID", "FromPort");
    if (!back) ++one_way;
  }
  judgement.expect(homeless == 0, fmt::format("{} PortInfoRecords without a NodeRecord", homeless));
  judgement.expect(one_way == 0, fmt::format("{} LinkRecords in one direction only", one_way));
  judgement.note(fmt::format("{} nodes' ports, {} ports, {} links, both ways", node.count(), port.count(),
                             link.count() / 2));
  return judgement.finding();
}

Finding paths(Session& session) {
  const auto from = [&] { return Fields(kPathRecord).set("SGID", session.host().gid()); };
  Judgement judgement;
  const auto other = session.other_host(0);
  if (!other) return skipped("there is no other host");
  const Reply one = session.ask(from().set("DGID", *other).request(method::kGet));
  judgement.expect(one.good() && one.count() == 1, "path to another host: " + one.text());
  if (one.count() == 1) {
    const std::uint64_t to = number(kPathRecord, one.record(0), "DLID");
    const Reply by_lid = session.ask(
        Fields(kPathRecord).set("SLID", session.host().lid.value).set("DLID", to).request(method::kGet));
    judgement.expect(by_lid.good() && by_lid.count() == 1, "the same by LIDs: " + by_lid.text());
    judgement.expect_refused(
        session.ask(from().set("DGID", *other).set("DLID", to ^ 1U).request(method::kGet)),
        "DGID and DLID of different ports");
  }
  judgement.expect_refused(session.ask(Fields(kPathRecord)
                                           .set("SLID", session.host().lid.value)
                                           .set("DLID", std::uint64_t{0xFFFF})
                                           .request(method::kGet)),
                           "path to LID 0xFFFF");
  judgement.expect_refused(
      session.ask(from().set("DGID", make_gid(session.host().prefix, 1)).request(method::kGet)),
      "path to an unknown GUID");
  constexpr std::uint64_t kReservedMtu = 60, kReservedRate = 63;
  judgement.expect_refused(
      session.ask(from().set("DGID", *other).select("MTU", 2, kReservedMtu).request(method::kGet)),
      "MTU code 60");
  judgement.expect_refused(
      session.ask(from().set("DGID", *other).select("Rate", 2, kReservedRate).request(method::kGet)),
      "rate code 63");
  judgement.note(one.text() + " by GIDs and by LIDs");
  return judgement.finding();
}

}  // namespace

void add_query_tests(std::vector<Test>& tests) {
  tests.push_back({"class-port-info", "Get(ClassPortInfo)", class_port_info});
  tests.push_back({"unsupported", "What is not supported is answered with that status", unsupported});
  tests.push_back({"numbers-of-records", "No record, one, too many", numbers_of_records});
  tests.push_back({"wrong-key", "A request with a wrong SM_Key gets no answer", wrong_key});
  tests.push_back({"secrets", "Keys are shown to the trusted only", secrets});
  tests.push_back({"consistency", "Nodes, ports and links tell the same fabric", consistency});
  tests.push_back({"paths", "PathRecord by GIDs and LIDs, and what must be refused", paths});
}

}  // namespace rch::conformance
