#include "verify/transition/transient_states.h"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "verify/cycle.h"
#include "verify/service_levels.h"
#include "verify/transition/changed_hops.h"
#include "verify/transition/growing_order.h"
#include "verify/transition/transient_walker.h"
#include "verify/transition/witness.h"

namespace rch::verify {
namespace {

constexpr std::size_t kColumnBytes = std::size_t{16} << 20;

/// Where the maps of some tables, or of two, take packets.
struct MapContext {
  MapContext(const Wiring& wiring, const fabric::RoutingTables& one, const fabric::RoutingTables& other,
             SlSet sls)
      : lanes(wiring, one.sl2vl, other.sl2vl, sls), injection(wiring, lanes) {}

  const Lanes lanes;
  const Injection injection;
};

/// Switches of `fabric` as `before` knows them; none where they are new.
std::vector<std::optional<SwitchId>> switches_before(const fabric::Fabric& fabric,
                                                     const fabric::Fabric& before) {
  std::vector<std::optional<SwitchId>> out;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    out.push_back(before.find_switch(fabric.node(SwitchId(s)).guid));
  return out;
}

/// The LID that tells which service levels `before` had for packets to a LID of `now`. Nobody could ask for a
/// path to a host that was not there. Where it has been there earlier, as one that restarts, hosts may have
/// kept the levels of that time, which are those of its switch. None: the switch is new, too.
std::optional<Lid> lid_then(const fabric::Fabric& before, const fabric::Fabric& now, Lid lid) {
  const auto owner = now.lid_owner(lid);
  if (before.lid_owner(lid) || !owner) return lid;
  const PortId peer = now.port(*owner).peer;
  if (peer.is_none() || !now.is_switch(now.port(peer).node)) return std::nullopt;
  const auto sw = before.find_switch(now.node(now.port(peer).node).guid);
  if (!sw) return std::nullopt;
  return before.port(before.port_id(*sw, PortNum(0))).lid;
}

/// What stays the same for all states of one change.
struct ChangeContext {
  explicit ChangeContext(const Change& c)
      : change(c), wiring(c.fabric, c.max_op_vls, c.entrances), moves(c, wiring) {
    auto sls = expected_sls(c.levels ? c.levels->tables : c.target);
    if (c.levels) target_switch = switches_before(c.fabric, c.levels->fabric);
    for (const PreviousTables& previous : c.previous) {
      sls = static_cast<SlSet>(sls | expected_sls(previous.tables));
      previous_switch.push_back(switches_before(c.fabric, previous.fabric));
    }
    const fabric::RoutingTables& installed = c.installed.sl2vl.empty() ? c.target : c.installed;
    maps.emplace_back(wiring, installed, c.target, sls);
    if (c.installed.sl2vl.empty()) return;
    maps.emplace_back(wiring, installed, installed, sls);
    maps.emplace_back(wiring, c.target, c.target, sls);
  }

  /// Packets are the same before, during and after the update.
  bool are_alike() const { return maps.size() == 1 && change.previous.empty(); }
  const MapContext& map(Packets packets) const {
    if (packets == Packets::during || maps.size() == 1) return maps[0];
    return packets == Packets::before ? maps[1] : maps[2];
  }
  std::size_t lane_count() const {
    std::size_t most = 1;
    for (const MapContext& map : maps) most = std::max(most, map.lanes.lane_count());
    return most;
  }

  const Change& change;
  const Wiring wiring;
  const Moves moves;
  std::deque<MapContext> maps;  ///< during; before and after, where maps change
  /// By index of Change::previous, then by switch.
  std::vector<std::vector<std::optional<SwitchId>>> previous_switch;
  std::vector<std::optional<SwitchId>> target_switch;  ///< the same of Change::levels; empty: there are none
};

template <std::size_t N>
class TransientStatesOfLanes final : public TransientStates {
 public:
  TransientStatesOfLanes(std::unique_ptr<ChangeContext> context, const ChannelDependencyGraph* proven)
      : context_(std::move(context)),
        proven_(context_->are_alike() && context_->change.entrances.empty() ? proven : nullptr),
        moving_(context_->wiring),
        order_(context_->wiring),
        workers_([this] { return Worker(*context_); }) {}

  const Moves& moves() const override { return context_->moves; }
  const Wiring& wiring() const override { return context_->wiring; }
  void set_repaired(bool repaired) override { repaired_ = repaired; }

