#include "verify/survey.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/task_arena.h>

#include "base/parallel.h"
#include "verify/adaptive/survey.h"
#include "verify/changed_ways.h"
#include "verify/changes.h"
#include "verify/cycle.h"
#include "verify/multicast/dependencies.h"
#include "verify/propagation.h"
#include "verify/service_levels.h"

namespace rch::verify {
namespace {

/// Sink of a Propagation that notes what is found.
template <std::size_t N>
struct Recorder {
  static constexpr bool kAnyLid = N == 1;
  Dependencies<N>& dependencies;

  void use(std::size_t slot, std::uint16_t lanes) { dependencies.use(slot, lanes); }
  void cross(std::size_t cell, std::size_t in_lane, std::size_t out_lane, Lid) {
    dependencies.add(cell, in_lane, out_lane);
  }
  void cross(std::size_t cells, std::uint64_t outs) { dependencies.add_outs(cells, outs); }
};

/// Columns of one block. Enough blocks for all threads; not so many columns that what a block needs leaves
/// the cache, nor so few that the links of a switch carry nothing.
std::size_t block_size(std::size_t columns, const PacketClasses& classes) {
  constexpr std::size_t kFewest = 64, kMost = 1024;
  const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
  const std::size_t share = columns / (4 * threads);
  return std::min(std::bit_floor(std::clamp(share, kFewest, kMost)), most_columns(classes.count()));
}

struct Reached {
  std::vector<Destination> faulty;  ///< there may be pairs that do not reach them
  SlSet sls = 0;                    ///< service levels met
};

/// Takes packets towards all `destinations`; `sink()` makes one for each thread. Table entries on `loops` do
/// not count.
template <class MakeSink>
Reached propagate(const Context& context, std::span<const Destination> destinations,
                  const ForwardingLoops& loops, const MakeSink& sink) {
  if (destinations.empty()) return {};
  using Sink = decltype(sink());
  struct Worker {
    Worker(const Context& context, const PacketClasses& classes, const SwitchOrder& order, std::size_t block,
           Sink sink)
        : propagation(context, classes, order, block, std::move(sink)) {}
    Propagation<Sink> propagation;
    SlSet sls = 0;
  };
  const PacketClasses classes(context.wiring, context.lanes, context.injection);
  const SwitchOrder order(context.wiring);
  const std::vector<EntryColumn> columns = columns_of(context.tables, destinations, are_given(context));
  const std::size_t block = block_size(columns.size(), classes);
  tbb::enumerable_thread_specific<Worker> workers(
      [&] { return Worker(context, classes, order, block, sink()); });
  std::vector<std::uint8_t> faulty(columns.size());
  parallel_ranges((columns.size() + block - 1) / block, 1, [&](std::size_t first, std::size_t last) {
    Worker& worker = workers.local();
    for (std::size_t begin = first * block; begin < std::min(last * block, columns.size()); begin += block)
      worker.propagation.run(std::span(columns).subspan(begin, std::min(block, columns.size() - begin)),
                             loops, faulty.data() + begin, worker.sls);
  });
  Reached result;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (faulty[c] != 0) std::ranges::copy(columns[c].members, std::back_inserter(result.faulty));
  std::ranges::sort(result.faulty, {}, [](const Destination& d) { return std::pair(d.owner.sw, d.lid); });
  for (Worker& worker : workers) {
    worker.propagation.report_links();
    result.sls = static_cast<SlSet>(result.sls | worker.sls);
  }
  return result;
}

/// Calls f(worker, columns, group) for the groups of all destinations, on all threads.
template <class Worker, class F>
void for_groups(const Context& context, std::span<const Destination> destinations,
                tbb::enumerable_thread_specific<Worker>& workers, const F& f) {
  for_columns(context.tables, context.wiring, destinations, context.options.column_bytes,
              [&](const Columns& columns) {
                parallel_ranges(columns.groups().size(), 4, [&](std::size_t first, std::size_t last) {
                  Worker& worker = workers.local();
                  for (std::size_t g = first; g < last; ++g) f(worker, columns, columns.groups()[g]);
                });
              });
}

/// Forwarding loops in the entries of these destinations, whether packets get there or not.
ForwardingLoops forwarding_loops(const Context& context, std::span<const Destination> destinations) {
  struct Worker {
    InTree tree;
    ForwardingLoops loops = {};
  };
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker{InTree(context.wiring)}; });
  for_groups(context, destinations, workers, [](Worker& worker, const Columns&, const Group& group) {
    worker.tree.build(group.column);
    if (!worker.tree.has_cycle()) return;
    std::vector<SwitchId> switches;
    for (std::uint32_t sw = 0; sw < group.column.size(); ++sw)
      if (worker.tree.on_cycle(sw)) switches.push_back(SwitchId(sw));
    for (const Destination* member : group.members) worker.loops.emplace(member->lid, switches);
  });
  ForwardingLoops loops;
  for (Worker& worker : workers) loops.merge(worker.loops);
  return loops;
}

