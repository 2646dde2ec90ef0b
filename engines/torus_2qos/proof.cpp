#include "engines/torus_2qos/proof.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "base/text.h"
#include "engines/torus_2qos/destination_tree.h"
#include "engines/torus_2qos/intact_planes.h"

// The early turn around a missing switch is made only on routes to its plane (torus-2QoS(8)). So
// dependencies come in two parts: routes to intact planes are added ring by ring, routes to damaged planes
// one destination at a time.

namespace rch::engines::torus_2qos {
namespace {

struct Outcome {
  ChannelDependencies dependencies;
  std::size_t unroutable = 0;                                               ///< ordered pairs of switches
  std::pair<Position, Position> first{Position::none(), Position::none()};  ///< the first of them
};

void add_routes_to_damaged_planes(const Torus& torus, const RingTables& rings, unsigned vl_mask,
                                  Outcome& outcome) {
  const std::vector<bool> damaged = torus.damaged_planes();
  std::vector<Position> destinations;
  for (const Position p : torus.geometry().positions())
    if (damaged[torus.geometry().plane(p)] && torus.present(p)) destinations.push_back(p);
  std::mutex merging;
  parallel_ranges(destinations.size(), 32, [&](std::size_t begin, std::size_t end) {
    Outcome part{ChannelDependencies(torus.geometry())};
    DestinationTree tree(torus, rings, vl_mask, part.dependencies);
    for (std::size_t i = begin; i < end; ++i) {
      const std::vector<Position> lost = tree.add_routes_to(destinations[i]);
      if (lost.empty()) continue;
      part.unroutable += lost.size();
      part.first = std::min(part.first, {lost.front(), destinations[i]});
    }
    const std::scoped_lock lock(merging);
    outcome.dependencies |= part.dependencies;
    outcome.unroutable += part.unroutable;
    outcome.first = std::min(outcome.first, part.first);
  });
}

Outcome add_all_routes(const Torus& torus, const RingTables& rings, std::uint8_t vls) {
  Outcome outcome{ChannelDependencies(torus.geometry())};
  add_routes_to_intact_planes(torus, rings, outcome.dependencies);
  add_routes_to_damaged_planes(torus, rings, vls < 4 ? 1 : 3, outcome);
  return outcome;
}

std::string missing_names(const Torus& torus) {
  std::vector<std::string> names;
  for (const Position p : torus.missing_switches()) names.push_back(torus.geometry().name(p));
  return list_some(names, " ");
}

tl::unexpected<EngineFailure> refuse_unroutable(const fabric::SubFabric& view, const Torus& torus,
                                                const Outcome& outcome) {
  const auto [from, to] = outcome.first;
  const SwitchId a = torus.switch_at(from), b = torus.switch_at(to);
  return refuse("unroutable",
                fmt::format("{} of switches {} no route around the missing switches at {}: {} to {} among "
                            "them, from {} to {}",
                            counted(outcome.unroutable, "pair"), outcome.unroutable == 1 ? "has" : "have",
                            missing_names(torus), torus.geometry().name(from), torus.geometry().name(to),
                            title(view, a), title(view, b)),
                {view.node(a).guid, view.node(b).guid});
}

tl::unexpected<EngineFailure> refuse_credit_loop(const fabric::SubFabric& view, const Torus& torus,
                                                 const std::vector<Position>& cycle) {
  std::vector<std::string> names;
  std::vector<Guid> guids;
  for (const Position p : cycle) {
    names.push_back(torus.geometry().name(p));
    guids.push_back(view.node(torus.switch_at(p)).guid);
  }
  return refuse("credit-loop",
                fmt::format("routes around the missing switches at {} would close a credit loop over "
                            "{}: {}",
                            missing_names(torus), counted(cycle.size(), "link"), fmt::join(names, " ")),
                std::move(guids));
}

}  // namespace

Attempt<void> prove(const fabric::SubFabric& view, const Torus& torus, const RingTables& rings,
                    const VlCounts& vls, const Options& options) {
  if (torus.missing_switches().empty()) return {};
  const Outcome outcome = add_all_routes(torus, rings, vls.between_switches);
  if (outcome.unroutable > 0) return refuse_unroutable(view, torus, outcome);
  const std::vector<Position> cycle = outcome.dependencies.cycle();
  if (cycle.empty()) return {};
  if (vls.between_switches < 4 && add_all_routes(torus, rings, 4).dependencies.cycle().empty())
    return refuse_few_vls(view, vls, options, 4);
  return refuse_credit_loop(view, torus, cycle);
}

}  // namespace rch::engines::torus_2qos