  std::vector<bool> looping(Stage stage) override {
    std::vector<std::uint8_t> loops(moves().all().size());
    parallel_ranges(loops.size(), 4, [&](std::size_t first, std::size_t last) {
      Worker& worker = workers_.local();
      for (std::size_t m = first; m < last; ++m) {
        const Move& move = moves().all()[m];
        const bool is_known = proven_ != nullptr && has_few_changes(move) &&
                              worker.changed.walk(move, stage, repaired_, nullptr);
        loops[m] = !is_known && !worker.walker.order(move, stage, repaired_);
      }
    });
    return {loops.begin(), loops.end()};
  }

  std::optional<Hazard> settle(std::span<const Stage> stages, Packets packets) override {
    packets_ = context_->are_alike() ? Packets::during : packets;
    const bool target_too = proven_ != nullptr && includes_target(stages);
    placed_.clear();
    for (std::uint32_t m = 0; m < moves().all().size(); ++m)
      if (!target_too || moves().all()[m].replaces) placed_.push_back({m, stages[m]});
    const bool tries_target = target_too || may_try_target();
    if (tries_target) unmoving_ = &target();
    is_beside_target_ = tries_target && N == 1;
    if (const std::uint32_t looping = walk_placed(); looping != Moves::kNone)
      return loop(looping, stages[looping]);
    if (tries_target && is_acyclic()) return std::nullopt;
    is_ordered_ = false;
    if (std::exchange(is_beside_target_, false)) walk_placed();
    if (!target_too) unmoving_ = &others();
    if (other_loop_) return other_loop_;
    const ChannelDependencyGraph graph = graph_with(moving_);
    if (!has_cycle(graph)) return std::nullopt;
    return credit_loop(graph, stages);
  }

  bool add(std::span<const std::uint32_t> moves, Stage stage) override {
    std::optional<std::vector<Part>> parts = new_dependencies(moves, stage);
    if (!parts) return false;
    bool safe = grow(*parts);
    if (!safe && target_ && unmoving_ == &*target_) {
      count_without_target();
      parts = new_dependencies(moves, stage);
      safe = parts && grow(*parts);
    }
    if (!safe) return false;
    for (const std::uint32_t move : moves) placed_.push_back({move, stage});
    return true;
  }

 private:
  using Part = typename Dependencies<N>::Part;

  struct Worker {
    explicit Worker(const ChangeContext& context)
        : walker(context.wiring), changed(context.wiring), of_move(context.wiring) {}
    TransientWalker<N> walker;
    ChangedHops changed;
    Dependencies<N> of_move;  ///< empty between walks
    std::vector<std::uint8_t> levels;
    std::vector<SlSet> sls;
  };

  struct Placed {
    std::uint32_t move;
    Stage stage;
  };
  /// Walks of moves that are added depend on these.
  struct Beside {
    const Dependencies<N>* unmoving = nullptr;
    Packets packets = Packets::during;
    bool repaired = false;
    bool beside_target = false;
    Stage stage = Stage::both;
    bool operator==(const Beside&) const = default;
  };
  /// A move in that stage.
  struct Known {
    bool tried = false;
    bool kept = false;          ///< the others are known
    bool loops = false;         ///< packets can be caught in a forwarding loop
    std::vector<Part> parts{};  ///< what it adds to `unmoving_`
  };
  static constexpr std::size_t kMostParts = std::size_t{1} << 23;  ///< 128 MiB

  const MapContext& map() const { return context_->map(packets_); }

  void set_target_sls(const Move& move, Worker& worker) const {
    const Change& change = context_->change;
    const fabric::Fabric& fabric = change.levels ? change.levels->fabric : change.fabric;
    service_levels(fabric, change.levels ? change.levels->tables : change.target, move.lids.front(),
                   worker.levels);
    const auto& numbers = context_->target_switch;
    for (std::size_t s = 0; s < worker.sls.size(); ++s)
      if (numbers.empty())
        worker.sls[s] = sl_bit(worker.levels[s]);
      else
        worker.sls[s] = numbers[s] ? sl_bit(worker.levels[numbers[s]->index()]) : map().lanes.used();
  }

