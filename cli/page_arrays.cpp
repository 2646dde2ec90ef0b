// The arrays of the page of `rch report`: report/page/*.js read them by these names.

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include "cli/page_data.h"
#include "fabric/link_rate.h"

namespace rch::cli {
namespace {

/// A number of each element of a list.
template <class T, class List, class F>
void add_each(report::Arrays& arrays, std::string name, const List& list, const F& f) {
  std::vector<T> values;
  values.reserve(std::size(list));
  for (const auto& each : list) values.push_back(static_cast<T>(f(each)));
  arrays.add(std::move(name), values);
}

std::uint32_t capped(std::uint64_t value) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

template <class IdType>
std::vector<std::uint8_t> bytes_of(const IdSet<IdType>& set) {
  std::vector<std::uint8_t> bytes(set.words().size() * sizeof(std::uint64_t));
  if (!bytes.empty()) std::memcpy(bytes.data(), set.words().data(), bytes.size());
  return bytes;
}

void add_switches(report::Arrays& arrays, const fabric::Fabric& fabric, const report::Layout& layout) {
  const auto switches = fabric.nodes().subspan(0, fabric.switch_count());
  arrays.add("sw_x", layout.x);
  arrays.add("sw_y", layout.y);
  arrays.add("sw_rank", layout.rank);
  arrays.add("sw_area", layout.area);
  add_each<std::uint64_t>(arrays, "sw_guid", switches,
                          [](const fabric::Node& node) { return node.guid.value; });
  add_each<std::uint16_t>(arrays, "sw_lid", switches,
                          [&](const fabric::Node& node) { return fabric.port(node.first_port).lid.value; });
  add_each<std::uint8_t>(arrays, "sw_ports", switches,
                         [](const fabric::Node& node) { return node.num_ports; });
}

void add_hosts(report::Arrays& arrays, const fabric::Fabric& fabric) {
  const auto hosts = fabric.end_ports();
  std::vector<std::uint32_t> begin(1);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    begin.push_back(begin.back() + static_cast<std::uint32_t>(fabric.end_ports_of(SwitchId(s)).size()));
  arrays.add("host_begin", begin);
  add_each<std::uint32_t>(arrays, "host_switch", hosts, [](const auto& host) { return host.sw.value; });
  add_each<std::uint8_t>(arrays, "host_port", hosts, [](const auto& host) { return host.attach.value; });
  add_each<std::uint16_t>(arrays, "host_lid", hosts, [](const auto& host) { return host.lid.value; });
  add_each<std::uint8_t>(arrays, "host_lmc", hosts, [](const auto& host) { return host.lmc; });
  add_each<std::uint64_t>(arrays, "host_guid", hosts,
                          [&](const auto& host) { return fabric.port(host.port).guid.value; });
}

void add_cables(report::Arrays& arrays, const fabric::Fabric& fabric, const report::PathLoads& loads,
                const std::vector<PortId>& cables) {
  const auto add_end = [&](const std::string& end, const auto& of) {
    add_each<std::uint32_t>(arrays, "link_" + end, cables,
                            [&](PortId cable) { return fabric.port(of(cable)).node.value; });
    add_each<std::uint8_t>(arrays, "link_p" + end, cables,
                           [&](PortId cable) { return fabric.port(of(cable)).number.value; });
  };
  const auto peer = [&](PortId cable) { return fabric.port(cable).peer; };
  add_end("a", [](PortId cable) { return cable; });
  add_end("b", peer);
  for (std::size_t row = 0; row < loads.by_step.size(); ++row) {
    const std::vector<std::uint64_t>& flows = loads.by_step[row];
    add_each<std::uint32_t>(arrays, fmt::format("flow_ab_{}", row), cables,
                            [&](PortId cable) { return capped(flows[cable.index()]); });
    add_each<std::uint32_t>(arrays, fmt::format("flow_ba_{}", row), cables,
                            [&](PortId cable) { return capped(flows[peer(cable).index()]); });
  }
}

void add_keys(report::Arrays& arrays, const fabric::Fabric& fabric, const isolation::InstalledPKeys& pkeys) {
  std::vector<std::uint32_t> begin(1);
  std::vector<std::uint16_t> keys;
  for (const fabric::EndPort& host : fabric.end_ports()) {
    const auto own = pkeys.of(host.port);
    keys.insert(keys.end(), own.begin(), own.end());
    begin.push_back(static_cast<std::uint32_t>(keys.size()));
  }
  arrays.add("key_begin", begin);
  arrays.add("keys", keys);
}

void add_path_sls(report::Arrays& arrays, const fabric::Fabric& fabric, const fabric::RoutingTables& tables) {
  const auto hosts = fabric.end_ports();
  std::vector<std::uint8_t> levels(hosts.size() * fabric.switch_count());
  tbb::parallel_for(std::size_t{0}, hosts.size(), [&](std::size_t host) {
    std::vector<std::uint8_t> to_host;
    fabric::path_sls_to(fabric, tables, hosts[host].lid, to_host);
    std::ranges::copy(to_host, levels.begin() + static_cast<std::ptrdiff_t>(host * fabric.switch_count()));
  });
  arrays.add("sls", levels);
}

void add_sl2vl_maps(report::Arrays& arrays, const fabric::Sl2VlTables& sl2vl) {
  std::vector<std::uint32_t> begin;
  std::vector<std::uint8_t> ids, maps;
  for (std::uint32_t s = 0; s < sl2vl.switch_count(); ++s) {
    begin.push_back(static_cast<std::uint32_t>(ids.size()));
    const auto own = sl2vl.ids(SwitchId(s));
    ids.insert(ids.end(), own.begin(), own.end());
  }
  for (const fabric::Sl2VlMap& map : sl2vl.maps()) maps.insert(maps.end(), map.begin(), map.end());
  arrays.add("map_begin", begin);
  arrays.add("map_ids", ids);
  arrays.add("maps", maps);
}

}  // namespace

std::vector<PortId> drawn_cables(const fabric::Fabric& fabric) {
  std::vector<PortId> cables;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    for (unsigned number = 1; number <= fabric.node(SwitchId(s)).num_ports; ++number) {
      const PortId id = fabric.port_id(SwitchId(s), PortNum(static_cast<std::uint8_t>(number)));
      const PortId peer = fabric.port(id).peer;
      if (peer.is_none() || peer <= id || !fabric.is_switch(fabric.port(peer).node)) continue;
      if (fabric.port(peer).node != fabric.port(id).node) cables.push_back(id);
    }
  return cables;
}

CableRates cable_rates(const fabric::Fabric& fabric) {
  CableRates rates;
  for (const PortId cable : drawn_cables(fabric)) {
    const fabric::Port& port = fabric.port(cable);
    std::string name = fmt::format("{} {}", to_string(port.width), to_string(port.speed));
    const auto at = std::ranges::find(rates.names, name);
    rates.of.push_back(static_cast<std::uint8_t>(at - rates.names.begin()));
    if (at == rates.names.end()) rates.names.push_back(std::move(name));
  }
  return rates;
}

report::Arrays drawing_arrays(const PageSubject& subject, const report::Layout& layout,
                              const report::PathLoads& loads, const PageChanges* changes) {
  report::Arrays arrays;
  add_switches(arrays, subject.fabric, layout);
  add_hosts(arrays, subject.fabric);
  add_cables(arrays, subject.fabric, loads, drawn_cables(subject.fabric));
  arrays.add("link_rate", cable_rates(subject.fabric).of);
  if (subject.pkeys != nullptr) add_keys(arrays, subject.fabric, *subject.pkeys);
  if (changes != nullptr) arrays.add("sw_changes", changes->by_switch);
  return arrays;
}

report::Arrays table_arrays(const PageSubject& subject) {
  const fabric::RoutingTables& tables = subject.tables;
  report::Arrays arrays;
  const std::size_t stride = tables.lfts.max_lid().index() + 1;
  std::vector<std::uint8_t> entries;
  entries.reserve(stride * subject.fabric.switch_count());
  for (std::uint32_t s = 0; s < subject.fabric.switch_count(); ++s) {
    const auto row = tables.lfts.row(SwitchId(s)).subspan(0, stride);
    entries.insert(entries.end(), row.begin(), row.end());
  }
  arrays.add("entries", entries);
  for (std::size_t row = 1; row < tables.steps.size(); ++row) {
    const fabric::RoutedStep& step = tables.steps[row];
    arrays.add(fmt::format("step_switches_{}", row), bytes_of(step.switches));
    arrays.add(fmt::format("step_lids_{}", row), bytes_of(step.lids));
    add_each<std::uint32_t>(arrays, fmt::format("step_holes_{}", row), step.holes,
                            [](std::uint64_t hole) { return hole; });
  }
  if (!tables.sl2vl.empty()) add_sl2vl_maps(arrays, tables.sl2vl);
  if (subject.path_sls == PathSlKnowledge::by_rule && !fabric::common_path_sl(tables))
    add_path_sls(arrays, subject.fabric, tables);
  return arrays;
}

}  // namespace rch::cli
