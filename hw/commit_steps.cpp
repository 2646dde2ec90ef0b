#include "hw/commit_steps.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace rch::hw {
namespace {

Image lft_image(const LiveFabric& live, const fabric::BlockWrite& write) {
  Image image{live.port0(write.at.sw), Attribute::linear_table, write.at.block, {}, kWholeBlock};
  std::ranges::copy(write.entries, image.data.begin());
  return image;
}

Image sl2vl_image(PortId port, std::uint32_t modifier, const fabric::Sl2VlMap& map) {
  Image image{port, Attribute::sl2vl, modifier, {}, kWholeMap};
  set(image.data, kWholeMap[0], to_wire(map));
  return image;
}

bool comes_before(const fabric::LftBlock& a, const fabric::LftBlock& b) {
  return std::tuple(a.block, a.sw) < std::tuple(b.block, b.sw);
}

using BlockWrites = std::vector<const fabric::BlockWrite*>;

BlockWrites writes_of(const fabric::WriteRound& round) {
  BlockWrites writes;
  for (const fabric::BlockWrite& write : round.writes) writes.push_back(&write);
  return writes;
}

/// Takes the writes beyond tops from those of the first round.
BlockWrites take_beyond_tops(const Preparation& plan, BlockWrites& writes) {
  const auto stays = [&](const fabric::BlockWrite* write) {
    return !std::ranges::binary_search(plan.beyond_tops, write->at, comes_before);
  };
  const auto beyond = std::stable_partition(writes.begin(), writes.end(), stays);
  BlockWrites taken(beyond, writes.end());
  writes.erase(beyond, writes.end());
  return taken;
}

/// The blocks beyond tops that are not `written` by the first round: they get what is in effect now.
std::vector<fabric::BlockWrite> cleared_blocks(const Preparation& plan, BlockWrites written) {
  constexpr std::size_t kBlock = fabric::ForwardingTables::kBlock;
  std::ranges::sort(written, comes_before, &fabric::BlockWrite::at);
  std::vector<fabric::BlockWrite> cleared;
  for (const fabric::LftBlock& at : plan.beyond_tops) {
    if (std::ranges::binary_search(written, at, comes_before, &fabric::BlockWrite::at)) continue;
    fabric::BlockWrite& write = cleared.emplace_back(fabric::BlockWrite{at, {}});
    std::ranges::copy(plan.installed.lfts.row(at.sw).subspan(at.block * kBlock, kBlock),
                      write.entries.begin());
  }
  return cleared;
}

/// The only links that come up join switches that forward already. They become active before entries lead
/// there, so that no packet waits for them: the update was judged with them from its beginning. Other links
/// become active last, so that no packet meets an empty table.
bool only_joins_switches(const CommitInput& input) {
  const PortPlan& ports = input.preparation.ports;
  const fabric::Fabric& fabric = input.live.fabric;
  const auto joins = [&](const Image& image) {
    const PortId peer = fabric.port(image.port).peer;
    return fabric.is_switch(fabric.port(image.port).node) && !peer.is_none() &&
           fabric.is_switch(fabric.port(peer).node);
  };
  const bool maps_first = std::ranges::any_of(input.rounds, &fabric::WriteRound::maps_first);
  return !input.preparation.activates_last && !ports.activate.empty() &&
         std::ranges::all_of(ports.activate, joins) && !maps_first && ports.resets.empty() &&
         input.preparation.switches.raise.empty();
}

}  // namespace

CommitSteps::CommitSteps(const CommitInput& input) : live_(input.live) {
  const Preparation& plan = input.preparation;
  add_set("close links to what is left out", plan.closes);
  steps_.back().may_end = true;
  if (!plan.closes.empty()) add_drain(input.options);
  add_set("reset links", plan.ports.resets);
  steps_.back().may_end = true;
  add_set("wait for links", plan.ports.resets, CommitStep::Kind::settle);
  add_set("configure end ports", plan.ports.end_ports);
  steps_.back().names_us = true;
  add_set("configure switches", plan.switches.before);
  add_set("remove P_Keys", plan.pkeys.removals, CommitStep::Kind::write);
  add_set("write P_Keys", plan.pkeys.additions, CommitStep::Kind::write);
  if (!plan.multicast.removals.empty()) {
    add_set("remove multicast entries", plan.multicast.removals, CommitStep::Kind::write);
    add_drain(input.options);
  }
  add_rest_of_drain(input);
  const bool early = only_joins_switches(input);
  add_rounds(input, early);
  add_set("write VL arbitration", plan.arbitration, CommitStep::Kind::write);
  add_set("write rate limits", plan.rate_limits, CommitStep::Kind::write);
  add_set("set FDR10", plan.fdr10);
  add_set("add multicast entries", plan.multicast.additions, CommitStep::Kind::write);
  add_set("set table tops", plan.switches.after);
  if (!early) add_activation(plan.ports);
  add_set("check switches", plan.switches.at_end, CommitStep::Kind::expect);
}

