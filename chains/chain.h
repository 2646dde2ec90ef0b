#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "engines/common/incremental/installed_tables.h"
#include "engines/engine.h"
#include "fabric/routing_tables.h"
#include "policy/bind/bind.h"

namespace rch::chains {

enum class StepStatus {
  routed,      ///< its tables are used
  failed,      ///< the engine could not route; nothing of it is used
  not_needed,  ///< a fallback whose step did not fail
};

/// A step whose tables the proof refused. It counts as failed.
struct RefusedStep {
  StepId id;
  engines::EngineFailure failure;
};

struct StepReport {
  StepId id;
  std::string engine;
  TopologyId topology;
  StepStatus status = StepStatus::routed;
  std::optional<StepId> fallback_to;              ///< the step that this one is a fallback of
  std::optional<engines::EngineFailure> failure;  ///< set when failed
  std::vector<std::string> remarks;
  std::uint64_t entries = 0;      ///< table entries this step owns at its end
  std::uint64_t dangling = 0;     ///< entries dropped because the step's own path breaks off
  std::vector<Guid> found_roots;  ///< engines::StepTables::found_roots
};

/// Most breadth-first trees that are tried for multicast.
inline constexpr std::size_t kMulticastRoots = 8;

/// What a chain made of a fabric.
struct ChainRun {
  fabric::RoutingTables tables;
  /// Distances of the step that routed the whole fabric, by fabric switch; absent if its engine keeps none.
  std::optional<engines::HopMatrix> hops;
  /// Switches that suit as roots of multicast trees, best first; empty where `hops` was absent.
  std::vector<SwitchId> central;
  /// End ports in the order that suits that step's routing (engines::StepTables::host_order).
  std::vector<PortId> host_order;
  /// By index of tables.steps, in the fabric's ids: engines::StepTables::trees.
  std::vector<std::vector<engines::SpanningTree>> trees;
  std::uint8_t multicast_sl_bits = 15;  ///< that all steps leave to multicast
  /// engines::StepTables::two_level_ports of the steps whose SL2VL maps these ports have.
  IdSet<PortId> two_level_ports;
  std::vector<StepReport> steps;  ///< in order of execution, fallbacks behind their step
  bool quick_trees = false;       ///< multicast trees are not searched for long: other steps may do as well
  bool degraded = false;          ///< a later step and all its fallbacks failed; earlier routes stay
};

/// The first step and all its declared fallbacks failed.
struct ChainFailure {
  std::vector<StepReport> steps;
};

/// Handed out after each executed step, for dumps and timings; the references live for the call only.
struct StepOutcome {
  const policy::Step& step;
  const fabric::SubFabric& view;
  const engines::StepTables* tables;  ///< null when the engine failed
  const StepReport& report;
  double milliseconds = 0;  ///< of the engine alone
};
using StepObserver = std::function<void(const StepOutcome&)>;

/// Installed tables, for incremental rerouting (docs/engines.md).
struct Previous {
  const policy::BoundPolicy& bound;  ///< the policy on the fabric it was made for
  const fabric::RoutingTables& tables;
  bool same_configuration = false;         ///< that made them
  std::span<const StepReport> steps = {};  ///< of the run that made them
  bool routes = true;                      ///< false: of all that, only roots that engines found are kept
  bool complete = true;                    ///< engines::common::InstalledTables::complete
};

struct RunOptions {
  bool needs_multicast_tree = false;  ///< engines::Inputs::needs_multicast_tree
  bool makes_groups = true;           ///< adaptive engines make groups of ports
};

/// Runs the steps by ascending id (docs/chains.md). The first routes the whole fabric,
/// later ones overlay it. A fallback runs only for a failed step, and only when it is declared. `previous` is
/// null when all routes are computed afresh. `refused` steps do not run.
tl::expected<ChainRun, ChainFailure> run(const policy::BoundPolicy& bound, const StepObserver& observer = {},
                                         const Previous* previous = nullptr,
                                         std::span<const RefusedStep> refused = {}, RunOptions options = {});

}  // namespace rch::chains
