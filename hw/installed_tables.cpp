#include "hw/installed_tables.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/causes.h"

namespace rch::hw {
namespace {

constexpr std::size_t kInstalledBlock = fabric::ForwardingTables::kBlock;

std::size_t blocks_in_effect(const SwitchInfo& info, Lid top) {
  if (info.linear_top == kUnassignedLid) return 0;
  return std::min(info.linear_top, top).index() / kInstalledBlock + 1;
}

}  // namespace

WireSl2Vl to_wire(const fabric::Sl2VlMap& map) {
  WireSl2Vl wire = 0;
  for (std::uint8_t vl : map) wire = wire << 4U | (vl & 0xFU);
  return wire;
}

fabric::Sl2VlMap from_wire(WireSl2Vl wire) {
  fabric::Sl2VlMap map{};
  for (std::size_t sl = map.size(); sl-- > 0; wire >>= 4U) map[sl] = static_cast<std::uint8_t>(wire & 0xFU);
  return map;
}

std::vector<Sl2VlPlace> sl2vl_places(const fabric::Fabric& fabric) {
  std::vector<Sl2VlPlace> places;
  std::vector<PortNum> cabled;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    cabled.clear();
    for (unsigned p = 1; p <= fabric.node(SwitchId(s)).num_ports; ++p) {
      const PortNum number(static_cast<std::uint8_t>(p));
      if (!fabric.port(fabric.port_id(SwitchId(s), number)).peer.is_none()) cabled.push_back(number);
    }
    for (PortNum out : cabled) {
      places.push_back({SwitchId(s), PortNum(0), out});
      for (PortNum in : cabled) places.push_back({SwitchId(s), in, out});
    }
  }
  return places;
}

bool has_end_port_map(const LiveFabric& live, PortId port) {
  const fabric::Node& node = live.fabric.node(live.fabric.port(port).node);
  return live.info(port).maps_sls && (!live.is_switch_port(port) || node.enhanced_port0);
}

std::vector<PortId> seen_end_ports(const LiveFabric& live) {
  std::vector<PortId> seen;
  for (std::uint32_t p = 0; p < live.fabric.ports().size(); ++p) {
    const fabric::Port& port = live.fabric.port(PortId(p));
    const bool port0 = port.number == PortNum(0);
    if (live.fabric.is_switch(port.node) ? port0 : !port.peer.is_none()) seen.push_back(PortId(p));
  }
  return seen;
}

InstalledReader::InstalledReader(const LiveFabric& live, const InstalledScope& scope)
    : live_(live), known_(live, scope.written) {
  plan_lfts(scope.top);
  if (scope.sl2vl) plan_sl2vl();
  plan_blocks(scope.blocks);
  if (scope.multicast_top) plan_multicast(*scope.multicast_top);
  progress_ = Progress(reads_.size());
}

void InstalledReader::plan_lfts(Lid top) {
  const std::size_t switches = live_.fabric.switch_count();
  std::size_t most = 0;
  for (const SwitchInfo& info : live_.switch_info) {
    tables_.known_blocks.push_back(blocks_in_effect(info, top));
    most = std::max(most, tables_.known_blocks.back());
  }
  const std::size_t last_lid = most == 0 ? 0 : most * kInstalledBlock - 1;
  tables_.lfts = fabric::ForwardingTables::uninitialised(switches, Lid(static_cast<std::uint16_t>(last_lid)));
  for (std::uint32_t s = 0; s < switches; ++s) {
    const std::size_t length = tables_.known_blocks[s] * kInstalledBlock;
    if (length == tables_.lfts.stride() && known_.share_lft(SwitchId(s), tables_.lfts)) continue;
    const auto known = known_.lft(SwitchId(s));
    const auto row = tables_.lfts.row(SwitchId(s));
    std::ranges::fill(row, kNoPath);
    std::copy_n(known.begin(), std::min(known.size(), length), row.begin());
  }
  for (std::size_t block = 0; block < most; ++block)
    for (std::uint32_t s = 0; s < switches; ++s)
      if (block < tables_.known_blocks[s] && (block + 1) * kInstalledBlock > known_.lft(SwitchId(s)).size())
        add(live_.port0(SwitchId(s)), Attribute::linear_table, static_cast<std::uint32_t>(block), s);
}

