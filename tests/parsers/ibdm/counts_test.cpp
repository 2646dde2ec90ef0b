// What ibutils' own parser counted in its samples (tests/golden/ibnl-counts.tsv), and the findings in them.

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "parsers/ibdm/cluster.h"
#include "support.h"

namespace rch::test {
namespace {

namespace fs = std::filesystem;
using namespace parsers;

const fs::path kSamples = fs::path(RCH_TEST_DATA) / "ibdm/ibutils";

/// Columns `systems` to `unlinked_system_port_kinds` of the table but `ports_made`: IBDM makes the ports that
/// something uses, a Fabric has them all.
using Row = std::string;
constexpr std::size_t kFirstColumn = 3, kPortsMade = 7, kLastColumn = 12;

std::map<std::pair<std::string, std::string>, Row> golden_rows(std::string_view kind) {
  std::map<std::pair<std::string, std::string>, Row> rows;
  std::ifstream table(std::string(RCH_GOLDEN) + "/ibnl-counts.tsv");
  for (std::string line; std::getline(table, line);) {
    std::vector<std::string> cells;
    std::istringstream cut(line);
    for (std::string cell; std::getline(cut, cell, '\t');) cells.push_back(cell);
    if (cells.at(0) != kind) continue;
    Row row;
    for (std::size_t i = kFirstColumn; i <= kLastColumn; ++i)
      if (i != kPortsMade) row += cells.at(i) + ' ';
    rows[{cells.at(1), cells.at(2)}] = row;
  }
  return rows;
}

/// `12x-2.5:1,4x-2.5:8`, `-` if there are none.
std::string kinds(const std::map<std::string, std::size_t>& counts) {
  std::string text;
  for (const auto& [kind, count] : counts)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", kind, count);
  return text.empty() ? "-" : text;
}

std::string kind_of(const fabric::LinkRate& rate) {
  return fmt::format("{}-{}", fabric::to_string(rate.width), fabric::subnet_lst_word(rate.speed));
}

Row count(const ibdm::Cluster& cluster) {
  std::size_t switches = 0, cas = 0, declared = 0, panel = 0, inside = 0;
  using NodePort = std::tuple<std::size_t, std::uint32_t, std::uint8_t>;
  std::map<std::string, std::size_t> links, unlinked;
  std::set<ibdm::PanelEnd> cabled;
  for (const auto& cable : cluster.cables) {
    cabled.insert({cable.a, cable.b});
    ++links[kind_of(cable.rate)];
  }
  for (std::uint32_t s = 0; s < cluster.systems.size(); ++s) {
    const ibdm::Assembly& assembly = *cluster.systems[s].assembly;
    for (const auto& node : assembly.nodes) {
      ++(node.kind == ibnl::InstanceKind::sw ? switches : cas);
      declared += node.ports;
    }
    std::set<std::pair<NodePort, NodePort>> once;
    for (const auto& link : assembly.links) {
      const NodePort a{s, link.a.node, link.a.number}, b{s, link.b.node, link.b.number};
      if (once.insert(std::minmax(a, b)).second) ++links[kind_of(link.rate)];
    }
    inside += once.size();
    panel += assembly.panel.size();
    for (std::uint32_t p = 0; p < assembly.panel.size(); ++p) {
      if (!cabled.contains({s, p})) ++unlinked[kind_of(assembly.panel[p].rate)];
    }
  }
  return fmt::format("{} {} {} {} {} {} {} {} {} ", cluster.systems.size(), switches, cas, declared, panel,
                     inside, cluster.cables.size(), kinds(links), kinds(unlinked));
}

/// All rows of the table whose files are in a folder agree; how many there were.
std::size_t expect_counts(const fs::path& folder) {
  SourceSet sources;
  Diagnostics diagnostics;
  ibdm::Library library;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".ibnl") library.add(sources, *sources.load(entry.path()));
  std::size_t seen = 0;
  const auto expect = [&](SourceId topo, const Row& row) {
    const auto syntax = topo::parse(sources, topo, diagnostics);
    EXPECT_EQ(count(build_cluster(syntax, library, diagnostics)), row) << sources.at(topo).name();
    ++seen;
  };
  for (const auto& [key, row] : golden_rows("ibnl"))
    if (fs::exists(folder / key.first)) expect(sources.add(key.second, key.second + " alone\n"), row);
  for (const auto& [key, row] : golden_rows("topo"))
    if (fs::exists(folder / key.first)) expect(*sources.load(folder / key.first), row);
  EXPECT_FALSE(diagnostics.has_errors());
  return seen;
}

TEST(IbutilsSamples, HaveTheCountsThatIbdmHas) { EXPECT_EQ(expect_counts(kSamples), 27U); }

TEST(IbutilsSamples, AllThatAreInstalledHaveTheCountsThatIbdmHas) {
  const auto files = ibdm::system_files();
  ASSERT_TRUE(files);
  if (files->empty()) GTEST_SKIP() << "ibutils is not installed";
  EXPECT_EQ(expect_counts(files->front().parent_path()), 77U);
}

/// No sample has an error, and all warnings are of one kind: connections of ports that do not exist.
TEST(IbutilsSamples, HaveFindingsInTwoFilesOnly) {
  const auto files = ibdm::system_files();
  ASSERT_TRUE(files);
  if (files->empty()) GTEST_SKIP() << "ibutils is not installed";
  SourceSet sources;
  std::map<std::string, std::size_t> findings;
  for (const fs::path& path : *files) {
    const ibdm::SystemFile file(sources, *sources.load(path));
    EXPECT_FALSE(file.broken()) << path;
    for (const Diagnostic& d : file.findings().all())
      ++findings[fmt::format("{} {}", path.filename().string(), d.rule->name)];
  }
  // MTS14400-48: the chassis connects twelve ports of each leaf, of which its 12x leaf has four.
  // SUNDCS648QDR: a port `P140` that the line of the other end calls P14.
  EXPECT_EQ(findings, (std::map<std::string, std::size_t>{{"MTS14400-48.ibnl ibnl-dangling-port", 192},
                                                          {"SUNDCS648QDR.ibnl ibnl-dangling-port", 1}}));
}

}  // namespace
}  // namespace rch::test
