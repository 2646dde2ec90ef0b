// Properties: what is written reads back to the same, for fabrics of every shape, damaged ones with LIDs and
// odd names included.

#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fabric/fabric_builder.h"
#include "fabric/faults.h"
#include "fabric/formats.h"
#include "fabric/generator.h"
#include "fabric/lids.h"
#include "support.h"
#include "support/property.h"

namespace rch::fabric::test {
namespace {

rc::Gen<GeneratorOptions> any_shape() {
  return rc::gen::exec([] {
    GeneratorOptions options;
    const auto size = [](std::uint32_t low, std::uint32_t high) {
      return *rc::gen::inRange<std::uint32_t>(low, high);
    };
    switch (size(0, 5)) {
      case 0:
        options.shape = Grid{{{size(1, 6), *rc::gen::arbitrary<bool>()}, {size(1, 5)}, {size(1, 4), false}}};
        break;
      case 1:
        options.shape = Hypercube{size(1, 5)};
        break;
      case 2:
        options.shape = Clos{size(1, 6), size(1, 5)};
        break;
      case 3:
        options.shape = FatTree{2 * size(1, 4)};
        break;
      default:
        options.shape = RandomRegular{2 * size(2, 10), size(2, 4), *rc::gen::arbitrary<std::uint64_t>()};
    }
    options.hosts = size(0, 4);
    options.parallel = size(1, 3);
    options.width =
        *rc::gen::element(LinkWidth::x1, LinkWidth::x2, LinkWidth::x4, LinkWidth::x8, LinkWidth::x12);
    options.speed = static_cast<LinkSpeed>(size(1, 10));
    return options;
  });
}

/// A fabric with some parts gone, with or without LIDs, with names that hold whatever a byte can print.
rc::Gen<Fabric> any_fabric() {
  return rc::gen::exec([] {
    const auto generated = generate(*any_shape());
    RC_PRE(generated.has_value());
    const auto damaged =
        remove_parts(generated->fabric, {.random_links = *rc::gen::inRange<std::uint32_t>(0, 2),
                                         .seed = *rc::gen::arbitrary<std::uint64_t>(),
                                         .keep_connected = false});
    FabricBuilder builder(damaged ? damaged->fabric : generated->fabric);
    const std::string odd = *rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '\x7f'));
    NodeSpec& first = builder.node(FabricBuilder::Handle(0));
    first.description = "n" + odd.substr(0, 60) + "!";
    first.enhanced_port0 = *rc::gen::arbitrary<bool>();
    first.system_guid = Guid(*rc::gen::arbitrary<std::uint64_t>());
    auto fabric = std::move(builder).build();
    RC_ASSERT(fabric.has_value());
    if (!*rc::gen::arbitrary<bool>()) return std::move(*fabric);
    const auto plan = plan_lids(*fabric, {.lmc = *rc::gen::inRange<std::uint8_t>(0, 4)});
    RC_ASSERT(plan.has_value());
    auto labelled = with_lids(*fabric, plan->lids);
    RC_ASSERT(labelled.has_value());
    return std::move(*labelled);
  });
}

TEST(RoundTrip, ThroughIbnetdiscoverText) {
  EXPECT_TRUE(rch::test::check([] {
    const Fabric before = *any_fabric();
    const Reading r = read_text(to_net(before));
    for (const std::string& rule : r.rules) RC_ASSERT(rule == "fabric-unlinked-node");
    RC_ASSERT(r.fabric->fingerprint() == before.fingerprint());
    RC_ASSERT(difference(*r.fabric, before) == "");
  }));
}

/// With labels on some ports.
Fabric labelled(const Fabric& fabric) {
  FabricBuilder builder(fabric);
  for (std::uint32_t n = 0; n < fabric.nodes().size(); ++n) {
    NodeSpec& node = builder.node(FabricBuilder::Handle(n));
    if (n % 3 == 0 || !*rc::gen::arbitrary<bool>()) continue;
    node.multicast_cap = *rc::gen::inRange<std::uint8_t>(0, 99);
    node.port_labels.resize(node.ports.size());
    for (std::size_t p = 0; p < node.ports.size(); p += 2) {
      node.port_labels[p] = fmt::format("1/{},{}", n, p);
      if (p == 0 && node.type != NodeType::sw) continue;  // no port of a CA
      node.ports[p].mtu_cap = 4;
      node.ports[p].vl_cap = 3;
    }
  }
  auto built = std::move(builder).build();
  RC_ASSERT(built.has_value());
  return std::move(*built);
}

TEST(RoundTrip, ThroughADbCsv) {
  EXPECT_TRUE(rch::test::check([] {
    const Fabric before = labelled(*any_fabric());
    std::ostringstream text;
    write_db_csv(before, text);
    const Reading r = read_text(text.str());
    for (const std::string& rule : r.rules) RC_ASSERT(rule == "fabric-unlinked-node");
    RC_ASSERT(r.fabric->fingerprint() == before.fingerprint());
    RC_ASSERT(difference(*r.fabric, before) == "");
    for (std::uint32_t p = 0; p < before.ports().size(); ++p)
      RC_ASSERT(r.fabric->label(PortId(p)) == before.label(PortId(p)));
    for (std::uint32_t n = 0; n < before.nodes().size(); ++n)
      RC_ASSERT(before.node(NodeId(n)).type != NodeType::sw ||
                r.fabric->node(NodeId(n)).multicast_cap == before.node(NodeId(n)).multicast_cap);
  }));
}

TEST(RoundTrip, ThroughASnapshot) {
  EXPECT_TRUE(rch::test::check([] {
    const Fabric before = labelled(*any_fabric());
    const auto after = read_snapshot(write_snapshot(before));
    RC_ASSERT(after.has_value());
    for (std::uint32_t p = 0; p < before.ports().size(); ++p)
      RC_ASSERT(after->label(PortId(p)) == before.label(PortId(p)));
    RC_ASSERT(after->fingerprint() == before.fingerprint());
    RC_ASSERT(difference(*after, before) == "");
  }));
}

TEST(RoundTrip, LidsAreUniqueAlignedAndInRange) {
  EXPECT_TRUE(rch::test::check([] {
    const Fabric fabric = *any_fabric();
    const auto lmc = *rc::gen::inRange<std::uint8_t>(0, 4);
    const auto plan = plan_lids(fabric, {.lmc = lmc});
    RC_ASSERT(plan.has_value());
    RC_ASSERT(with_lids(fabric, plan->lids).has_value());  // fails on overlaps
    for (const LidAssignment& a : plan->lids) {
      RC_ASSERT(a.lid.value >= 1);
      RC_ASSERT(a.lid.value % (1U << a.lmc) == 0u);
      const bool present = fabric.port(a.port).lid != kUnassignedLid && fabric.port(a.port).lmc == a.lmc;
      RC_ASSERT(!present || fabric.port(a.port).lid == a.lid);
    }
  }));
}

TEST(RoundTrip, EveryGoldenNetIsWrittenAndReadBack) {
  for (const auto& entry : std::filesystem::directory_iterator(golden("net"))) {
    const Fabric before = golden_net(entry.path().stem());
    const Reading r = read_text(to_net(before));
    ASSERT_EQ(r.findings, "") << entry.path();
    EXPECT_EQ(difference(*r.fabric, before), "") << entry.path();
  }
}

}  // namespace
}  // namespace rch::fabric::test