/// Counts the pairs lost on the way to these destinations.
Tally lost_pairs(const Context& context, std::span<const Destination> destinations) {
  struct Worker {
    Worker(const Context& context, const fabric::Parts& parts) : account(context, parts), sls(context) {}
    Account account;
    SourceLevels sls;
    std::vector<std::uint8_t> column;
    Tally lost;
  };
  if (destinations.empty()) return {};
  const fabric::Parts parts = fabric::parts(context.fabric.graph());
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(context, parts); });
  for_groups(context, destinations, workers, [&](Worker& worker, const Columns& columns, const Group& group) {
    worker.sls.set(group.members.front()->lid);
    worker.column.assign(group.column.begin(), group.column.end());
    for (const Destination* member : group.members) {
      if (are_given(context)) worker.sls.set(member->lid);
      worker.column[member->owner.sw.index()] = columns.own_entry(*member);
      worker.account.add(*member, worker.column, worker.sls, worker.lost);
    }
  });
  Tally lost;
  for (const Worker& worker : workers) lost.merge(worker.lost);
  return lost;
}

std::vector<std::uint8_t> vls_of(const Lanes& lanes) {
  std::vector<std::uint8_t> vls;
  for (std::size_t lane = 0; lane < lanes.lane_count(); ++lane) vls.push_back(lanes.vl_of_lane(lane));
  return vls;
}

/// Packets in a forwarding loop request a channel again that they had, which shows as a cycle, unless some
/// SL2VL map drops them on the way, which shows as a fault. So loops are looked for only where one or the
/// other is; then their entries are taken out, for a forwarding loop is no credit loop.
template <std::size_t N>
class Surveyor {
 public:
  explicit Surveyor(const Context& context) : context_(context), dependencies_(context.wiring) {
    if (!context.options.loop_free)
      result_.loops = forwarding_loops(context, absent_destinations(context.fabric, context.tables.lfts));
  }

  /// Surveys what differs from a proof of tables that hardly differ. Returns nothing if that is not enough.
  std::optional<Survey> survey_changes() && {
    const KnownDependencies& known = context_.options.earlier->dependencies;
    const auto* earlier = std::get_if<PathDependencies<N>>(&known.bits);
    if (earlier == nullptr || known.max_op_vls != context_.options.max_op_vls ||
        known.vls != vls_of(context_.lanes) || !context_.options.path_sls)
      return std::nullopt;
    const std::optional<Changes> changes = changes_since(*context_.options.earlier, context_);
    if (!changes) return std::nullopt;
    start_from(earlier->to_hosts, *changes);
    if (!add_changed_ways(*changes) && !go(changes->destinations, {}).faulty.empty()) return std::nullopt;
    result_.at_most = true;
    if (!is_sound(changes->switches, [&] { start_from(earlier->all, *changes); })) return std::nullopt;
    return std::move(result_);
  }

  Survey survey() && {
    Reached hosts = go(context_.destinations, {});
    if (hosts.faulty.empty() && dependencies_.byte_count() <= kMostBytes &&
        is_sound(switches_to_judge(), [] {}))
      return std::move(result_);
    take_paths(std::move(hosts));
    std::optional<Dependencies<N>> to_hosts = copy_to_keep();
    take_groups();
    const std::optional<std::vector<Destination>> lost = take_paths_to_switches();
    if (lost && loops_.empty() && result_.acyclic && !result_.cyclic_with_switches && result_.lost.empty())
      keep(std::move(to_hosts), *lost);
    result_.loops.merge(loops_);
    return std::move(result_);
  }

 private:
  /// Adds what is known, but for links that are others now.
  void start_from(Dependencies<N> known, const Changes& changes) {
    for (const PortId port : changes.ports) {
      const fabric::Port& at = context_.fabric.port(port);
      known.forget(context_.wiring, at.node.index(), at.number.index());
    }
    dependencies_.add_all(known);
  }

