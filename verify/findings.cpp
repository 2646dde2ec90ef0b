#include "verify/findings.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/parts.h"
#include "verify/messages.h"
#include "verify/multicast/groups.h"
#include "verify/service_levels.h"
#include "verify/trace.h"

namespace rch::verify {
namespace {

const Destination& destination(const Context& context, Lid lid) {
  return *std::find_if(context.destinations.begin(), context.destinations.end(),
                       [&](const Destination& d) { return d.lid == lid; });
}

/// The proof takes packets of this source to this destination.
bool is_pair(const Context& context, const Source& source, const Destination& to) {
  if (source.port == to.owner.port || is_unneeded(context, source.sw, to)) return false;
  return !to.is_switch() || context.wiring.sends_to_switches(source.sw.index());
}

/// First trace towards `lid`, by source, for which `matches` holds.
template <class Matches>
std::pair<const Source*, Trace> first_trace(const Context& context, const Destination& to,
                                            const Matches& matches) {
  SourceLevels sls(context);
  sls.set(to.lid);
  for (const Source& source : context.wiring.sources()) {
    if (!is_pair(context, source, to)) continue;
    Trace way = trace(context.tables, context.wiring, context.lanes, source, to, sls.of(source));
    if (matches(source, way)) return {&source, std::move(way)};
  }
  return {nullptr, {}};
}

bool shows(Trace::End end, FindingKind kind) {
  switch (kind) {
    case FindingKind::unreachable:
      return end == Trace::End::breaks_off;
    case FindingKind::dropped_by_vl:
      return end == Trace::End::dropped || end == Trace::End::unsendable;
    case FindingKind::loop:
      return end == Trace::End::loop;
    case FindingKind::credit_loop:
    case FindingKind::multicast_unreachable:
    case FindingKind::multicast_loop:
    case FindingKind::multicast_unrouted:
    case FindingKind::disconnected:
      break;
  }
  return false;
}

std::string after(const std::string& way, const std::string& what) {
  return way.empty() ? what : way + ", then " + what;
}

/// How the way of a lost packet ends, with all that leads there.
std::string ending(const Context& context, const Messages& say, const Trace& way, const Source& source) {
  const std::span<const Hop> hops(way.hops);
  std::string taken = say.row(hops.first(way.taken));
  switch (way.end) {
    case Trace::End::breaks_off: {
      const Hop& last = hops[way.taken];
      return after(taken, say.break_off(last, context.wiring.exit(last.sw.index(), last.out.value)));
    }
    case Trace::End::dropped: {
      const Hop& last = hops[way.taken];
      return after(taken, say.no_vl(last, context.wiring.data_vls(last.sw.index(), last.out.value)));
    }
    case Trace::End::unsendable:
      return say.no_vl(source.port, way.sl, context.lanes.end_port(source.port)[way.sl],
                       context.wiring.data_vls(source.port));
    case Trace::End::loop:
      return after(taken, say.row(hops.subspan(way.loop)) + " -> " +
                              say.node(fabric::Fabric::node_id(hops[way.loop].sw)) + " again");
    case Trace::End::delivered:
      break;
  }
  return taken;
}

std::string_view what_happens(FindingKind kind) {
  switch (kind) {
    case FindingKind::unreachable:
      return "have no path";
    case FindingKind::dropped_by_vl:
      return "lose their packets for want of a VL";
    case FindingKind::loop:
      return "are caught in a forwarding loop";
    case FindingKind::credit_loop:
    case FindingKind::multicast_unreachable:
    case FindingKind::multicast_loop:
    case FindingKind::multicast_unrouted:
    case FindingKind::disconnected:
      break;
  }
  return {};
}

/// The packet takes `d.from` and then `d.to`.
bool takes(const Context& context, const Trace& way, const Dependency& d) {
  const auto on = [&](const Hop& hop, const ChannelDependencyGraph::Channel& c) {
    return hop.sw == c.sw && hop.out == c.out && hop.vl == context.lanes.vl_of_lane(c.lane);
  };
  for (std::size_t i = 1; i < way.taken; ++i)
    if (on(way.hops[i - 1], d.from) && on(way.hops[i], d.to)) return true;
  return false;
}

}  // namespace

Finding missing_lids(const Context& context) {
  const Messages say(context.fabric, context.tables);
  const auto ports = context.wiring.without_lid();
  const Source& first = ports.front();
  const bool one = ports.size() == 1;
  return {FindingKind::unreachable,
          fmt::format("{} CA or router port{} no LID{} {} on {} port {}", ports.size(),
                      one ? " has" : "s have", one ? ":" : ", such as", say.port(first.port),
                      say.node(fabric::Fabric::node_id(first.sw)), first.attach),
          ports.size(),
          {},
          false};
}

Finding lost_pairs(const Context& context, FindingKind kind, const Tally::Count& count, std::uint64_t pairs) {
  const Messages say(context.fabric, context.tables);
  const Destination& to = destination(context, count.first);
  const fabric::Parts parts = fabric::parts(context.fabric.graph());
  const bool disconnected = kind == FindingKind::disconnected;
  auto [source, way] = first_trace(context, to, [&](const Source& from, const Trace& t) {
    const bool apart = parts.of[from.sw.index()] != parts.of[to.owner.sw.index()];
    return apart == disconnected && (disconnected || shows(t.end, kind));
  });
  if (disconnected)
    return {kind,
            fmt::format("{} of {} pairs are in parts of the fabric that no cable joins, such as {}",
                        count.pairs, pairs, say.pair(*source, to)),
            count.pairs,
            {},
            false};
  std::string text =
      fmt::format("{} of {} pairs {}, such as {}, SL {}: {}", count.pairs, pairs, what_happens(kind),
                  say.pair(*source, to), way.sl, ending(context, say, way, *source));
  if (way.end == Trace::End::unsendable)
    way.hops.clear();
  else if (way.end != Trace::End::loop)
    way.hops.resize(way.taken + 1);
  return {kind, std::move(text), count.pairs, std::move(way.hops), false};
}

Finding looping_entries(const Context& context, const ForwardingLoops& loops) {
  const auto& [lid, switches] =
      *std::ranges::min_element(loops, {}, [](const auto& loop) { return loop.first; });
  const Messages say(context.fabric, context.tables);
  std::vector<Hop> hops;
  Hop at{};
  at.sw = switches.front();
  at.destination = lid;
  do {
    at.out = PortNum(entry(context.tables.lfts, at.sw, lid));
    hops.push_back(at);
    const Exit& exit = context.wiring.exit(at.sw.index(), at.out.value);
    at.sw = SwitchId(exit.to);
    at.in = PortNum(exit.in);
  } while (at.sw != hops.front().sw);
  hops.front().in = at.in;
  const auto owner = context.fabric.lid_owner(lid);
  std::string text = fmt::format(
      "the entries for {} lead in forwarding loops, such as LID {}{}: {} -> {} again",
      counted(loops.size(), "LID"), lid, owner ? " of " + say.port(*owner) : ", which no port has",
      say.row(hops), say.node(fabric::Fabric::node_id(hops.front().sw)));
  return {FindingKind::loop, std::move(text), loops.size(), std::move(hops), false};
}

Finding credit_loop(const Context& context, const ChannelDependencyGraph& graph, const Cycle& cycle) {
  const std::size_t length = cycle.channels.size();
  std::vector<Dependency> dependencies;
  for (std::size_t i = 0; i < length; ++i)
    dependencies.push_back(
        {graph.channels[cycle.channels[i]], graph.channels[cycle.channels[(i + 1) % length]]});
  const std::vector<Lid> lids = causes(context, dependencies);

  const Messages say(context.fabric, context.tables);
  std::vector<Hop> hops;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < length; ++i) {
    const Dependency& d = dependencies[i];
    const PortNum in = dependencies[(i + length - 1) % length].from.in;
    const std::uint8_t vl = context.lanes.vl_of_lane(d.from.lane);
    if (lids[i].is_none()) {
      const fabric::MulticastGroup& group = *cause(context, d);
      hops.push_back({d.from.sw, in, d.from.out, vl, PortId::none(), group.mlid, group.sl});
      texts.push_back(say.holder(hops.back()));
      continue;
    }
    const auto [source, way] =
        first_trace(context, destination(context, lids[i]),
                    [&](const Source&, const Trace& t) { return takes(context, t, d); });
    hops.push_back({d.from.sw, in, d.from.out, vl, source->port, lids[i], way.sl});
    texts.push_back(say.holder(hops.back()));
  }
  std::string text = fmt::format(
      "credit loop of {} channels, which can deadlock ({} channels lie on such cycles): {} -> {} again",
      length, cycle.concerned, with_arrows(texts), say.node(fabric::Fabric::node_id(hops.front().sw)));
  return {FindingKind::credit_loop, std::move(text), cycle.concerned, std::move(hops), false};
}

}  // namespace rch::verify
