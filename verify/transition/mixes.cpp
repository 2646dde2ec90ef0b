#include "verify/transition/mixes.h"

#include <atomic>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "verify/cycle.h"
#include "verify/service_levels.h"
#include "verify/transition/mix_walker.h"
#include "verify/transition/witness.h"

namespace rch::verify {
namespace {

constexpr std::size_t kColumnBytes = std::size_t{16} << 20;

/// What stays the same through all mixes of one change.
struct Scene {
  explicit Scene(const Change& c)
      : change(c),
        wiring(c.fabric, c.max_op_vls),
        lanes(wiring, c.held.sl2vl.empty() ? c.wanted.sl2vl : c.held.sl2vl, c.wanted.sl2vl,
              static_cast<SlSet>(expected_sls(c.wanted) | (c.held.steps.empty() ? 0 : expected_sls(c.held)))),
        injection(wiring, lanes),
        moves(c, wiring) {}

  const Change& change;
  const Wiring wiring;
  const Lanes lanes;
  const Injection injection;
  const Moves moves;
};

template <std::size_t N>
class MixesOfLanes final : public Mixes {
 public:
  MixesOfLanes(std::unique_ptr<Scene> scene, const ChannelGraph* proven)
      : scene_(std::move(scene)),
        proven_(scene_->change.held.sl2vl.empty() && scene_->change.held.steps.empty() ? proven : nullptr),
        present_(scene_->wiring),
        workers_([this] { return Worker(*scene_); }) {}

  const Moves& moves() const override { return scene_->moves; }
  const Wiring& wiring() const override { return scene_->wiring; }
  void set_repaired(bool repaired) override { repaired_ = repaired; }

  std::optional<Danger> settle(std::span<const Stage> stages) override {
    const bool wanted_too = proven_ != nullptr && holds_wanted(stages);
    present_ = wanted_too ? wanted() : others();
    std::vector<std::uint32_t> all;
    for (std::uint32_t m = 0; m < moves().all().size(); ++m)
      if (!wanted_too || moves().all()[m].replaces) all.push_back(m);
    const auto stage_of = [&](std::uint32_t move) { return stages[move]; };
    if (const std::uint32_t looping = walk(all, stage_of, present_); looping != Moves::kNone)
      return loop(looping, stages[looping]);
    const ChannelGraph graph = channel_graph(scene_->wiring, present_);
    if (!has_cycle(graph)) return std::nullopt;
    return credit_loop(graph, stages);
  }

  bool add(std::span<const std::uint32_t> moves, Stage stage) override {
    Dependencies<N> mix = present_;
    if (walk(
            moves, [&](std::uint32_t) { return stage; }, mix) != Moves::kNone)
      return false;
    if (has_cycle(channel_graph(scene_->wiring, mix))) return false;
    present_ = std::move(mix);
    return true;
  }

 private:
  struct Worker {
    explicit Worker(const Scene& scene) : walker({scene.wiring, scene.lanes, scene.injection}) {}
    MixWalker<N> walker;
    std::vector<std::uint8_t> levels;
    std::vector<SlSet> sls;
  };

  /// Service levels that packets for a move may have, by source switch.
  void set_sls(const Move& move, Worker& worker) const {
    worker.sls.assign(scene_->wiring.switch_count(), 0);
    for (const fabric::RoutingTables* tables : {&scene_->change.wanted, &scene_->change.held}) {
      if (tables->steps.empty()) continue;
      service_levels(scene_->change.fabric, *tables, move.lids.front(), worker.levels);
      for (std::size_t s = 0; s < worker.sls.size(); ++s)
        worker.sls[s] = static_cast<SlSet>(worker.sls[s] | sl_bit(worker.levels[s]));
    }
  }

  bool walk_one(const Move& move, Stage stage, Worker& worker, Dependencies<N>& into) const {
    set_sls(move, worker);
    return worker.walker.walk(move, stage, repaired_, worker.sls, into);
  }

  /// First move with a forwarding loop, or kNone.
  template <class StageOf>
  std::uint32_t walk(std::span<const std::uint32_t> moves, const StageOf& stage_of, Dependencies<N>& into) {
    std::atomic<std::uint32_t> looping = Moves::kNone;
    parallel_ranges(moves.size(), 4, [&](std::size_t first, std::size_t last) {
      Worker& worker = workers_.local();
      for (std::size_t i = first; i < last; ++i) {
        if (walk_one(scene_->moves.all()[moves[i]], stage_of(moves[i]), worker, into)) continue;
        for (std::uint32_t lowest = looping; moves[i] < lowest;)
          if (looping.compare_exchange_weak(lowest, moves[i])) break;
      }
    });
    return looping;
  }

