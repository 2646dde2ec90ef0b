// Runs a chain. The steps of the policy form positions: a step that is no fallback, and behind it, by
// ascending id, its fallbacks. The first of them whose engine routes fills the position. Its tables overlay
// those of earlier positions (overlay.h, compose.h). If none routes, the chain fails at the first position,
// which carries the whole fabric. At a later position earlier routes stay.

#include "chains/chain.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/text.h"
#include "chains/compose.h"
#include "chains/engine_inputs.h"
#include "chains/overlay.h"
#include "chains/overlay_groups.h"
#include "chains/step_view.h"
#include "engines/adaptive/groups.h"
#include "engines/multicast/roots.h"
#include "engines/registry.h"

namespace rch::chains {
namespace {

using engines::EarlierRoots;
using engines::EngineFailure;
using engines::EngineResult;
using engines::StepTables;
using fabric::SubFabric;
using policy::BoundPolicy;
using policy::Step;

struct Position {
  const Step* target;
  std::vector<const Step*> fallbacks;
};

/// Fallbacks of an absent step, or of a fallback, belong to no position and never run.
std::vector<Position> positions(const std::vector<Step>& steps) {
  std::vector<Position> result;
  for (const Step& step : steps)
    if (!step.fallback_to) result.push_back({&step, {}});
  for (const Step& step : steps)
    for (Position& position : result)
      if (step.fallback_to == position.target->id) position.fallbacks.push_back(&step);
  return result;
}

/// Why a step fails whose engine rch does not have.
EngineFailure no_engine(const Step& step) {
  if (engines::find_engine(step.engine) != nullptr)
    return {.rule = "engine-not-implemented",
            .message = fmt::format("rch does not have the engine `{}` yet", step.engine),
            .guids = {}};
  return {
      .rule = "engine-unknown", .message = fmt::format("no engine is named `{}`", step.engine), .guids = {}};
}

/// Reasons why a step cannot fill its position, whatever its engine (docs/chains.md).
std::optional<EngineFailure> unfit(const SubFabric& view, std::size_t isolated, const Step& step,
                                   bool first) {
  if (first && step.topology != TopologyId{0})
    return EngineFailure{
        .rule = "topology-not-whole",
        .message = fmt::format("step {} works on topology {} and cannot route the whole fabric", step.id,
                               step.topology),
        .guids = {}};
  if (!view.is_whole() && view.switch_count() == 0)
    return EngineFailure{
        .rule = "topology-empty",
        .message = isolated == 0
                       ? fmt::format("topology {} has no switch on this fabric", step.topology)
                       : fmt::format("topology {} has {} on this fabric, none with a link to another one",
                                     step.topology, counted(isolated, "switch")),
        .guids = {}};
  if (!view.is_whole() && view.end_ports().empty())
    return EngineFailure{
        .rule = "topology-empty",
        .message = fmt::format("topology {} has no host with a LID for this step", step.topology),
        .guids = {}};
  return std::nullopt;
}

/// LIDs of one switch that a later step wrote: its cover without the holes.
IdSet<Lid> written_lids(const fabric::RoutedStep& step, SwitchId sw) {
  IdSet<Lid> lids = step.lids;
  const std::uint64_t first = std::uint64_t{sw.value} << 16;
  for (auto hole = std::ranges::lower_bound(step.holes, first);
       hole != step.holes.end() && *hole >> 16 == sw.value; ++hole)
    lids.erase(Lid(static_cast<std::uint16_t>(*hole)));
  return lids;
}

/// Routed entries by owner: later steps claim theirs, the first step has the rest.
std::vector<std::uint64_t> owned_entries(const fabric::RoutingTables& tables) {
  std::vector<std::uint64_t> owned(tables.steps.size());
  for (std::uint32_t s = 0; s < tables.lfts.switch_count(); ++s) {
    owned[0] += tables.lfts.routed(SwitchId(s));
    IdSet<Lid> claimed(tables.lfts.max_lid().index() + 1);
    for (std::size_t i = owned.size() - 1; i > 0; --i) {
      if (!tables.steps[i].switches.contains(SwitchId(s))) continue;
      IdSet<Lid> mine = written_lids(tables.steps[i], SwitchId(s));
      mine -= claimed;
      claimed |= mine;
      owned[i] += mine.count();
      owned[0] -= mine.count();
    }
  }
  return owned;
}

class Runner {
 public:
  Runner(const BoundPolicy& bound, const StepObserver& observer, const Previous* previous,
         std::span<const RefusedStep> refused, RunOptions options)
      : bound_(bound), observer_(observer), previous_(previous), refused_(refused), options_(options) {
    run_.two_level_ports = IdSet<PortId>(bound.fabric->ports().size());
  }

