#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "certificate/certificate.h"

namespace rch::certificate {

/// Follows the packets of tables. What becomes of a packet behind a switch depends on the switch, its service
/// level and its virtual lane alone, so each of these is followed once for each LID. Channels that are links
/// are taken beyond a lane that does not exist, too: packets of another service level go on there.
class Walk {
 public:
  Walk(const Tables& of, Packets packets)
      : of_(of),
        fabric_(of.fabric),
        width_(packets == Packets::any_sl ? 1 : kLanes),
        same_lane_(of.tables.sl2vl.empty() && !of.sl && fabric::common_path_sl(of.tables).has_value()),
        cells_(same_lane_ ? 1 : kLanes * kLanes),
        seen_(fabric_.switch_count() * cells_),
        lost_(seen_.size()),
        tree_(fabric_.switch_count()),
        lanes_(fabric_.ports().size()) {
    for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p) vls_.push_back(data_vls(PortId(p)));
    std::ranges::copy_if(fabric_.end_ports(), std::back_inserter(ends_),
                         [](const fabric::EndPort& end) { return end.lid != kUnassignedLid; });
    for (std::size_t i = 0, begin = 0; i < ends_.size(); ++i) {
      if (i > 0 && !are_alike(ends_[i - 1], ends_[i])) begin = i;
      if (begin == i) starts_.emplace_back();
      starts_.back() = std::span(ends_).subspan(begin, i + 1 - begin);
    }
  }
  Walk(Walk&&) = delete;  // its parts refer to each other

  std::size_t channel_count() const { return fabric_.ports().size() * width_; }
  std::size_t index(Channel of) const { return of.port.index() * width_ + of.vl % width_; }
  Channel channel(std::size_t index) const {
    return {PortId(static_cast<std::uint32_t>(index / width_)), static_cast<std::uint8_t>(index % width_)};
  }

  /// Packets of all other end ports to a LID. Calls visit(a, b) for each channel and the one that is taken
  /// behind it. Returns how many end ports do not reach it.
  template <class Visit>
  std::uint64_t to_lid(Lid lid, Visit&& visit) {
    const auto owner = fabric_.lid_owner(lid);
    const auto at = owner ? entrance(*owner) : std::nullopt;
    if (!at) return 0;
    ++round_;
    if (!of_.sl && (!same_lane_ || sls_.empty())) fabric::path_sls_to(fabric_, of_.tables, lid, sls_);
    std::uint64_t lost = 0;
    for (const std::span<const fabric::EndPort> alike : starts_) {
      const fabric::EndPort& from = alike.front();
      const auto is_owner = [&](const fabric::EndPort& end) { return end.port == *owner; };
      const std::size_t sources =
          alike.size() - (from.sw == at->first && std::ranges::any_of(alike, is_owner) ? 1 : 0);
      if (sources == 0) continue;
      const std::uint8_t sl = of_.sl ? of_.sl(from.port, lid) : sls_[from.sw.index()];
      const bool starts = vl_of(from.port, sl) < vls_[from.port.index()];
      if (!(starts || width_ == 1) || !follow(from, sl, lid, *owner, visit) || !starts) lost += sources;
    }
    return lost;
  }

  /// Packets of a multicast group from all its members and senders. Returns how many members the first one
  /// does not reach. Fails (forbidden) when the ports of the group are no tree.
  template <class Visit>
  Result<std::uint64_t> to_group(const fabric::MulticastGroup& group, Visit&& visit) {
    if (!is_forest(group))
      return fail(ErrorKind::forbidden,
                  fmt::format("the ports of multicast LID 0x{:04X} are no tree", group.mlid));
    for (const auto* ends : {&group.members, &group.senders})
      for (const PortId end : *ends)
        if (const auto at = entrance(end); at && (width_ == 1 || vl_of(end, group.sl) < vls_[end.index()]))
          spread(group, at->first, at->second, visit);
    for (const PortId port : group.ports) lanes_[port.index()] = 0;
    const auto first = group.members.empty() ? std::nullopt : entrance(group.members.front());
    return std::ranges::count_if(group.members, [&](PortId member) {
      const auto at = entrance(member);
      return !at || !first || tree_[at->first.index()] != tree_[first->first.index()] ||
             !std::ranges::binary_search(group.ports, fabric_.port_id(at->first, at->second));
    });
  }

