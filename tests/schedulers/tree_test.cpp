#include "schedulers/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fabric/faults.h"
#include "fabric/generator.h"
#include "fabric/names.h"
#include "schedulers/slurm.h"

namespace rch::schedulers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

fabric::Fabric made(const fabric::Topology& shape, std::uint32_t hosts = 1) {
  fabric::GeneratorOptions options;
  options.shape = shape;
  options.hosts = hosts;
  return fabric::generate(options)->fabric;
}

fabric::Fabric without(const fabric::Fabric& fabric, std::vector<std::string> links,
                       std::vector<std::string> switches = {}) {
  fabric::Faults faults;
  faults.links = std::move(links);
  faults.switches = std::move(switches);
  return fabric::remove_parts(fabric, faults)->fabric;
}

TEST(Tree, TwoLevelsAreLeavesBelowOneRoot) {
  EXPECT_EQ(slurm_tree(tree_of(made(fabric::Clos{2, 3}, 2))),
            "SwitchName=leaf00 Nodes=host[000-001]\n"
            "SwitchName=leaf01 Nodes=host[002-003]\n"
            "SwitchName=top_leaf00 Switches=leaf[00-01]\n");
}

TEST(Tree, PodsAreGroups) {
  const std::string text = slurm_tree(tree_of(made(fabric::FatTree{4}, 2)));
  EXPECT_THAT(text, HasSubstr("SwitchName=group_edge0_0 Switches=edge0_[0-1]\n"));
  EXPECT_THAT(
      text,
      HasSubstr("SwitchName=top_edge0_0 Switches=group_edge0_0,group_edge1_0,group_edge2_0,group_edge3_0\n"));
}

TEST(Tree, ATorusHasNoGroups) {
  const Tree tree = tree_of(made(fabric::Grid{{{3, true}, {3, true}}}));
  ASSERT_EQ(tree.roots.size(), 1U);
  EXPECT_EQ(tree.roots.front().below.size(), 9U);
}

TEST(Tree, NoNameDependsOnASpineOrACable) {
  for (const fabric::Fabric& whole : {made(fabric::FatTree{4}, 2), made(fabric::Clos{4, 3}, 2)}) {
    const std::string before = slurm_tree(tree_of(whole));
    const bool is_clos = before.find("leaf00") != std::string::npos;
    for (const char* spine : {is_clos ? "spine00" : "core00", is_clos ? "spine02" : "agg0_1"})
      EXPECT_EQ(slurm_tree(tree_of(without(whole, {}, {spine}))), before) << spine;
    for (const char* cable :
         {is_clos ? "leaf00:spine00" : "edge0_0:agg0_0", is_clos ? "leaf03:spine01" : "agg1_0:core00"})
      EXPECT_EQ(slurm_tree(tree_of(without(whole, {cable}))), before) << cable;
  }
}

TEST(Tree, PartsThatNoCableJoinsAreApart) {
  const Tree tree = tree_of(without(made(fabric::Clos{3, 1}), {"leaf02:spine00"}));
  ASSERT_EQ(tree.roots.size(), 2U);
  EXPECT_EQ(tree.roots[0].name, "top_leaf00");
  EXPECT_EQ(tree.roots[1].name, "top_leaf02");
}

TEST(Tree, OnlyHostsThatAreAskedForAreNamed) {
  const Tree tree = tree_of(made(fabric::Clos{2, 1}, 2), {"host001", "nobody"});
  EXPECT_EQ(slurm_tree(tree), "SwitchName=leaf00 Nodes=host001\nSwitchName=top_leaf00 Switches=leaf00\n");
  EXPECT_THAT(tree.remarks, ElementsAre("hosts that the fabric does not have: `nobody`"));
}

/// The names of the nodes, in the order of the fabric: switches first.
fabric::Fabric named(const fabric::Fabric& fabric, const std::vector<std::string>& names) {
  fabric::NodeNames given;
  for (std::size_t n = 0; n < names.size(); ++n)
    given.emplace(fabric.node(NodeId(static_cast<std::uint32_t>(n))).guid, names[n]);
  return fabric::with_names(fabric, given);
}

/// slurmctld refuses a file in which a name is there twice.
TEST(Tree, NoSwitchIsTakenForARootOrAGroup) {
  const std::string guid = "_0002c90200400000";
  const auto text = slurm_tree(tree_of(named(
      made(fabric::Clos{4, 1}), {"a", "top_a", "group_a", "a" + guid, "spine", "h1", "h2", "h3", "h4"})));
  std::vector<std::string> names;
  for (std::size_t at = 0; (at = text.find("SwitchName=", at)) != std::string::npos; ++at)
    names.push_back(text.substr(at, text.find(' ', at) - at));
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << text;
  EXPECT_EQ(names.size(), 5U);
}

/// A comma would end the name, a bracket would name several hosts, and what stands behind # would be lost.
TEST(Tree, WhatIsNoHostNameIsLeftOutAndTold) {
  for (const char* name : {"h,1", "h[1-3]", "h#1", "h=1", "-h", "h\"", "größe", "h\\"}) {
    const Tree tree =
        tree_of(named(made(fabric::Clos{2, 1}), {"a", "b", "spine", std::string(name) + " HCA-1", " h2 x"}));
    EXPECT_EQ(slurm_tree(tree), "SwitchName=b Nodes=h2\nSwitchName=top_b Switches=b\n") << name;
    EXPECT_THAT(tree.remarks, ElementsAre(HasSubstr("begins with no host name"))) << name;
  }
}

TEST(Tree, OtherFormsHaveTheSameHosts) {
  const Tree tree = tree_of(made(fabric::Clos{2, 1}, 2));
  EXPECT_EQ(slurm_blocks(tree),
            "BlockName=leaf00 Nodes=host[000-001]\nBlockName=leaf01 Nodes=host[002-003]\nBlockSizes=2\n");
  EXPECT_EQ(slurm_tree_yaml(tree, "ib"),
            "- topology: ib\n  cluster_default: true\n  tree:\n    switches:\n"
            "      - switch: \"leaf00\"\n        nodes: \"host[000-001]\"\n"
            "      - switch: \"leaf01\"\n        nodes: \"host[002-003]\"\n"
            "      - switch: \"top_leaf00\"\n        children: \"leaf[00-01]\"\n");
  EXPECT_THAT(tree.remarks, IsEmpty());
}

}  // namespace
}  // namespace rch::schedulers
