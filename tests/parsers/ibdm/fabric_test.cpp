// Topology files as fabrics: names, GUIDs, which definitions are read, and what is told of them.

#include <cstdlib>

#include <gmock/gmock.h>

#include "parsers/ibdm/lint.h"
#include "parsers/ibdm/topo_fabric.h"
#include "support.h"

namespace rch::test {
namespace {

using namespace parsers;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kBox = R"(SYSTEM LEAF
NODE SW 4 MT47396 U1
  1 -4x-10G-> P1
  2 -12x-> UP
SYSTEM LEAF:wide
NODE SW 8 MT48436 U1
  1 -> P1
  2 -12x-> UP
  3 -> P2
TOPSYSTEM Box,Crate
SUBSYSTEM LEAF leaf1
  P1 -> L1/P1
  P2 -> L1/P2
  UP -12x-5G-> leaf2 UP
SUBSYSTEM LEAF leaf2
  P1 -> L2/P1
)";
const std::string kHost = "TOPSYSTEM Host\nNODE HCA 2 MT4099 U1\n  1 -> P1\n  2 -> P2\n";

/// Sets an environment variable while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

std::optional<Guid> guid_of(const fabric::Fabric& fabric, std::string_view description) {
  for (const fabric::Node& node : fabric.nodes())
    if (node.description == description) return node.guid;
  return std::nullopt;
}

TEST(TopoFabric, HasNodesPortsAndRates) {
  const auto reading = read_topo_text("Box b1 CFG: leaf2=wide\n  L1/P1 -4x-5G-> Host h1 P2\n", {kBox, kHost});
  ASSERT_TRUE(reading.fabric) << reading.report;
  EXPECT_EQ(reading.report, "");
  EXPECT_THAT(
      lines_of(*reading.fabric),
      ElementsAre("link b1/leaf1/U1 1 h1/U1 2 4x 5", "link b1/leaf1/U1 2 b1/leaf2/U1 2 12x 5",
                  "node b1/leaf1/U1 SW 4 47396", "node b1/leaf2/U1 SW 8 48436", "node h1/U1 CA 2 4099"));
  const auto& port = reading.fabric->port(reading.fabric->end_ports().front().port);
  EXPECT_EQ(port.state, fabric::PortState::active);
  EXPECT_EQ(port.number, PortNum(2));
}

TEST(TopoFabric, DescribesAdaptersAsTheyDoThemselves) {
  const std::string odd = "TOPSYSTEM Odd\nNODE CA 1 MT1 U2\n  1 -> P1\nNODE CA 1 MT1 Ux\n  1 -> P2\n";
  const auto fabric = read_topo_text("Odd o1\nBox b1\n", {odd, kBox}).fabric;
  ASSERT_TRUE(fabric);
  std::vector<std::string> names;
  for (const fabric::Node& node : fabric->nodes()) names.push_back(node.description);
  EXPECT_THAT(names, testing::UnorderedElementsAre("o1 HCA-2", "o1/Ux", "b1/leaf1/U1", "b1/leaf2/U1"));
}

/// A GUID follows from the node's name: systems that come or go do not change it. The value is pinned, since
/// policies name ports by it.
TEST(TopoFabric, GuidsFollowFromNames) {
  const auto few = read_topo_text("Box b1\n  L1/P1 -4x-10G-> Host h1 P1\n", {kBox, kHost}).fabric;
  const auto many =
      read_topo_text("Host a0\n\nBox b0\n\nCrate b1\n  L2/P1 -4x-10G-> Host h1 P2\n", {kHost, kBox}).fabric;
  ASSERT_TRUE(few && many);
  for (const std::string name : {"b1/leaf1/U1", "b1/leaf2/U1", "h1 HCA-1"}) {
    ASSERT_TRUE(guid_of(*few, name));
    EXPECT_EQ(guid_of(*few, name), guid_of(*many, name));
    EXPECT_EQ(guid_of(*few, name)->value >> 56, 0x02U);
    EXPECT_EQ(guid_of(*few, name)->value & 0xFF, 0U);
  }
  EXPECT_EQ(guid_of(*few, "b1/leaf1/U1"), Guid(0x0253bc2f669b0d00));
  const auto& host = few->node(*few->find_node(*guid_of(*few, "h1 HCA-1")));
  EXPECT_EQ(few->port(few->port_id(*few->find_node(host.guid), PortNum(2))).guid, Guid(host.guid.value + 2));
  const auto& a = few->node(NodeId(0));
  const auto& b = few->node(NodeId(1));
  EXPECT_EQ(a.system_guid, b.system_guid);
  EXPECT_NE(a.system_guid, host.system_guid);
}

TEST(TopoFabric, IsToldByContent) {
  EXPECT_TRUE(ibdm::is_topo("# a comment\n\nBox b1\n  P1 -> Box b2 P1\n"));
  EXPECT_TRUE(ibdm::is_topo("Box b1 CFG: leaf1=R\n"));
  EXPECT_TRUE(ibdm::is_topo("SwitchBox s1\n  P1 -4x-10G-> HcaBox h1 P1\n"));  // not ibnetdiscover text
  EXPECT_TRUE(ibdm::is_topo("  P1-> Box b2 P1\n"));
  EXPECT_FALSE(ibdm::is_topo(""));
  EXPECT_FALSE(ibdm::is_topo("# nothing\n"));
  EXPECT_FALSE(ibdm::is_topo(kBox));
  EXPECT_FALSE(ibdm::is_topo("vendid=0x2c9\ndevid=0x1\nSwitch\t24 \"S-1\"\t# \"a\"\n[1]\t\"H-2\"[1]\n"));
  EXPECT_FALSE(ibdm::is_topo("{ SW Ports:08 }\n"));
}

TEST(TopoFabric, ReadsTheDirectoriesOfTheEnvironment) {
  const ScratchFolder one, two;
  one.write("box.ibnl", kBox);
  one.write("box.txt", "not looked at");
  two.write("host.ibnl", kHost);
  const Environment path("IBDM_IBNL_PATH",
                         one.path().string() + ", :" + two.path().string() + " " + one.path().string());
  SourceSet sources;
  ibdm::Library library;
  ASSERT_TRUE(load_system_files(sources, library));
  for (const std::string_view type : {"Box", "Crate", "Host"}) EXPECT_NE(library.find(type), nullptr) << type;
  EXPECT_EQ(library.find("LEAF"), nullptr);
  // The folder that is named twice is read once.
  Diagnostics diagnostics;
  library.report(diagnostics);
  for (const Diagnostic& d : diagnostics.all()) EXPECT_NE(d.rule->name, "ibnl-replaced-system");
}

TEST(TopoFabric, RefusesADirectoryThatCannotBeRead) {
  const Environment path("IBDM_IBNL_PATH", "/nonexistent/ibnl");
  const auto files = ibdm::system_files();
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().kind, ErrorKind::usage);
  EXPECT_THAT(files.error().message, HasSubstr("`/nonexistent/ibnl`"));
}

