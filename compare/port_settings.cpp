#include "compare/port_settings.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/difference.h"

namespace rch::compare {
namespace {

using fabric::Fabric;

/// Compares one part after the other.
class SettingComparer {
 public:
  SettingComparer(const Side& before, const Side& after, const Matching& matching)
      : before_(before), after_(after), matching_(matching) {}

  std::vector<SettingChange> run() {
    if (both_know(Part::sl2vl) && !before_.tables->sl2vl.empty() && !after_.tables->sl2vl.empty()) {
      compare_switch_maps();
      compare_end_port_maps();
    }
    if (both_know(Part::arbitration))
      compare_tables(Part::arbitration, before_.tables->arbitration, after_.tables->arbitration,
                     "has other VL arbitration tables");
    if (both_know(Part::rate_limits))
      compare_tables(Part::rate_limits, before_.tables->rate_limits, after_.tables->rate_limits,
                     "has other rate limits");
    const bool has_pkeys = !before_.tables->pkeys.empty() || !after_.tables->pkeys.empty();
    if (both_know(Part::pkeys) && has_pkeys) compare_pkeys();
    return std::move(changes_);
  }

 private:
  bool both_know(Part part) const {
    return before_.of(part).kind == Knowledge::Kind::known && after_.of(part).kind == Knowledge::Kind::known;
  }
  const Fabric& was() const { return *before_.fabric; }
  const Fabric& is() const { return *after_.fabric; }
  void add(Part part, PortId port, std::string text) { changes_.push_back({part, port, std::move(text)}); }

  /// Calls f(port before, port after) for the ports with a cable on both sides.
  template <class F>
  void for_cabled_ports(const F& f) const {
    for (const fabric::Port& port : was().ports()) {
      if (port.peer.is_none()) continue;
      const auto now = fabric::counterpart(is(), was(), port);
      if (now && !is().port(*now).peer.is_none()) f(was().port_id(port.node, port.number), *now);
    }
  }

  void compare_switch_maps() {
    for (std::uint32_t s = 0; s < was().switch_count(); ++s)
      if (matching_.after_of[s] != Matching::kNone) {
        const SwitchId now(matching_.after_of[s]);
        if (const std::size_t count = differing_maps(SwitchId(s), now); count > 0)
          add(Part::sl2vl, is().port_id(now, PortNum(0)),
              fmt::format("maps service levels otherwise for {} of ports", counted(count, "pair")));
      }
  }

  /// Pairs of ports through which packets can go on both sides.
  std::size_t differing_maps(SwitchId sw, SwitchId now) const {
    const fabric::Sl2VlTables &maps = before_.tables->sl2vl, &maps_now = after_.tables->sl2vl;
    const std::uint8_t ports = std::min(was().node(sw).num_ports, is().node(now).num_ports);
    std::vector<bool> cabled(ports + std::size_t{1});
    for (unsigned p = 1; p <= ports; ++p) {
      const PortNum number(static_cast<std::uint8_t>(p));
      cabled[p] = !was().port(was().port_id(sw, number)).peer.is_none() &&
                  !is().port(is().port_id(now, number)).peer.is_none();
    }
    std::size_t count = 0;
    for (unsigned in = 1; in <= ports; ++in)
      for (unsigned out = 1; cabled[in] && out <= ports; ++out) {
        const PortNum from(static_cast<std::uint8_t>(in)), to(static_cast<std::uint8_t>(out));
        count += in != out && cabled[out] && maps.at(sw, from, to) != maps_now.at(now, from, to);
      }
    return count;
  }

  /// Where tables were read from ports, only those ports count.
  static bool has_map(const fabric::Sl2VlTables& maps, PortId port) {
    return maps.own_ids().empty() || maps.has_own(port);
  }

  void compare_end_port_maps() {
    const fabric::Sl2VlTables &maps = before_.tables->sl2vl, &maps_now = after_.tables->sl2vl;
    for_cabled_ports([&](PortId port, PortId now) {
      if (is().is_switch(is().port(now).node) || was().is_switch(was().port(port).node)) return;
      if (has_map(maps, port) && has_map(maps_now, now) && maps.end_port(port) != maps_now.end_port(now))
        add(Part::sl2vl, now, "maps service levels otherwise");
    });
  }

  template <class Tables>
  void compare_tables(Part part, const Tables& tables, const Tables& tables_now, const char* text) {
    for_cabled_ports([&](PortId port, PortId now) {
      const auto *table = tables.at(port), *table_now = tables_now.at(now);
      if (table != nullptr && table_now != nullptr && *table != *table_now) add(part, now, text);
    });
  }

  static std::vector<std::uint16_t> keys_of(const fabric::PKeyTables& tables, PortId port) {
    const auto at = std::ranges::lower_bound(tables.ports, port);
    if (at == tables.ports.end() || *at != port) return {};
    const auto keys = tables.of(static_cast<std::size_t>(at - tables.ports.begin()));
    std::vector<std::uint16_t> sorted(keys.begin(), keys.end());
    std::erase(sorted, std::uint16_t{0});
    std::ranges::sort(sorted);
    return sorted;
  }

  static std::string key_list(std::string_view verb, const std::vector<std::uint16_t>& keys) {
    std::string text;
    for (const std::uint16_t key : keys) text += fmt::format("{}0x{:04x}", text.empty() ? "" : ", ", key);
    return keys.empty() ? text : fmt::format("{} P_Key{} {}", verb, keys.size() == 1 ? "" : "s", text);
  }

  static bool lists(const fabric::PKeyTables& tables, PortId port) {
    return std::ranges::binary_search(tables.ports, port);
  }

  /// Which P_Keys a port has counts, not at which index. Files may not have those of all ports.
  void compare_pkeys() {
    const fabric::PKeyTables &tables = before_.tables->pkeys, &tables_now = after_.tables->pkeys;
    for (std::uint32_t p = 0; p < was().ports().size(); ++p) {
      const auto now = fabric::counterpart(is(), was(), was().port(PortId(p)));
      if (!now) continue;
      if ((!before_.knows_checks && !lists(tables, PortId(p))) ||
          (!after_.knows_checks && !lists(tables_now, *now)))
        continue;
      const std::vector<std::uint16_t> keys = keys_of(tables, PortId(p)),
                                       keys_now = keys_of(tables_now, *now);
      if (keys == keys_now) continue;
      std::vector<std::uint16_t> gained, lost;
      std::ranges::set_difference(keys_now, keys, std::back_inserter(gained));
      std::ranges::set_difference(keys, keys_now, std::back_inserter(lost));
      const std::string gains = key_list("gains", gained), loses = key_list("loses", lost);
      add(Part::pkeys, *now, gains + (gains.empty() || loses.empty() ? "" : ", ") + loses);
    }
    const bool knows_checks = before_.knows_checks && after_.knows_checks;
    if (knows_checks && tables.enforcement != tables_now.enforcement && is().switch_count() > 0)
      add(Part::pkeys, PortId::none(), "switches check P_Keys of other packets");
  }

  const Side& before_;
  const Side& after_;
  const Matching& matching_;
  std::vector<SettingChange> changes_;
};

}  // namespace

std::vector<SettingChange> compare_settings(const Side& before, const Side& after, const Matching& matching) {
  return SettingComparer(before, after, matching).run();
}

}  // namespace rch::compare
