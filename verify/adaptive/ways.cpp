#include "verify/adaptive/ways.h"

#include <algorithm>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"

namespace rch::verify {
namespace {

constexpr std::uint8_t kLost = 1, kDropped = 2;

}  // namespace

Ways::Ways(const Context& context, const Choices& choices)
    : context_(context),
      choices_(choices),
      outs_(context.wiring.switch_count()),
      ends_(context.wiring.switch_count()),
      kinds_(context.wiring.slot_count()) {
  for (std::size_t m = 0; m < context.lanes.map_count(); ++m)
    may_drop_ =
        may_drop_ || (context.lanes.map(static_cast<std::uint16_t>(m)).drops & context.lanes.used()) != 0;
}

void Ways::set(const Destination& to, std::uint8_t sl) {
  to_ = to;
  sl_ = sl;
  for (std::uint32_t sw = 0; sw < outs_.size(); ++sw) outs_[sw] = choices_.ports(SwitchId(sw), to.lid, sl);
  set_ends();
  set_kinds();
}

void Ways::set_ends() {
  std::ranges::fill(ends_, std::uint8_t{0});
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t sw = 0; sw < ends_.size(); ++sw) {
      if (ends_[sw] != 0) continue;
      bool end = true;
      outs_[sw].for_each([&](std::uint8_t out) {
        const Exit& exit = context_.wiring.exit(sw, out);
        if (exit.kind == Exit::Kind::to_switch && ends_[exit.to] == 0) end = false;
      });
      ends_[sw] = end ? 1 : 0;
      grown = grown || end;
    }
  }
}

std::uint8_t Ways::kinds_of(std::size_t sw, std::size_t in) const {
  std::uint8_t kinds = 0;
  outs_[sw].for_each([&](std::uint8_t out) {
    const Exit& exit = context_.wiring.exit(sw, out);
    const bool home = is_end(sw, out);
    if (home && to_.is_switch()) return;
    if (!home && exit.kind != Exit::Kind::to_switch)
      kinds |= kLost;
    else if (drops(sw, in, out))
      kinds |= kDropped;
    else if (!home)
      kinds |= kinds_[place(exit.to, exit.in)];
  });
  return kinds;
}

void Ways::set_kinds() {
  std::ranges::fill(kinds_, std::uint8_t{0});
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t sw = 0; sw < outs_.size(); ++sw)
      for (unsigned in = 1; in <= (may_drop_ ? context_.wiring.num_ports(sw) : 1U); ++in) {
        std::uint8_t& known = kinds_[place(sw, in)];
        const std::uint8_t kinds = kinds_of(sw, in);
        grown = grown || kinds != known;
        known = kinds;
      }
  }
}

std::optional<FindingKind> Ways::worst(const Source& source) const {
  const std::uint8_t kinds = kinds_of(source.sw.index(), source.attach.index());
  if ((kinds & kLost) != 0) return FindingKind::unreachable;
  if ((kinds & kDropped) != 0) return FindingKind::dropped_by_vl;
  if (ends_[source.sw.index()] == 0) return FindingKind::loop;
  return std::nullopt;
}

/// Breadth-first over (switch, port by which packets come in, VL on which they come in).
struct Ways::Step {
  std::uint32_t sw;
  std::uint8_t in, out, vl;
  std::uint32_t before;  ///< the step that led here; kFirst: none
  static constexpr std::uint32_t kFirst = 0xFFFFFFFF;
};

class Ways::Search {
 public:
  explicit Search(const Ways& ways) : ways_(ways), seen_(ways.context_.wiring.slot_count()) {}