/// Definitions that nothing uses may be broken; the errors of one that is used are told.
TEST(TopoFabric, TellsTheErrorsOfWhatItUses) {
  const std::string broken = "TOPSYSTEM Torn\nNODE SW 4 MT1 U1\n  5 -> P1\n# why\n";
  EXPECT_TRUE(read_topo_text("Box b1\n", {kBox, broken}).fabric);
  const auto reading = read_topo_text("Box b1\n  L1/P1 -4x-10G-> Torn t1 P1\nTorn t2\n", {kBox, broken});
  EXPECT_FALSE(reading.fabric);
  EXPECT_THAT(reading.rules, ElementsAre("ibnl-port-out-of-range"));
}

TEST(TopoFabric, LaterDefinitionsReplaceEarlierOnes) {
  const std::string other = "TOPSYSTEM Host\nNODE CA 1 MT7 U1\n  1 -> P1\n";
  const auto fabric = read_topo_text("Host h1\n", {kHost, other}).fabric;
  ASSERT_TRUE(fabric);
  EXPECT_THAT(lines_of(*fabric), ElementsAre("node h1/U1 CA 1 7"));
}

/// Without IBNL texts those of the environment are used, and their own findings are not told.
TEST(TopoLint, FallsBackOnInstalledDefinitions) {
  const ScratchFolder folder;
  folder.write("box.ibnl", "# a comment\n" + kBox);
  const Environment path("IBDM_IBNL_PATH", folder.path().string());
  SourceSet sources;
  Diagnostics diagnostics;
  const SourceId topos[] = {sources.add("a.topo", "Box b1\n  L1/P1 -4x-10G-> Box b2 L1/P9\n")};
  ASSERT_TRUE(ibdm::lint(sources, {}, topos, diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all().front().rule->name, "topo-unknown-port");
}

}  // namespace
}  // namespace rch::test
