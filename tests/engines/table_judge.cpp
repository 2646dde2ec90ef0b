#include "table_judge.h"

#include <map>
#include <set>

#include <fmt/format.h>

namespace rch::test {
namespace {

using Channel = std::pair<std::uint32_t, unsigned>;  ///< switch, port

/// Depth first; returns the channels of the first cycle found.
class CycleSearch {
 public:
  explicit CycleSearch(const std::map<Channel, std::set<Channel>>& next) : next_(next) {}

  std::string find() {
    for (const auto& [channel, unused] : next_)
      if (std::string found = visit(channel); !found.empty()) return found;
    return "";
  }

 private:
  std::string visit(const Channel& channel) {
    int& mark = marks_[channel];
    if (mark == 1) return fmt::format("{}.{}", channel.first, channel.second);
    if (mark == 2) return "";
    mark = 1;
    if (const auto it = next_.find(channel); it != next_.end())
      for (const Channel& to : it->second)
        if (std::string found = visit(to); !found.empty())
          return fmt::format("{}.{} {}", channel.first, channel.second, found);
    marks_[channel] = 2;
    return "";
  }

  const std::map<Channel, std::set<Channel>>& next_;
  std::map<Channel, int> marks_;  ///< 1 on the way, 2 done
};

}  // namespace

Lid switch_lid(const fabric::Fabric& fabric, std::uint32_t s) {
  return fabric.port(fabric.port_id(SwitchId(s), PortNum(0))).lid;
}

std::optional<std::vector<SwitchId>> path(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                                          SwitchId from, Lid lid) {
  const auto owner = fabric.lid_owner(lid);
  std::vector<SwitchId> visited{from};
  while (visited.size() <= fabric.switch_count()) {
    const std::uint8_t out = lfts.at(visited.back(), lid);
    if (out > fabric.node(visited.back()).num_ports) return std::nullopt;
    const PortId port = fabric.port_id(visited.back(), PortNum(out));
    if (out == 0) return port == owner ? std::optional(visited) : std::nullopt;
    const PortId peer = fabric.port(port).peer;
    if (peer.is_none()) return std::nullopt;
    if (peer == owner) return visited;
    const auto next = fabric.switch_id(fabric.port(peer).node);
    if (!next) return std::nullopt;
    visited.push_back(*next);
  }
  return std::nullopt;
}

std::string credit_cycle(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                         const PathFilter& judged) {
  std::map<Channel, std::set<Channel>> next;
  for (std::uint16_t lid = 1; lid <= fabric.max_lid().value; ++lid) {
    if (!fabric.lid_owner(Lid(lid))) continue;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (!judged(SwitchId(s), Lid(lid))) continue;
      const auto visited = path(fabric, lfts, SwitchId(s), Lid(lid));
      if (!visited) continue;
      for (std::size_t i = 0; i + 2 < visited->size(); ++i) {
        const SwitchId a = (*visited)[i], b = (*visited)[i + 1];
        next[{a.value, lfts.at(a, Lid(lid))}].insert({b.value, lfts.at(b, Lid(lid))});
      }
    }
  }
  return CycleSearch(next).find();
}

std::string credit_cycle(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                         bool with_switches) {
  return credit_cycle(fabric, lfts, [&](SwitchId from, Lid to) {
    const bool to_switch = fabric.switch_id(fabric.port(*fabric.lid_owner(to)).node).has_value();
    return with_switches || (!to_switch && !fabric.end_ports_of(from).empty());
  });
}

}  // namespace rch::test