  tl::expected<ChainRun, ChainFailure> run() {
    bool first = true;
    for (const Position& position : positions(bound_.policy->steps)) {
      if (!fill(position, first)) {
        if (first) return tl::unexpected(ChainFailure{std::move(run_.steps)});
        run_.degraded = true;
      }
      first = false;
    }
    if (first) return tl::unexpected(ChainFailure{});
    report_owned();
    return std::move(run_);
  }

 private:
  /// Tries the target, then its fallbacks; the rest is reported as not needed.
  bool fill(const Position& position, bool first) {
    bool done = attempt(*position.target, first);
    for (const Step* fallback : position.fallbacks) {
      if (done) {
        run_.steps.push_back(report_of(*fallback));
        run_.steps.back().status = StepStatus::not_needed;
      } else {
        done = attempt(*fallback, first);
      }
    }
    return done;
  }

  static StepReport report_of(const Step& step) {
    StepReport report{};
    report.id = step.id;
    report.engine = step.engine;
    report.topology = step.topology;
    report.fallback_to = step.fallback_to;
    return report;
  }

  bool attempt(const Step& step, bool first) {
    const auto refused = std::ranges::find(refused_, step.id, &RefusedStep::id);
    if (refused == refused_.end()) return execute(step, first);
    run_.steps.push_back(report_of(step));
    run_.steps.back().status = StepStatus::failed;
    run_.steps.back().failure = refused->failure;
    return false;
  }

  bool execute(const Step& step, bool first) {
    StepReport report = report_of(step);
    StepView seen = view_of(bound_, step, first);
    const SubFabric& view = seen.view;
    report.remarks = std::move(seen.remarks);

    std::optional<StepView> before;
    std::optional<engines::common::ChangeSet> changes;
    if (previous_ != nullptr) before = view_of(previous_->bound, step, first);
    if (before && previous_->routes) changes.emplace(before->view, view);
    const auto begin = std::chrono::steady_clock::now();
    EngineResult result = route(step, seen, changes ? installed_for(*changes, step) : std::nullopt,
                                before ? earlier_roots(step, before->view) : EarlierRoots{}, first);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;

    if (result) {
      report.remarks.insert(report.remarks.end(), result->remarks.begin(), result->remarks.end());
      report.found_roots = result->found_roots;
    } else {
      report.status = StepStatus::failed;
      report.failure = std::move(result.error());
    }
    if (observer_) observer_({step, view, result ? &*result : nullptr, report, took.count()});
    if (result) report.dangling = accept(step, view, std::move(*result), first);
    run_.steps.push_back(std::move(report));
    return run_.steps.back().status == StepStatus::routed;
  }

  EngineResult route(const Step& step, const StepView& seen,
                     std::optional<engines::common::InstalledTables> installed, EarlierRoots roots,
                     bool first) const {
    const SubFabric& view = seen.view;
    if (auto problem = unfit(view, seen.isolated, step, first)) return tl::unexpected(std::move(*problem));
    const engines::Descriptor* engine = engines::find_engine(step.engine);
    if (engine == nullptr || engine->route == nullptr) return tl::unexpected(no_engine(step));
    engines::Inputs inputs = engine_inputs(*engine, step, bound_.files_of(step), bound_.policy->options.qos);
    inputs.ports.installed = installed;
    inputs.earlier_roots = roots;
    inputs.needs_multicast_tree = options_.needs_multicast_tree;
    if (!first) inputs.ports.initial_loads = initial_loads(view, step);
    EngineResult result = engine->route(view, inputs);
    if (result && engine->groups != engines::GroupRule::none)
      add_groups(view, engine->groups, inputs, *result);
    return result;
  }

  void add_groups(const SubFabric& view, engines::GroupRule rule, const engines::Inputs& inputs,
                  StepTables& made) const {
    if (inputs.ar_mode == 0) return;
    if (!options_.makes_groups) {
      made.remarks.emplace_back(
          "switches get the entries alone: rch does not write groups of ports for adaptive routing");
      return;
    }
    engines::adaptive::Groups groups = engines::adaptive::make_groups(
        view, made, rule, {.sls = inputs.ar_sl_mask, .fast_recovery = inputs.shield_mode != 0});
    made.adaptive = std::move(groups.tables);
    for (std::string& remark : groups.remarks) made.remarks.push_back(std::move(remark));
  }

