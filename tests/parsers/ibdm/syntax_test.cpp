// What the parsers of IBNL and topology files make of text: tokens in their places, and certain repairs.

#include <gtest/gtest.h>

#include "../repaired.h"
#include "parsers/ibnl/ibnl.h"
#include "parsers/topo/topo.h"

namespace rch::parsers {
namespace {

class IbdmSyntax : public testing::Test {
 protected:
  SourceId add(std::string text) { return sources_.add("input", std::move(text)); }
  void TearDown() override {
    for (const Diagnostic& d : diagnostics_.all()) ADD_FAILURE() << render(d, sources_);
  }
  /// The source text under a token must be the token.
  void expect(const Token& token, std::string_view text) {
    EXPECT_EQ(token.text, text);
    EXPECT_EQ(sources_.text(token.span), text);
  }

  SourceSet sources_;
  Diagnostics diagnostics_;
};

TEST_F(IbdmSyntax, SystemDefinition) {
  const auto syntax = ibnl::parse(sources_,
                                  add("SYSTEM LEAF, LEAF:4x ,LEAF:4X\r\n\r\n"
                                      "NODE\tHCA 24 MT47396 U1\r\n 1->P-1\n 2 - 12x - 5G - > U1 3\n"
                                      "TOPSYSTEM Box\nleaf1/U1=isChaBma\nleaf1/U1=rank=3\n"
                                      "SUBSYSTEM LEAF leaf1\nP-1 -10G-> leaf2 P-1"),
                                  diagnostics_);
  ASSERT_EQ(syntax.systems.size(), 2U);
  const ibnl::System& leaf = syntax.systems[0];
  EXPECT_FALSE(leaf.top);
  ASSERT_EQ(leaf.names.size(), 3U);
  expect(leaf.names[2], "LEAF:4X");
  const ibnl::Instance& node = leaf.instances.at(0);
  EXPECT_EQ(node.kind, ibnl::InstanceKind::ca);
  EXPECT_EQ(node.ports, 24);
  expect(node.type, "MT47396");
  expect(node.name, "U1");
  ASSERT_EQ(node.connections.size(), 2U);
  expect(node.connections[0].port, "1");
  expect(node.connections[0].peer, "P-1");
  EXPECT_TRUE(node.connections[0].rate.empty());
  EXPECT_FALSE(node.connections[0].peer_port);
  EXPECT_EQ(node.connections[1].rate.width, fabric::LinkWidth::x12);
  EXPECT_EQ(node.connections[1].rate.speed, fabric::LinkSpeed::ddr);
  EXPECT_EQ(sources_.text(node.connections[1].rate.span), "- 12x - 5G - >");
  EXPECT_EQ(node.connections[1].peer_number, 3);

  const ibnl::System& top = syntax.systems[1];
  EXPECT_TRUE(top.top);
  ASSERT_EQ(top.attributes.size(), 2U);
  expect(top.attributes[0].path, "leaf1/U1");
  EXPECT_FALSE(top.attributes[0].value);
  expect(*top.attributes[1].value, "3");
  const ibnl::Instance& board = top.instances.at(0);
  EXPECT_TRUE(board.is_board());
  expect(board.type, "LEAF");
  expect(board.connections.at(0).port, "P-1");
  expect(*board.connections.at(0).peer_port, "P-1");
}

TEST_F(IbdmSyntax, Topology) {
  const auto syntax = topo::parse(sources_,
                                  add("# comment\r\n  Box SL1-1 CFG:leaf1=R,rack/leaf2=12x\r\n"
                                      "\tL1/P1 -12X-2.5G-> Host-A H-1 P-1\r\n# between\n"
                                      " L1/P2 -10G-> Host-A H-2 P-1 \n\nBox b2"),
                                  diagnostics_);
  ASSERT_EQ(syntax.sections.size(), 2U);
  const topo::Section& first = syntax.sections[0];
  expect(first.type, "Box");
  expect(first.name, "SL1-1");
  ASSERT_EQ(first.cfg.size(), 2U);
  expect(first.cfg[1].board, "rack/leaf2");
  expect(first.cfg[1].value, "12x");
  EXPECT_EQ(sources_.text(first.cfg_span), "CFG:leaf1=R,rack/leaf2=12x");
  ASSERT_EQ(first.cables.size(), 2U);
  expect(first.cables[0].port, "L1/P1");
  EXPECT_EQ(first.cables[0].rate.width, fabric::LinkWidth::x12);
  EXPECT_EQ(first.cables[0].rate.speed, fabric::LinkSpeed::sdr);
  expect(first.cables[0].type, "Host-A");
  expect(first.cables[0].name, "H-1");
  expect(first.cables[1].remote_port, "P-1");
  EXPECT_FALSE(first.cables[1].rate.width);
  expect(syntax.sections[1].name, "b2");
}

TEST(IbdmRepairs, SystemDefinition) {
  EXPECT_EQ(
      repaired("# one\nSYSTEM LEAF # two\nNODE SW 8 MT1 U1\n 01 -4X-> P1\nTOPSYSTEM TT\nSUBSYSTEM LEAF bd\n"
               "P1-> P1\nP2-4x-> P2\n",
               ibnl::parse),
      "# one\nSYSTEM LEAF # two\nNODE SW 8 MT1 U1\n 1 -4x-> P1\nTOPSYSTEM TT\nSUBSYSTEM LEAF bd\n"
      "P1 -> P1\nP2-4x-> P2\n");
}

TEST(IbdmRepairs, Topology) {
  EXPECT_EQ(repaired("Box b1\tCFG: leaf1 = R, leaf2=X\nP1->Box b2 P1\n P2 -> Box b3 P2 # no\n", topo::parse),
            "Box b1 CFG: leaf1=R,leaf2=X\n   P1 -> Box b2 P1\n P2 -> Box b3 P2 # no\n");
}

}  // namespace
}  // namespace rch::parsers
