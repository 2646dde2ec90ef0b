#include <gtest/gtest.h>

#include "fabric/formats.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

const Port& port(const Fabric& fabric, std::uint64_t node, std::uint8_t number) {
  return fabric.port(fabric.port_id(*fabric.find_node(Guid(node)), PortNum(number)));
}

TEST(Ibnetdiscover, ReadsAGoldenTorus) {
  const Fabric f = golden_net("torus2d-6x5");
  EXPECT_EQ(f.switch_count(), 30u);
  EXPECT_EQ(f.nodes().size(), 60u);
  EXPECT_EQ(f.end_ports().size(), 30u);
  EXPECT_EQ(f.graph().link_ends(), 120u);
  const Node& sw = f.node(*f.find_node(Guid(0x0002c90200400000)));
  EXPECT_EQ(sw.description, "sw_0_0_0");
  EXPECT_EQ(sw.vendor_id, 0x2c9u);
  EXPECT_EQ(sw.device_id, 0xbd36u);
  EXPECT_EQ(sw.num_ports, 5);
  const Node& host = f.node(*f.find_node(Guid(0x0002c90300010000)));
  EXPECT_EQ(host.system_guid, Guid(0x0002c90300010003));
  EXPECT_EQ(f.port(*f.origin()).guid, Guid(0x0002c90300010001));
}

TEST(Ibnetdiscover, ReadsEveryGoldenNetWithoutAFinding) {
  for (const auto& entry : std::filesystem::directory_iterator(golden("net")))
    EXPECT_EQ(read_path(entry.path()).findings, "") << entry.path();
}

TEST(Ibnetdiscover, GivesIbsimsDefaultGuids) {
  const Fabric f = golden_net("ibsim-net.2sw2path4hca");
  EXPECT_EQ(f.node(*f.find_node(Guid(0x200000))).description, "Switch1");
  EXPECT_EQ(f.node(*f.find_node(Guid(0x200001))).description, "Switch2");
  // One GUID for the node and one for each of two ports.
  EXPECT_EQ(f.node(*f.find_node(Guid(0x100009))).description, "Hca4");
  EXPECT_EQ(f.node(f.port(*f.find_port(Guid(0x10000a))).node).description, "Hca4");
  EXPECT_EQ(f.port(*f.origin()).guid, Guid(0x200000));
}

TEST(Ibnetdiscover, AFirstCaIsEnteredByItsFirstLinkedPort) {
  const Reading r =
      read_text("Ca 3 \"h\"\n[2] \"s\"[1]\n[3] \"s\"[2]\n\nSwitch 2 \"s\"\n[1] \"h\"[2]\n[2] \"h\"[3]\n");
  ASSERT_EQ(r.findings, "");
  EXPECT_EQ(r.fabric->port(*r.fabric->origin()).number, PortNum(2));
}

TEST(Ibnetdiscover, ReadsRatesInWordsAndAsMasks) {
  const Fabric f = golden_net("speeds");
  const std::uint64_t sw = 0x0002c90200400000;
  EXPECT_EQ(port(f, sw, 2).speed, LinkSpeed::fdr10);
  EXPECT_EQ(port(f, sw, 4).speed, LinkSpeed::edr);
  EXPECT_EQ(port(f, sw, 5).width, LinkWidth::x1);   // w=1 at both ends
  EXPECT_EQ(port(f, sw, 5).speed, LinkSpeed::ddr);  // s=3: SDR and DDR enabled
  EXPECT_EQ(port(f, sw, 6).width, LinkWidth::x12);
  EXPECT_EQ(port(f, sw, 7).width, LinkWidth::x4);  // ibsim's default
  EXPECT_EQ(port(f, sw, 7).speed, LinkSpeed::sdr);
  EXPECT_TRUE(f.node(*f.find_node(Guid(sw))).enhanced_port0);
  EXPECT_EQ(f.node(*f.find_node(Guid(0x0002c90300010030))).type, NodeType::router);
  EXPECT_EQ(f.end_ports().size(), 7u);
}