  /// Goes on until `goal(step, kind of its end)` holds, and returns the way to there.
  template <class Goal>
  std::optional<Trace> run(const Source& source, const Goal& goal) {
    const Wiring& wiring = ways_.context_.wiring;
    steps_.clear();
    std::ranges::fill(seen_, std::uint16_t{0});
    if (expand(source.sw.value, source.attach.value, Step::kFirst, goal)) return trace(source);
    for (std::uint32_t next = 0; next < steps_.size(); ++next) {
      const Step step = steps_[next];
      if (step.vl == kNoVl) continue;
      const Exit& exit = wiring.exit(step.sw, step.out);
      if (exit.kind != Exit::Kind::to_switch || ways_.is_end(step.sw, step.out)) continue;
      std::uint16_t& seen = seen_[wiring.slot(exit.to, exit.in)];
      const auto on_vl = static_cast<std::uint16_t>(1U << step.vl);
      if ((seen & on_vl) != 0) continue;
      seen = static_cast<std::uint16_t>(seen | on_vl);
      if (expand(exit.to, exit.in, next, goal)) return trace(source);
    }
    return std::nullopt;
  }

  static constexpr std::uint8_t kNoVl = 0xFF;

  const Step& step(std::uint32_t at) const { return steps_[at]; }

 private:
  /// All that a switch may do with a packet; true: the last step is the goal.
  template <class Goal>
  bool expand(std::uint32_t sw, std::uint8_t in, std::uint32_t before, const Goal& goal) {
    bool found = false;
    ways_.outs_[sw].for_each([&](std::uint8_t out) {
      if (found) return;
      const bool home = ways_.is_end(sw, out);
      const bool leads_on = home || ways_.context_.wiring.exit(sw, out).kind == Exit::Kind::to_switch;
      const bool crosses = leads_on && !(home && ways_.to_.is_switch());
      const std::uint8_t vl =
          crosses && !ways_.drops(sw, in, out) ? ways_.context_.lanes.at(sw, in, out).vl[ways_.sl_] : kNoVl;
      steps_.push_back({sw, in, out, vl, before});
      const bool dropped = crosses && vl == kNoVl;
      found = goal(*this, steps_.back(), dropped ? Trace::End::dropped : Trace::End::breaks_off,
                   !leads_on || dropped);
    });
    return found;
  }

  /// The way to the last step.
  Trace trace(const Source& source) const {
    Trace way;
    way.sl = ways_.sl_;
    for (auto at = static_cast<std::uint32_t>(steps_.size() - 1); at != Step::kFirst;
         at = steps_[at].before) {
      const Step& step = steps_[at];
      way.hops.push_back({SwitchId(step.sw), PortNum(step.in), PortNum(step.out),
                          step.vl == kNoVl ? std::uint8_t{0} : step.vl, source.port, ways_.to_.lid, way.sl});
    }
    std::ranges::reverse(way.hops);
    way.taken = way.hops.size();
    return way;
  }

  const Ways& ways_;
  std::vector<Step> steps_;
  std::vector<std::uint16_t> seen_;  ///< by slot: VLs
};

std::optional<Trace> Ways::way(const Source& source, FindingKind kind) const {
  Search search(*this);
  if (kind == FindingKind::loop) {
    // Along switches from which a loop can be reached, until one comes again.
    Trace way;
    way.sl = sl_;
    way.end = Trace::End::loop;
    std::uint32_t sw = source.sw.value;
    std::uint8_t in = source.attach.value;
    if (ends_[sw] != 0) return std::nullopt;
    for (;;) {
      const auto again = std::ranges::find(way.hops, SwitchId(sw), &Hop::sw);
      if (again != way.hops.end()) {
        way.loop = way.taken = static_cast<std::size_t>(again - way.hops.begin());
        return way;
      }
      Hop hop{SwitchId(sw), PortNum(in), PortNum(0), 0, source.port, to_.lid, sl_};
      bool found = false;
      outs_[sw].for_each([&](std::uint8_t out) {
        const Exit& exit = context_.wiring.exit(hop.sw.index(), out);
        if (found || exit.kind != Exit::Kind::to_switch || ends_[exit.to] != 0) return;
        found = true;
        hop.out = PortNum(out);
        hop.vl = context_.lanes.at(hop.sw.index(), hop.in.index(), out).vl[sl_];
        sw = exit.to;
        in = exit.in;
      });
      way.hops.push_back(hop);
    }
  }
  const Trace::End end = kind == FindingKind::dropped_by_vl ? Trace::End::dropped : Trace::End::breaks_off;
  auto way = search.run(
      source, [&](const Search&, const Step&, Trace::End how, bool lost) { return lost && how == end; });
  if (way) {
    way->end = end;
    --way->taken;
  }
  return way;
}