  /// Service levels that packets for a move may have, by source switch.
  void set_sls(const Move& move, Worker& worker) const {
    const Change& change = context_->change;
    worker.sls.assign(context_->wiring.switch_count(), 0);
    if (packets_ != Packets::before || change.previous.empty()) set_target_sls(move, worker);
    for (std::size_t s = 0; s < worker.sls.size(); ++s)
      if (!context_->wiring.entrances_of(s).empty()) worker.sls[s] = map().lanes.used();
    for (std::size_t i = 0; i < change.previous.size(); ++i) {
      const auto lid = lid_then(change.previous[i].fabric, change.fabric, move.lids.front());
      if (!lid) continue;
      service_levels(change.previous[i].fabric, change.previous[i].tables, *lid, worker.levels);
      for (std::size_t s = 0; s < worker.sls.size(); ++s)
        if (const auto was = context_->previous_switch[i][s])
          worker.sls[s] = static_cast<SlSet>(worker.sls[s] | sl_bit(worker.levels[was->index()]));
    }
  }

  /// At each changed entry ChangedHops looks at all ports of the switch. Where most entries change, a walk
  /// over all switches is faster.
  bool has_few_changes(const Move& move) const {
    return move.differing * 4 < context_->wiring.switch_count();
  }

  /// What the target tables alone have is there already.
  bool walk_beside_target(const Move& move, Stage stage, Worker& worker, Dependencies<N>& into) const {
    if constexpr (N == 1)
      if (stage != Stage::downstream && (move.proven || !move.depends) && has_few_changes(move))
        return worker.changed.walk(move, stage, repaired_, move.depends ? &into : nullptr);
    return false;
  }

  bool walk_one(const Move& move, Stage stage, Worker& worker, Dependencies<N>& into) const {
    if (move.depends) set_sls(move, worker);
    return worker.walker.walk(move, stage, repaired_, worker.sls, map().lanes, map().injection, into);
  }

  /// False: packets for the move can be caught in a forwarding loop.
  bool walk_placed(const Placed& placed, Worker& worker, Dependencies<N>& into) const {
    const Move& move = moves().all()[placed.move];
    return (is_beside_target_ && walk_beside_target(move, placed.stage, worker, into)) ||
           walk_one(move, placed.stage, worker, into);
  }

  /// First move with a forwarding loop, or kNone.
  std::uint32_t walk(std::span<const Placed> placed, Dependencies<N>& into) {
    std::atomic<std::uint32_t> looping = Moves::kNone;
    parallel_ranges(placed.size(), 4, [&](std::size_t first, std::size_t last) {
      Worker& worker = workers_.local();
      for (std::size_t i = first; i < last; ++i) {
        const std::uint32_t m = placed[i].move;
        if (looping < m) return;
        if (walk_placed(placed[i], worker, into)) continue;
        for (std::uint32_t lowest = looping; m < lowest;)
          if (looping.compare_exchange_weak(lowest, m)) break;
      }
    });
    return looping;
  }
  std::uint32_t walk_placed() {
    moving_ = Dependencies<N>(context_->wiring);
    is_ordered_ = false;
    return walk(placed_, moving_);
  }

  /// Dependencies that moves add in a stage to those that are not theirs, and perhaps more. Nothing if
  /// packets for one of them can be caught in a forwarding loop.
  ///
  /// Moves are tried in ever smaller groups. At the second time what each of them adds is kept, unless that
  /// is too much.
  std::optional<std::vector<Part>> new_dependencies(std::span<const std::uint32_t> moves, Stage stage) {
    if (const Beside beside{unmoving_, packets_, repaired_, is_beside_target_, stage};
        known_beside_ != beside) {
      known_beside_ = beside;
      known_.assign(this->moves().all().size(), {});
      kept_parts_ = 0;
    }
    const bool is_again = std::ranges::all_of(moves, [&](std::uint32_t m) { return known_[m].tried; });
    if (!is_again || !keep(moves, stage)) return together(moves, stage);
    std::vector<Part> parts;
    for (const std::uint32_t m : moves) {
      if (known_[m].loops) return std::nullopt;
      parts.insert(parts.end(), known_[m].parts.begin(), known_[m].parts.end());
    }
    return parts;
  }
  /// Keeps what each of them adds. False if that is too much.
  bool keep(std::span<const std::uint32_t> moves, Stage stage) {
    constexpr std::size_t kChunk = 256;
    std::vector<std::uint32_t> missing;
    std::ranges::copy_if(moves, std::back_inserter(missing),
                         [&](std::uint32_t m) { return !known_[m].kept; });
    for (std::size_t begin = 0; begin < missing.size(); begin += kChunk) {
      if (kept_parts_ > kMostParts) return false;
      const auto chunk = std::span(missing).subspan(begin, std::min(kChunk, missing.size() - begin));
      parallel_ranges(chunk.size(), 4, [&](std::size_t first, std::size_t last) {
        Worker& worker = workers_.local();
        for (const std::uint32_t m : chunk.subspan(first, last - first)) {
          worker.of_move.record();
          known_[m].loops = !walk_placed({m, stage}, worker, worker.of_move);
          known_[m].parts = worker.of_move.take_recorded(*unmoving_);
          known_[m].kept = true;
        }
      });
      for (const std::uint32_t m : chunk) kept_parts_ += known_[m].parts.size();
    }
    return true;
  }
  std::optional<std::vector<Part>> together(std::span<const std::uint32_t> moves, Stage stage) {
    std::vector<Placed> placed;
    for (const std::uint32_t m : moves) {
      placed.push_back({m, stage});
      known_[m].tried = true;
    }
    Dependencies<N> trial = moving_;
    if (walk(placed, trial) != Moves::kNone) return std::nullopt;
    return trial.beyond(moving_, *unmoving_);
  }