// What ibsim accepts beyond ibnetdiscover's own output; each line was tried against ibsim 0.10.
TEST(Ibnetdiscover, ReadsIbsimsDialect) {
  const Reading r = read_text(R"(# a hand-written file
hcaguids=0x5000
Hca 2 "h"
[2] "sw"[3] w=3 s=7
caguid+0x100
vendid=0x77
devid=0x10
Ca 1 "h2" # bare words here lid 7 lmc 1
# a comment between ports
[1] "sw"[4]		# lid 8 lmc 1 "sw" lid 3 4xHDR
Ca 1 "h3"
[1] "sw"[5]

Switch 8 "sw"  # "sw=itch "x"" enhanced port 0 lid 3 lmc 0
[3] "h"[2] w=1 s=4
[4] "h2"
[5] "h3"
)");
  ASSERT_EQ(r.findings, "");
  const Fabric& f = *r.fabric;
  EXPECT_EQ(port(f, 0x5000, 2).width, LinkWidth::x1);
  EXPECT_EQ(port(f, 0x5000, 2).speed, LinkSpeed::qdr);
  const Node& h2 = f.node(*f.find_node(Guid(0x5100)));
  EXPECT_EQ(h2.description, "bare words here");
  EXPECT_EQ(h2.vendor_id, 0x77u);
  EXPECT_EQ(port(f, 0x5100, 1).lid, Lid(8));
  EXPECT_EQ(port(f, 0x5100, 1).lmc, 1);
  EXPECT_EQ(port(f, 0x200000, 4).speed, LinkSpeed::hdr);  // the end that says nothing takes over the peer's
  const Node& h3 = f.node(*f.find_node(Guid(0x5102)));    // counted on past h2 and its port
  EXPECT_EQ(h3.vendor_id, 0u);                            // for one node only
  EXPECT_EQ(h3.device_id, 0x10u);                         // until changed
  EXPECT_EQ(h3.system_guid, Guid(0x5102));
  const Node& sw = f.node(*f.find_node(Guid(0x200000)));
  EXPECT_EQ(sw.description, "sw=itch \"x\"");
  EXPECT_TRUE(sw.enhanced_port0);
  EXPECT_EQ(port(f, 0x200000, 0).lid, Lid(3));
}

/// A port that no subnet manager has configured may show the permissive LID.
TEST(Ibnetdiscover, ThePermissiveLidIsNone) {
  const Reading r = read_text(
      "Switch 2 \"s\" # \"s\" base port 0 lid 65535 lmc 0\n[1] \"h\"[1] # \"h\" lid 65535 4xHDR\n\n"
      "Ca 1 \"h\"\n[1] \"s\"[1] # lid 65535 lmc 0 \"s\" lid 65535 4xHDR\n");
  ASSERT_EQ(r.findings, "");
  EXPECT_EQ(r.fabric->max_lid(), kUnassignedLid);
  EXPECT_EQ(port(*r.fabric, 0x100000, 1).speed, LinkSpeed::hdr);
}

TEST(Ibnetdiscover, LinesOfAnotherProgramAboveTheTextAreSkipped) {
  const std::string text = "Switch 2 \"s\"\n[1] \"h\"[1]\n\nCa 1 \"h\"\n[1] \"s\"[1]\n";
  const std::string noise =
      "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1) bad status 110; Connection timed out\n";
  for (const std::string& above : {noise, noise + noise, noise + "#\n# Topology file: generated\n#\n"}) {
    const Reading r = read_text(above + text);
    ASSERT_TRUE(r.fabric) << r.findings;
    EXPECT_EQ(difference(*r.fabric, *read_text(text).fabric), "");
    EXPECT_EQ(r.rules.front(), "fabric-foreign-line");
  }
  EXPECT_FALSE(read_text(text + noise).fabric) << "below the first node nothing is skipped";
  EXPECT_FALSE(read_text("swichguid=0x7\n" + text).fabric) << "a mistyped setting";
  EXPECT_FALSE(read_text("[1] \"h\"[1]\n" + text).fabric) << "the rest of a node that was cut off";
}