void CommitSteps::add_set(std::string_view name, const std::vector<Image>& images, CommitStep::Kind kind) {
  steps_.push_back({name, kind, images.size(), [&images](std::size_t i) { return images[i]; }});
}

void CommitSteps::add_activation(const PortPlan& ports) {
  add_set("configure switch ports", ports.switch_ports);
  const auto armed = [&ports](std::size_t i) {
    Image image = ports.activate[i];
    set(image.data, port_info::kState, static_cast<std::uint8_t>(PortState::armed));
    return image;
  };
  steps_.push_back({"arm ports", CommitStep::Kind::set, ports.arm_count, armed});
  add_set("activate ports", ports.activate);
}

void CommitSteps::add_drain(const SubnetOptions& options) {
  steps_.push_back({.name = "drain", .kind = CommitStep::Kind::drain, .span = packet_life_time(options)});
}

/// Waits for the rest of the packet lifetime that an update which was broken off would have waited for. A
/// drain that this commit begins is longer.
void CommitSteps::add_rest_of_drain(const CommitInput& input) {
  if (!input.drained_at || std::ranges::any_of(steps_, [](const CommitStep& step) {
        return step.kind == CommitStep::Kind::drain;
      }))
    return;
  steps_.push_back({.name = "drain", .kind = CommitStep::Kind::drain, .until = input.drained_at});
}

void CommitSteps::add_sl2vl(const CommitInput& input) {
  const TableDelta& delta = input.preparation.delta;
  const auto image = [&delta, &live = input.live, &maps = input.tables.sl2vl](std::size_t i) {
    if (i >= delta.sl2vl.size()) {
      const PortId port = delta.end_port_sl2vl[i - delta.sl2vl.size()];
      return sl2vl_image(port, 0, maps.end_port(port));
    }
    const Sl2VlPlace& place = delta.sl2vl[i];
    return sl2vl_image(live.port0(place.sw), place.modifier(), maps.at(place.sw, place.in, place.out));
  };
  const std::size_t count = delta.sl2vl.size() + delta.end_port_sl2vl.size();
  steps_.push_back({"write SL2VL maps", CommitStep::Kind::write, count, image});
}

void CommitSteps::add_blocks(std::string_view name, std::vector<const fabric::BlockWrite*> writes) {
  const std::size_t count = writes.size();
  steps_.push_back(
      {name, CommitStep::Kind::write, count,
       [&live = live_, writes = std::move(writes)](std::size_t i) { return lft_image(live, *writes[i]); }});
}

/// Takes from the first round what must be written before the tops rise. Any order in a round is safe.
void CommitSteps::add_tops(const Preparation& plan, std::vector<const fabric::BlockWrite*>& first_round) {
  BlockWrites beyond = take_beyond_tops(plan, first_round);
  cleared_ = cleared_blocks(plan, beyond);
  for (const fabric::BlockWrite& write : cleared_) beyond.push_back(&write);
  add_blocks("write beyond table tops", std::move(beyond));
  add_set("raise table tops", plan.switches.raise);
}

/// SL2VL maps go before the forwarding tables, because new paths may rely on new VLs: before all of them,
/// unless a round asks for them.
void CommitSteps::add_rounds(const CommitInput& input, bool activates) {
  static const fabric::WriteRound kNoBlocks;
  const std::span rounds = input.rounds.empty() ? std::span(&kNoBlocks, 1) : input.rounds;
  bool whole = input.preparation.ports.resets.empty() && input.preparation.multicast.removals.empty();
  if (std::ranges::none_of(rounds, &fabric::WriteRound::maps_first)) add_sl2vl(input);
  if (activates) add_activation(input.preparation.ports);
  for (const fabric::WriteRound& round : rounds) {
    const std::size_t first = steps_.size();
    if (round.maps_first) add_sl2vl(input);
    BlockWrites writes = writes_of(round);
    if (&round == rounds.data()) add_tops(input.preparation, writes);
    add_blocks("write forwarding tables", std::move(writes));
    if (round.waits) add_drain(input.options);
    steps_[first].may_end = whole;
    whole = whole && !round.drains;
  }
}

std::size_t count_blocks(const Preparation& plan, std::span<const fabric::WriteRound> rounds) {
  std::size_t count = plan.beyond_tops.size();
  for (const fabric::WriteRound& round : rounds) count += round.writes.size();
  if (rounds.empty()) return count;
  BlockWrites first = writes_of(rounds.front());
  return count - take_beyond_tops(plan, first).size();
}

Milliseconds packet_life_time(const SubnetOptions& options) {
  constexpr std::uint8_t kLongest = 0x13;  // beyond, packets live for ever: no drain is longer than this
  const auto microseconds = 4.096 * static_cast<double>(1U << std::min(options.packet_life_time, kLongest));
  return Milliseconds(static_cast<Milliseconds::rep>(microseconds / 1000) + 1);
}

}  // namespace rch::hw