 private:
  /// The switch of an end port, and the port by which its packets come in; nothing if it hangs on none.
  std::optional<std::pair<SwitchId, PortNum>> entrance(PortId end) const {
    const PortId at = fabric_.is_switch(fabric_.port(end).node) ? end : fabric_.port(end).peer;
    if (at.is_none() || !fabric_.is_switch(fabric_.port(at).node)) return std::nullopt;
    return std::pair(*fabric_.switch_id(fabric_.port(at).node), fabric_.port(at).number);
  }
  /// The switch ports of a group on one switch.
  std::span<const PortId> ports_on(const fabric::MulticastGroup& group, SwitchId sw) const {
    const auto of_node = [&](PortId port) { return fabric_.port(port).node; };
    const auto first = std::ranges::lower_bound(group.ports, fabric::Fabric::node_id(sw), {}, of_node);
    return {first, std::ranges::upper_bound(group.ports, fabric::Fabric::node_id(sw), {}, of_node)};
  }
  /// The switch behind a port of a group, if it has one.
  std::optional<SwitchId> behind(PortId port) const {
    return fabric_.port(port).peer.is_none() ? std::nullopt
                                             : fabric_.switch_id(fabric_.port(fabric_.port(port).peer).node);
  }

  /// Joins switches by the links of a group; both ends must be in it. `tree_` names the tree of each.
  bool is_forest(const fabric::MulticastGroup& group) {
    for (std::uint32_t s = 0; s < tree_.size(); ++s) tree_[s] = s;
    const auto root = [&](std::uint32_t s) {
      while (tree_[s] != s) s = tree_[s] = tree_[tree_[s]];
      return s;
    };
    for (const PortId port : group.ports) {
      const auto next = behind(port);
      const PortId peer = fabric_.port(port).peer;
      if (next && !std::ranges::binary_search(group.ports, peer)) return false;
      if (!next || peer < port) continue;
      const std::uint32_t a = root(fabric_.port(port).node.value), b = root(next->value);
      if (a == b) return false;
      tree_[a] = b;
    }
    for (std::uint32_t s = 0; s < tree_.size(); ++s) tree_[s] = root(s);
    return true;
  }

  /// Hands packets on from a switch that they come into by `in`, on each lane of each link once.
  template <class Visit>
  void spread(const fabric::MulticastGroup& group, SwitchId entered, PortNum by, Visit&& visit) {
    std::vector<std::tuple<SwitchId, PortNum, std::size_t>> waiting{
        {entered, by, kNone}};  // the channel before
    while (!waiting.empty()) {
      const auto [sw, in, before] = waiting.back();
      waiting.pop_back();
      for (const PortId port : ports_on(group, sw)) {
        const auto next = behind(port);
        const PortNum out = fabric_.port(port).number;
        if (!next || out == in) continue;
        const std::uint8_t vl = of_.tables.vl(sw, in, out, group.sl);
        if (width_ > 1 && vl >= vls_[port.index()]) continue;
        if (before != kNone) visit(before, index({port, vl}));
        if ((std::exchange(lanes_[port.index()], lanes_[port.index()] | 1U << vl) >> vl & 1U) != 0) continue;
        waiting.emplace_back(*next, fabric_.port(fabric_.port(port).peer).number, index({port, vl}));
      }
    }
  }

  static constexpr std::size_t kLanes = 16, kNone = ~std::size_t{0};