TEST(Ibnetdiscover, TakesTheGuidFromTheIdWithoutAGuidLine) {
  const Reading r = read_text(
      "Switch 2 \"S-00000000000000aa\"\n[1] \"H-00000000000000bb\"[1]\n\n"
      "Ca 1 \"H-00000000000000bb\"\n[1] \"S-00000000000000aa\"[1]\n");
  ASSERT_EQ(r.findings, "");
  EXPECT_TRUE(r.fabric->find_node(Guid(0xaa)));
  EXPECT_TRUE(r.fabric->find_port(Guid(0xbc)));
}

TEST(Ibnetdiscover, ModulePrefixesKeepIdsApart) {
  const Reading r = read_text(
      "module=\"a\"\nSwitch 2 \"s\"\n[1] \"b#s\"[1]\n\nmodule=\"b\"\nSwitch 2 \"s\"\n[1] \"a#s\"[1]\n");
  ASSERT_EQ(r.findings, "");
  EXPECT_EQ(r.fabric->graph().link_ends(), 2u);
  EXPECT_EQ(r.fabric->node(SwitchId(0)).description, "a#s");
}

TEST(Ibnetdiscover, ReadsGroupedOutput) {
  const Reading r = read_text(R"(#
# Topology file: generated on Sat Nov 21 01:12:08 2026
#
# Initiated from node 0000000000000010 port 0000000000000011

Chassis 1 (guid 0x1234)

# Spine Nodes
vendid=0x8f1
devid=0x5a37
sysimgguid=0x1234		# Chassis 1
switchguid=0x1(2)	# Chassis 1 spine 1
Switch	24 "S-0000000000000001"		# "spine" base port 0 lid 5 lmc 0
[13][ext 2]	"H-0000000000000010"[1][ext 7](11) 		# "node" lid 6 4xDDR

Non-Chassis Nodes

vendid=0x2c9
devid=0x6274
sysimgguid=0x13
caguid=0x10
Ca	1 "H-0000000000000010"		# "node"
[1](11) 	"S-0000000000000001"[13]		# lid 6 lmc 0 "spine" lid 5 4xDDR slot 3
)");
  ASSERT_EQ(r.findings, "");
  EXPECT_EQ(r.fabric->port(*r.fabric->origin()).guid, Guid(0x11));
  EXPECT_TRUE(r.fabric->find_port(Guid(2)));
  EXPECT_EQ(port(*r.fabric, 1, 13).speed, LinkSpeed::ddr);
  EXPECT_EQ(port(*r.fabric, 1, 0).lid, Lid(5));
}

TEST(Ibnetdiscover, CasMayBeCabledToEachOther) {
  const Reading r = read_text(R"(caguid=0x10
Ca	1 "H-0000000000000010"		# "a"
[1](11) 	"H-0000000000000020"[1] (21) 		# lid 1 lmc 0 "b" lid 2 4xEDR

caguid=0x20
Ca	1 "H-0000000000000020"		# "b"
[1](21) 	"H-0000000000000010"[1] (11) 		# lid 2 lmc 0 "a" lid 1 4xEDR
)");
  ASSERT_EQ(r.findings, "");
  EXPECT_EQ(r.fabric->switch_count(), 0u);
  EXPECT_TRUE(r.fabric->end_ports().empty());
  EXPECT_EQ(port(*r.fabric, 0x10, 1).lid, Lid(1));
  EXPECT_EQ(r.fabric->lid_owner(Lid(2)), r.fabric->find_port(Guid(0x21)));
}

TEST(Ibnetdiscover, CarriageReturnsDoNoHarm) {
  std::string text = golden_text("net/torus2d-6x5.net");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
  const Reading r = read_text(text);
  ASSERT_EQ(r.findings, "");
  EXPECT_EQ(difference(*r.fabric, golden_net("torus2d-6x5")), "");
}

// Output of the real ibnetdiscover about a fabric equals the file that the simulator loaded.
struct Discovered {
  const char* file;
  const char* net;
};
class IbnetdiscoverOutput : public testing::TestWithParam<Discovered> {};

