#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "verify/adaptive/alike.h"
#include "verify/adaptive/choices.h"
#include "verify/given_sls.h"
#include "verify/packet_classes.h"
#include "verify/service_levels.h"

namespace rch::verify {

/// Up to 64 classes of destinations, one bit each.
using DestinationBits = std::uint64_t;

/// Takes the packets of all hosts towards a block of 64 classes of destinations through every choice of the
/// switches, until no switch gets a packet of a destination and packet class by a port that it had not
/// before. What is found does not depend on the order: bits are only added.
///
/// `Sink` gets use(slot, lane) for links that carry packets, and cross(cell, in lane, out lane, destinations)
/// when packets go from a lane of one link to a lane of the next; both many times over.
template <class Sink>
class Flood {
 public:
  static constexpr std::size_t kBlock = 64;

  Flood(const Context& context, const Choices& choices, const PacketClasses& classes, Sink sink)
      : context_(context),
        wiring_(context.wiring),
        choices_(choices),
        classes_(classes),
        sink_(std::move(sink)),
        outs_(choices.pattern_count() * wiring_.slot_count()),
        lost_(choices.pattern_count() * wiring_.switch_count()),
        home_(wiring_.switch_count()),
        seen_(classes.count() * wiring_.slot_count()),
        fresh_(seen_.size()),
        pending_(wiring_.switch_count()) {}

  struct Found {
    DestinationBits faulty = 0;   ///< some packet may be lost
    DestinationBits looping = 0;  ///< the choices of some switches lead round, whether packets come by or not
    SlSet sls = 0;                ///< service levels met
  };
  /// At most kBlock classes.
  Found run(std::span<const AlikeDestinations> block) {
    block_ = block;
    found_ = {};
    for (auto* const words : {&outs_, &lost_, &home_, &seen_, &fresh_}) std::ranges::fill(*words, 0U);
    // Where the last switch may do something else, the account looks closely.
    for (std::size_t c = 0; c < block.size(); ++c)
      if (!block[c].proper) found_.faulty |= bit(c);
    for (std::uint32_t sw = 0; sw < wiring_.switch_count(); ++sw) set_choices(sw);
    inject_all();
    for (std::size_t next = 0; next < queue_.size(); ++next) receive(queue_[next]);
    queue_.clear();
    if (!context_.options.loop_free)
      for (std::size_t pattern = 0; pattern < choices_.pattern_count(); ++pattern) look_for_loops(pattern);
    return found_;
  }

 private:
  static DestinationBits bit(std::size_t c) { return DestinationBits{1} << c; }
  DestinationBits* outs(std::size_t pattern, std::size_t sw) {
    return outs_.data() + pattern * wiring_.slot_count() + wiring_.slot(sw, 0);
  }
  DestinationBits& lost(std::size_t pattern, std::size_t sw) {
    return lost_[pattern * wiring_.switch_count() + sw];
  }

  void set_choices(std::uint32_t sw) {
    by_group_.clear();
    for (std::size_t c = 0; c < block_.size(); ++c) {
      const AlikeDestinations& to = block_[c];
      if (to.proper && to.sw().value == sw) {
        home_[sw] |= bit(c);
        continue;
      }
      const std::uint8_t port = entry(context_.tables.lfts, SwitchId(sw), to.lid());
      const fabric::PortGroup* const group = choices_.group(SwitchId(sw), to.lid());
      if (group == nullptr)
        for (std::size_t pattern = 0; pattern < choices_.pattern_count(); ++pattern)
          set_choice(pattern, sw, port, bit(c));
      else if (choices_.always_adaptive(SwitchId(sw)) && group->ports.contains(port) && to.sw().value != sw)
        add_to_group(*group, port, c);
      else
        for (std::size_t pattern = 0; pattern < choices_.pattern_count(); ++pattern)
          choices_.ports(SwitchId(sw), to.lid(), pattern, port).for_each([&](std::uint8_t out) {
            set_choice(pattern, sw, out, bit(c));
          });
    }
    // Most destinations share few groups: their ports are looked at once.
    for (const OfGroup& of : by_group_)
      for (std::size_t pattern = 0; pattern < choices_.pattern_count(); ++pattern)
        choices_.ports(SwitchId(sw), block_[of.first].lid(), pattern, of.port)
            .for_each([&](std::uint8_t out) { set_choice(pattern, sw, out, of.to); });
  }