std::optional<Trace> Ways::way(const Source& source, const Dependency& d) const {
  Search search(*this);
  const auto on = [&](const Step& step, const ChannelDependencyGraph::Channel& c) {
    return step.sw == c.sw.value && step.out == c.out.value && step.vl == context_.lanes.vl_of_lane(c.lane);
  };
  return search.run(source, [&](const Search& so_far, const Step& step, Trace::End, bool lost) {
    return !lost && step.before != Step::kFirst && on(step, d.to) && on(so_far.step(step.before), d.from);
  });
}

std::vector<SwitchId> Ways::loop() const {
  const auto first = std::ranges::find(ends_, std::uint8_t{0});
  if (first == ends_.end()) return {};
  std::vector<SwitchId> way;
  for (SwitchId sw(static_cast<std::uint32_t>(first - ends_.begin()));;) {
    const auto again = std::ranges::find(way, sw);
    if (again != way.end()) {
      way.erase(way.begin(), again);
      return way;
    }
    way.push_back(sw);
    std::optional<SwitchId> next;
    outs_[sw.index()].for_each([&](std::uint8_t out) {
      const Exit& exit = context_.wiring.exit(sw.index(), out);
      if (!next && exit.kind == Exit::Kind::to_switch && ends_[exit.to] == 0) next = SwitchId(exit.to);
    });
    sw = *next;
  }
}

PortNum port_that_may_lead(const Context& context, Lid lid, SwitchId sw, SwitchId next) {
  const Choices choices(context);
  std::optional<PortNum> port;
  for (std::size_t pattern = 0; pattern < choices.pattern_count(); ++pattern)
    choices.ports(sw, lid, pattern, entry(context.tables.lfts, sw, lid)).for_each([&](std::uint8_t out) {
      const Exit& exit = context.wiring.exit(sw.index(), out);
      if (!port && exit.kind == Exit::Kind::to_switch && exit.to == next.value) port = PortNum(out);
    });
  return *port;
}

Tally lost_pairs_by_choice(const Context& context, const Choices& choices,
                           std::span<const Destination> destinations) {
  if (destinations.empty()) return {};
  struct Worker {
    Worker(const Context& context, const Choices& choices) : ways(context, choices), sls(context) {}
    Ways ways;
    SourceLevels sls;
    Tally lost;
  };
  const fabric::Parts parts = fabric::parts(context.fabric.graph());
  const Wiring& wiring = context.wiring;
  const auto is_pair = [&](const Source& source, const Destination& to) {
    if (source.port == to.owner.port) return false;
    return !wiring.is_bare(source.sw.index()) || (!to.is_switch() && !is_unneeded(context, source.sw, to));
  };
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(context, choices); });
  parallel_ranges(destinations.size(), 4, [&](std::size_t first, std::size_t last) {
    Worker& worker = workers.local();
    for (const Destination& to : destinations.subspan(first, last - first)) {
      worker.sls.set(to.lid);
      for (std::uint8_t sl = 0; sl < 16; ++sl) {
        bool is_set = false;
        for (const Source& source : wiring.sources()) {
          if (worker.sls.of(source) != sl || !is_pair(source, to)) continue;
          const SlSet unsendable = context.lanes.unsendable(source.port, wiring.data_vls(source.port));
          if (parts.of[source.sw.index()] != parts.of[to.owner.sw.index()]) {
            worker.lost.add(FindingKind::disconnected, to.lid, 1);
          } else if ((unsendable & sl_bit(sl)) != 0) {
            worker.lost.add(FindingKind::dropped_by_vl, to.lid, 1);
          } else {
            if (!std::exchange(is_set, true)) worker.ways.set(to, sl);
            if (const auto kind = worker.ways.worst(source)) worker.lost.add(*kind, to.lid, 1);
          }
        }
      }
    }
  });
  Tally lost;
  for (const Worker& worker : workers) lost.merge(worker.lost);
  return lost;
}

}  // namespace rch::verify
