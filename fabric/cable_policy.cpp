#include "fabric/cable_policy.h"

#include <algorithm>

#include <fmt/format.h>

#include "fabric/fabric_builder.h"

namespace rch::fabric {
namespace {

std::string describe_end(Guid node, PortNum port) { return fmt::format("port {} of {}", port, node); }

bool names(const CableEntry& entry, const CablePort& far) {
  return entry.peer_port == far.port && (entry.peer == far.node || entry.peer == far.port_guid);
}

CablePort end_of(const Fabric& fabric, PortId id) {
  const Port& port = fabric.port(id);
  return {fabric.node(port.node).guid, port.number, fabric.is_switch(port.node) ? Guid{} : port.guid};
}

/// Marks the cables that stay, then the nodes that they join to where the fabric is seen.
class Admission {
 public:
  Admission(const Fabric& fabric, const CablePolicy& policy)
      : fabric_(fabric), policy_(policy), is_out_(fabric.ports().size()), kept_(fabric.nodes().size()) {}

  Result<Admitted> run() {
    judge_cables();
    judge_own_switch();
    if (policy_.entries() && used_ == 0 && std::ranges::find(is_out_, true) != is_out_.end())
      return fail(ErrorKind::invalid, std::string(kListFitsNothing));
    keep_joined();
    name_cables();
    FabricBuilder builder(fabric_);
    const auto handle = [](NodeId node) { return FabricBuilder::Handle(node.value); };
    for (std::uint32_t p = 0; p < is_out_.size(); ++p)
      if (is_out_[p])
        builder.disconnect(handle(fabric_.port(PortId(p)).node), fabric_.port(PortId(p)).number);
    for (std::uint32_t n = 0; n < kept_.size(); ++n)
      if (!kept_[n]) builder.remove(handle(NodeId(n)));
    auto built = std::move(builder).build();
    if (!built) return tl::unexpected(built.error());
    std::vector<Guid> absent;
    for (const Guid guid : policy_.held_back())
      if (!fabric_.find_node(guid)) absent.push_back(guid);
    return Admitted{std::move(*built), std::move(left_out_), std::move(own_cable_), std::move(absent)};
  }

 private:
  /// The cable over which the fabric is seen.
  bool is_ours(PortId a, PortId b) const {
    const auto origin = fabric_.origin();
    return origin && (a == *origin || b == *origin);
  }

  /// A switch that the fabric is seen over is not held back.
  Guid spared_switch() const {
    const auto origin = fabric_.origin();
    if (!origin) return {};
    const Port& own = fabric_.port(*origin);
    if (fabric_.is_switch(own.node)) return fabric_.node(own.node).guid;
    return own.peer.is_none() ? Guid{} : fabric_.node(fabric_.port(own.peer).node).guid;
  }

  std::string objection(PortId near, Guid spared) const {
    return policy_.objection(end_of(fabric_, near), end_of(fabric_, fabric_.port(near).peer), spared);
  }

  void judge_cables() {
    for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p) {
      const PortId near(p), far = fabric_.port(near).peer;
      if (far.is_none() || far < near) continue;
      const bool stays = objection(near, spared_switch()).empty();
      if (stays) ++used_;
      if (is_ours(near, far))
        judge_own_cable(far == *fabric_.origin() ? far : near);
      else if (!stays)
        is_out_[near.index()] = is_out_[far.index()] = true;
    }
  }

  /// It stays. So does the switch that it leads to, which may be held back.
  void judge_own_cable(PortId own) {
    if (!objection(own, {}).empty()) own_cable_ = quarantined(own, {});
  }

  /// Where the fabric is seen at a switch itself.
  void judge_own_switch() {
    const auto origin = fabric_.origin();
    if (!origin || !fabric_.is_switch(fabric_.port(*origin).node)) return;
    const Node& own = fabric_.node(fabric_.port(*origin).node);
    if (!policy_.held_back().contains(own.guid)) return;
    own_cable_ = Quarantined{.node = own.guid,
                             .port = PortNum(0),
                             .place = fmt::format("`{}` ({})", own.name(), own.guid),
                             .reason = std::string(kIsHeldBack),
                             .answers = true,
                             .excluded = true};
  }

  /// Each cable that is taken out of what stays, at an end that stays; at that of a switch, as it says more
  /// of where the cable is.
  void name_cables() {
    const auto stays = [&](PortId end) { return bool{kept_[fabric_.port(end).node.index()]}; };
    for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p) {
      const PortId near(p), far = fabric_.port(near).peer;
      if (!is_out_[p] || far < near || (!stays(near) && !stays(far))) continue;
      const bool turns = !stays(near) || (stays(far) && !fabric_.is_switch(fabric_.port(near).node));
      left_out_.push_back(quarantined(turns ? far : near, spared_switch()));
    }
  }

  Quarantined quarantined(PortId at, Guid spared) const {
    const Port& port = fabric_.port(at);
    const Node& node = fabric_.node(port.node);
    return {node.guid,
            port.number,
            fmt::format("`{}` port {} ({})", node.name(), port.number, node.guid),
            objection(at, spared).substr(1),
            true,
            true};
  }

