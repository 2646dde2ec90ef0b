#include <gtest/gtest.h>

#include "support.h"

namespace rch::fabric::test {
namespace {

/// The list carries no LMC; golden nets say nothing of vendors where ibsim reports zero, and nothing of
/// revisions.
constexpr DumpOptions kShared{.rates = false, .lids = false, .capabilities = false, .origin = true};

TEST(SubnetLst, EveryGoldenListEqualsItsFabric) {
  std::size_t compared = 0;
  for (const auto& folder : golden_cases()) {
    const std::string fabric = folder.parent_path().filename();
    const std::string name = "cases/" + fabric + "/" + folder.filename().string() + "/opensm-subnet.lst";
    const Reading r = read_text(golden_text(name));
    ASSERT_EQ(r.findings, "") << name;
    EXPECT_EQ(r.fabric->fingerprint(), golden_net(fabric).fingerprint()) << name;
    EXPECT_EQ(difference(*r.fabric, golden_net(fabric), kShared), "") << name;
    ++compared;
  }
  EXPECT_EQ(compared, 53u);
}

TEST(SubnetLst, ReadsRatesLidsAndRevisions) {
  const Reading r = read_text(golden_text("cases/speeds/minhop/opensm-subnet.lst"));
  ASSERT_EQ(r.findings, "");
  const Fabric& f = *r.fabric;
  const NodeId sw = *f.find_node(Guid(0x0002c90200400000));
  EXPECT_EQ(f.node(sw).revision, 0xa1u);
  EXPECT_EQ(f.node(sw).vendor_id, 0x2c9u);
  EXPECT_EQ(f.node(*f.find_node(Guid(0x0002c90300010030))).device_id, 0x1003u);
  EXPECT_EQ(f.port(f.port_id(sw, PortNum(0))).lid, Lid(2));
  EXPECT_EQ(f.port(f.port_id(sw, PortNum(6))).width, LinkWidth::x12);
  EXPECT_EQ(f.port(f.port_id(sw, PortNum(4))).speed, LinkSpeed::edr);
  EXPECT_EQ(f.port(*f.find_port(Guid(0x0002c90300010002))).speed, LinkSpeed::fdr10);
  EXPECT_EQ(f.port(*f.origin()).guid, Guid(0x0002c90300010001));  // CA-SM
}

const std::string kSwitch =
    "{ SW Ports:02 SystemGUID:0000000000000001 NodeGUID:0000000000000001 PortGUID:0000000000000001 "
    "VenID:0002C9 "
    "DevID:BD36 Rev:000000A1 {a} b}} LID:0001 PN:01 }";
const std::string kHost =
    "{ CA-SM Ports:01 SystemGUID:0000000000000010 NodeGUID:0000000000000010 PortGUID:0000000000000011 "
    "VenID:000002C9 "
    "DevID:10030000 Rev:000000A1 {h} LID:0002 PN:01 }";

TEST(SubnetLst, AListThatNamesLinksOnceIsWarnedOf) {
  const Reading r = read_text(kSwitch + " " + kHost + " PHY=4x LOG=ACT\r\n");
  ASSERT_TRUE(r.fabric) << r.findings;
  EXPECT_EQ(r.rules, std::vector<std::string>{"fabric-links-listed-once"});
  EXPECT_EQ(r.fabric->node(SwitchId(0)).description, "a} b}");
  EXPECT_EQ(r.fabric->node(NodeId(1)).device_id, 0x1003u);
  EXPECT_EQ(r.fabric->port(*r.fabric->origin()).guid, Guid(0x11));
  const Port& p = r.fabric->port(r.fabric->port_id(NodeId(1), PortNum(1)));
  EXPECT_EQ(p.width, LinkWidth::x4);
  EXPECT_EQ(p.speed, LinkSpeed::sdr);  // a list without speeds
}

TEST(SubnetLst, ThePermissiveLidIsNone) {
  std::string host = kHost;
  host.replace(host.find("LID:0002"), 8, "LID:FFFF");
  const Reading r = read_text(kSwitch + " " + host + " PHY=4x LOG=ACT SPD=10\n");
  ASSERT_TRUE(r.fabric) << r.findings;
  EXPECT_EQ(r.fabric->port(r.fabric->port_id(NodeId(1), PortNum(1))).lid, kUnassignedLid);
}

// As ibdiagnet 1.5.7 writes it on ibsim: each link once, VenID of eight digits, DevID as it is.
TEST(SubnetLst, IbdiagnetNamesEachLinkOnce) {
  const std::string sw =
      "{ SW Ports:04 SystemGUID:0000000000200000 NodeGUID:0000000000200000 PortGUID:0000000000200000 "
      "VenID:000002C9 DevID:BD36 Rev:000000A1 {S1} LID:0001 PN:0";
  const std::string host =
      "{ CA Ports:01 SystemGUID:0000000000100000 NodeGUID:0000000000100000 PortGUID:0000000000100001 "
      "VenID:000002C9 DevID:1003 Rev:000000A1 {H1} LID:0002 PN:01 }";
  const std::string line = sw + "1 } " + host + " PHY=4x LOG=ACT SPD=10\n";
  const Reading r = read_text(line);
  ASSERT_TRUE(r.fabric) << r.findings;
  EXPECT_EQ(r.findings, "");
  EXPECT_EQ(r.fabric->end_ports().size(), 1U);
  // One line of another writer, and the list is one of which nobody knows how often it names a link.
  const Reading mixed = read_text(line + kSwitch + " " + kHost + " PHY=4x LOG=ACT SPD=10\n");
  EXPECT_NE(mixed.findings.find("[fabric-links-listed-once]"), std::string::npos) << mixed.findings;
}

// ibdiagnet2 calls a router otherwise than OpenSM does.
TEST(SubnetLst, ARouterHasTwoWords) {
  for (const std::string_view word : {"Rt", "RTR"}) {
    std::string router = kHost;
    router.replace(router.find("CA-SM"), 5, word);
    const Reading r = read_text(kSwitch + " " + router + " PHY=4x LOG=ACT SPD=10\n");
    ASSERT_TRUE(r.fabric) << r.findings;
    EXPECT_EQ(r.fabric->node(NodeId(1)).type, NodeType::router);
  }
}

/// A speed of ibdiagnet2 that links between devices of NVIDIA have.
TEST(SubnetLst, Edr20IsASpeed) {
  const Reading r = read_text(kSwitch + " " + kHost + " PHY=4x LOG=ACT SPD=EDR20\n" + kHost + " " + kSwitch +
                              " PHY=4x LOG=ACT SPD=EDR20\n");
  ASSERT_EQ(r.findings, "");
  EXPECT_EQ(r.fabric->port(r.fabric->port_id(SwitchId(0), PortNum(1))).speed, LinkSpeed::edr20);
}

TEST(SubnetLst, DownLinksAreNoLinks) {
  const Reading r = read_text(kSwitch + " " + kHost + " PHY=4x LOG=DWN SPD=10\n");
  ASSERT_EQ(r.findings, "");
  EXPECT_TRUE(r.fabric->end_ports().empty());
}

TEST(SubnetLst, ReportsWhatItCannotRead) {
  const Reading r =
      read_text(kSwitch + " { XX Ports:01\n" + kSwitch + " " + kHost + " PHY=4x LOG=ACT SPD=3\nhello\n");
  EXPECT_EQ(r.findings.substr(0, r.findings.find('\n')),
            "net:1:" + std::to_string(kSwitch.size() + 4) +
                ": error: `CA, SW or Rt` is expected here [fabric-bad-link]");
  EXPECT_EQ(r.rules, (std::vector<std::string>{"fabric-bad-link", "fabric-unknown-rate",
                                               "fabric-unknown-line", "fabric-links-listed-once"}));
}

TEST(SubnetLst, ANodeMustNotChangeBetweenLines) {
  std::string other = kSwitch;
  other.replace(other.find("Ports:02"), 8, "Ports:03");
  const Reading r = read_text(kSwitch + " " + kHost + " PHY=4x LOG=ACT SPD=10\n" + kHost + " " + other +
                              " PHY=4x LOG=ACT SPD=10\n");
  ASSERT_FALSE(r.fabric);
  EXPECT_EQ(r.rules.front(), "fabric-node-differs");
  EXPECT_NE(r.findings.find("node 0x0000000000000001 is described differently here"), std::string::npos)
      << r.findings;
  EXPECT_NE(r.findings.find("described before: 2 ports, name `a} b}`"), std::string::npos) << r.findings;
}

TEST(SubnetLst, BadNumbersHaveACaret) {
  std::string bad = kSwitch;
  bad.replace(bad.find("LID:0001"), 8, "LID:C000");
  const Reading r = read_text(bad + "\n");
  EXPECT_EQ(r.rules.front(), "fabric-bad-number");
  EXPECT_NE(r.findings.find("`LID:` must be a hexadecimal number up to BFFF"), std::string::npos)
      << r.findings;
}

}  // namespace
}  // namespace rch::fabric::test
