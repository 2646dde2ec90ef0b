// Port sets of groups and topologies on fabrics, as seen by the chain.

#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fabric/formats.h"
#include "fabric/generator.h"
#include "policy/bind/bind.h"
#include "policy/build/front_end.h"
#include "scratch.h"
#include "support/property.h"

namespace rch::policy {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

/// A policy bound to the island fabric of the cases: a 3x3 torus (switches 0x2000 + 16 x + y), a spine, a
/// leaf.
class BindTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto source = sources_.load(fs::path(RCH_TEST_DATA) / "cases" / "bind_island" / "fabric.net");
    ASSERT_TRUE(source);
    auto fabric = fabric::read_fabric(sources_, *source, diagnostics_);
    ASSERT_TRUE(fabric);
    fabric_ = std::make_shared<const fabric::Fabric>(std::move(*fabric));
  }

  /// Ports of a group `g` with these rules, as `description/port`.
  std::vector<std::string> ports(const std::string& rules, const std::string& more = "") {
    const Scratch scratch;
    scratch.write("groups.conf", "port-group\nname: g\n" + rules + "end-port-group\n" + more);
    const auto policy =
        load(scratch.write("opensm.conf", "pgrp_policy_file groups.conf\n"), sources_, diagnostics_);
    if (!policy || !policy->policy) return {"no policy"};
    const BoundPolicy bound =
        policy::bind(std::make_shared<const Policy>(*policy->policy), fabric_, diagnostics_);
    std::vector<std::string> names;
    bound.groups[4].for_each([&](PortId id) {
      const fabric::Port& port = fabric_->port(id);
      names.push_back(fmt::format("{}/{}", fabric_->node(port.node).description, port.number));
    });
    return names;
  }

  SourceSet sources_;
  Diagnostics diagnostics_;
  std::shared_ptr<const fabric::Fabric> fabric_;
};

/// `GUID GUID …` of the entries of a list that is bound.
std::string guids(const std::vector<ListMember>& entries) {
  std::string text;
  for (const ListMember& entry : entries) text += fmt::format("{:x} ", std::get<Guid>(entry.who).value);
  return text;
}

TEST_F(BindTest, SideFilesNameSwitchesAndEndPorts) {
  const Scratch scratch;
  scratch.write("groups.conf", "port-group\nname: tree\nport-guid: 0x4000, 0x4010, 0x5001\nend-port-group\n");
  scratch.write("roots.conf", "tree 3\n0x5101 # its switch is 0x2010\n0x9999\n");
  scratch.write("order.conf", "0x5101\ntree\n");
  scratch.write("search.conf", "tree 2 1\n");
  scratch.write("ignored.conf", "0x5101\n0x4000 1\n0x4000 9\n");
  const auto conf =
      scratch.write("opensm.conf",
                    "routing_engine updn\npgrp_policy_file groups.conf\nroot_guid_file roots.conf\n"
                    "guid_routing_order_file order.conf\nport_search_ordering_file search.conf\n"
                    "port_prof_ignore_file ignored.conf\n");
  const auto policy = load(conf, sources_, diagnostics_);
  ASSERT_TRUE(policy && policy->policy);
  const BoundPolicy bound =
      policy::bind(std::make_shared<const Policy>(*policy->policy), fabric_, diagnostics_);
  const StepFiles& files = bound.files_of(policy->policy->steps.front());
  EXPECT_EQ(guids(files.roots), "4000 4010 2010 ");
  EXPECT_EQ(files.roots[0].rank, 3);
  EXPECT_EQ(guids(files.routing_order), "5101 4000 4010 5001 ");
  ASSERT_EQ(files.port_orders.size(), 2U);
  EXPECT_EQ(files.port_orders[1].who, GuidOrGroup(Guid(0x4010)));
  ASSERT_EQ(files.ignored_ports.size(), 2U);
  EXPECT_EQ(files.ignored_ports[0].node, Guid(0x2010));
  EXPECT_EQ(files.ignored_ports[0].port, 5);
  EXPECT_EQ(files.ignored_ports[1].node, Guid(0x4000));
}