  /// True if all dependencies of now have an order.
  bool is_acyclic() {
    if (!std::exchange(is_ordered_, true)) may_grow_ = order_.reset(moving_, *unmoving_);
    return may_grow_;
  }
  /// Adds dependencies to `moving_`, unless they close a cycle.
  bool grow(std::span<const Part> parts) {
    if (!is_acyclic()) return false;
    std::vector<Part> added;
    for (const Part& part : parts) moving_.add(part, added);
    if (order_.add(added, moving_, *unmoving_)) return true;
    for (const Part& part : added) moving_.remove(part);
    return false;
  }
  /// `moving_` lacks what moves that were added have in common with the target tables.
  void count_without_target() {
    unmoving_ = &others();
    is_beside_target_ = false;
    walk_placed();
  }

  /// All target entries are part of these states.
  static bool includes_target(std::span<const Stage> stages) {
    return std::ranges::all_of(stages, [](Stage s) { return s == Stage::both || s == Stage::target; });
  }
  /// Destinations that do not change are a part of the target tables. Their own dependencies take a walk over
  /// all of them; those of the target tables are there, and mostly close no cycle either.
  bool may_try_target() const { return proven_ != nullptr && !others_[static_cast<std::size_t>(packets_)]; }
  ChannelDependencyGraph graph_with(const Dependencies<N>& moving) const {
    Dependencies<N> all = moving;
    all.add_all(*unmoving_);
    return channel_dependency_graph(context_->wiring, all);
  }
  const Dependencies<N>& target() {
    if (!target_) {
      target_ = from_graph(*proven_);
      add_unmoved(moves().other_switches(), *target_);
    }
    return *target_;
  }
  const Dependencies<N>& others() {
    std::optional<Dependencies<N>>& others = others_[static_cast<std::size_t>(packets_)];
    if (!others) add_unmoved(moves().others(), others.emplace(context_->wiring));
    return *others;
  }

  Dependencies<N> from_graph(const ChannelDependencyGraph& graph) const {
    Dependencies<N> out(context_->wiring);
    std::vector<std::size_t> lane(graph.vls.size());
    for (std::size_t l = 0; l < lane.size(); ++l)
      while (map().lanes.vl_of_lane(lane[l]) != graph.vls[l]) ++lane[l];
    for (std::size_t c = 0; c < graph.channels.size(); ++c) {
      const ChannelDependencyGraph::Channel& from = graph.channels[c];
      out.use(context_->wiring.slot(from.sw.index(), from.out.index()),
              static_cast<std::uint16_t>(1U << lane[from.lane]));
      for (const std::uint32_t next : graph.after(c)) {
        const ChannelDependencyGraph::Channel& to = graph.channels[next];
        out.add(context_->wiring.cell(to.sw.index(), from.in.index(), to.out.index()), lane[from.lane],
                lane[to.lane]);
      }
    }
    return out;
  }

  template <class F>
  void for_unmoved(std::span<const Destination> destinations, const F& f) const {
    for_columns(context_->change.target, context_->wiring, destinations, kColumnBytes,
                [&](const Columns& columns) { f(columns.groups()); });
  }

