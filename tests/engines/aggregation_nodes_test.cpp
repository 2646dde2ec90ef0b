// Trees whose switches, spines too, carry aggregation nodes: hosts and nodes reach each other without credit
// loops, and only nodes that need no path have none.

#include <functional>

#include <gmock/gmock.h>

#include "engines/ftree/ftree.h"
#include "engines/minhop/minhop.h"
#include "engines/pqft/pqft.h"
#include "engines/updn/updn.h"
#include "fabric/aggregation_nodes.h"
#include "support/small_fabrics.h"
#include "tree_fabrics.h"
#include "verify/verify.h"

namespace rch::engines {
namespace {

using Route = std::function<EngineResult(const fabric::SubFabric&)>;

struct NamedEngine {
  const char* name;
  Route route;
};

void PrintTo(const NamedEngine& engine, std::ostream* out) { *out << engine.name; }

class AggregationTree : public testing::TestWithParam<NamedEngine> {};

test::Shape with_aggregation_nodes(test::Shape shape) {
  shape.aggregation_nodes = true;
  return shape;
}

/// Pods of two leaves below two switches, and two cores above each of these.
test::Shape tree_of_pods(std::uint32_t pods) {
  test::Shape shape;
  const std::uint32_t leaves = 2 * pods, cores = 4 * pods;
  shape.hosts.assign(leaves, 2);
  shape.hosts.resize(4 * pods + 4, 0);
  for (std::uint32_t pod = 0; pod < pods; ++pod)
    for (std::uint32_t up = 0; up < 2; ++up) {
      const std::uint32_t middle = leaves + 2 * pod + up;
      for (std::uint32_t down = 0; down < 2; ++down) shape.cables.push_back({2 * pod + down, middle});
      for (std::uint32_t core = 0; core < 2; ++core) shape.cables.push_back({middle, cores + 2 * up + core});
    }
  return shape;
}

TEST_P(AggregationTree, IsRoutedAndProven) {
  for (const test::Shape& shape : {test::clos(4, 4, 1), test::clos(5, 3, 2, 2), tree_of_pods(3)}) {
    const fabric::Fabric fabric = test::build(with_aggregation_nodes(shape));
    const EngineResult made = GetParam().route(fabric::SubFabric(fabric));
    ASSERT_TRUE(made) << made.error().message;
    const verify::Verdict verdict = verify::verify(fabric, test::one_step(fabric, made->lfts));
    EXPECT_TRUE(verdict.clean()) << verdict.findings.front().message;
    EXPECT_TRUE(verdict.switch_lids.sound()) << verdict.switch_lids.credit_loop;
    const fabric::AggregationNodes nodes(fabric);
    std::uint64_t unneeded = 0;
    for (const SwitchId from : nodes.bare_switches())
      for (const SwitchId to : nodes.bare_switches()) unneeded += nodes.needs_path(from, to) ? 0 : 1;
    EXPECT_GT(verdict.unneeded_pairs, 0U);
    EXPECT_LE(verdict.unneeded_pairs, unneeded) << "some pairs that need none have a path up and then down";
  }
}

/// They change nothing for hosts: paths between these are those of the tree without them.
TEST_P(AggregationTree, RoutesHostsAsWithoutThem) {
  const fabric::Fabric plain = test::build(test::clos(4, 4, 3));
  const fabric::Fabric fabric = test::build(with_aggregation_nodes(test::clos(4, 4, 3)));
  const EngineResult before = GetParam().route(fabric::SubFabric(plain));
  const EngineResult made = GetParam().route(fabric::SubFabric(fabric));
  ASSERT_TRUE(before && made);
  if (std::string(GetParam().name) != "ftree" && std::string(GetParam().name) != "pqft") return;
  for (const fabric::EndPort& end : plain.end_ports()) {
    const Lid lid = fabric.port(*fabric.find_port(plain.port(end.port).guid)).lid;
    for (std::uint32_t s = 0; s < plain.switch_count(); ++s)
      EXPECT_EQ(made->lfts.at(SwitchId(s), lid), before->lfts.at(SwitchId(s), end.lid));
  }
}

const NamedEngine kEngines[] = {
    {"minhop", [](const fabric::SubFabric& view) { return minhop::route(view, {}); }},
    {"updn", [](const fabric::SubFabric& view) { return updn::route(view, {}); }},
    {"dnup", [](const fabric::SubFabric& view) { return updn::route_dnup(view, {}); }},
    {"ftree", [](const fabric::SubFabric& view) { return ftree::route(view, {}); }},
    {"pqft", [](const fabric::SubFabric& view) { return pqft::route(view, {}); }},
};
INSTANTIATE_TEST_SUITE_P(Engines, AggregationTree, testing::ValuesIn(kEngines),
                         [](const auto& made) { return std::string(made.param.name); });

/// A node that a cable fault cuts off from the leaf below it is not hidden among those that need nothing.
TEST(AggregationTrees, ALostPairThatIsNeededIsAFinding) {
  const fabric::Fabric fabric = test::build(with_aggregation_nodes(test::clos(3, 2, 1)));
  StepTables made = *minhop::route(fabric::SubFabric(fabric), {});
  const auto leaf_node = std::ranges::find_if(fabric.end_ports_of(SwitchId(0)), [&](const auto& end) {
    return fabric::is_aggregation_node(fabric.node(fabric.port(end.port).node));
  });
  made.lfts.row(SwitchId(3))[leaf_node->lid.index()] = kNoPath;
  const verify::Verdict verdict = verify::verify(fabric, test::one_step(fabric, made.lfts));
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].kind, verify::FindingKind::unreachable);
  EXPECT_EQ(verdict.unneeded_pairs, 2U);
}

/// In compat mode minhop has OpenSM's entries, and the proof names the credit loops that they close.
TEST(AggregationTrees, OpenSmsEntriesCloseCreditLoops) {
  const fabric::Fabric fabric = test::build(with_aggregation_nodes(test::clos(4, 4, 1)));
  const StepTables made = *minhop::route(fabric::SubFabric(fabric), {.ports = {.compat = true}});
  const verify::Verdict verdict = verify::verify(fabric, test::one_step(fabric, made.lfts));
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].kind, verify::FindingKind::credit_loop);
  EXPECT_EQ(verdict.unneeded_pairs, 0U);
}

/// Engines with rules for the shape of a fabric, where nothing is to choose.
TEST(UnlinkedSwitches, AreRoutedByAllEngines) {
  for (const test::Shape& shape :
       {test::Shape{.hosts = {4}, .cables = {}}, test::Shape{.hosts = {0}, .cables = {}},
        test::Shape{.hosts = {}, .cables = {}}, test::Shape{.hosts = {2, 1}, .cables = {}}}) {
    const fabric::Fabric fabric = test::build(shape);
    const fabric::SubFabric view(fabric);
    const StepTables direct = *minhop::route(view, {});
    for (const NamedEngine& engine : kEngines) {
      const EngineResult made = engine.route(view);
      ASSERT_TRUE(made) << engine.name << ": " << made.error().message;
      EXPECT_TRUE(made->lfts == direct.lfts) << engine.name;
    }
    EXPECT_TRUE(updn::route(view, {.roots = {{Guid(0x77)}}}));
    EXPECT_TRUE(ftree::route(view, {.lists = {.roots = {Guid(0x77)}}, .compat = true}));
  }
}

}  // namespace
}  // namespace rch::engines