  /// Adds what packets to changed destinations cause beyond what is known, from the entries that changed
  /// alone. False, and perhaps some of it is added: that is not enough, or not all packets arrive.
  bool add_changed_ways(const Changes& changes) {
    if constexpr (N == 1)
      return are_on_vl0() &&
             verify::add_changed_ways(*context_.options.earlier, context_, changes, dependencies_);
    return false;
  }
  /// Whatever links packets take, they do not get lost for their service level.
  bool are_on_vl0() const {
    return context_.tables.sl2vl.empty() && vls_of(context_.lanes) == std::vector<std::uint8_t>{0};
  }

  /// Those to which packets do not go as to a host at the same switch, with the same service level.
  std::vector<Destination> switches_to_judge() const {
    if (are_given(context_)) return {context_.switches.begin(), context_.switches.end()};
    return with_other_entries(context_.tables, context_.switches, context_.destinations);
  }

  /// To be called when all packets to hosts have arrived. True: all is acyclic, paths, groups and packets to
  /// switches together, and so are the parts. False: nothing has changed but the counts. `switches`: to which
  /// packets go in other ways than to their hosts. `add_known` adds what is known of packets to switches.
  template <class AddKnown>
  bool is_sound(std::span<const Destination> switches, const AddKnown& add_known) {
    Dependencies<N> to_hosts = dependencies_;
    add_groups();
    count();
    add_known();
    const Reached reached = go(switches, {});
    if (!forwarding_loops(context_, reached.faulty).empty() || has_cycle(make_graph(dependencies_))) {
      dependencies_ = std::move(to_hosts);
      return false;
    }
    result_.lost_to_switches = lost_pairs(context_, reached.faulty);
    result_.paths = make_graph(to_hosts);
    if (can_keep()) keep(std::move(to_hosts), reached.faulty);
    return true;
  }

  /// What the next proof builds on takes that much memory at most, twice.
  static constexpr std::size_t kMostBytes = std::size_t{16} << 20;

  bool can_keep() const {
    const Options& options = context_.options;
    return options.known != nullptr && options.path_sls && options.switch_lids &&
           dependencies_.byte_count() <= kMostBytes;
  }
  /// Copies the dependencies of paths to hosts for the next proof. Returns nothing if that takes too much
  /// memory.
  std::optional<Dependencies<N>> copy_to_keep() const {
    if (!can_keep()) return std::nullopt;
    return dependencies_;
  }
  void keep(std::optional<Dependencies<N>> to_hosts, std::span<const Destination> lost_switches) {
    if (!to_hosts) return;
    result_.known = {context_.options.max_op_vls,
                     vls_of(context_.lanes),
                     {},
                     PathDependencies<N>{std::move(*to_hosts), std::move(dependencies_)}};
    for (const Destination& lost : lost_switches) result_.known->lost_switches.push_back(lost.lid);
  }

  ChannelDependencyGraph make_graph(const Dependencies<N>& dependencies) const {
    ChannelDependencyGraph graph = channel_dependency_graph(context_.wiring, dependencies);
    graph.vls = vls_of(context_.lanes);
    return graph;
  }

  void count() {
    result_.channels = dependencies_.used_count();
    result_.dependencies = dependencies_.count();
  }

  Reached go(std::span<const Destination> destinations, const ForwardingLoops& loops) {
    Reached reached = propagate(context_, destinations, loops, [&] { return Recorder<N>{dependencies_}; });
    result_.sls = static_cast<SlSet>(result_.sls | reached.sls);
    return reached;
  }

  void add_groups() {
    MulticastDependencies<N> multicast(context_, dependencies_);
    for (const fabric::MulticastGroup& group : context_.tables.groups) multicast.add(group);
  }

  void take_paths(Reached reached) {
    result_.paths = make_graph(dependencies_);
    result_.acyclic = !has_cycle(result_.paths);
    if (!context_.options.loop_free)
      loops_ = forwarding_loops(
          context_, result_.acyclic ? std::span<const Destination>(reached.faulty) : context_.destinations);
    if (!loops_.empty()) {
      dependencies_ = Dependencies<N>(context_.wiring);
      reached = go(context_.destinations, loops_);
      result_.paths = make_graph(dependencies_);
      result_.acyclic = !has_cycle(result_.paths);
    }
    result_.lost = lost_pairs(context_, reached.faulty);
  }

