#include "verify/findings.h"

#include <algorithm>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/parts.h"
#include "verify/adaptive/choices.h"
#include "verify/adaptive/ways.h"
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

/// A packet of a source that shows what is sought: that ends in some way, or that takes two channels one
/// after the other. Nothing: none does.
using Sought = std::variant<FindingKind, Dependency>;

std::optional<Trace> shown_by_entries(const Context& context, const Source& source, const Destination& to,
                                      std::uint8_t sl, const Sought& sought) {
  Trace way = trace(context.tables, context.wiring, context.lanes, source, to, sl);
  const bool is_sought = std::holds_alternative<FindingKind>(sought)
                             ? shows(way.end, std::get<FindingKind>(sought))
                             : takes(context, way, std::get<Dependency>(sought));
  return is_sought ? std::optional(std::move(way)) : std::nullopt;
}

/// The same where switches have choices.
std::optional<Trace> shown_by_choice(const Context& context, Ways& ways, const Source& source,
                                     const Destination& to, std::uint8_t sl, const Sought& sought) {
  if ((context.lanes.unsendable(source.port, context.wiring.data_vls(source.port)) & sl_bit(sl)) != 0) {
    const auto* kind = std::get_if<FindingKind>(&sought);
    if (kind == nullptr || *kind != FindingKind::dropped_by_vl) return std::nullopt;
    Trace way;
    way.sl = sl;
    way.end = Trace::End::unsendable;
    return way;
  }
  if (!ways.is_set(to, sl)) ways.set(to, sl);
  if (const auto* dependency = std::get_if<Dependency>(&sought)) return ways.way(source, *dependency);
  const FindingKind kind = std::get<FindingKind>(sought);
  return ways.worst(source) == kind ? ways.way(source, kind) : std::nullopt;
}

/// The first by source for which `may_be` holds.
template <class MayBe>
std::pair<const Source*, Trace> first_trace(const Context& context, const Destination& to,
                                            const Sought& sought, const MayBe& may_be) {
  SourceLevels sls(context);
  sls.set(to.lid);
  std::optional<Choices> choices;
  std::optional<Ways> ways;
  if (!context.tables.adaptive.empty()) ways.emplace(context, choices.emplace(context));
  for (const Source& source : context.wiring.sources()) {
    if (!is_pair(context, source, to) || !may_be(source)) continue;
    const std::uint8_t sl = sls.of(source);
    std::optional<Trace> way = ways ? shown_by_choice(context, *ways, source, to, sl, sought)
                                    : shown_by_entries(context, source, to, sl, sought);
    if (way) return {&source, std::move(*way)};
  }
  return {nullptr, {}};
}

/// The way along entries, or along choices that lead from each of the switches to the next.
std::vector<Hop> once_round(const Context& context, Lid lid, std::span<const SwitchId> switches) {
  std::vector<Hop> hops;
  Hop at{};
  at.sw = switches.front();
  at.destination = lid;
  do {
    at.out = context.tables.adaptive.empty()
                 ? PortNum(entry(context.tables.lfts, at.sw, lid))
                 : port_that_may_lead(context, lid, at.sw, switches[(hops.size() + 1) % switches.size()]);
    hops.push_back(at);
    const Exit& exit = context.wiring.exit(at.sw.index(), at.out.value);
    at.sw = SwitchId(exit.to);
    at.in = PortNum(exit.in);
  } while (at.sw != hops.front().sw);
  hops.front().in = at.in;
  return hops;
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
  const auto is_apart = [&](const Source& from) {
    return parts.of[from.sw.index()] != parts.of[to.owner.sw.index()];
  };
  if (kind == FindingKind::disconnected) {
    const auto source = std::ranges::find_if(context.wiring.sources(), [&](const Source& from) {
      return is_pair(context, from, to) && is_apart(from);
    });
    return {kind,
            fmt::format("{} of {} pairs are in parts of the fabric that no cable joins, such as {}",
                        count.pairs, pairs, say.pair(*source, to)),
            count.pairs,
            {},
            false};
  }
  auto [source, way] = first_trace(context, to, kind, [&](const Source& from) { return !is_apart(from); });
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
  const std::vector<Hop> hops = once_round(context, lid, switches);
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
        first_trace(context, destination(context, lids[i]), d, [](const Source&) { return true; });
    hops.push_back({d.from.sw, in, d.from.out, vl, source->port, lids[i], way.sl});
    texts.push_back(say.holder(hops.back()));
  }
  std::string text = fmt::format(
      "credit loop of {} channels, which can deadlock ({} channels lie on such cycles): {} -> {} again",
      length, cycle.concerned, with_arrows(texts), say.node(fabric::Fabric::node_id(hops.front().sw)));
  return {FindingKind::credit_loop, std::move(text), cycle.concerned, std::move(hops), false};
}

}  // namespace rch::verify