  /// All that the wanted tables hold is part of the mix.
  static bool holds_wanted(std::span<const Stage> stages) {
    return std::ranges::all_of(stages, [](Stage s) { return s == Stage::both || s == Stage::wanted; });
  }
  const Dependencies<N>& wanted() {
    if (!wanted_) wanted_ = from_graph(*proven_);
    return *wanted_;
  }
  const Dependencies<N>& others() {
    if (!others_) others_ = of_others();
    return *others_;
  }

  Dependencies<N> from_graph(const ChannelGraph& graph) const {
    Dependencies<N> out(scene_->wiring);
    std::vector<std::size_t> lane(graph.vls.size());
    for (std::size_t l = 0; l < lane.size(); ++l)
      while (scene_->lanes.vl_of_lane(lane[l]) != graph.vls[l]) ++lane[l];
    for (std::size_t c = 0; c < graph.channels.size(); ++c) {
      const ChannelGraph::Channel& from = graph.channels[c];
      out.use(scene_->wiring.slot(from.sw.index(), from.out.index()),
              static_cast<std::uint16_t>(1U << lane[from.lane]));
      for (const std::uint32_t next : graph.after(c)) {
        const ChannelGraph::Channel& to = graph.channels[next];
        CellBits<N> bits;
        bits.set(lane[from.lane], lane[to.lane]);
        out.add(scene_->wiring.cell(to.sw.index(), from.in.index(), to.out.index()), bits);
      }
    }
    return out;
  }

  template <class F>
  void for_others(const F& f) const {
    for_columns(scene_->change.wanted, scene_->wiring, scene_->moves.others(), kColumnBytes,
                [&](const Columns& columns) { f(columns.groups()); });
  }

  static Move unmoved(const Group& group) {
    return {{group.members.front()->lid}, group.column, group.column};
  }

  /// A forwarding loop of theirs is one of the wanted tables, which are proven; none is looked for here.
  Dependencies<N> of_others() {
    Dependencies<N> out(scene_->wiring);
    for_others([&](std::span<const Group> groups) {
      parallel_ranges(groups.size(), 4, [&](std::size_t first, std::size_t last) {
        Worker& worker = workers_.local();
        for (std::size_t g = first; g < last; ++g) walk_one(unmoved(groups[g]), Stage::wanted, worker, out);
      });
    });
    return out;
  }

  Danger loop(std::uint32_t looping, Stage stage) {
    const Move& move = scene_->moves.all()[looping];
    Worker& worker = workers_.local();
    Dependencies<N> ignored(scene_->wiring);
    walk_one(move, stage, worker, ignored);
    return forwarding_loop(scene_->change, scene_->wiring, move, worker.walker.circle());
  }

  /// For each dependency of the circle the first destination that causes it: of those that move, if any.
  Danger credit_loop(const ChannelGraph& graph, std::span<const Stage> stages) {
    std::vector<Dependency> circle;
    const Cycle cycle = shortest_cycle(graph);
    for (std::size_t i = 0; i < cycle.channels.size(); ++i)
      circle.push_back({graph.channels[cycle.channels[i]],
                        graph.channels[cycle.channels[(i + 1) % cycle.channels.size()]]});
    std::vector<MixHop> hops(circle.size());
    Worker& worker = workers_.local();
    Dependencies<N> ignored(scene_->wiring);
    const auto look = [&](const Move& move, Stage stage) {
      walk_one(move, stage, worker, ignored);
      for (std::size_t i = 0; i < circle.size(); ++i)
        if (hops[i].destination == Lid() && worker.walker.crosses(circle[i].from, circle[i].to))
          hops[i] = hop_of(move, circle[i].from, scene_->lanes);
    };
    for (std::size_t m = 0; m < stages.size(); ++m) look(scene_->moves.all()[m], stages[m]);
    for_others([&](std::span<const Group> groups) {
      for (const Group& group : groups) look(unmoved(group), Stage::wanted);
    });
    return transition_loop(scene_->change, std::move(hops), cycle.concerned);
  }

  const std::unique_ptr<Scene> scene_;
  const ChannelGraph* proven_;
  bool repaired_ = false;
  Dependencies<N> present_;
  std::optional<Dependencies<N>> wanted_, others_;
  tbb::enumerable_thread_specific<Worker> workers_;
};

}  // namespace

std::unique_ptr<Mixes> make_mixes(const Change& change, const ChannelGraph* proven) {
  auto scene = std::make_unique<Scene>(change);
  return with_lanes(scene->lanes.lane_count(), [&](auto n) -> std::unique_ptr<Mixes> {
    return std::make_unique<MixesOfLanes<n()>>(std::move(scene), proven);
  });
}

}  // namespace rch::verify
