// ibutils' own parser beside ours: every node and every link with its width and speed.

#include <gmock/gmock.h>

#include <fmt/format.h>

#include "parsers/ibdm/topo_fabric.h"
#include "random_systems.h"
#include "support.h"

namespace rch::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Ibdmsh : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v ibdmsh > /dev/null") != 0) GTEST_SKIP() << "ibutils is not installed";
  }

  /// Reads a topology against the installed definitions and says what differs from IBDM's reading.
  static void expect_equal(const fs::path& topo, const IbdmReading& theirs) {
    SourceSet sources;
    Diagnostics diagnostics;
    parsers::ibdm::Library library;
    ASSERT_TRUE(load_system_files(sources, library));
    const auto fabric = parsers::ibdm::read_topo(sources, *sources.load(topo), library, diagnostics);
    ASSERT_TRUE(fabric) << topo;
    EXPECT_EQ(theirs.status, "0") << theirs.messages;
    EXPECT_EQ(lines_of(*fabric), theirs.lines) << topo;
  }

  ScratchFolder folder_;
};

std::vector<fs::path> installed(std::string_view extension) {
  std::vector<fs::path> found;
  const auto files = parsers::ibdm::system_files();
  for (const auto& entry : fs::directory_iterator(files->front().parent_path()))
    if (entry.path().extension() == extension) found.push_back(entry.path());
  return found;
}

TEST_F(Ibdmsh, InstalledTopologies) {
  const std::vector<fs::path> topos = installed(".topo");
  ASSERT_GE(topos.size(), 6U);
  auto theirs = ask_ibdm(topos, "");
  for (const fs::path& topo : topos) expect_equal(topo, theirs[topo.string()]);
}

TEST_F(Ibdmsh, EveryInstalledSystemType) {
  SourceSet sources;
  parsers::ibdm::Library library;
  ASSERT_TRUE(load_system_files(sources, library));
  std::vector<fs::path> topos;
  for (const std::string_view type : library.types())
    topos.push_back(folder_.write(fmt::format("{}.topo", type), fmt::format("{} alone\n", type)));
  ASSERT_GE(topos.size(), 71U);
  auto theirs = ask_ibdm(topos, "");
  for (const fs::path& topo : topos) expect_equal(topo, theirs[topo.string()]);
}

TEST_F(Ibdmsh, RandomSystems) {
  std::vector<fs::path> topos;
  std::vector<RandomCluster> clusters;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    clusters.push_back(random_cluster(seed, fmt::format("c{}", seed)));
    for (std::size_t i = 0; i < clusters.back().ibnl.size(); ++i)
      folder_.write(fmt::format("c{}-{}.ibnl", seed, i), clusters.back().ibnl[i]);
    topos.push_back(folder_.write(fmt::format("c{}.topo", seed), clusters.back().topo));
  }
  auto theirs = ask_ibdm(topos, folder_.path());
  std::size_t links = 0;
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    const TopoReading ours = read_topo_text(clusters[i].topo, clusters[i].ibnl);
    const IbdmReading& reading = theirs[topos[i].string()];
    ASSERT_TRUE(ours.fabric) << ours.report << clusters[i].topo;
    EXPECT_EQ(reading.status, "0") << reading.messages;
    const auto lines = lines_of(*ours.fabric);
    ASSERT_EQ(lines, reading.lines) << clusters[i].topo << testing::PrintToString(clusters[i].ibnl);
    for (const std::string& line : lines) links += line.starts_with("link") ? 1 : 0;
  }
  EXPECT_GT(links, 1000U);
}

/// What the rules say of IBDM.
struct Mistake {
  std::string_view topo;
  std::string_view status;   ///< of IBDM
  std::string_view message;  ///< of IBDM; empty: it says nothing
  std::string_view rule;     ///< ours
};
constexpr std::string_view kTypes = R"(SYSTEM LEAF
NODE SW 4 MT1 U1
 1 -4x-5G-> P1
 2 -> UP
