#include "verify/adaptive/survey.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "verify/adaptive/flood.h"
#include "verify/adaptive/ways.h"
#include "verify/cycle.h"
#include "verify/multicast/dependencies.h"

namespace rch::verify {
namespace {

struct ReachedByChoice {
  std::vector<Destination> faulty;   ///< there may be pairs that do not reach them
  std::vector<Destination> looping;  ///< the choices of some switches lead round
  SlSet sls = 0;
};

void by_switch_and_lid(std::vector<Destination>& all) {
  std::ranges::sort(all, {}, [](const Destination& d) { return std::pair(d.owner.sw, d.lid); });
}

/// Takes packets towards all `destinations`; `sink()` makes one for each thread.
template <class MakeSink>
ReachedByChoice flood(const Context& context, const Choices& choices,
                      std::span<const Destination> destinations, const MakeSink& sink) {
  if (destinations.empty()) return {};
  using Sink = decltype(sink());
  struct Worker {
    Worker(const Context& context, const Choices& choices, const PacketClasses& classes, Sink sink)
        : flood(context, choices, classes, std::move(sink)) {}
    Flood<Sink> flood;
    ReachedByChoice reached;
  };
  constexpr std::size_t kBlock = Flood<Sink>::kBlock;
  const PacketClasses classes(context.wiring, context.lanes, context.injection);
  // LIDs of a block close to each other: their entries share lines of the cache.
  std::vector<AlikeDestinations> all = alike(context, choices, destinations);
  std::ranges::sort(all, {}, &AlikeDestinations::lid);
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(context, choices, classes, sink()); });
  parallel_ranges((all.size() + kBlock - 1) / kBlock, 1, [&](std::size_t first, std::size_t last) {
    Worker& worker = workers.local();
    for (std::size_t begin = first * kBlock; begin < std::min(last * kBlock, all.size()); begin += kBlock) {
      const auto block = std::span(all).subspan(begin, std::min(kBlock, all.size() - begin));
      const auto found = worker.flood.run(block);
      worker.reached.sls = static_cast<SlSet>(worker.reached.sls | found.sls);
      for (std::size_t c = 0; c < block.size(); ++c) {
        if (((found.faulty | found.looping) >> c & 1U) != 0)
          std::ranges::copy(block[c].members, std::back_inserter(worker.reached.faulty));
        if ((found.looping >> c & 1U) != 0)
          std::ranges::copy(block[c].members, std::back_inserter(worker.reached.looping));
      }
    }
  });
  ReachedByChoice result;
  for (Worker& worker : workers) {
    std::ranges::move(worker.reached.faulty, std::back_inserter(result.faulty));
    std::ranges::move(worker.reached.looping, std::back_inserter(result.looping));
    result.sls = static_cast<SlSet>(result.sls | worker.reached.sls);
  }
  by_switch_and_lid(result.faulty);
  by_switch_and_lid(result.looping);
  return result;
}

template <std::size_t N>
struct ChoiceRecorder {
  Dependencies<N>& dependencies;
  void use(std::size_t slot, std::size_t lane) {
    dependencies.use(slot, static_cast<std::uint16_t>(1U << lane));
  }
  void cross(std::size_t cell, std::size_t in_lane, std::size_t out_lane, DestinationBits) {
    dependencies.add(cell, in_lane, out_lane);
  }
};

/// Looks for a destination that causes each of some dependencies.
struct ChoiceCauses {
  struct Sought {
    std::size_t cell, in_lane, out_lane;
  };
  const std::vector<Sought>& sought;
  std::vector<std::uint8_t>& caused;
  void use(std::size_t, std::size_t) {}
  void cross(std::size_t cell, std::size_t in_lane, std::size_t out_lane, DestinationBits) {
    for (std::size_t i = 0; i < sought.size(); ++i)
      if (sought[i].cell == cell && sought[i].in_lane == in_lane && sought[i].out_lane == out_lane)
        caused[i] = 1;
  }
};

template <std::size_t N>
class ChoiceSurveyor {
 public:
  explicit ChoiceSurveyor(const Context& context)
      : context_(context), choices_(context), dependencies_(context.wiring) {}

  Survey survey() && {
    const ReachedByChoice hosts = go(context_.destinations);
    result_.paths = make_graph();
    result_.acyclic = !has_cycle(result_.paths);
    result_.lost = lost_pairs_by_choice(context_, choices_, hosts.faulty);
    note_loops(hosts.looping);
    take_groups();
    take_switches();
    note_loops(loops_to_nobody());
    return std::move(result_);
  }