  /// Calls body(node) for what cables join to `first`; `also_out`: over those that are taken out, too.
  template <class Body>
  void for_joined(NodeId first, bool also_out, std::vector<bool>& seen, Body&& body) const {
    std::vector<NodeId> open{first};
    seen[first.index()] = true;
    while (!open.empty()) {
      const NodeId at = open.back();
      open.pop_back();
      body(at);
      for (unsigned p = 1; p <= fabric_.node(at).num_ports; ++p) {
        const PortId id = fabric_.port_id(at, PortNum(static_cast<std::uint8_t>(p)));
        const PortId peer = fabric_.port(id).peer;
        if (peer.is_none() || (is_out_[id.index()] && !also_out)) continue;
        const NodeId next = fabric_.port(peer).node;
        if (seen[next.index()]) continue;
        seen[next.index()] = true;
        open.push_back(next);
      }
    }
  }

  /// Keeps, of each part that cables joined before, the largest one that listed cables join.
  void keep_joined() {
    std::vector<bool> seen(kept_.size()), seen_inside(kept_.size());
    for (std::uint32_t n = 0; n < kept_.size(); ++n) {
      if (seen[n]) continue;
      std::vector<NodeId> whole;
      for_joined(NodeId(n), true, seen, [&](NodeId node) { whole.push_back(node); });
      std::vector<NodeId> best;
      for (const NodeId first : whole) {
        if (seen_inside[first.index()]) continue;
        std::vector<NodeId> part;
        for_joined(first, false, seen_inside, [&](NodeId node) { part.push_back(node); });
        if (best.empty() || is_better(part, best)) best = std::move(part);
      }
      for (const NodeId node : best) kept_[node.index()] = true;
    }
  }

  bool is_better(const std::vector<NodeId>& part, const std::vector<NodeId>& best) const {
    const auto has_origin = [&](const std::vector<NodeId>& nodes) {
      const auto origin = fabric_.origin();
      return origin && std::ranges::find(nodes, fabric_.port(*origin).node) != nodes.end();
    };
    if (has_origin(best)) return false;
    return has_origin(part) || part.size() > best.size();
  }

  const Fabric& fabric_;
  const CablePolicy& policy_;
  std::vector<bool> is_out_;  ///< by port: its cable is taken out
  std::vector<bool> kept_;    ///< by node
  std::size_t used_ = 0;      ///< cables that may be used
  std::vector<Quarantined> left_out_;
  std::optional<Quarantined> own_cable_;
};

}  // namespace

std::string_view name_of(ListedState state) {
  switch (state) {
    case ListedState::active:
      return "Active";
    case ListedState::disabled:
      return "Disabled";
    default:
      return "No-discover";
  }
}

CablePolicy::CablePolicy(std::optional<std::vector<CableEntry>> entries, std::set<Guid> held_back)
    : entries_(std::move(entries)), held_back_(std::move(held_back)) {
  if (!entries_) return;
  for (const CableEntry& entry : *entries_) by_port_.try_emplace({entry.node, entry.port}, entry);
  for (const CableEntry& entry : *entries_)
    if (entry.peer.value != 0)
      by_port_.try_emplace({entry.peer, entry.peer_port},
                           CableEntry{entry.peer, entry.peer_port, entry.node, entry.port, entry.state});
}

const CableEntry* CablePolicy::find(const CablePort& end) const {
  for (const Guid guid : {end.node, end.port_guid})
    if (const auto found = by_port_.find({guid, end.port}); found != by_port_.end()) return &found->second;
  return nullptr;
}

std::string CablePolicy::bar(const CablePort& near) const {
  const CableEntry* entry = find(near);
  if (entry == nullptr || entry->state == ListedState::active) return {};
  return fmt::format(" is `{}` in the list of cables", name_of(entry->state));
}

std::string CablePolicy::objection_to_unknown(const CablePort& near) const {
  if (!entries_ || find(near) != nullptr) return {};
  return " is not in the list of cables; what is behind it does not answer as it must";
}

std::string CablePolicy::objection(const CablePort& near, const CablePort& far, Guid spared) const {
  const auto is_held_back = [&](Guid node) { return node != spared && held_back_.contains(node); };
  if (is_held_back(far.node)) return fmt::format(" leads to {}, which is held back", far.node);
  if (is_held_back(near.node)) return " is one of a switch that is held back";
  if (!entries_) return {};
  if (std::string barred = bar(near); !barred.empty()) return barred;
  if (std::string barred = bar(far); !barred.empty())
    return fmt::format(" leads to {}, which{}", describe_end(far.node, far.port), barred);
  const CableEntry *listed = find(near), *listed_far = find(far);
  const std::string leads = fmt::format(" leads to {}", describe_end(far.node, far.port));
  if (listed == nullptr && listed_far == nullptr) return leads + ": the cable is not in the list of cables";
  if (listed != nullptr && !names(*listed, far))
    return leads +
           fmt::format(": the list of cables has {} there", describe_end(listed->peer, listed->peer_port));
  if (listed_far != nullptr && !names(*listed_far, near))
    return leads + fmt::format(": the list of cables has {} there",
                               describe_end(listed_far->peer, listed_far->peer_port));
  return {};
}

Result<Admitted> admit(const Fabric& fabric, const CablePolicy& policy) {
  return Admission(fabric, policy).run();
}

Result<std::vector<NodeId>> taken_out(const Fabric& fabric, const CablePolicy& policy) {
  const auto admitted = admit(fabric, policy);
  if (!admitted) return tl::unexpected(admitted.error());
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < fabric.nodes().size(); ++n)
    if (!admitted->fabric.find_node(fabric.node(NodeId(n)).guid)) nodes.emplace_back(n);
  return nodes;
}

}  // namespace rch::fabric