  void take_groups() {
    dependencies_.take_grown();
    add_groups();
    count();
    if (!dependencies_.take_grown()) return;
    ChannelDependencyGraph graph = make_graph(dependencies_);
    result_.acyclic = !has_cycle(graph);
    if (!result_.acyclic) result_.cyclic_with_groups = std::move(graph);
  }

  /// Returns those that some packets may not reach; nothing if there are forwarding loops.
  std::optional<std::vector<Destination>> take_paths_to_switches() {
    dependencies_.take_grown();
    Reached reached = go(context_.switches, {});
    std::optional<ChannelDependencyGraph> graph;
    if (dependencies_.take_grown() && result_.acyclic) graph = make_graph(dependencies_);
    bool cyclic = graph ? has_cycle(*graph) : !result_.acyclic;
    const ForwardingLoops loops =
        forwarding_loops(context_, cyclic ? context_.switches : std::span<const Destination>(reached.faulty));
    if (!loops.empty()) {
      dependencies_ = Dependencies<N>(context_.wiring);
      go(context_.destinations, loops_);
      add_groups();
      reached = go(context_.switches, loops);
      if (graph) graph = make_graph(dependencies_);
      cyclic = graph && has_cycle(*graph);
    }
    result_.lost_to_switches = lost_pairs(context_, reached.faulty);
    if (graph && cyclic) result_.cyclic_with_switches = std::move(graph);
    if (loops.empty()) return std::move(reached.faulty);
    result_.loops.insert(loops.begin(), loops.end());
    return std::nullopt;
  }

  const Context& context_;
  Dependencies<N> dependencies_;
  ForwardingLoops loops_;
  Survey result_;
};

/// Sink of a Propagation that looks for the lowest LID that causes each of some dependencies.
struct CauseFinder {
  struct Sought {
    std::size_t cell, in_lane, out_lane;
  };
  static constexpr bool kAnyLid = false;
  const std::vector<Sought>& sought;
  std::vector<Lid>& lowest;

  void use(std::size_t, std::uint16_t) {}
  void cross(std::size_t cell, std::size_t in_lane, std::size_t out_lane, Lid lid) {
    for (std::size_t i = 0; i < sought.size(); ++i)
      if (sought[i].cell == cell && sought[i].in_lane == in_lane && sought[i].out_lane == out_lane)
        lowest[i] = std::min(lowest[i], lid);
  }
};

}  // namespace

Survey survey(const Context& context) {
  if (!context.tables.adaptive.empty()) return survey_choices(context);
  return with_lanes(context.lanes.lane_count(), [&](auto n) {
    if (context.options.earlier != nullptr)
      if (auto found = Surveyor<n()>(context).survey_changes()) return std::move(*found);
    return Surveyor<n()>(context).survey();
  });
}

std::vector<Lid> causes(const Context& context, std::span<const Dependency> dependencies) {
  if (!context.tables.adaptive.empty()) return causes_by_choice(context, dependencies);
  std::vector<CauseFinder::Sought> sought;
  for (const Dependency& d : dependencies)
    sought.push_back(
        {context.wiring.cell(d.to.sw.index(), d.from.in.index(), d.to.out.index()), d.from.lane, d.to.lane});
  const auto sends = [&](const ChannelDependencyGraph::Channel& channel, Lid lid) {
    return entry(context.tables.lfts, channel.sw, lid) == channel.out.value;
  };
  std::vector<Destination> candidates;
  for (const Destination& to : context.destinations)
    if (std::ranges::any_of(
            dependencies, [&](const Dependency& d) { return sends(d.from, to.lid) && sends(d.to, to.lid); }))
      candidates.push_back(to);
  tbb::enumerable_thread_specific<std::vector<Lid>> found(std::vector<Lid>(sought.size(), Lid::none()));
  // Entries on forwarding loops cause nothing.
  propagate(context, candidates, forwarding_loops(context, candidates), [&] {
    return CauseFinder{sought, found.local()};
  });
  std::vector<Lid> lids(sought.size(), Lid::none());
  for (const std::vector<Lid>& lowest : found)
    for (std::size_t i = 0; i < lids.size(); ++i) lids[i] = std::min(lids[i], lowest[i]);
  return lids;
}

}  // namespace rch::verify
