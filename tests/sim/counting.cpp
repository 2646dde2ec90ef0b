#include "sim/counting.h"

#include <fmt/format.h>

namespace rch::sim::test {
namespace {

using perfmgr::Counter;
using perfmgr::Totals;

constexpr Counter kCounted[] = {Counter::xmit_data, Counter::symbol_errors, Counter::link_downed,
                                Counter::local_link_integrity_errors};
constexpr std::uint64_t kMost[] = {500'000'000, 10'000, 40, 3};

/// A port of the fabric, by its name in totals.
PortId find(const fabric::Fabric& fabric, const perfmgr::PortKey& key) {
  return fabric.port_id(*fabric.find_node(key.node), key.number);
}

}  // namespace

Counting::Counting(SimulatedFabric& simulated, const fabric::Fabric& fabric, std::uint64_t seed)
    : simulated_(simulated), fabric_(fabric), draw_(seed ^ 0xC0FFEE) {
  settings_.enabled = seed % 2 == 0;
  settings_.sweep_time = std::chrono::seconds(1 + draw_.below(20));
  for (PerformanceAgent& agent : simulated_.performance_agents) {
    agent.abilities = {.wide = draw_.below(2) == 0, .xmit_wait = draw_.below(2) == 0};
    agent.has_class_port_info = draw_.below(8) != 0;
  }
  simulated_.lose_performance = [this](const SimulatedFabric::PerformanceVisit&) {
    return draw_.below(1000) < lost_;
  };
}

void Counting::count(PortId port, Counter counter, std::uint64_t times) {
  simulated_.counting[port.index()].count(counter, times);
  counted_[{port, static_cast<std::size_t>(counter)}] += times;
}

void Counting::act(std::uint64_t lost) {
  lost_ = lost;
  for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p)
    for (std::size_t c = 0; c < std::size(kCounted); ++c)
      if (draw_.below(4) == 0) count(PortId(p), kCounted[c], draw_.below(kMost[c]));
}

void Counting::count_all() {
  before_ = shown_;
  for (std::uint32_t p = 0; p < fabric_.ports().size(); ++p) count(PortId(p), Counter::symbol_errors, 1);
}

void Counting::forget_gone(const perfmgr::PerformanceManager& manager) {
  const auto totals = manager.totals();
  if (totals)
    std::erase_if(shown_[&manager], [&](const auto& port) { return !totals->find(port.first.first); });
}

std::string Counting::fault_of(const perfmgr::PerformanceManager& manager) {
  const auto totals = manager.totals();
  if (!totals) {
    forget(manager);  // it begins anew when it is master again
    return {};
  }
  forget_gone(manager);
  Shown& shown = shown_[&manager];
  for (std::size_t row = 0; row < totals->ports().size(); ++row) {
    const perfmgr::PortKey& key = totals->ports()[row].key;
    for (const Counter counter : kCounted) {
      const auto c = static_cast<std::size_t>(counter);
      const std::uint64_t total = totals->get(counter, row);
      if (total == Totals::kUnknown) continue;
      std::uint64_t& before = shown[{key, c}];
      const std::uint64_t counted = counted_[{find(fabric_, key), c}];
      if (total < before)
        return fmt::format("a total of {} port {} fell from {} to {}", key.node, key.number, before, total);
      if (total > counted)
        return fmt::format("a total of {} port {} is {}, and {} were counted", key.node, key.number, total,
                           counted);
      before = total;
    }
  }
  return {};
}

std::string Counting::fault_at_end(const perfmgr::PerformanceManager& manager,
                                   const perfmgr::View& installed) const {
  const auto totals = manager.totals();
  if (!totals) return settings_.enabled ? "a master reads no counters" : "";
  if (manager.counters().silent > 0) return "agents are silent without loss";
  static const Shown kNothing;
  const auto known = before_.find(&manager);
  const Shown& before = known == before_.end() ? kNothing : known->second;
  for (const perfmgr::Agent& agent : agents_of(installed, true))
    for (const PortNum number : agent.ports) {
      const auto row = totals->find({agent.node, number});
      const auto was = before.find({{agent.node, number}, static_cast<std::size_t>(Counter::symbol_errors)});
      if (!row || was == before.end() || totals->get(Counter::symbol_errors, *row) != was->second + 1)
        return fmt::format("an error of {} port {} is not counted", agent.node, number);
    }
  return {};
}

}  // namespace rch::sim::test