  static Move unmoved(const Group& group) {
    Move move{{group.members.front()->lid}, group.column, group.column};
    move.to_switch = group.members.front()->is_switch();
    return move;
  }

  /// Packets to destinations that do not change. A forwarding loop on the way to a host is one of packets
  /// that come in from parts that are not known: the target tables are proven for all others. One on the way
  /// to a switch is there before and after.
  void add_unmoved(std::span<const Destination> destinations, Dependencies<N>& out) {
    std::mutex found;
    for_unmoved(destinations, [&](std::span<const Group> groups) {
      parallel_ranges(groups.size(), 4, [&](std::size_t first, std::size_t last) {
        Worker& worker = workers_.local();
        for (std::size_t g = first; g < last; ++g) {
          const Move move = unmoved(groups[g]);
          if (walk_one(move, Stage::target, worker, out) || groups[g].members.front()->is_switch()) continue;
          const std::scoped_lock lock(found);
          if (other_loop_ && other_loop_->hops.front().destination < move.lids.front()) continue;
          other_loop_ = forwarding_loop(context_->change, context_->wiring, move, worker.walker.cycle());
        }
      });
    });
  }

  Hazard loop(std::uint32_t looping, Stage stage) {
    const Move& move = context_->moves.all()[looping];
    Worker& worker = workers_.local();
    Dependencies<N> ignored(context_->wiring);
    walk_one(move, stage, worker, ignored);
    return forwarding_loop(context_->change, context_->wiring, move, worker.walker.cycle());
  }

  /// For each dependency of the cycle the first destination that causes it: of those that move, if any.
  Hazard credit_loop(const ChannelDependencyGraph& graph, std::span<const Stage> stages) {
    std::vector<Dependency> dependencies;
    const Cycle cycle = shortest_cycle(graph);
    for (std::size_t i = 0; i < cycle.channels.size(); ++i)
      dependencies.push_back({graph.channels[cycle.channels[i]],
                              graph.channels[cycle.channels[(i + 1) % cycle.channels.size()]]});
    std::vector<TransientHop> hops(dependencies.size());
    Worker& worker = workers_.local();
    Dependencies<N> ignored(context_->wiring);
    const auto look = [&](const Move& move, Stage stage) {
      walk_one(move, stage, worker, ignored);
      for (std::size_t i = 0; i < dependencies.size(); ++i)
        if (hops[i].destination == Lid() &&
            worker.walker.crosses(dependencies[i].from, dependencies[i].to, map().lanes))
          hops[i] = hop_of(move, dependencies[i].from, map().lanes);
    };
    for (std::size_t m = 0; m < stages.size(); ++m) look(context_->moves.all()[m], stages[m]);
    for_unmoved(moves().others(), [&](std::span<const Group> groups) {
      for (const Group& group : groups) look(unmoved(group), Stage::target);
    });
    return transition_loop(context_->change, std::move(hops), cycle.concerned);
  }

  const std::unique_ptr<ChangeContext> context_;
  const ChannelDependencyGraph* proven_;
  bool repaired_ = false;
  Packets packets_ = Packets::during;
  std::vector<Placed> placed_;  ///< moves in their stages
  Dependencies<N> moving_;      ///< of these
  GrowingOrder<N> order_;       ///< of `moving_` and `unmoving_`
  bool is_ordered_ = false;     ///< `order_` is of those of now
  bool may_grow_ = false;       ///< they close no cycle
  std::vector<Known> known_;    ///< by move
  Beside known_beside_;
  std::size_t kept_parts_ = 0;     ///< in `known_`
  bool is_beside_target_ = false;  ///< `moving_` may lack what the target tables have, and have more
  const Dependencies<N>* unmoving_ = nullptr;  ///< of all others, or of the target tables
  std::optional<Dependencies<N>> target_;
  std::array<std::optional<Dependencies<N>>, 3> others_;  ///< by packets
  std::optional<Hazard> other_loop_;                      ///< of the destinations that do not change
  tbb::enumerable_thread_specific<Worker> workers_;
};

}  // namespace

std::unique_ptr<TransientStates> make_transient_states(const Change& change,
                                                       const ChannelDependencyGraph* proven) {
  auto context = std::make_unique<ChangeContext>(change);
  return with_lanes(context->lane_count(), [&](auto n) -> std::unique_ptr<TransientStates> {
    return std::make_unique<TransientStatesOfLanes<n()>>(std::move(context), proven);
  });
}

}  // namespace rch::verify
