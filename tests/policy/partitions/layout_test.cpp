// Partitions laid out on fabrics: what OpenSM's recordings cannot show.

#include <array>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fabric/formats.h"
#include "reading.h"

namespace rch::policy::partitions {
namespace {

using testing::ElementsAre;

/// A switch with a CA, a router, and a CA port that is not linked.
fabric::Fabric small_fabric() {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto source = sources.add("small.net", R"(switchguid=0x20
Switch	4 "S-0000000000000020"		# "switch" base port 0 lid 0 lmc 0
[1]	"H-0000000000000010"[1](11)		# "ca" lid 0 4xQDR
[2]	"R-0000000000000030"[1](31)		# "router" lid 0 4xQDR

caguid=0x10
Ca	2 "H-0000000000000010"		# "ca"
[1](11) 	"S-0000000000000020"[1]		# lid 0 lmc 0 "switch" lid 0 4xQDR

rtguid=0x30
Rt	1 "R-0000000000000030"		# "router"
[1](31) 	"S-0000000000000020"[2]		# lid 0 lmc 0 "switch" lid 0 4xQDR
)");
  auto fabric = fabric::read_fabric(sources, source, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) ADD_FAILURE() << render(d, sources);
  return std::move(*fabric);
}

std::map<std::string, std::vector<std::uint16_t>> tables(const Partitions& partitions, const Place& place) {
  std::map<std::string, std::vector<std::uint16_t>> found;
  const PKeyTables laid = lay_out(partitions, place);
  for (std::size_t i = 0; i < laid.ports.size(); ++i) {
    const auto keys = laid.of(i);
    found[fmt::format("{:x}", place.fabric.port(laid.ports[i]).guid.value)] = {keys.begin(), keys.end()};
  }
  return found;
}

TEST(Layout, KnowsNodeTypes) {
  const fabric::Fabric fabric = small_fabric();
  const Reading reading(
      "Default=0x7fff : ALL, SELF=full ;\nC=1 : ALL_CAS=full ;\nS=2 : ALL_SWITCHES ;\n"
      "R=3 : ALL_ROUTERS=full ;\n",
      "");
  const auto found = tables(reading.partitions(), {fabric, *fabric.find_port(Guid(0x20)), {}});
  ASSERT_EQ(found.size(), 3U);  // the unlinked CA port is not there
  EXPECT_THAT(found.at("11"), ElementsAre(0x7FFF, 0x8001));
  EXPECT_THAT(found.at("20"), ElementsAre(0xFFFF, 0x0002));
  EXPECT_THAT(found.at("31"), ElementsAre(0x7FFF, 0x8003));
}

TEST(Layout, WithoutASubnetManagerSelfIsNobody) {
  const fabric::Fabric fabric = small_fabric();
  const Reading reading("P=1 : SELF=full ;\n", "");
  for (const auto& [guid, keys] : tables(reading.partitions(), {fabric, PortId::none(), {}}))
    EXPECT_THAT(keys, ElementsAre(0x7FFF)) << guid;
}

TEST(Layout, PortGroupsStandForTheirEndPorts) {
  const fabric::Fabric fabric = small_fabric();
  Partitions partitions = without_file();
  Partition& p = partitions.all.emplace_back();
  p.pkey = PKey(1);
  p.members.push_back(implied(Who::group, Membership::full));
  p.members.back().key = 1;
  std::swap(partitions.all[0], partitions.all[1]);
  std::array<SparseSet<PortId>, 2> groups;
  for (std::uint32_t id = 0; id < fabric.ports().size(); ++id)  // every port but the router's
    if (fabric.node(fabric.port(PortId(id)).node).type != fabric::NodeType::router)
      groups[1].insert(PortId(id));
  const auto found = tables(partitions, {fabric, PortId::none(), groups});
  EXPECT_THAT(found.at("11"), ElementsAre(0xFFFF, 0x8001));
  EXPECT_THAT(found.at("20"), ElementsAre(0xFFFF, 0x8001));
  EXPECT_THAT(found.at("31"), ElementsAre(0xFFFF));
}

std::string found_on(const fabric::Fabric& fabric, const Reading& reading) {
  Diagnostics diagnostics;
  check_on_fabric(reading.partitions(), {fabric, *fabric.find_port(Guid(0x11)), {}}, diagnostics);
  std::string names;
  for (const Diagnostic& d : diagnostics.all())
    names += fmt::format("{} `{}`\n", d.rule->name, reading.sources().text(d.span));
  return names;
}

TEST(FabricCheck, ReportsWhatOnlyTheFabricShows) {
  const fabric::Fabric fabric = small_fabric();
  EXPECT_EQ(found_on(fabric, Reading("P=1 : 0x11=full, 0x31, 0x20 ;\n")), "");
  EXPECT_EQ(
      found_on(fabric, Reading("P=1 : 0x12, 0x99, 0x10 ;\nQ=2 : 0x99=full ;\n")),
      "unknown-partition-member `0x12`\nunknown-partition-member `0x99`\nunknown-partition-member `0x10`\n");
  EXPECT_EQ(found_on(fabric, Reading("P=1, indx0 : ALL_CAS ;\nQ=2, indx0 : 0x11, 0x20 ;\n")),
            "shared-index-0 `0x11`\n");
  // The text alone shows it; it is not said twice.
  EXPECT_EQ(found_on(fabric, Reading("P=1, indx0 : ALL ;\nQ=2, indx0 : 0x11 ;\n")), "");
  EXPECT_EQ(found_on(fabric, Reading("Default=0x7fff : 0x11=limited ;\n")), "sm-not-full `0x11=limited`\n");
  EXPECT_EQ(found_on(fabric, Reading("Default=0x7fff : ALL=limited ;\n")), "");
  EXPECT_EQ(found_on(fabric, Reading("Default=0x7fff : ALL=limited, ALL_CAS=full ;\n")), "");
}

}  // namespace
}  // namespace rch::policy::partitions
