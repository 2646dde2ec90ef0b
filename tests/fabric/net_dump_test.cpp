// ibdiagnet 2's list of switches and their neighbours. The text is written by the description of public
// parsers: no whole file was at hand.

#include <string>

#include <gtest/gtest.h>

#include "fabric/formats.h"
#include "support.h"

namespace rch::fabric::test {
namespace {

constexpr std::string_view kHeader =
    "#            : IB#       : Sta   : PhysSta   : MTU   : LWA   : LSA      : FEC mode   : Retran   : "
    "Neighbor Guid      "
    ": N#   : NLID   : Neighbor Description\n";

/// Two switches with labels, joined by two cables, and a host with two ports.
std::string text() {
  return "\"leaf, one\", Mellanox, 0x0000000000000010, LID 5\n" + std::string(kHeader) +
         "sw1p1        : 1         : ACT   : LINK UP   : 5     : 4x    : 100      : RS-FEC     : NO-RTR   : "
         "0x0000000000000100 "
         ": 1    : 7      : \"host : a mlx5_0\"\n"
         "sw1p2        : 2         : INI   : LINK UP   : 5     : 2x    : HDR      : RS-FEC     : NO-RTR   : "
         "0x0000000000000020 "
         ": 1/1  : 6      : \"MF0;name:MQM9700/U1\"\n"
         "sw1p3        : 3         : ACT   : LINK UP   : 5     : 4x    : EDR20    : RS-FEC     : NO-RTR   : "
         "0x0000000000000020 "
         ": 1/2  : 6      : \"MF0;name:MQM9700/U1\"\n"
         "sw1p4        : 4         : DOWN  : POLLING   :       :       :          :            :          :  "
         "                  "
         ":      :        :\n"
         "\"MF0;name:MQM9700/U1\", Mellanox, 0x0000000000000020, LID 6\n" +
         std::string(kHeader) +
         "1/1          : 11        : ACT   : LINK UP   : 5     : 2x    : HDR      : RS-FEC     : NO-RTR   : "
         "0x0000000000000010 "
         ": sw1p2 : 5      : \"leaf, one\"\n"
         "1/2          : 12        : ACT   : LINK UP   : 5     : 4x    : EDR20    : RS-FEC     : NO-RTR   : "
         "0x0000000000000010 "
         ": sw1p3 : 5      : \"leaf, one\"\n"
         "\n"
         "1/3          : 13        : ACT   : LINK UP   : 5     : 4x    : 100      : RS-FEC     : NO-RTR   : "
         "0x0000000000000100 "
         ": 2    : 8      : \"host : a mlx5_0\"\n";
}

std::string with(std::string_view what, std::string_view instead) {
  std::string changed = text();
  const std::size_t at = changed.find(what);
  if (at == std::string::npos) ADD_FAILURE() << "no `" << what << "`";
  return changed.replace(at, what.size(), instead);
}

TEST(NetDump, HoldsSwitchesAndTheirNeighbours) {
  EXPECT_EQ(recognise(text()), Format::net_dump);
  const Reading r = read_text(text());
  ASSERT_TRUE(r.fabric) << r.findings;
  EXPECT_EQ(r.rules, std::vector<std::string>{"fabric-unconfirmed-form"});
  const Fabric& f = *r.fabric;
  ASSERT_EQ(f.switch_count(), 2u);
  EXPECT_EQ(f.node(SwitchId(0)).description, "leaf, one");
  EXPECT_EQ(f.node(SwitchId(1)).description, "MF0;name:MQM9700/U1");
  EXPECT_EQ(f.node(NodeId(2)).description, "host : a mlx5_0");
  EXPECT_EQ(f.node(SwitchId(0)).num_ports, 4);
  const Port& two = f.port(f.port_id(SwitchId(0), PortNum(2)));
  EXPECT_EQ(two.peer, f.port_id(SwitchId(1), PortNum(11)));
  EXPECT_EQ(two.width, LinkWidth::x2);
  EXPECT_EQ(two.speed, LinkSpeed::hdr);
  EXPECT_EQ(f.label(f.port_id(SwitchId(0), PortNum(2))), "sw1p2");
  EXPECT_EQ(f.port(f.port_id(SwitchId(0), PortNum(3))).speed, LinkSpeed::edr20);
  EXPECT_EQ(f.port(f.port_id(SwitchId(0), PortNum(0))).lid, Lid(5));
  EXPECT_EQ(f.port(f.port_id(SwitchId(0), PortNum(1))).speed, LinkSpeed::ndr);
  EXPECT_EQ(f.port(f.port_id(NodeId(2), PortNum(1))).lid, Lid(7));
  EXPECT_EQ(f.port(f.port_id(NodeId(2), PortNum(2))).peer, f.port_id(SwitchId(1), PortNum(13)));
}

TEST(NetDump, WhatIsMissingIsSaid) {
  const Reading twice = read_text(text() + "\"again\", Mellanox, 0x0000000000000010, LID 9\n");
  EXPECT_EQ(twice.rules.back(), "fabric-duplicate-guid");
  const std::string block = text().substr(0, text().find("\"MF0;name:MQM9700/U1\", Mellanox"));
  EXPECT_EQ(read_text(block).rules,
            (std::vector<std::string>{"fabric-unconfirmed-form", "fabric-unknown-peer"}));
  EXPECT_EQ(read_text(with("1/2          : 12 ", "1/9          : 12 ")).rules,
            (std::vector<std::string>{"fabric-unconfirmed-form", "fabric-one-sided-link",
                                      "fabric-one-sided-link"}));
  EXPECT_EQ(read_text(with(": N#   ", ": Np   ")).rules.front(), "db-csv-missing-column");
  const std::string neighbour = "0x0000000000000100 : 1    : 7      : \"host : a mlx5_0\"";
  EXPECT_EQ(read_text(with(neighbour, ": : :")).rules.front(), "db-csv-no-cable");
  EXPECT_EQ(read_text(with(" : RS-FEC     : NO-RTR   : " + neighbour, "")).rules.front(), "fabric-bad-link");
  EXPECT_EQ(read_text(with(", LID 5", ", LID x")).rules.front(), "fabric-bad-node");
  EXPECT_EQ(read_text(with("sw1p2        : 2 ", "sw1p2        : x ")).rules.front(), "fabric-bad-link");
  EXPECT_EQ(read_text(with("HDR", "FAST")).rules.front(), "fabric-unknown-rate");
}

// A cut between the rows of the first switch leaves a smaller fabric, which nothing tells from a whole one.
TEST(NetDump, ACutIsNoticed) {
  const std::string all = text();
  const std::size_t second = all.find("\"MF0;name:MQM9700/U1\", Mellanox");
  for (std::size_t size = second; size < all.rfind("1/2   "); ++size)
    EXPECT_FALSE(read_text(all.substr(0, size)).fabric) << size;
  const Reading alone = read_text(all.substr(0, all.find(kHeader) + kHeader.size()));
  EXPECT_EQ(alone.rules, (std::vector<std::string>{"fabric-unconfirmed-form", "fabric-unlinked-node"}));
}

}  // namespace
}  // namespace rch::fabric::test
