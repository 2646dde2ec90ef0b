#include "schedulers/site_topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fabric/generator.h"
#include "schedulers/slurm.h"

namespace rch::schedulers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Tree two_leaves() {
  fabric::GeneratorOptions options;
  options.shape = fabric::Clos{2, 1};
  options.hosts = 2;
  return tree_of(fabric::generate(options)->fabric);
}

std::vector<std::string> against(std::string_view text) {
  const auto site = read_site_topology(text);
  return site ? differences(two_leaves(), *site) : std::vector<std::string>{site.error().message};
}

TEST(SiteTopology, WhatIsExportedDiffersInNothing) {
  EXPECT_THAT(against(slurm_tree(two_leaves())), IsEmpty());
}

TEST(SiteTopology, NamesOfSwitchesAndLevelsBetweenMayDiffer) {
  EXPECT_THAT(
      against("# ours\nSwitchName=a Nodes=host[000-001] LinkSpeed=100\nswitchname=b nodes=host00[2,3]\n"
              "SwitchName=m Switches=b\nSwitchName=t \\\n Switches=a,m\n"),
      IsEmpty());
}

TEST(SiteTopology, HostsInOtherPlacesAreFound) {
  EXPECT_THAT(against("SwitchName=a Nodes=host[000-001]\nSwitchName=b Nodes=host003,host009\nSwitchName=t "
                      "Switches=a,b\n"),
              ElementsAre("host `host002` on `leaf01` is not in the file",
                          "host `host009` of the file is not in the fabric"));
  EXPECT_THAT(
      against("SwitchName=a Nodes=host[000-002]\nSwitchName=b Nodes=host003\nSwitchName=t Switches=a,b\n"),
      ElementsAre("switch `a` of the file has the hosts of two leaves, `leaf00` and `leaf01`",
                  "host `host003` is on `leaf01`, and the file has it under `b`"));
}

TEST(SiteTopology, PartsAreFound) {
  EXPECT_THAT(against("SwitchName=a Nodes=host[000-001]\nSwitchName=b Nodes=host[002-003]\n"),
              ElementsAre("cables join `host000` and `host002`, and the file has no switch above both"));
}

TEST(SiteTopology, FaultsOfTheFileAreFound) {
  EXPECT_THAT(
      against(
          "SwitchName=a Nodes=host[000-001]\nSwitchName=b Nodes=host[002-003]\nSwitchName=t Switches=a,b,c\n"
          "SwitchName=u Switches=a\n"),
      ElementsAre("the file names no switch `c`", "switch `a` is under both `t` and `u` in the file"));
  EXPECT_THAT(against("SwitchName=a Nodes=host[000\n"),
              ElementsAre("line 1: `host[000` is no list of hosts: a bracket is not closed"));
  EXPECT_THAT(against("\nNodes=host000\n"), ElementsAre("line 2: no `SwitchName=`"));
  EXPECT_THAT(against("SwitchName=a Ports=3\n"), ElementsAre("line 1: `Ports` is no key of a tree"));
}

}  // namespace
}  // namespace rch::schedulers