void InstalledReader::plan_sl2vl() {
  const std::vector<Sl2VlPlace> places = sl2vl_places(live_.fabric);
  tables_.sl2vl.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [sw, in, out] = places[i];
    if (!live_.info(live_.port0(sw)).maps_sls) continue;
    if (const auto known = known_.sl2vl(sw, in, out))
      tables_.sl2vl[i] = to_wire(*known);
    else
      add(live_.port0(sw), Attribute::sl2vl, places[i].modifier(), i);
  }
  tables_.end_port_sl2vl.resize(live_.fabric.ports().size());
  for (PortId port : seen_end_ports(live_)) {
    if (!has_end_port_map(live_, port)) continue;
    if (const auto known = known_.end_port_sl2vl(port))
      tables_.end_port_sl2vl[port.index()] = to_wire(*known);
    else
      add(port, Attribute::sl2vl, 0, port.index());
  }
}

void InstalledReader::plan_blocks(std::span<const Image> blocks) {
  tables_.blocks.resize(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (const SmpData* known = known_.block(blocks[i]))
      tables_.blocks[i] = *known;
    else
      add(blocks[i].port, blocks[i].attribute, blocks[i].modifier, i);
  }
}

void InstalledReader::plan_multicast(Lid top) {
  tables_.multicast = known_.multicast();
  for (const MulticastPlace& place : multicast_places(live_, top))
    if (!known_.knows(place.sw))
      add(live_.port0(place.sw), Attribute::multicast_table, modifier_of(place), place.sw.index());
}

std::optional<SmpRequest> InstalledReader::next_request(TimePoint) {
  auto next = progress_.take();
  for (; next && silent_.contains(node_of(reads_[*next])); next = progress_.take()) progress_.on_answer();
  if (!next) return std::nullopt;
  const Read& read = reads_[*next];
  silent_.on_ask(node_of(read));
  return request_to(live_, read.port, read.attribute, read.modifier, *next);
}

void InstalledReader::on_answer(RequestTag tag, const SmpAnswer& answer) {
  progress_.on_answer();
  const Read& read = reads_[tag.item];
  silent_.on_answer(node_of(read));
  if (answer.good()) return store(read, answer.data);
  const std::string how = fmt::format(
      " {} when {} is read",
      answer.answered ? fmt::format("answers with status 0x{:02x}", answer.status) : "does not answer",
      describe_attribute(read.attribute, read.modifier));
  silent_.add(node_of(read));
  note_fault(live_, read.port, answer.answered, how);
  if (error_) return;
  error_ = error_of(answer.answered ? causes::kRefusedRead : causes::kNoAnswer,
                    describe_port(live_, read.port) + how);
}

/// Entries beyond the top are taken as no path.
void InstalledReader::store_entries(const Read& read, const SmpData& data) {
  const SwitchId sw(read.slot);
  const std::size_t first = read.modifier * kInstalledBlock, end = live_.info(sw).linear_top.index() + 1;
  const std::size_t in_effect = std::min(kInstalledBlock, end - first);
  std::copy_n(data.begin(), in_effect, tables_.lfts.row(sw).begin() + static_cast<std::ptrdiff_t>(first));
  const auto left_over = [](std::uint8_t entry) { return entry != kNoPath; };
  if (std::any_of(data.begin() + static_cast<std::ptrdiff_t>(in_effect), data.end(), left_over))
    tables_.known_blocks[sw.index()] = read.modifier;
}

void InstalledReader::store(const Read& read, const SmpData& data) {
  switch (read.attribute) {
    case Attribute::linear_table:
      return store_entries(read, data);
    case Attribute::sl2vl:
      (read.modifier != 0 ? tables_.sl2vl
                          : tables_.end_port_sl2vl)[read.slot] =  // each map of a switch has an out port
          get(data, kWholeMap[0]);
      return;
    case Attribute::vl_arbitration:
    case Attribute::p_key_table:
    case Attribute::rate_limits:
      tables_.blocks[read.slot] = data;
      return;
    default:
      add_block(tables_.multicast, place_of(SwitchId(read.slot), read.modifier), data);
  }
}

Result<InstalledTables> InstalledReader::take() {
  if (error_) return tl::unexpected(*error_);
  return std::move(tables_);
}

}  // namespace rch::hw
