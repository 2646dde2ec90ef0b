// ibdmchk's own histograms of OpenSM's dump files beside ours of the same tables.

#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "golden.h"
#include "support/test_name.h"
#include "unpacked.h"
#include "verify/metrics/metrics.h"

namespace rch::verify {
namespace {

using Counts = std::map<std::uint64_t, std::uint64_t>;

/// The lines of one section of a report: behind its title up to the next rule.
std::vector<std::string> section(const std::string& report, const std::string& title) {
  std::vector<std::string> lines;
  std::istringstream text(report);
  bool inside = false;
  for (std::string line; std::getline(text, line);) {
    if (inside && line.starts_with("-----")) break;
    if (inside) lines.push_back(line);
    if (line.find(title) != std::string::npos) inside = true;
  }
  return lines;
}

Counts histogram_of(const std::string& report, const std::string& title) {
  Counts counts;
  for (const std::string& line : section(report, title)) {
    std::istringstream words(line);
    std::uint64_t value = 0, count = 0;
    if (words >> value >> count) counts[value] = count;
  }
  return counts;
}

/// `COMM=  2|     0|     0|   480|`: row for what is common, column for depth 1, 2, ...
std::vector<Metrics::Overlap> overlaps_of(const std::string& report, const std::string& title) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
  for (const std::string& line : section(report, title)) {
    std::istringstream cells(line);
    std::string cell;
    if (!line.starts_with("COMM=") || !std::getline(cells, cell, '|')) continue;
    const auto common = static_cast<std::uint32_t>(std::stoul(cell.substr(5)));
    for (std::uint32_t depth = 1; std::getline(cells, cell, '|'); ++depth)
      if (const auto count = std::stoull(cell); count != 0) pairs[{depth, common}] = count;
  }
  std::vector<Metrics::Overlap> out;
  for (const auto& [key, count] : pairs) out.push_back({key.first, key.second, count});
  return out;
}

Counts counts_of(const Histogram& histogram) {
  Counts counts;
  for (const auto& bin : histogram.bins) counts[bin.value] = bin.count;
  return counts;
}

/// ibdmchk wants LIDs of its own numbering where there are path bits (ibdmchk(1)).
std::string report_of(const std::string& name, unsigned lmc) {
  const test::Unpacked files(name);
  if (lmc == 0) return files.run("ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs");
  const std::string renumber = fmt::format(
      "python3 {}/to_ibdmchk.py --subnet opensm-subnet.lst --fdbs opensm.fdbs --lmc {} --renumber-lst new.lst"
      " --renumber-fdbs new.fdbs",
      RCH_LAB, lmc);
  return files.run(renumber + fmt::format(" && ibdmchk -s new.lst -f new.fdbs -m opensm.mcfdbs -l {}", lmc));
}

class MetricsByIbdmchk : public testing::TestWithParam<test::GoldenRun> {};

TEST_P(MetricsByIbdmchk, SameHistograms) {
  const test::GoldenRun& run = GetParam();
  const fabric::Fabric fabric = test::golden_fabric(run.name);
  const Metrics m = measure(fabric, test::golden_tables(run, fabric), {.samples = 1});
  const std::string report = report_of(run.name, fabric.end_ports().front().lmc);
  EXPECT_EQ(counts_of(m.hops), histogram_of(report, "LFT ROUTE HOP HISTOGRAM"));
  EXPECT_EQ(counts_of(m.destinations), histogram_of(report, "NUM DLIDS HISTOGRAM"));
  EXPECT_EQ(m.common_switches, overlaps_of(report, ":COMMON NODES HISTOGRAM"));
  EXPECT_EQ(m.common_systems, overlaps_of(report, ":COMMON SYSTEMS HISTOGRAM"));
  EXPECT_THAT(report, testing::HasSubstr(fmt::format("-I- Scanned:{} CA to CA paths", m.pairs)));
}

/// All but the fabric with a router, which ibdmchk cannot read.
std::vector<test::GoldenRun> readable_runs() {
  std::vector<test::GoldenRun> runs = test::golden_runs();
  std::erase_if(runs, [](const test::GoldenRun& run) { return run.name.starts_with("speeds/"); });
  return runs;
}

INSTANTIATE_TEST_SUITE_P(Golden, MetricsByIbdmchk, testing::ValuesIn(readable_runs()),
                         [](const auto& tested) { return test::test_name(tested.param.name); });

}  // namespace
}  // namespace rch::verify
