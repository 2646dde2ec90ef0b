// The whole way through libibumad, judged by infiniband-diags and OpenSM on simulated fabrics.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "fabric/formats.h"
#include "hw/simulator.h"

namespace rch::hw {
namespace {

using test::Outcome;
using test::Simulator;

std::string net(const std::string& name) { return RCH_GOLDEN "/net/" + name + ".net"; }

std::string fingerprint_of_file(const std::string& path) {
  std::ifstream in(path);
  std::stringstream content;
  content << in.rdbuf();
  SourceSet sources;
  Diagnostics diagnostics;
  const auto fabric = fabric::read_fabric(sources, sources.add(path, content.str()), diagnostics);
  return fabric ? fabric->fingerprint() : "unreadable";
}

std::vector<std::string> one(const std::string& line) { return {line}; }

class GoldenNet : public testing::TestWithParam<const char*> {};

TEST_P(GoldenNet, IsDiscoveredAsItsFileSays) {
  const Simulator sim(net(GetParam()));
  const Outcome found = sim.probe("discover");
  ASSERT_EQ(found.exit, 0) << found.text;
  EXPECT_EQ(found.lines_with("fingerprint "), one("fingerprint " + fingerprint_of_file(net(GetParam()))));
}

INSTANTIATE_TEST_SUITE_P(All, GoldenNet,
                         testing::Values("clos-6x4-par2", "ftree3-k4", "hcube4", "ibsim-net", "ibsim-net.1",
                                         "ibsim-net.2sw2path", "ibsim-net.2sw2path4hca",
                                         "ibsim-net.2sw2path4hca2port", "mesh2d-6x6", "multi", "rand20-s7",
                                         "speeds", "torus2d-5x5-par3", "torus2d-6x5", "torus2d-6x5-badlink",
                                         "torus2d-6x5-badswitch", "torus3d-4x4x4", "torus3d-5x5x5-h2"),
                         [](const auto& param) {
                           std::string name = param.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

/// "lft GUID LID PORT" from the output of dump_fts.
std::vector<std::string> entries_of_dump_fts(const Outcome& dump) {
  std::vector<std::string> entries;
  std::string guid;
  for (const std::string& line : dump.lines()) {
    if (const auto at = line.find(" guid "); line.starts_with("Unicast lids") && at != std::string::npos) {
      guid = line.substr(at + 6, 18);
    }
    unsigned lid = 0, port = 0;
    if (std::sscanf(line.c_str(), "0x%x %u :", &lid, &port) == 2) {
      entries.push_back(fmt::format("lft {} {} {}", guid, lid, port));
    }
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// Base LID by node name, from ibnetdiscover's lines of CA ports.
std::map<std::string, int> host_lids(const Outcome& netdiscover) {
  std::map<std::string, int> lids;
  for (const std::string& line : netdiscover.lines()) {
    const auto host = line.find("\t\t# \"host");
    const auto lid = line.find(" lid ", host == std::string::npos ? 0 : host);
    if (line.starts_with("[") && line.find("\"H-") != std::string::npos && host != std::string::npos) {
      lids[line.substr(host + 5, 7)] = std::atoi(line.c_str() + lid + 5);
    }
  }
  return lids;
}

TEST(BringUp, IsWhatInfinibandDiagsSee) {
  const Simulator sim(net("torus2d-6x5"));
  const Outcome up = sim.probe("bringup --sl2vl --lmc 2");
  ASSERT_EQ(up.exit, 0) << up.text;
  const std::vector<std::string> planned = up.lines_with("lft ");
  ASSERT_FALSE(planned.empty());

  EXPECT_EQ(entries_of_dump_fts(sim.run("dump_fts")), planned);
  const Outcome installed = sim.probe("installed");
  EXPECT_EQ(installed.lines_with("lft "), planned);
  EXPECT_EQ(installed.lines_with("sl2vl 0x"), up.lines_with("sl2vl 0x"));
  EXPECT_TRUE(sim.run("smpquery -D sl2vl 0,1 2").says("ports: in  1, out  2: | 0| 1| 2| 0| 1| 2|"));
  EXPECT_TRUE(sim.run("smpquery -D sl2vl 0").says("| 0| 1| 0| 1| 0| 1|"));

  const Outcome links = sim.run("iblinkinfo -l");
  EXPECT_EQ(links.lines_with("0x").size(), 180U);
  for (const std::string& line : links.lines_with("0x"))
    EXPECT_NE(line.find("Active/  LinkUp"), std::string::npos) << line;

  const auto lids = host_lids(sim.run("ibnetdiscover"));
  ASSERT_EQ(lids.size(), 30U);
  const Outcome trace = sim.run(fmt::format("ibtracert {} {}", lids.at("host003"), lids.at("host027")));
  EXPECT_EQ(trace.exit, 0) << trace.text;
  EXPECT_TRUE(trace.says("To ca") && trace.says("host027")) << trace.text;
  const Outcome route = sim.run(fmt::format("ibroute {}", 1), "host009 HCA-1");
  EXPECT_TRUE(route.says("valid lids dumped")) << route.text;
}

TEST(BringUp, ASecondRunWritesNothing) {
  const Simulator sim(net("clos-6x4-par2"));
  const Outcome first = sim.probe("bringup --sl2vl");
  ASSERT_EQ(first.exit, 0) << first.text;
  EXPECT_EQ(first.lines_with("blocks "), one("blocks 10"));
  const Outcome second = sim.probe("bringup --sl2vl");
  ASSERT_EQ(second.exit, 0) << second.text;
  EXPECT_EQ(second.lines_with("writes "), one("writes 0"));
  EXPECT_EQ(second.lines_with("lft "), first.lines_with("lft "));
}

TEST(BringUp, OverTheTablesOfOpensmWritesOnlyWhatDiffers) {
  const Simulator sim(net("ftree3-k4"));
  sim.start_opensm("host000 HCA-1");
  sim.stop_opensm();
  const Outcome before = sim.run("dump_fts");
  const Outcome dry = sim.probe("bringup --takeover --dry-run");
  ASSERT_EQ(dry.exit, 0) << dry.text;
  EXPECT_EQ(entries_of_dump_fts(sim.run("dump_fts")), entries_of_dump_fts(before));
  const Outcome done = sim.probe("bringup --takeover");
  ASSERT_EQ(done.exit, 0) << done.text;
  EXPECT_EQ(done.lines_with("writes "), dry.lines_with("writes "));
  EXPECT_EQ(done.lines_with("activated "), one("activated 0"));
  EXPECT_EQ(entries_of_dump_fts(sim.run("dump_fts")), done.lines_with("lft "));
}

TEST(Master, IsLeftAloneUnlessTakenOver) {
  const Simulator sim(net("torus2d-6x5"));
  sim.start_opensm("host004 HCA-1");
  const auto before = entries_of_dump_fts(sim.run("dump_fts"));
  ASSERT_FALSE(before.empty());
  const Outcome refused = sim.probe("bringup");
  EXPECT_EQ(refused.exit, 5);
  EXPECT_TRUE(
      refused.says("the fabric has a master subnet manager: 0x0002c90300010011 of `host004 HCA-1` (LID "))
      << refused.text;
  EXPECT_TRUE(refused.says("`--takeover`"));
  EXPECT_EQ(entries_of_dump_fts(sim.run("dump_fts")), before);

  const Outcome taken = sim.probe("bringup --takeover");
  EXPECT_EQ(taken.exit, 0) << taken.text;
  EXPECT_TRUE(taken.says("remark subnet manager 0x0002c90300010011")) << taken.text;
  EXPECT_TRUE(taken.says(" handed over")) << taken.text;
  EXPECT_EQ(entries_of_dump_fts(sim.run("dump_fts")), taken.lines_with("lft "));
  sim.stop_opensm();
}

TEST(Master, OnOurOwnPortIsLeftAloneToo) {
  const Simulator sim(net("ftree3-k4"));
  sim.start_opensm("host000 HCA-1");
  const Outcome refused = sim.probe("bringup");
  EXPECT_EQ(refused.exit, 5);
  EXPECT_TRUE(refused.says("has a master subnet manager")) << refused.text;
  EXPECT_TRUE(refused.says("of `host000 HCA-1` (LID ")) << refused.text;
  sim.stop_opensm();
}

TEST(Manager, MayRunOnASwitch) {
  const Simulator sim(net("clos-6x4-par2"));
  const Outcome up = sim.probe_at("S-0002c90200400008", "bringup");
  ASSERT_EQ(up.exit, 0) << up.text;
  EXPECT_EQ(entries_of_dump_fts(sim.run("dump_fts")), up.lines_with("lft "));
  EXPECT_TRUE(sim.run("smpquery -D portinfo 0 1").says("LinkState:.......................Active"));
}

/// One console command for every cabled port of the switches of torus2d-6x5.
std::vector<std::string> for_all_switch_ports(const std::string& arguments) {
  std::vector<std::string> commands;
  for (unsigned s = 0; s < 30; ++s) {
    for (unsigned port = 1; port <= 4; ++port) {
      commands.push_back(fmt::format("Error \"S-{:016x}\"[{}] {}", 0x2c90200400000 + 8 * s, port, arguments));
    }
  }
  return commands;
}

TEST(Loss, IsMadeGoodByResending) {
  const Simulator sim(net("torus2d-6x5"));
  sim.console(for_all_switch_ports("2"));
  const Outcome up = sim.probe("bringup --retries 8 --window 64");
  ASSERT_EQ(up.exit, 0) << up.text;
  EXPECT_NE(up.lines_with("resent "), one("resent 0"));
  sim.console(for_all_switch_ports("0"));
  EXPECT_EQ(entries_of_dump_fts(sim.run("dump_fts")), up.lines_with("lft "));
}

TEST(Loss, BeyondAllRetriesFailsClearly) {
  const Simulator sim(net("torus2d-6x5"));
  sim.console({"Error \"S-0002c90200400030\"[5] 100"});
  const Outcome up = sim.probe("bringup --retries 1 --strict");
  EXPECT_EQ(up.exit, 5);
  EXPECT_TRUE(
      up.says("error: the fabric cannot be seen whole: nothing answers behind `sw_1_1_0` port 5 "
              "(0x0002c90200400030, route 0,1,"))
      << up.text;
  const Outcome untouched = sim.run("smpquery -D portinfo 0 1");
  EXPECT_TRUE(untouched.says("Initialize")) << untouched.text;
  EXPECT_TRUE(untouched.says("\nLid:.............................0\n")) << untouched.text;
}

TEST(Cable, PulledAndPutBackIsSeen) {
  const Simulator sim(net("clos-6x4-par2"));
  ASSERT_EQ(sim.probe("bringup").exit, 0);
  const Outcome whole = sim.probe("discover");
  sim.console({"Unlink \"S-0002c90200400000\"[5]"});
  const Outcome cut = sim.probe("bringup");
  ASSERT_EQ(cut.exit, 0) << cut.text;
  EXPECT_NE(cut.lines_with("fingerprint "), whole.lines_with("fingerprint "));
  EXPECT_EQ(cut.lines_with("armed "), one("armed 0"));
  EXPECT_EQ(entries_of_dump_fts(sim.run("dump_fts")), cut.lines_with("lft "));
  sim.console({"ReLink \"S-0002c90200400000\"[5]"});
  const Outcome back = sim.probe("bringup");
  ASSERT_EQ(back.exit, 0) << back.text;
  EXPECT_EQ(back.lines_with("fingerprint "), whole.lines_with("fingerprint "));
  EXPECT_EQ(back.lines_with("activated "), one("activated 2"));
}

TEST(UmadTransport, APortThatDoesNotExistIsNamed) {
  const Simulator sim(net("ibsim-net.1"));
  const Outcome none = sim.probe("discover --ca nosuch0");
  EXPECT_EQ(none.exit, 5);
  EXPECT_TRUE(none.says("error: cannot open `nosuch0` port 0: ")) << none.text;
}

}  // namespace
}  // namespace rch::hw