  void add_to_group(const fabric::PortGroup& group, std::uint8_t port, std::size_t c) {
    for (OfGroup& of : by_group_)
      if (of.group == &group) {
        of.to |= bit(c);
        return;
      }
    by_group_.push_back({&group, port, c, bit(c)});
  }

  /// Those of `to` are several only on switches that own none of them.
  void set_choice(std::size_t pattern, std::uint32_t sw, std::uint8_t out, DestinationBits to) {
    const Destination& first = block_[static_cast<std::size_t>(std::countr_zero(to))].members.front();
    if (wiring_.exit(sw, out).kind == Exit::Kind::to_switch)
      outs(pattern, sw)[out] |= to;
    else if (first.owner.port.is_none() || !first.handed_over(sw, out))
      lost(pattern, sw) |= to;
  }

  void inject_all() {
    levels_.assign(block_.size(), {});
    if (!are_given(context_) && context_.options.path_sls)
      for (std::size_t c = 0; c < block_.size(); ++c)
        service_levels(context_.fabric, context_.tables, block_[c].lid(), levels_[c]);
    for (std::uint32_t sw = 0; sw < wiring_.switch_count(); ++sw) {
      const std::span<const Source> sources = wiring_.sources_of(sw);
      for (std::size_t s = 0; s < sources.size(); ++s)
        if (s == 0 || !are_alike(sources[0], sources[s])) inject(sources[s]);
    }
  }

  /// Packets of both go the same way in the same service levels, and none of them owns a class of one member.
  bool are_alike(const Source& one, const Source& other) const {
    const std::size_t sw = one.sw.index();
    const auto owns = [&](const AlikeDestinations& to) { return !to.proper && to.sw() == one.sw; };
    if (are_given(context_) || std::ranges::any_of(block_, owns)) return false;
    const auto unsendable = [&](const Source& source) {
      return context_.lanes.unsendable(source.port, wiring_.data_vls(sw, source.attach.value));
    };
    const std::uint16_t* const maps = context_.lanes.map_ids(sw, one.attach.index());
    return unsendable(one) == unsendable(other) &&
           std::equal(maps, maps + wiring_.num_ports(sw) + 1,
                      context_.lanes.map_ids(sw, other.attach.index()));
  }

  void inject(const Source& source) {
    const std::size_t sw = source.sw.index();
    std::array<DestinationBits, 16> to{};  // by service level
    for (std::size_t c = 0; c < block_.size(); ++c)
      if (sends(source, block_[c])) to[level(source, c)] |= bit(c);
    for (std::uint8_t sl = 0; sl < 16; ++sl) {
      if (to[sl] == 0) continue;
      found_.sls = static_cast<SlSet>(found_.sls | sl_bit(sl));
      if ((context_.lanes.unsendable(source.port, wiring_.data_vls(sw, source.attach.value)) & sl_bit(sl)) !=
          0)
        found_.faulty |= to[sl];
      else
        forward(sw, source.attach.value, kFromHost, sl, to[sl]);
    }
  }

  /// A class of one member has no packets of its owner; those of a proper class stay at their switch anyway.
  bool sends(const Source& source, const AlikeDestinations& to) const {
    if (!to.proper && source.port == to.members.front().owner.port) return false;
    if (!wiring_.is_bare(source.sw.index())) return true;
    return !std::ranges::all_of(to.members, [&](const Destination& member) {
      return member.is_switch() || is_unneeded(context_, source.sw, member);
    });
  }

  std::uint8_t level(const Source& source, std::size_t c) const {
    if (are_given(context_)) return context_.options.given->at(source.port, block_[c].lid());
    return context_.options.path_sls ? levels_[c][source.sw.index()] : std::uint8_t{0};
  }

  void receive(std::uint32_t sw) {
    pending_[sw] = 0;
    for (unsigned in = 1; in <= wiring_.num_ports(sw); ++in)
      for (std::size_t k = 0; k < classes_.count(); ++k)
        if (const DestinationBits to = std::exchange(at(fresh_, wiring_.slot(sw, in), k), 0); to != 0)
          forward(sw, in, classes_.lane(k), classes_.sl(k), to);
  }