  /// Data VLs of the link behind a port: what both ends are capable of, and at most what is configured.
  std::uint8_t data_vls(PortId port) const {
    constexpr std::array<std::uint8_t, 6> kVls{15, 1, 2, 4, 8, 15};
    const auto vls = [&](std::uint8_t code) { return kVls[code < kVls.size() ? code : 0]; };
    const fabric::Port& near = fabric_.port(port);
    const std::uint8_t own = std::min(vls(near.vl_cap), vls(of_.max_op_vls));
    return near.peer.is_none() ? own : std::min(own, vls(fabric_.port(near.peer).vl_cap));
  }
  /// The lane of the link of an end port on which its packets of a service level start.
  std::uint8_t vl_of(PortId end, std::uint8_t sl) const {
    return of_.tables.sl2vl.empty() ? fabric::kIdentitySl2Vl[sl] : of_.tables.sl2vl.end_port(end)[sl];
  }
  /// Packets of one end port and of another one take the same lanes, whatever their service level is.
  bool are_alike(const fabric::EndPort& a, const fabric::EndPort& b) const {
    if (of_.sl || a.sw != b.sw || vls_[a.port.index()] != vls_[b.port.index()]) return false;
    const fabric::Sl2VlTables& maps = of_.tables.sl2vl;
    if (maps.empty()) return true;
    const std::size_t width = fabric_.node(a.sw).num_ports + std::size_t{1};
    const auto ids = maps.ids(a.sw);
    return maps.end_port(a.port) == maps.end_port(b.port) &&
           std::ranges::equal(ids.subspan(a.attach.index() * width, width),
                              ids.subspan(b.attach.index() * width, width));
  }

  template <class Visit>
  bool follow(const fabric::EndPort& from, std::uint8_t sl, Lid lid, PortId owner, Visit&& visit) {
    SwitchId sw = from.sw;
    PortNum in = from.attach;
    path_.clear();
    bool reached = false;
    std::size_t lost = 0;  // cells of the path up to the last lane that does not exist
    for (std::size_t before = kNone;;) {
      const PortNum out(of_.tables.lfts.at(sw, lid));
      if (out == PortNum(0)) reached = fabric_.port_id(sw, out) == owner;
      if (out == PortNum(0) || out.value > fabric_.node(sw).num_ports) break;
      const PortId port = fabric_.port_id(sw, out), peer = fabric_.port(port).peer;
      const std::uint8_t vl = of_.tables.vl(sw, in, out, sl);
      const bool has_lane = vl < vls_[port.index()];
      if (peer.is_none() || (!has_lane && width_ > 1)) break;
      const auto next = fabric_.switch_id(fabric_.port(peer).node);
      if (!next) reached = has_lane && peer == owner;
      if (!next) break;
      const std::size_t now = index({port, vl});
      if (before != kNone) visit(before, now);
      const std::size_t cell = sw.index() * cells_ + (same_lane_ ? 0 : std::size_t{sl} * kLanes + vl);
      if (seen_[cell] == round_) reached = lost_[cell] == 0;
      if (seen_[cell] == round_) break;
      // Until it is known better: a packet that comes back here is lost.
      seen_[cell] = round_, lost_[cell] = 1;
      path_.push_back(cell);
      if (!has_lane) lost = path_.size();
      before = now, sw = *next, in = fabric_.port(peer).number;
    }
    for (std::size_t i = 0; i < path_.size(); ++i) lost_[path_[i]] = reached && i >= lost ? 0 : 1;
    return reached && lost == 0;
  }

  const Tables& of_;
  const fabric::Fabric& fabric_;
  const std::size_t width_;  ///< channels of a port
  const bool same_lane_;     ///< all packets have one service level, which is their virtual lane
  const std::size_t cells_;
  std::vector<std::uint8_t> vls_;                         ///< data VLs by port
  std::vector<fabric::EndPort> ends_;                     ///< with a LID
  std::vector<std::span<const fabric::EndPort>> starts_;  ///< end ports that are alike, side by side
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> seen_;  ///< round in which a cell was met
  std::vector<std::uint8_t> lost_;
  std::vector<std::size_t> path_;
  std::vector<std::uint8_t> sls_;
  std::vector<std::uint32_t> tree_;   ///< by switch, of the group that was looked at last
  std::vector<std::uint32_t> lanes_;  ///< by port of the group: lanes that its packets take
};

}  // namespace rch::certificate