  std::vector<std::uint32_t> initial_loads(const SubFabric& view, const Step& step) const {
    return entries_outside(view, run_.tables.lfts, step.routing.port_profile_switch_nodes);
  }

  /// A step that others overlay does not own all entries of its rows.
  std::optional<engines::common::InstalledTables> installed_for(const engines::common::ChangeSet& changes,
                                                                const Step& step) const {
    const fabric::RoutingTables& tables = previous_->tables;
    const bool alone = tables.steps.size() == 1 && tables.steps.front().id == step.id;
    return engines::common::InstalledTables{.changes = &changes,
                                            .lfts = &tables.lfts,
                                            .same_rules = previous_->same_configuration && alone,
                                            .sl = alone ? &tables.steps.front().sl : nullptr,
                                            .groups = tables.groups,
                                            .complete = previous_->complete};
  }

  /// The roots that the same engine found for this step, `before` being what it routed.
  EarlierRoots earlier_roots(const Step& step, const SubFabric& before) const {
    const auto made = std::ranges::find_if(previous_->steps, [&](const StepReport& report) {
      return report.id == step.id && report.engine == step.engine;
    });
    if (made == previous_->steps.end()) return {};
    return {made->found_roots, &before};
  }

  /// Takes over the tables of a step. Returns the number of entries dropped as dangling.
  std::uint64_t accept(const Step& step, const SubFabric& view, StepTables&& made, bool first) {
    fabric::RoutedStep routed;
    routed.id = step.id;
    routed.engine = step.engine;
    routed.switches = IdSet<SwitchId>(bound_.fabric->switch_count(), first);
    std::uint64_t dangling = 0;
    if (first) {
      // Nothing lies below, so what it left out cannot make a loop: the tables are taken as they are.
      routed.lids = IdSet<Lid>(bound_.fabric->max_lid().index() + 1, true);
      run_.tables.lfts = std::move(made.lfts);
      run_.hops = std::move(made.hops);
      if (run_.hops) run_.central = engines::multicast::roots(*bound_.fabric, *run_.hops, kMulticastRoots);
      run_.host_order = std::move(made.host_order);
    } else {
      for (std::uint32_t s = 0; s < view.switch_count(); ++s)
        routed.switches.insert(view.fabric_switch(SwitchId(s)));
      routed.lids = view.routed_lids();
      const Overlay overlaid = chains::overlay(view, made.lfts, run_.tables.lfts);
      routed.holes = overlaid.holes;
      dangling = overlaid.dangling;
    }
    routed.sl = to_fabric(view, std::move(made.sl));
    overlay_groups(view, std::move(made.adaptive), routed, run_.tables);
    set_two_level_ports(view, made);
    overlay_sl2vl(view, std::move(made.sl2vl), run_.tables.sl2vl);
    run_.tables.steps.push_back(std::move(routed));
    run_.multicast_sl_bits &= made.multicast_sl_bits;
    run_.trees.emplace_back();
    for (engines::SpanningTree& tree : made.trees)
      run_.trees.back().push_back(to_fabric(view, std::move(tree)));
    return dangling;
  }

  /// The step that owns the SL2VL maps of a switch says which of its ports have two VLs only.
  void set_two_level_ports(const SubFabric& view, const StepTables& made) {
    if (made.sl2vl.empty()) return;
    for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
      const PortId port0 = bound_.fabric->port_id(view.fabric_switch(SwitchId(s)), PortNum(0));
      for (std::uint32_t p = 0; p <= view.node(SwitchId(s)).num_ports; ++p)
        run_.two_level_ports.erase(PortId(port0.value + p));
    }
    for (PortId port : made.two_level_ports) run_.two_level_ports.insert(port);
  }

  void report_owned() {
    const std::vector<std::uint64_t> owned = owned_entries(run_.tables);
    for (std::size_t i = 0; i < owned.size(); ++i)
      for (StepReport& report : run_.steps)
        if (report.id == run_.tables.steps[i].id) report.entries = owned[i];
  }

  const BoundPolicy& bound_;
  const StepObserver& observer_;
  const Previous* previous_;
  std::span<const RefusedStep> refused_;
  RunOptions options_;
  ChainRun run_;
};

}  // namespace

tl::expected<ChainRun, ChainFailure> run(const BoundPolicy& bound, const StepObserver& observer,
                                         const Previous* previous, std::span<const RefusedStep> refused,
                                         RunOptions options) {
  return Runner(bound, observer, previous, refused, options).run();
}

}  // namespace rch::chains