TEST_F(BindTest, GuidOfASwitchIsAllItsPorts) {
  EXPECT_THAT(ports("port-guid: 0x4010\n"), ElementsAre("leaf/0", "leaf/1", "leaf/2", "leaf/3", "leaf/4",
                                                        "leaf/5", "leaf/6", "leaf/7", "leaf/8"));
  EXPECT_THAT(ports("port-guid: 0x4010@0/2-3\n"), ElementsAre("leaf/0", "leaf/2", "leaf/3"));
}

TEST_F(BindTest, GuidOfAnAdapterOrOfItsPort) {
  EXPECT_THAT(ports("port-guid: 0x6000\n"), ElementsAre("h1 HCA-1/1", "h1 HCA-1/2"));
  EXPECT_THAT(ports("port-guid: 0x6002\n"), ElementsAre("h1 HCA-1/2"));
  EXPECT_THAT(ports("port-guid: 0x6000@2\n"), ElementsAre("h1 HCA-1/2"));
}

TEST_F(BindTest, RangeTakesBothEnds) {
  EXPECT_THAT(ports("port-guid-range: 0x6001-0x6011\n"),
              ElementsAre("h1 HCA-1/1", "h1 HCA-1/2", "h2 HCA-1/1"));
  EXPECT_THAT(ports("port-guid-range: 0x6011-0x6011\n"), ElementsAre("h2 HCA-1/1"));
}

TEST_F(BindTest, HostsByNameAndPattern) {
  EXPECT_THAT(ports("port-name: hostname=h1; port=2, hostname=h2\n"),
              ElementsAre("h1 HCA-1/2", "h2 HCA-1/1"));
  EXPECT_THAT(ports("port-regexp: ^h[12] HCA-1:1\n"), ElementsAre("h1 HCA-1/1", "h2 HCA-1/1"));
  EXPECT_THAT(ports("port-regexp: 2 HCA\n"),
              ElementsAre("island02 HCA-1/1", "island12 HCA-1/1", "island22 HCA-1/1", "h2 HCA-1/1"));
}

TEST_F(BindTest, SetRulesInWhateverOrder) {
  const std::string more =
      "port-group\nname: late\nsubtract-rule: hosts, ports\nend-port-group\n"
      "port-group\nname: ports\nport-guid: 0x6001\nend-port-group\n"
      "port-group\nname: hosts\nport-guid: 0x6000, 0x6010\nend-port-group\n";
  EXPECT_THAT(ports("union-rule: late, late\n", more), ElementsAre("h1 HCA-1/2", "h2 HCA-1/1"));
  EXPECT_THAT(ports("subtract-rule: ALL, ALL_SWITCHES\n"), ports("union-rule: ALL_CAS, ALL_ROUTERS\n"));
}

TEST_F(BindTest, ScopeIsTheTopologyWithThePathBit) {
  const auto policy =
      load(fs::path(RCH_TEST_DATA) / "cases" / "bind_island" / "opensm.conf", sources_, diagnostics_);
  ASSERT_TRUE(policy && policy->policy);
  const BoundPolicy bound =
      policy::bind(std::make_shared<const Policy>(*policy->policy), fabric_, diagnostics_);
  EXPECT_FALSE(bound.scope(policy->policy->steps[0]));
  const auto scope = bound.scope(policy->policy->steps[1]);
  ASSERT_TRUE(scope);
  EXPECT_EQ(scope->path_bit, 0);
  EXPECT_EQ(scope->ports.count(), 9U * 9U + 9U);
  const fabric::SubFabric view(*fabric_, *scope);
  EXPECT_EQ(view.switch_count(), 9U);
  EXPECT_EQ(view.end_ports().size(), 9U);
}

