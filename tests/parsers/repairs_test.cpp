// Repairs that only one text can be: what `rch lint --fix` writes.

#include <gtest/gtest.h>

#include "parsers/port_groups/port_groups.h"
#include "parsers/qos_policy/qos_policy.h"
#include "parsers/routing_chains/routing_chains.h"
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
  EXPECT_EQ(repaired("port-group\nname: a\nuse: “rack’s end” ‐ one\nport-guid: 0x1\nend-port-group\n",
                     port_groups::parse),
            "port-group\nname: a\nuse: \"rack's end\" - one\nport-guid: 0x1\nend-port-group\n");
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