  /// Packets that came in by a port, on a lane or from a host, leave by all ports that may be chosen.
  void forward(std::size_t sw, std::size_t in, std::size_t lane, std::uint8_t sl, DestinationBits to) {
    const std::size_t pattern = choices_.pattern(sl);
    if ((to & home_[sw]) != 0) arrive(sw, in, sl, to & home_[sw]);
    found_.faulty |= to & lost(pattern, sw);
    const DestinationBits* const leaving = outs(pattern, sw);
    const std::uint16_t* const maps = context_.lanes.map_ids(sw, in);
    for (unsigned out = 1; out <= wiring_.num_ports(sw); ++out) {
      const DestinationBits by = to & leaving[out];
      if (by == 0) continue;
      const std::uint8_t k = classes_.leaving(maps[out])[sl];
      if (k == PacketClasses::kDropped) {
        found_.faulty |= by;
        continue;
      }
      if (lane != kFromHost) sink_.cross(wiring_.cell(sw, in, out), lane, classes_.lane(k), by);
      send(sw, out, k, by);
    }
  }

  void send(std::size_t sw, std::size_t out, std::size_t k, DestinationBits by) {
    const Exit& exit = wiring_.exit(sw, static_cast<std::uint8_t>(out));
    const std::size_t slot = wiring_.slot(exit.to, exit.in);
    DestinationBits& seen = at(seen_, slot, k);
    const DestinationBits fresh = by & ~seen;
    if (fresh == 0) return;
    if (seen == 0) sink_.use(wiring_.slot(sw, out), classes_.lane(k));
    seen |= fresh;
    at(fresh_, slot, k) |= fresh;
    if (std::exchange(pending_[exit.to], std::uint8_t{1}) == 0) queue_.push_back(exit.to);
  }

  /// Their switch hands the members over.
  void arrive(std::size_t sw, std::size_t in, std::uint8_t sl, DestinationBits to) {
    for (; to != 0; to &= to - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(to));
      for (const Destination& member : block_[c].members)
        if (!member.is_switch() && member.owner.attach.index() != in &&
            (context_.lanes.at(sw, in, member.owner.attach.index()).drops & sl_bit(sl)) != 0)
          found_.faulty |= bit(c);
    }
  }

  /// Takes out every switch whose choices all lead to switches that are out: what is left leads round.
  void look_for_loops(std::size_t pattern) {
    const auto switches = static_cast<std::uint32_t>(wiring_.switch_count());
    std::vector<DestinationBits> ends(switches);
    const DestinationBits all = block_.size() == kBlock ? ~DestinationBits{0} : bit(block_.size()) - 1;
    for (bool grown = true; std::exchange(grown, false);)
      for (std::uint32_t sw = 0; sw < switches; ++sw) {
        if (ends[sw] == all) continue;
        DestinationBits end = all;
        const DestinationBits* const leaving = outs(pattern, sw);
        for (unsigned out = 1; out <= wiring_.num_ports(sw); ++out)
          if (leaving[out] != 0)
            end &= ~leaving[out] | ends[wiring_.exit(sw, static_cast<std::uint8_t>(out)).to];
        grown = grown || end != ends[sw];
        ends[sw] = end;
      }
    for (const DestinationBits end : ends) found_.looping |= all & ~end;
  }

  DestinationBits& at(std::vector<DestinationBits>& words, std::size_t slot, std::size_t k) {
    return words[slot * classes_.count() + k];
  }

  static constexpr std::size_t kFromHost = static_cast<std::size_t>(-1);

  const Context& context_;
  const Wiring& wiring_;
  const Choices& choices_;
  const PacketClasses& classes_;
  Sink sink_;

  /// Destinations for which a switch has the same group, with the port of the entry among it.
  struct OfGroup {
    const fabric::PortGroup* group;
    std::uint8_t port;  ///< entry for the first of them
    std::size_t first;
    DestinationBits to;
  };

  // The block at hand.
  std::span<const AlikeDestinations> block_;
  Found found_;
  std::vector<std::vector<std::uint8_t>> levels_;  ///< by destination, then source switch
  std::vector<DestinationBits> outs_;              ///< by pattern, then slot: may leave to another switch
  std::vector<DestinationBits> lost_;   ///< by pattern, then switch: some choice leads to no switch, nor home
  std::vector<DestinationBits> home_;   ///< by switch: of proper classes
  std::vector<DestinationBits> seen_;   ///< by slot and packet class: came in by the port
  std::vector<DestinationBits> fresh_;  ///< of these, not forwarded yet
  std::vector<OfGroup> by_group_;       ///< of the switch at hand
  std::vector<std::uint8_t> pending_;   ///< by switch
  std::vector<std::uint32_t> queue_;    ///< switches with something in fresh_
};

}  // namespace rch::verify
