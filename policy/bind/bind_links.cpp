#include "policy/bind/bind_links.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/lint/rules/bind.h"

namespace rch::policy {
namespace {

/// Cables with the same thing to say.
struct Cables {
  std::size_t count = 0;
  PortId first, peer;  ///< ends of the first of them
};

class LinkCheck {
 public:
  LinkCheck(const BoundPolicy& bound, Diagnostics& diagnostics)
      : bound_(bound), fabric_(*bound.fabric), diagnostics_(diagnostics) {
    const auto& steps = bound.policy->steps;
    for (std::size_t t = 0; t < bound.topologies.size(); ++t)
      if (steps.empty() || std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
            return step.topology == bound.policy->topologies[t].id;
          }))
        used_.push_back(t);
  }

  void run() {
    if (used_.empty()) return;
    for (std::size_t p = 0; p < fabric_.ports().size(); ++p) {
      const auto port = PortId(static_cast<std::uint32_t>(p));
      const PortId peer = fabric_.port(port).peer;
      if (peer.is_none() || peer < port) continue;
      if (fabric_.is_switch(fabric_.port(port).node) && fabric_.is_switch(fabric_.port(peer).node))
        check(port, peer);
    }
    for (const auto& [topology, cables] : half_) report_half(topology, cables);
    for (const auto& [pair, cables] : between_) report_between(pair.first, pair.second, cables);
  }

 private:
  bool has(std::size_t topology, PortId port) const { return bound_.topologies[topology].contains(port); }
  bool has_switch_of(std::size_t topology, PortId port) const {
    return has(topology, fabric_.port_id(fabric_.port(port).node, PortNum(0)));
  }

  void check(PortId port, PortId peer) {
    std::optional<std::size_t> here, there;  // the first topology of each switch
    bool together = false;
    for (const std::size_t t : used_) {
      const bool near = has_switch_of(t, port), far = has_switch_of(t, peer);
      if (near && !here) here = t;
      if (far && !there) there = t;
      together = together || (near && far);
      if (near && far && has(t, port) != has(t, peer)) add(half_[t], port, peer);
    }
    if (here && there && !together) add(between_[std::minmax(*here, *there)], port, peer);
  }

  static void add(Cables& cables, PortId port, PortId peer) {
    if (cables.count++ == 0) cables.first = port, cables.peer = peer;
  }

  std::string describe(PortId id) const {
    const fabric::Port& port = fabric_.port(id);
    const fabric::Node& node = fabric_.node(port.node);
    return fmt::format("`{}` ({}) port {}", node.name(), node.guid, port.number);
  }

  void report_half(std::size_t t, const Cables& cables) {
    const Topology& topology = bound_.policy->topologies[t];
    const bool near = has(t, cables.first);
    diagnostics_
        .add(kHalfLink, topology.span,
             fmt::format("topology {} has {} at one end only, first {} without {}", topology.id,
                         counted(cables.count, "cable"), describe(near ? cables.first : cables.peer),
                         describe(near ? cables.peer : cables.first)))
        .hint = "a step uses a cable when both its ports are in `sw-grp`";
  }

  void report_between(std::size_t left, std::size_t right, const Cables& cables) {
    const auto& topologies = bound_.policy->topologies;
    Diagnostic& d =
        diagnostics_.add(kLinkBetween, topologies[right].span,
                         fmt::format("{} between topologies {} and {}, in neither of them, first {} to {}",
                                     counted(cables.count, "cable"), topologies[left].id,
                                     topologies[right].id, describe(cables.first), describe(cables.peer)));
    d.labels.push_back({topologies[left].span, "the other topology"});
    d.hint = "only steps on the whole fabric route over them";
  }

  const BoundPolicy& bound_;
  const fabric::Fabric& fabric_;
  Diagnostics& diagnostics_;
  std::vector<std::size_t> used_;  ///< indices of topologies
  std::map<std::size_t, Cables> half_;
  std::map<std::pair<std::size_t, std::size_t>, Cables> between_;
};

}  // namespace

void check_links(const BoundPolicy& bound, Diagnostics& diagnostics) { LinkCheck(bound, diagnostics).run(); }

}  // namespace rch::policy
