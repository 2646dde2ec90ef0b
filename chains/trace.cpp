#include "chains/trace.h"

#include <utility>

#include "fabric/parts.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using fabric::Port;
using fabric::RoutingTables;

std::string named(const Fabric& fabric, NodeId id) {
  return fmt::format("`{}` ({})", fabric.node(id).name(), fabric.node(id).guid);
}

class Tracer {
 public:
  Tracer(const Fabric& fabric, const RoutingTables& tables, PortId source, Lid destination,
         std::optional<std::uint8_t> sl, const DataVls& data_vls)
      : fabric_(fabric), tables_(tables), data_vls_(data_vls), asked_(sl) {
    trace_.source = source;
    trace_.destination = destination;
  }

  Trace run() {
    const auto owner = fabric_.lid_owner(trace_.destination);
    if (!owner) return stop(fmt::format("no port owns LID {}", trace_.destination));
    if (*owner == trace_.source) return arrive();

    const Port& source = fabric_.port(trace_.source);
    PortId arrival = trace_.source;
    if (!fabric_.is_switch(source.node)) {
      arrival = source.peer;
      if (arrival.is_none())
        return stop(fmt::format("{} port {} has no link", named(fabric_, source.node), source.number));
    }
    if (const auto first = fabric_.switch_id(fabric_.port(arrival).node)) {
      trace_.sl = fabric::path_sl(fabric_, tables_, *first, trace_.destination);
      if (asked_)
        if (auto refused = ask(*first); !refused.empty()) return stop(std::move(refused));
    }
    if (arrival != trace_.source) {
      trace_.first_vl = tables_.sl2vl.empty() ? fabric::kIdentitySl2Vl[trace_.sl]
                                              : tables_.sl2vl.end_port(trace_.source)[trace_.sl];
      if (auto missing = missing_vl(trace_.source, trace_.first_vl); !missing.empty())
        return stop(std::move(missing));
    }
    if (auto apart = apart_from(fabric_.port(arrival).node, *owner); !apart.empty())
      return stop(std::move(apart));
    return follow(arrival, *owner);
  }

 private:
  /// Takes the SL asked for. Why it cannot be had; empty when it can.
  std::string ask(SwitchId first) {
    const auto granted = [&](std::uint8_t sl) {
      return fabric::path_sl_for(fabric_, tables_, first, trace_.destination, sl).value_or(sl);
    };
    if (granted(*asked_) != *asked_)
      return granted(15) == trace_.sl
                 ? fmt::format("the path has SL {}, not {}", trace_.sl, *asked_)
                 : fmt::format("the path has SL {} or {}, not {}", trace_.sl, granted(15), *asked_);
    trace_.sl = *asked_;
    return {};
  }

  /// Why no table could lead from `node` to `owner`; empty when cables join them.
  std::string apart_from(NodeId node, PortId owner) const {
    const Port& to = fabric_.port(owner);
    const NodeId end = fabric_.is_switch(to.node) || to.peer.is_none() ? to.node : fabric_.port(to.peer).node;
    const auto first = fabric_.switch_id(node), last = fabric_.switch_id(end);
    if (!first || !last) return {};
    const fabric::Parts parts = fabric::parts(fabric_.graph());
    if (parts.of[first->index()] == parts.of[last->index()]) return {};
    return fmt::format("no cable joins the parts of the fabric with {} and {}", named(fabric_, node),
                       named(fabric_, end));
  }

  Trace stop(std::string reason) {
    trace_.end = std::move(reason);
    return std::move(trace_);
  }
  Trace arrive() {
    trace_.reached = true;
    return std::move(trace_);
  }

  /// `at` is the port by which the packet has come to its node.
  Trace follow(PortId at, PortId owner) {
    for (std::size_t hops = 0; hops <= fabric_.switch_count(); ++hops) {
      if (at == owner) return arrive();
      const Port& port = fabric_.port(at);
      const auto sw = fabric_.switch_id(port.node);
      if (!sw)
        return stop(fmt::format("arrives at {}, which does not own LID {}", named(fabric_, port.node),
                                trace_.destination));
      const TraceHop& hop = add_hop(*sw, port.number);
      if (hop.out == PortNum(0)) {
        if (fabric_.port(owner).node == port.node) return arrive();
        return stop(
            fmt::format("{} delivers LID {} to itself", named(fabric_, port.node), trace_.destination));
      }
      if (auto dead = dead_end(hop, port.node); !dead.empty()) return stop(std::move(dead));
      at = fabric_.port(fabric_.port_id(*sw, hop.out)).peer;
    }
    return stop(fmt::format("the tables send LID {} in a forwarding loop", trace_.destination));
  }

  const TraceHop& add_hop(SwitchId sw, PortNum in) {
    TraceHop hop{sw, in, PortNum(kNoPath), 0, std::nullopt};
    if (trace_.destination <= tables_.lfts.max_lid())
      hop.out = PortNum(tables_.lfts.at(sw, trace_.destination));
    if (hop.out.value <= fabric_.node(sw).num_ports) hop.vl = tables_.vl(sw, in, hop.out, trace_.sl);
    if (hop.out != PortNum(kNoPath) && !tables_.steps.empty())
      hop.step = tables_.steps[tables_.step_of(sw, trace_.destination)].id;
    trace_.hops.push_back(hop);
    return trace_.hops.back();
  }

  /// Why the packet cannot leave by the hop's port; empty when it can.
  std::string dead_end(const TraceHop& hop, NodeId node) const {
    if (hop.out == PortNum(kNoPath))
      return fmt::format("{} has no entry for LID {}", named(fabric_, node), trace_.destination);
    if (hop.out.value > fabric_.node(node).num_ports)
      return fmt::format("{} sends LID {} to port {}, which it does not have", named(fabric_, node),
                         trace_.destination, hop.out);
    if (fabric_.port(fabric_.port_id(node, hop.out)).peer.is_none())
      return fmt::format("{} sends LID {} to port {}, which has no link", named(fabric_, node),
                         trace_.destination, hop.out);
    if (hop.vl == 15)
      return fmt::format("{} drops SL {} from port {} to port {} (VL 15)", named(fabric_, node), trace_.sl,
                         hop.in, hop.out);
    return missing_vl(fabric_.port_id(node, hop.out), hop.vl);
  }

  /// Why a port cannot send on a VL; empty when it can.
  std::string missing_vl(PortId id, std::uint8_t vl) const {
    if (!data_vls_ || vl < data_vls_(id)) return {};
    return fmt::format("{} sends SL {} on VL {} of port {}, which has {} data VL{}",
                       named(fabric_, fabric_.port(id).node), trace_.sl, vl, fabric_.port(id).number,
                       data_vls_(id), data_vls_(id) == 1 ? "" : "s");
  }

  const Fabric& fabric_;
  const RoutingTables& tables_;
  const DataVls& data_vls_;
  std::optional<std::uint8_t> asked_;  ///< SL
  Trace trace_;
};

}  // namespace

Trace trace(const Fabric& fabric, const RoutingTables& tables, PortId source, Lid destination,
            std::optional<std::uint8_t> sl, const DataVls& data_vls) {
  return Tracer(fabric, tables, source, destination, sl, data_vls).run();
}

}  // namespace rch::chains