 private:
  ReachedByChoice go(std::span<const Destination> destinations) {
    ReachedByChoice reached =
        flood(context_, choices_, destinations, [&] { return ChoiceRecorder<N>{dependencies_}; });
    result_.sls = static_cast<SlSet>(result_.sls | reached.sls);
    return reached;
  }

  ChannelDependencyGraph make_graph() const {
    ChannelDependencyGraph graph = channel_dependency_graph(context_.wiring, dependencies_);
    for (std::size_t lane = 0; lane < context_.lanes.lane_count(); ++lane)
      graph.vls.push_back(context_.lanes.vl_of_lane(lane));
    return graph;
  }

  void take_groups() {
    dependencies_.take_grown();
    MulticastDependencies<N> multicast(context_, dependencies_);
    for (const fabric::MulticastGroup& group : context_.tables.groups) multicast.add(group);
    result_.channels = dependencies_.used_count();
    result_.dependencies = dependencies_.count();
    if (!dependencies_.take_grown()) return;
    ChannelDependencyGraph graph = make_graph();
    result_.acyclic = !has_cycle(graph);
    if (!result_.acyclic) result_.cyclic_with_groups = std::move(graph);
  }

  void take_switches() {
    dependencies_.take_grown();
    const ReachedByChoice switches = go(context_.switches);
    if (dependencies_.take_grown() && result_.acyclic)
      if (ChannelDependencyGraph graph = make_graph(); has_cycle(graph))
        result_.cyclic_with_switches = std::move(graph);
    result_.lost_to_switches = lost_pairs_by_choice(context_, choices_, switches.faulty);
    note_loops(switches.looping);
  }

  /// LIDs that no port has. Packets to them end somewhere, and hold nothing for long unless they go round.
  std::vector<Destination> loops_to_nobody() const {
    struct Nothing {
      void use(std::size_t, std::size_t) {}
      void cross(std::size_t, std::size_t, std::size_t, DestinationBits) {}
    };
    if (context_.options.loop_free) return {};
    const std::vector<Destination> absent = absent_destinations(context_.fabric, context_.tables.lfts);
    return flood(context_, choices_, absent, [] { return Nothing{}; }).looping;
  }

  void note_loops(std::span<const Destination> looping) {
    Ways ways(context_, choices_);
    for (const Destination& to : looping)
      for (std::uint8_t sl = 0; sl < 16 && !result_.loops.contains(to.lid); ++sl) {
        if (sl != 0 && (context_.lanes.used() & sl_bit(sl)) == 0) continue;
        ways.set(to, sl);
        if (std::vector<SwitchId> loop = ways.loop(); !loop.empty())
          result_.loops.emplace(to.lid, std::move(loop));
      }
  }

  const Context& context_;
  const Choices choices_;
  Dependencies<N> dependencies_;
  Survey result_;
};

}  // namespace

Survey survey_choices(const Context& context) {
  return with_lanes(context.lanes.lane_count(),
                    [&](auto n) { return ChoiceSurveyor<n()>(context).survey(); });
}

std::vector<Lid> causes_by_choice(const Context& context, std::span<const Dependency> dependencies) {
  std::vector<ChoiceCauses::Sought> sought;
  for (const Dependency& d : dependencies)
    sought.push_back(
        {context.wiring.cell(d.to.sw.index(), d.from.in.index(), d.to.out.index()), d.from.lane, d.to.lane});
  const Choices choices(context);
  std::vector<Destination> ascending(context.destinations.begin(), context.destinations.end());
  std::ranges::sort(ascending, {}, &Destination::lid);
  std::vector<Lid> lids(sought.size(), Lid::none());
  const auto may_send = [&](const ChannelDependencyGraph::Channel& channel, Lid lid) {
    for (std::size_t pattern = 0; pattern < choices.pattern_count(); ++pattern)
      if (choices.ports(channel.sw, lid, pattern, entry(context.tables.lfts, channel.sw, lid))
              .contains(channel.out.value))
        return true;
    return false;
  };
  for (const Destination& to : ascending) {
    std::vector<std::uint8_t> caused(sought.size());
    bool is_candidate = false;
    for (std::size_t i = 0; i < sought.size(); ++i)
      is_candidate = is_candidate || (lids[i].is_none() && may_send(dependencies[i].from, to.lid) &&
                                      may_send(dependencies[i].to, to.lid));
    if (!is_candidate) continue;
    flood(context, choices, std::span(&to, 1), [&] { return ChoiceCauses{sought, caused}; });
    for (std::size_t i = 0; i < sought.size(); ++i)
      if (caused[i] != 0 && lids[i].is_none()) lids[i] = to.lid;
    if (std::ranges::none_of(lids, &Lid::is_none)) break;
  }
  return lids;
}

}  // namespace rch::verify
