// Repairs that only one text can be: what `rch lint --fix` writes.

#include <gtest/gtest.h>

#include "parsers/partitions/partitions.h"
#include "parsers/port_groups/port_groups.h"
#include "parsers/qos_policy/qos_policy.h"
#include "parsers/routing_chains/routing_chains.h"
#include "parsers/side_files/side_files.h"
#include "parsers/torus_conf/torus_conf.h"
#include "repaired.h"

namespace rch::parsers {
namespace {

TEST(Repairs, KeywordsAndColons) {
  EXPECT_EQ(
      repaired("Port-Group :\n  NAME a  # the first\n  use = b c\n  Port-Guid\t:0x1\n  "
               "union-rule\nEND-port-group:\n",
               port_groups::parse),
      "port-group\n  name: a  # the first\n  use: b c\n  port-guid\t:0x1\n  union-rule:\nend-port-group\n");
  EXPECT_EQ(repaired("unicast-step\n  id: 1\n  Path-bit: 0\n  engine minhop\nend-unicast-step\n",
                     routing_chains::parse),
            "unicast-step\n  id: 1\n  path-bit: 0\n  engine: minhop\nend-unicast-step\n");
}

TEST(Repairs, KeywordsAndColonsOfQosPolicies) {
  EXPECT_EQ(
      repaired("Qos-Levels :\n  qos-level\n    NAME: DEFAULT\n    sl = 1\n  end-qos-level\nend-qos-levels\n",
               qos_policy::parse),
      "qos-levels\n  qos-level\n    name: DEFAULT\n    sl: 1\n  end-qos-level\nend-qos-levels\n");
  EXPECT_EQ(
      repaired("QOS-ULPS\n  SDP, Port-Num 30000 : 1\n  Any, PKEY 0x1 : 2\nEnd-QoS-ulps\n", qos_policy::parse),
      "qos-ulps\n  SDP, port-num 30000 : 1\n  Any, pkey 0x1 : 2\nend-qos-ulps\n");
}

TEST(Repairs, Guids) {
  EXPECT_EQ(
      repaired("port-group\nname: a\nport-guid: 0x11/6/8, 0x12 / 3, 00a1b2c3d4e5f607@1\nend-port-group\n",
               port_groups::parse),
      "port-group\nname: a\nport-guid: 0x11@6/8, 0x12 @ 3, 0x00a1b2c3d4e5f607@1\nend-port-group\n");
}

TEST(Repairs, CharactersOfAManual) {
  EXPECT_EQ(repaired("\xEF\xBB\xBFtorus 3 3 1  # “sic”\r\nx_dateline –1\r\n", torus_conf::parse),
            "torus 3 3 1  # “sic”\r\nx_dateline -1\r\n");
  EXPECT_EQ(repaired("port-group\nname: a\nport-guid-range: 0x10–0x20\nend-port-group\n", port_groups::parse),
            "port-group\nname: a\nport-guid-range: 0x10-0x20\nend-port-group\n");
  EXPECT_EQ(repaired("qos-levels\nqos-level\nname: “DEFAULT”\nsl: 0\nend-qos-level\nend-qos-levels\n",
                     qos_policy::parse),
            "qos-levels\nqos-level\nname: \"DEFAULT\"\nsl: 0\nend-qos-level\nend-qos-levels\n");
}

/// A name may have been meant with the very character that stands there.
TEST(Repairs, TypographyInsideOfNames) {
  for (const std::string line :
       {"use: rack’s end", "use: rack ‐ one", "port-name: leaf–1/P1", "use: 1–b", "use: –"}) {
    const std::string text = "port-group\nname: a\n" + line + "\nport-guid: 0x1\nend-port-group\n";
    EXPECT_EQ(repaired(text, port_groups::parse), text);
  }
  const std::string level = "qos-levels\nqos-level\nname: a“b”c\nsl: 0\nend-qos-level\nend-qos-levels\n";
  EXPECT_EQ(repaired(level, qos_policy::parse), level);
}

/// An unpaired quote may be one too many, and where quotes mean nothing a pair may be, too.
TEST(Repairs, QuotesThatMayBeTooMany) {
  for (const std::string text : {"port-group\nname: a\nport-regexp: ^c_(leaf“|spine)[0-9]+\nend-port-group\n",
                                 "port-group\nname: a\nport-regexp: “leaf”\nend-port-group\n"})
    EXPECT_EQ(repaired(text, port_groups::parse), text);
  const std::string level = "qos-levels\nqos-level\nname: “DEFAULT\nsl: 0\nend-qos-level\nend-qos-levels\n";
  EXPECT_EQ(repaired(level, qos_policy::parse), level);
  const auto modules = [](const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
    return side_files::parse_module_logging(sources, source, diagnostics);
  };
  EXPECT_EQ(repaired("“osm_sa.c=0x03\n", modules), "“osm_sa.c=0x03\n");
}

TEST(Repairs, GuidsInGroups) {
  EXPECT_EQ(repaired("A=0x5 : 00:02:c9:03:00:01:00:05=full, 0002:c903:0001:0006;\n", partitions::parse),
            "A=0x5 : 0x0002c90300010005=full, 0x0002c90300010006;\n");
  EXPECT_EQ(
      repaired("0x0002c903:00000100 1 2\n0x0002c903:0100 1 2\n0x11,1 2\n", side_files::parse_hop_weights),
      "0x0002c90300000100 1 2\n0x0002c903:0100 1 2\n0x11 1 2\n");
}

/// A `;` makes a partition of a line: certain where the line is one already.
TEST(Repairs, SemicolonsOfPartitions) {
  EXPECT_EQ(repaired("A=0x5 : 0x11=full\nB=0x6 : 0x12=full;\n", partitions::parse),
            "A=0x5 : 0x11=full;\nB=0x6 : 0x12=full;\n");
  for (const std::string text :
       {"sm_priority: 10\nB=0x6 : 0x12=full;\n", "A=0x5 :\n mgid=ff12::1\nB=0x6 : 0x12=full;\n",
        "A=0x5 : 0x11=full,\n mgid=ff12::1\n;\n"})
    EXPECT_EQ(repaired(text, partitions::parse), text);
}

/// A partition whose last member has no membership may have been cut off there.
TEST(Repairs, PartitionsThatAreCutOffStayOpen) {
  for (const std::string text : {"Red=0x5 : 0x11=full, 0x000000001000\nBlue=0x6 : 0x12=full;\n",
                                 "Default=0x7fff :\nBlue=0x6 : 0x12=full;\n"})
    EXPECT_EQ(repaired(text, partitions::parse), text);
}

TEST(Repairs, CarriageReturns) {
  EXPECT_EQ(repaired("A=0x5 : 0x11=full,\r\n 0x12;\r\n", partitions::parse), "A=0x5 : 0x11=full,\n 0x12;\n");
}

/// A backward range, a misspelt qualifier: there are several repairs, so none is taken.
TEST(Repairs, GuessesAreLeftToThePerson) {
  for (const std::string text : {"port-group\nname: a\nport-guid: 0x1@5-2\nend-port-group\n",
                                 "port-group\nname: a\nport-giud: 0x1\nend-port-group\n",
                                 "port-group\nname: a\nport-guid: 010\nend-port-group\n"})
    EXPECT_EQ(repaired(text, port_groups::parse), text);
}

}  // namespace
}  // namespace rch::parsers