TOPSYSTEM Box,Crate
SUBSYSTEM LEAF leaf1
 P1 -> L1/P1
 UP -> leaf2 UP
SUBSYSTEM LEAF leaf2
 P1 -> L2/P1
)";
constexpr Mistake kMistakes[] = {
    {"Box b1 # home\n L1/P1 -> Box b2 L1/P1\n", "1", "-W- Ignoring 'Box b1 # home'", "topo-trailing-comment"},
    {"Box b1\nL1/P1 -> Box b2 L1/P1\n", "0", "-W- Ignoring 'L1/P1", "topo-not-indented"},
    {"Box b1\n L1/P1-> Box b2 L1/P1\n", "0", "-W- Ignoring ' L1/P1->", "topo-blank-round-arrow"},
    {"Box b1\n L1/P1 -2x-> Box b2 L1/P1\n", "0", "-W- Ignoring ' L1/P1 -2x->", "topo-bad-rate"},
    {"Box b1\n\n L1/P1 -> Box b2 L1/P1\n", "1", "local system not defined", "topo-stray-cable"},
    {"Box b1\tCFG: leaf2=R\n", "0", "-W- Ignoring 'Box b1\tCFG:", "topo-tab-before-cfg"},
    {"Box b1 CFG: leaf1=X, leaf2=R\n", "0", "", "topo-blank-in-cfg"},
    {"Box b1 CFG: leaf2\n", "0", "-E- Bad modifier syntax", "topo-bad-modifier"},
    {"Box b1 CFG: leaf3=R\n", "0", "", "topo-unknown-board"},
    {"Box b1 CFG: leaf2=wide\n", "0", "-E- Fail to find definition", "topo-unknown-variant"},
    {"Bax b1\n", "1", "-E- Fail to find definition for system:Bax", "topo-unknown-type"},
    {"Box b1\n L3/P1 -> Box b2 L1/P1\n", "1", "-E- Fail to make cable", "topo-unknown-port"},
    {"Box b1\n L1/P1 -> Box b2 L1/P1\n L2/P1 -> Box b2 L1/P1\n", "1", "already connected",
     "topo-port-used-twice"},
    {"Box b1\n L1/P1 -> Box b2 L1/P1\nBox b2\n L1/P1 -5G-> Box b1 L1/P1\n", "0", "", "topo-rates-differ"},
    {"Box b1 CFG: leaf2=R\nBox b1\n", "0", "", "topo-repeated-system"},
    {"Box b1\nBox b1 CFG: leaf2=R\n", "0", "", "topo-cfg-differs"},
    {"Box b1 CFG: leaf2=R,leaf2=Q\n", "0", "-E- Fail to find definition", "topo-repeated-modifier"},
};

TEST_F(Ibdmsh, TakesMistakesAsTheRulesSay) {
  folder_.write("types.ibnl", kTypes);
  std::vector<fs::path> topos;
  for (const Mistake& mistake : kMistakes)
    topos.push_back(folder_.write(fmt::format("{}.topo", topos.size()), mistake.topo));
  auto theirs = ask_ibdm(topos, folder_.path());
  for (std::size_t i = 0; i < topos.size(); ++i) {
    const IbdmReading& reading = theirs[topos[i].string()];
    const std::string messages = reading.messages;
    EXPECT_EQ(reading.status, kMistakes[i].status) << kMistakes[i].topo;
    if (kMistakes[i].message.empty()) {
      EXPECT_EQ(messages.find("-E-"), std::string::npos) << messages;
      EXPECT_EQ(messages.find("-W-"), std::string::npos) << messages;
    } else {
      EXPECT_THAT(messages, HasSubstr(std::string(kMistakes[i].message)));
    }
    EXPECT_THAT(read_topo_text(kMistakes[i].topo, {std::string(kTypes)}).rules,
                testing::Contains(std::string(kMistakes[i].rule)));
  }
}

}  // namespace
}  // namespace rch::test