/// auto_join_hca_wo_topo.
TEST_F(BindTest, HostsJoinTheTopologyOfTheirSwitchIfSo) {
  const auto read =
      load(fs::path(RCH_TEST_DATA) / "cases" / "bind_island" / "opensm.conf", sources_, diagnostics_);
  ASSERT_TRUE(read && read->policy);
  const auto ports_in_topology = [&](bool joins) {
    Policy policy = *read->policy;
    constexpr GroupId kAllSwitches{1};
    policy.topologies[0].hosts = kAllSwitches;  // no host
    policy.options.chain.auto_join_hca_wo_topo = joins;
    return policy::bind(std::make_shared<const Policy>(std::move(policy)), fabric_, diagnostics_)
        .topologies[0]
        .count();
  };
  EXPECT_EQ(ports_in_topology(false), 9U * 9U);
  EXPECT_EQ(ports_in_topology(true), 9U * 9U + 9U);
}

/// A union holds the ports of both sides and no others, whatever the expressions.
TEST_F(BindTest, UnionAndDifferenceAreSetAlgebra) {
  EXPECT_TRUE(test::check("two ranges", [&] {
    const auto range = [] {
      const auto low = *rc::gen::inRange(0x1ff0, 0x6020);
      return fmt::format("{:#x}-{:#x}", low, low + *rc::gen::inRange(0, 0x3000));
    };
    const std::string a = range(), b = range();
    const auto more = [&](std::string_view left, std::string_view right) {
      return fmt::format(
          "port-group\nname: a\nport-guid-range: {}\nend-port-group\nport-group\nname: b\nport-guid-range: "
          "{}\nend-port-group\n",
          left, right);
    };
    const auto in_a = ports("port-guid-range: " + a + "\n"), in_b = ports("port-guid-range: " + b + "\n");
    const auto both = ports("union-rule: a, b\n", more(a, b)),
               rest = ports("subtract-rule: a, b\n", more(a, b));
    const auto has = [](const auto& set, const std::string& name) {
      return std::find(set.begin(), set.end(), name) != set.end();
    };
    for (const std::string& name : ports("port-regexp: .\n")) {
      RC_ASSERT(has(both, name) == (has(in_a, name) || has(in_b, name)));
      RC_ASSERT(has(rest, name) == (has(in_a, name) && !has(in_b, name)));
    }
  }));
}

/// Seeds that the generator makes for a torus are clean and fit it.
TEST(BindGenerated, TorusSeedsFit) {
  const std::vector<std::vector<fabric::Grid::Dimension>> shapes = {{{6, true}, {5, true}},
                                                                    {{4, true}, {4, true}, {4, true}},
                                                                    {{5, false}, {4, true}},
                                                                    {{3, true}, {2, true}, {7, false}},
                                                                    {{9, true}}};
  for (const auto& dimensions : shapes) {
    const auto made = fabric::generate({.shape = fabric::Grid{dimensions}, .torus_seeds = 3});
    ASSERT_TRUE(made) << made.error().message;
    const Scratch scratch;
    scratch.write("torus.conf", made->torus_conf);
    const auto conf =
        scratch.write("opensm.conf",
                      "routing_engine torus-2QoS\nqos TRUE\ntorus_config torus.conf\n"
                      "qos_swe_vlarb_high 0:16,1:16,2:16,3:16\nqos_swe_vlarb_low 4:64,5:64,6:64,7:64\n"
                      "qos_vlarb_high 0:0,1:64\nqos_vlarb_low 0:64,1:128\n");
    SourceSet sources;
    Diagnostics diagnostics;
    const auto policy = load(conf, sources, diagnostics);
    if (policy && policy->policy)
      policy::bind(std::make_shared<const Policy>(*policy->policy),
                   std::make_shared<const fabric::Fabric>(made->fabric), diagnostics);
    for (const Diagnostic& d : diagnostics.all())
      if (d.severity != Severity::note) ADD_FAILURE() << render(d, sources) << made->torus_conf;
  }
}

}  // namespace
}  // namespace rch::policy
