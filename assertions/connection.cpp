#include "assertions/connection.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "isolation/installed_pkeys.h"

namespace rch::assertions {
namespace {

/// The switches of a fabric without some part of it.
class Reach {
 public:
  Reach(const fabric::Fabric& fabric, std::span<const PortId> between)
      : fabric_(fabric), mark_(fabric.switch_count()), entered_by_(fabric.switch_count()) {
    for (const PortId port : between) {
      const PortId at =
          fabric.is_switch(fabric.port(port).node) ? port : isolation::switch_port_of(fabric, port);
      if (!at.is_none())
        ports_.emplace_back(*fabric.switch_id(fabric.port(at).node), port);
      else if (detached_.is_none())
        detached_ = port;
    }
  }

  /// The first port that hangs on no switch.
  PortId detached() const { return detached_; }

  /// A pair of the ports that nothing joins; the switch `without` and the cable of the port `cut` are
  /// missing.
  std::optional<std::pair<PortId, PortId>> separated(SwitchId without, PortId cut) {
    std::optional<std::pair<SwitchId, PortId>> first;
    for (const auto& [sw, port] : ports_) {
      if (sw == without) continue;
      if (!first) {
        first = {sw, port};
        walk(sw, without, cut);
      }
      if (mark_[sw.index()] != round_) return std::pair(first->second, port);
    }
    return std::nullopt;
  }

  /// By switch: the port on the other side of the cable by which the last walk came; none of where it began.
  const std::vector<PortId>& entered_by() const { return entered_by_; }

 private:
  void walk(SwitchId from, SwitchId without, PortId cut) {
    ++round_;
    std::vector<SwitchId> waiting{from};
    mark_[from.index()] = round_;
    entered_by_.assign(entered_by_.size(), PortId::none());
    while (!waiting.empty()) {
      const SwitchId sw = waiting.back();
      waiting.pop_back();
      for (const fabric::Neighbor& next : fabric_.graph().neighbors(sw)) {
        if (next.sw == without || mark_[next.sw.index()] == round_) continue;
        for (const fabric::SwitchLink& link : fabric_.graph().links(next)) {
          const PortId out = fabric_.port_id(sw, link.out);
          if (out == cut || fabric_.port(out).peer == cut) continue;
          mark_[next.sw.index()] = round_;
          entered_by_[next.sw.index()] = out;
          waiting.push_back(next.sw);
          break;
        }
      }
    }
  }

  const fabric::Fabric& fabric_;
  std::vector<std::uint32_t> mark_;
  std::vector<PortId> entered_by_;
  std::uint32_t round_ = 0;
  std::vector<std::pair<SwitchId, PortId>> ports_;
  PortId detached_ = PortId::none();
};

std::string name(const fabric::Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  return fmt::format("`{}` port {}", fabric.node(port.node).name(), port.number);
}

std::string sentence(const fabric::Fabric& fabric, std::string_view part, std::pair<PortId, PortId> pair) {
  return fmt::format("without {} no cables join {} and {}", part, name(fabric, pair.first),
                     name(fabric, pair.second));
}

/// Says why some ports are apart although no cable and no switch fails; empty if none are.
std::string apart_as_it_is(const fabric::Fabric& fabric, Reach& reach) {
  if (!reach.detached().is_none())
    return fmt::format("{} hangs on no switch", name(fabric, reach.detached()));
  const auto pair = reach.separated(SwitchId::none(), PortId::none());
  return pair ? fmt::format("no cables join {} and {} as it is", name(fabric, pair->first),
                            name(fabric, pair->second))
              : std::string();
}

}  // namespace

std::string cut_by_a_cable(const fabric::Fabric& fabric, std::span<const PortId> between) {
  Reach reach(fabric, between);
  if (auto apart = apart_as_it_is(fabric, reach); !apart.empty()) return apart;
  // Only a cable of a tree that spans the fabric can be needed.
  for (const PortId cable : std::vector<PortId>(reach.entered_by())) {
    if (cable.is_none()) continue;
    if (const auto pair = reach.separated(SwitchId::none(), cable))
      return sentence(fabric, fmt::format("the cable of {}", name(fabric, cable)), *pair);
  }
  return "";
}

std::string cut_by_a_switch(const fabric::Fabric& fabric, std::span<const PortId> between) {
  Reach reach(fabric, between);
  if (auto apart = apart_as_it_is(fabric, reach); !apart.empty()) return apart;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    if (const auto pair = reach.separated(SwitchId(s), PortId::none()))
      return sentence(fabric, fmt::format("`{}`", fabric.node(SwitchId(s)).name()), *pair);
  return "";
}

}  // namespace rch::assertions