TEST_P(IbnetdiscoverOutput, EqualsTheFabricItShows) {
  const Reading r = read_path(golden(std::string("diags/") + GetParam().file));
  ASSERT_EQ(r.findings, "");
  const Fabric net = golden_net(GetParam().net);
  EXPECT_EQ(r.fabric->fingerprint(), net.fingerprint());
  // ibsim's switch shows a link at FDR10 as QDR, so rates are left out for that fabric.
  const DumpOptions common{
      .rates = std::string(GetParam().net) != "speeds", .lids = false, .capabilities = false};
  EXPECT_EQ(difference(*r.fabric, net, common), "");
}

INSTANTIATE_TEST_SUITE_P(Golden, IbnetdiscoverOutput,
                         testing::Values(Discovered{"torus2d-6x5.ibnetdiscover.txt", "torus2d-6x5"},
                                         Discovered{"multi-lmc1.ibnetdiscover.txt", "multi"},
                                         Discovered{"multi-lmc1.ibnetdiscover-full.txt", "multi"},
                                         Discovered{"speeds.ibnetdiscover.txt", "speeds"},
                                         Discovered{"speeds.ibnetdiscover-full.txt", "speeds"}),
                         [](const auto& tested) {
                           std::string name = tested.param.file;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

TEST(Ibnetdiscover, FullOutputTellsLidsAndVls) {
  const Reading r = read_path(golden("diags/multi-lmc1.ibnetdiscover-full.txt"));
  ASSERT_TRUE(r.fabric);
  const Port& p = port(*r.fabric, 0x0002c9030001000c, 2);
  EXPECT_EQ(p.lid, Lid(20));
  EXPECT_EQ(p.lmc, 1);
  EXPECT_EQ(p.vl_cap, 4);
  EXPECT_EQ(r.fabric->max_lid(), Lid(23));
  EXPECT_EQ(r.fabric->lid_owner(Lid(21)), r.fabric->find_port(Guid(0x0002c9030001000e)));
}

/// ibnetdiscover lists no port without a cable, so nobody has said its GUID.
TEST(Ibnetdiscover, APortThatIsNotListedTakesNoGuidFromOthers) {
  const Reading r = read_text(
      "switchguid=0x100(100)\nSwitch 4 \"S-0000000000000100\" # \"sw\" base port 0 lid 2 lmc 0\n"
      "[1] \"H-0000000000000010\"[1](10) # \"n1\" lid 1 4xHDR\n"
      "[2] \"H-0000000000000012\"[1](12) # \"n2\" lid 7 4xHDR\n\n"
      "caguid=0x10\nCa 2 \"H-0000000000000010\" # \"n1\"\n"
      "[1](10) \"S-0000000000000100\"[1] # lid 1 lmc 0 \"sw\" lid 2 4xHDR\n\n"
      "caguid=0x12\nCa 1 \"H-0000000000000012\" # \"n2\"\n"
      "[1](12) \"S-0000000000000100\"[2] # lid 7 lmc 0 \"sw\" lid 2 4xHDR\n");
  ASSERT_EQ(r.findings, "");
  EXPECT_EQ(r.fabric->find_port(Guid(0x12)), r.fabric->lid_owner(Lid(7)));
  EXPECT_EQ(port(*r.fabric, 0x10, 2).guid, Guid(0));
  const Reading again = read_text(write_snapshot(*r.fabric));
  ASSERT_EQ(again.findings, "");
  EXPECT_EQ(again.fabric->fingerprint(), r.fabric->fingerprint());
}

TEST(Recognise, TellsTheFormsApart) {
  EXPECT_EQ(recognise(golden_text("net/ibsim-net.net")), Format::ibnetdiscover);
  EXPECT_EQ(recognise(golden_text("diags/speeds.ibnetdiscover.txt")), Format::ibnetdiscover);
  EXPECT_EQ(recognise(golden_text("cases/multi/minhop/opensm-subnet.lst")), Format::subnet_lst);
  EXPECT_EQ(recognise(write_snapshot(golden_net("multi"))), Format::snapshot);
  EXPECT_EQ(recognise(golden_text("conf/torus2d-6x5.conf")), Format::unknown);
  EXPECT_EQ(recognise(""), Format::unknown);
}

}  // namespace
}  // namespace rch::fabric::test
