#include "whatif/damage.h"

#include <algorithm>
#include <utility>

#include "fabric/fabric_builder.h"

namespace rch::whatif {
namespace {

using fabric::Fabric;

/// Marks what is gone of a fabric, without a fabric of its own.
class Ruin {
 public:
  Ruin(const Fabric& whole, const Failure& failure)
      : whole_(whole), failed_(whole.nodes().size()), cut_(whole.ports().size()), present_(failed_.size()) {
    for (const PortId cable : failure.cables) cut(cable);
    for (const NodeId node : failure.nodes) {
      failed_[node.index()] = true;
      for_cables(node, [&](PortId port) { cut(port); });
    }
    // What hung on a failed part is counted before more cables are taken out.
    failed_cables_ = cut_;
    find_parts();
    keep_largest();
  }

  Result<Damage> build() const {
    auto fabric = loses_nodes() ? without_nodes() : without_cables();
    if (!fabric) return tl::unexpected(fabric.error());
    Damage damage{std::move(*fabric), {}, 0, false};
    for (const fabric::EndPort& end : whole_.end_ports()) {
      if (failed_[whole_.port(end.port).node.index()] || is_in(end.port)) continue;
      damage.cut_off.push_back(end.port);
      damage.cut_off_beyond += failed_cables_[end.port.index()] ? 0U : 1U;
    }
    std::ranges::sort(damage.cut_off);
    if (const auto origin = whole_.origin()) damage.manager_cut_off = !is_in(*origin);
    return damage;
  }

 private:
  static constexpr std::uint32_t kNoPart = 0xFFFFFFFF;

  template <class F>
  void for_cables(NodeId id, const F& f) const {
    const fabric::Node& node = whole_.node(id);
    for (std::uint32_t p = 1; p <= node.num_ports; ++p)
      if (const PortId port(node.first_port.value + p); has_cable(port)) f(port);
  }
  bool has_cable(PortId port) const { return !whole_.port(port).peer.is_none() && !cut_[port.index()]; }
  void cut(PortId port) {
    cut_[port.index()] = true;
    cut_[whole_.port(port).peer.index()] = true;
  }

  /// Numbers the parts of the switches that are left.
  void find_parts() {
    part_.assign(whole_.switch_count(), kNoPart);
    std::vector<std::uint32_t> todo;
    for (std::uint32_t first = 0; first < part_.size(); ++first) {
      if (failed_[first] || part_[first] != kNoPart) continue;
      part_[first] = parts_;
      for (todo = {first}; !todo.empty();) {
        const std::uint32_t sw = todo.back();
        todo.pop_back();
        for_cables(NodeId(sw), [&](PortId port) {
          const NodeId next = whole_.port(whole_.port(port).peer).node;
          if (!whole_.is_switch(next) || part_[next.index()] != kNoPart) return;
          part_[next.index()] = parts_;
          todo.push_back(next.value);
        });
      }
      ++parts_;
    }
  }

  std::uint32_t part_of_port(PortId id) const {
    const fabric::Port& port = whole_.port(id);
    if (whole_.is_switch(port.node)) return part_[port.node.index()];
    if (!has_cable(id)) return kNoPart;
    const NodeId peer = whole_.port(port.peer).node;
    return whole_.is_switch(peer) ? part_[peer.index()] : kNoPart;
  }

  void keep_largest() {
    std::vector<std::uint64_t> hosts(parts_);
    for (const fabric::EndPort& end : whole_.end_ports())
      if (const std::uint32_t part = part_of_port(end.port); part != kNoPart) ++hosts[part];
    const std::uint32_t home = whole_.origin() ? part_of_port(*whole_.origin()) : kNoPart;
    for (std::uint32_t part = 0; part < parts_; ++part)
      if (kept_ == kNoPart || std::pair(hosts[part], part == home) > std::pair(hosts[kept_], kept_ == home))
        kept_ = part;
    // A node without switches, two adapters back to back, has no part: nothing of it stays.
    for (std::uint32_t n = 0; n < present_.size(); ++n) {
      bool is_present = n < part_.size() && part_[n] == kept_ && kept_ != kNoPart;
      if (n >= part_.size() && !failed_[n])
        for_cables(NodeId(n), [&](PortId port) {
          is_present = is_present || (kept_ != kNoPart && part_of_port(port) == kept_);
        });
      present_[n] = is_present;
    }
  }

  bool is_in(PortId port) const { return kept_ != kNoPart && part_of_port(port) == kept_; }
  bool loses_nodes() const {
    return std::ranges::any_of(present_, [](bool present) { return !present; });
  }

  /// The same nodes with the same ids.
  Result<Fabric> without_cables() const {
    std::vector<fabric::Port> ports(whole_.ports().begin(), whole_.ports().end());
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (!cut_[p]) continue;
      ports[p].peer = PortId::none();
      ports[p].state = fabric::PortState::down;
      ports[p].width = fabric::LinkWidth::unknown;
      ports[p].speed = fabric::LinkSpeed::unknown;
    }
    return fabric::with_ports(whole_, std::move(ports));
  }

  Result<Fabric> without_nodes() const {
    fabric::FabricBuilder builder(whole_);
    const auto handle = [](NodeId node) { return fabric::FabricBuilder::Handle(node.value); };
    for (std::uint32_t p = 0; p < cut_.size(); ++p) {
      const fabric::Port& port = whole_.port(PortId(p));
      if (cut_[p]) builder.disconnect(handle(port.node), port.number);
    }
    for (std::uint32_t n = 0; n < present_.size(); ++n)
      if (!present_[n]) builder.remove(handle(NodeId(n)));
    return std::move(builder).build();
  }

  const Fabric& whole_;
  std::vector<bool> failed_;         ///< by node: it is a part that fails
  std::vector<bool> cut_;            ///< by port: without a cable now
  std::vector<bool> failed_cables_;  ///< of these, by the failure itself
  std::vector<bool> present_;        ///< by node: in the part that is kept
  std::vector<std::uint32_t> part_;  ///< by switch
  std::uint32_t parts_ = 0, kept_ = kNoPart;
};

}  // namespace

Result<Damage> damaged(const Fabric& whole, const Failure& failure) { return Ruin(whole, failure).build(); }

}  // namespace rch::whatif
