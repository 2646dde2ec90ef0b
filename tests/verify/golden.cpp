#include "golden.h"

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "hand_tables.h"
#include "support/golden_case.h"

namespace rch::test {
namespace {

/// The last of ibdmchk, _d, _c, _cd that was run.
std::string best_informed(const std::vector<std::string>& columns) {
  std::string verdict;
  for (std::size_t i = 10; i < 14; ++i)
    if (columns.at(i) != "-") verdict = columns[i];
  return verdict;
}

fabric::Sl2VlTables sl2vl(const std::string& folder, const fabric::Fabric& fabric) {
  std::vector<std::uint8_t> ports;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    ports.push_back(fabric.node(SwitchId(s)).num_ports);
  fabric::Sl2VlTables tables(ports, fabric::kIdentitySl2Vl);
  for (const Sl2VlRow& row : opensm_sl2vl(folder, fabric)) {
    const auto sw = fabric.switch_id(fabric.port(row.port).node);
    if (sw)
      tables.set(*sw, row.in, row.out, tables.intern(row.map));
    else
      tables.set_end_port(tables.intern(row.map));
  }
  return tables;
}

/// Path SLs of torus-2QoS (torus-2QoS(8)) from the coordinates that OpenSM found.
fabric::SlRule torus_rule(const std::string& folder, const fabric::Fabric& fabric) {
  fabric::SlRule rule;
  for (std::uint8_t d = 0; d < 3; ++d)
    rule.dimensions.push_back(
        {d, 0, std::vector<std::uint16_t>(fabric.switch_count(), fabric::SlRule::kNoCoordinate), {}});
  std::istringstream dump(text_of(folder + "/opensm-torus.dump"));
  for (std::string line; std::getline(dump, line);) {
    unsigned at[3];
    unsigned long long guid;
    if (std::sscanf(line.c_str(), "switch %u,%u,%u GUID %llx", &at[0], &at[1], &at[2], &guid) != 4)
      throw std::runtime_error("not a line of opensm-torus.dump: " + line);
    const NodeId node = fabric.find_node(Guid(guid)).value();
    for (std::size_t d = 0; d < 3; ++d) {
      fabric::SlRule::Dimension& dimension = rule.dimensions[d];
      dimension.coordinate[node.index()] = static_cast<std::uint16_t>(at[d]);
      dimension.radix = std::max(dimension.radix, at[d] + 1);
    }
  }
  for (fabric::SlRule::Dimension& d : rule.dimensions)
    for (std::uint32_t from = 0; from < d.radix; ++from)
      for (std::uint32_t to = 0; to < d.radix; ++to) {
        const std::uint32_t direct = from > to ? from - to : to - from;
        d.crosses.push_back(d.radix - direct < direct);
      }
  return rule;
}

}  // namespace

std::vector<GoldenRun> golden_runs() {
  std::vector<GoldenRun> runs;
  std::istringstream table(golden_text("cases.tsv"));
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::vector<std::string> columns;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, '\t');) columns.push_back(cell);
    runs.push_back({columns.at(0), columns.at(2), columns.at(14) == "LOOP", best_informed(columns)});
  }
  return runs;
}

fabric::RoutingTables golden_tables(const GoldenRun& run, const fabric::Fabric& fabric) {
  const std::string folder = golden_folder(run.name);
  const auto has = [&](const std::string& name) {
    return std::filesystem::exists(folder + "/" + name) ||
           std::filesystem::exists(folder + "/" + name + ".gz");
  };
  fabric::RoutingTables tables = empty_tables(fabric);
  tables.lfts = opensm_lfts(folder, fabric);
  if (has("opensm-sl2vl.dump")) tables.sl2vl = sl2vl(folder, fabric);
  if (run.engine == "torus-2QoS" && has("opensm-torus.dump"))
    tables.steps.front().sl = torus_rule(folder, fabric);
  return tables;
}

}  // namespace rch::test
