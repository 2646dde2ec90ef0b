#include "fabric/cable_map.h"

#include <gtest/gtest.h>

#include "support/property.h"
#include "support/small_fabrics.h"

namespace rch::fabric {
namespace {

struct Read {
  CableMap cables;
  std::string findings;
};

Read read(const std::string& text) {
  SourceSet sources;
  Diagnostics diagnostics;
  Read result{read_neighbors(sources, sources.add("neighbors", text), diagnostics), {}};
  for (const Diagnostic& d : diagnostics.all()) result.findings += render(d, sources);
  return result;
}

CableEnd end(std::uint64_t agent, std::uint8_t port) { return {Guid(agent), PortNum(port)}; }

TEST(CableMap, WhatOpenSmWroteIsRead) {
  const Read seen =
      read("0x0002c90200500000:1 0x0002c90300110001:1\n\n0x0002c90300110001:1 0x0002c90200500000:1\n\n");
  EXPECT_EQ(seen.findings, "");
  ASSERT_NE(seen.cables.behind(end(0x0002c90200500000, 1)), nullptr);
  EXPECT_EQ(*seen.cables.behind(end(0x0002c90200500000, 1)), end(0x0002c90300110001, 1));
  EXPECT_EQ(seen.cables.behind(end(0x0002c90200500000, 2)), nullptr);
}

TEST(CableMap, LinesThatCannotBeReadAreNamedAndTheOthersKept) {
  const Read seen = read("0x1:1 0x2:0\n0x1:1 0x2:2\n0x3:1\n");
  EXPECT_EQ(seen.cables.all().size(), 2U);
  EXPECT_EQ(
      seen.findings,
      R"(neighbors:1:1: warning: this line is no port with the one behind its cable [neighbors-bad-record]
    1 | 0x1:1 0x2:0
      | ^~~~~~~~~~~
neighbors:3:1: warning: this line is no port with the one behind its cable [neighbors-bad-record]
    3 | 0x3:1
      | ^~~~~
)");
}

TEST(CableMap, ACableTakesThePlaceOfThoseAtBothItsEnds) {
  CableMap cables;
  EXPECT_TRUE(cables.add(end(1, 1), end(2, 1)));
  EXPECT_TRUE(cables.add(end(3, 1), end(4, 1)));
  const std::uint64_t before = cables.version();
  EXPECT_FALSE(cables.add(end(2, 1), end(1, 1))) << "the same cable";
  EXPECT_EQ(cables.version(), before);
  EXPECT_TRUE(cables.add(end(1, 1), end(4, 1)));
  EXPECT_EQ(cables.behind(end(2, 1)), nullptr);
  EXPECT_EQ(cables.behind(end(3, 1)), nullptr);
  EXPECT_GT(cables.version(), before);
}

TEST(CableMap, AFabricHasBothEndsOfItsCables) {
  const Fabric fabric = rch::test::build(rch::test::clos(3, 2, 2));
  CableMap cables;
  cables.add(fabric);
  for (const Port& port : fabric.ports()) {
    if (port.peer.is_none() || !fabric.is_switch(port.node)) continue;
    const Port& peer = fabric.port(port.peer);
    const Guid agent = fabric.is_switch(peer.node) ? fabric.node(peer.node).guid : peer.guid;
    const CableEnd* far = cables.behind({fabric.node(port.node).guid, port.number});
    ASSERT_NE(far, nullptr);
    EXPECT_EQ(*far, (CableEnd{agent, peer.number}));
  }
  const Read again = read(write_neighbors(cables));
  EXPECT_EQ(again.findings, "");
  EXPECT_TRUE(again.cables == cables);
}

}  // namespace
}  // namespace rch::fabric
