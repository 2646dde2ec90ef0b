#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "verify/context.h"
#include "verify/entry_rows.h"
#include "verify/packet_classes.h"
#include "verify/service_levels.h"

namespace rch::verify {

/// Columns of one block at most: an item has 16 bits.
constexpr std::size_t most_columns(std::size_t classes) {
  return std::bit_floor(std::size_t{0x10000} / classes);
}

/// Takes the packets of all hosts towards a block of destinations through the tables, switch by switch, until
/// no switch gets a packet of a destination and class that it had not before (routing-engines 12.2).
///
/// A switch works on what all its neighbours sent in one go: its row of entries, its SL2VL maps and its
/// dependencies stay in the cache, whatever the numbering of switches and LIDs is. Packets to a destination
/// are one item; so the work is the number of (switch, destination, class) triples that occur.
///
/// `Sink` gets what is found: use(slot, lanes) for links that carry packets; cross(cell, in lane, out lane,
/// lid) when packets to that LID, the lowest of its column, go from a lane of one link to a lane of the next.
/// Both are called many times over.
template <class Sink>
class Propagation {
 public:
  /// `block`: columns at most, a power of two.
  Propagation(const Context& context, const PacketClasses& classes, std::size_t block, Sink sink)
      : context_(context),
        wiring_(context.wiring),
        classes_(classes),
        shift_(static_cast<unsigned>(std::countr_zero(block))),
        words_((classes.count() * block + 63) / 64),
        sink_(std::move(sink)),
        reached_(words_ * wiring_.switch_count()),
        fresh_(classes.count() * block) {
    for (Round* round : {&now_, &next_}) {
      round->inboxes.resize(wiring_.slot_count());
      round->pending.resize(wiring_.switch_count());
    }
  }

  /// Sets faulty[column] where there may be pairs that do not reach each other: the exact account is
  /// Account's. Adds the service levels met.
  void run(const EntryRows& rows, std::size_t first, std::size_t last, std::uint8_t* faulty, SlSet& met) {
    rows_ = &rows;
    first_ = first;
    columns_ = rows.columns().subspan(first, last - first);
    faulty_ = faulty + first;
    sls_.set(context_, columns_);
    std::ranges::fill(reached_, 0U);
    for (std::uint32_t sw = 0; sw < wiring_.switch_count(); ++sw)
      if (!wiring_.sources_of(sw).empty()) inject(sw, met);
    while (!next_.switches.empty()) {
      std::swap(now_, next_);
      next_.switches.clear();
      next_.size = 0;
      for (const std::uint32_t sw : now_.switches) receive(sw);
    }
  }

 private:
  /// Column of the block and class: packets towards a destination that leave a switch.
  using Item = std::uint16_t;
  struct Inbox {
    std::uint32_t begin = 0, count = 0;
  };
  /// What switches send in one round, and who gets it.
  struct Round {
    std::vector<Item> items;
    std::size_t size = 0;
    std::vector<Inbox> inboxes;           ///< by slot of the receiver
    std::vector<std::uint8_t> pending;    ///< by switch: listed
    std::vector<std::uint32_t> switches;  ///< that get something
  };

  void inject(std::uint32_t sw, SlSet& met) {
    open(sw);
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
      const std::uint8_t sl = sls_.at(sw, c), out = row_[c];
      met = static_cast<SlSet>(met | sl_bit(sl));
      if (exit(out).kind != Exit::Kind::to_switch)
        stay(sw, c, sl);
      else if (columns_[c].proper || sw != columns_[c].sw().value)
        inject(sw, c, sl, out);
      else
        inject_all_but_owner(sw, c, sl, out);
    }
    send();
  }

  /// Packets of the hosts of `sw`.
  void inject(std::uint32_t sw, std::uint32_t column, std::uint8_t sl, std::uint8_t out) {
    for (const Injection::Entry& entry : context_.injection.at(wiring_.slot(sw, out))) {
      if ((sl_bit(sl) & entry.unsent) != 0) faulty_[column] = 1;
      if ((sl_bit(sl) & entry.sent) != 0) leave(column, classes_.leaving(entry.map, sl), out);
    }
  }

  /// The same at the destination switch when it sends its own host's packets elsewhere: that host is no
  /// source.
  void inject_all_but_owner(std::uint32_t sw, std::uint32_t column, std::uint8_t sl, std::uint8_t out) {
    faulty_[column] = 1;
    for (const Source& source : wiring_.sources_of(sw))
      if (source.port != columns_[column].members.front().owner.port && can_send(source, sl))
        leave(column, classes_.leaving(context_.lanes.map_id(sw, source.attach.index(), out), sl), out);
  }

  /// Packets of the hosts of `sw` when it sends them to no switch: they are there, or lost.
  void stay(std::uint32_t sw, std::uint32_t column, std::uint8_t sl) {
    for (const Source& source : wiring_.sources_of(sw)) {
      if (!can_send(source, sl)) faulty_[column] = 1;
      arrive(sw, source.attach.value, column, sl);
    }
  }

  bool can_send(const Source& source, std::uint8_t sl) const {
    return (context_.lanes.unsendable(wiring_.data_vls(source.sw.index(), source.attach.value)) & sl_bit(sl)) == 0;
  }

  /// Packets reach the switch where their way ends.
  void arrive(std::uint32_t sw, std::uint8_t in, std::uint32_t column, std::uint8_t sl) {
    const EntryRows::Column& to = columns_[column];
    if (!to.proper || sw != to.sw().value) {
      faulty_[column] = 1;
      return;
    }
    for (const Destination& member : to.members) {
      if (member.owner.attach.value == in) continue;  // no port sends to itself
      if ((context_.lanes.at(sw, in, member.owner.attach.index()).drops & sl_bit(sl)) != 0) faulty_[column] = 1;
    }
  }

  /// All that neighbours sent to `sw` in this round.
  void receive(std::uint32_t sw) {
    now_.pending[sw] = 0;
    open(sw);
    Inbox* const inboxes = now_.inboxes.data() + wiring_.slot(sw, 0);
    for (unsigned in = 1; in <= wiring_.num_ports(sw); ++in)
      __builtin_prefetch(now_.items.data() + inboxes[in].begin);
    for (unsigned in = 1; in <= wiring_.num_ports(sw); ++in) {
      const Inbox box = std::exchange(inboxes[in], {});
      if (box.count != 0) receive(sw, in, {now_.items.data() + box.begin, box.count});
    }
    send();
  }

  void receive(std::uint32_t sw, unsigned in, std::span<const Item> items) {
    const std::uint16_t* const maps = context_.lanes.map_ids(sw, in);
    const std::size_t cells = wiring_.cell(sw, in, 0);
    const std::size_t mask = (std::size_t{1} << shift_) - 1;
    unsigned lanes = 0;
    for (const Item item : items) {
      const auto column = static_cast<std::uint32_t>(item & mask);
      const std::size_t was = item >> shift_;
      const std::uint8_t sl = classes_.sl(was), out = row_[column];
      lanes |= 1U << classes_.lane(was);
      if (exit(out).kind != Exit::Kind::to_switch) {
        arrive(sw, static_cast<std::uint8_t>(in), column, sl);
        continue;
      }
      const std::uint8_t is = classes_.leaving(maps[out], sl);
      if (is != PacketClasses::kDropped)
        sink_.cross(cells + out, classes_.lane(was), classes_.lane(is),
                    columns_[column].members.front().lid);
      leave(column, is, out);
    }
    const Exit& back = exit(static_cast<std::uint8_t>(in));
    sink_.use(wiring_.slot(back.to, back.in), static_cast<std::uint16_t>(lanes));
  }

  /// Packets of a class leave the switch at hand, unless such ones did before.
  void leave(std::uint32_t column, std::uint8_t packet_class, std::uint8_t out) {
    if (packet_class == PacketClasses::kDropped) {
      faulty_[column] = 1;
      return;
    }
    const std::size_t item = std::size_t{packet_class} << shift_ | column;
    std::uint64_t& word = reached_here_[item / 64];
    const std::uint64_t bit = std::uint64_t{1} << item % 64;
    if ((word & bit) != 0) return;
    word |= bit;
    fresh_[fresh_count_++] = static_cast<Item>(item);
    ++count_[out];
  }

  void open(std::uint32_t sw) {
    row_ = rows_->row(sw) + first_;
    exits_ = wiring_.exits(sw);
    width_ = wiring_.num_ports(sw) + 1U;
    reached_here_ = reached_.data() + words_ * sw;
    fresh_count_ = 0;
  }
  const Exit& exit(std::uint8_t entry) const { return exits_[std::min<std::uint32_t>(entry, width_)]; }

  /// Puts what leaves the switch at hand into the inboxes of its neighbours, sorted by port.
  void send() {
    if (fresh_count_ == 0) return;
    if (next_.items.size() < next_.size + fresh_count_) next_.items.resize((next_.size + fresh_count_) * 2);
    std::array<std::uint32_t, 256> end;
    for (unsigned out = 1; out < width_; ++out) {
      const std::uint32_t count = std::exchange(count_[out], 0U);
      end[out] = static_cast<std::uint32_t>(next_.size);
      if (count == 0) continue;
      next_.inboxes[wiring_.slot(exits_[out].to, exits_[out].in)] = {end[out], count};
      next_.size += count;
      if (std::exchange(next_.pending[exits_[out].to], std::uint8_t{1}) == 0)
        next_.switches.push_back(exits_[out].to);
    }
    const std::size_t mask = (std::size_t{1} << shift_) - 1;
    for (std::size_t i = 0; i < fresh_count_; ++i)
      next_.items[end[row_[fresh_[i] & mask]]++] = fresh_[i];
  }

  const Context& context_;
  const Wiring& wiring_;
  const PacketClasses& classes_;
  const unsigned shift_;     ///< an item is class << shift | column
  const std::size_t words_;  ///< of reached_ for each switch
  Sink sink_;

  // The block at hand.
  const EntryRows* rows_ = nullptr;
  std::size_t first_ = 0;
  std::span<const EntryRows::Column> columns_;
  std::uint8_t* faulty_ = nullptr;
  BlockServiceLevels sls_;
  std::vector<std::uint64_t> reached_;  ///< by switch: items that left it
  Round now_, next_;

  // The switch at hand.
  const std::uint8_t* row_ = nullptr;
  const Exit* exits_ = nullptr;
  std::uint32_t width_ = 0;
  std::uint64_t* reached_here_ = nullptr;
  std::vector<Item> fresh_;  ///< items that leave it for the first time
  std::size_t fresh_count_ = 0;
  std::array<std::uint32_t, 256> count_{};  ///< of them, by port
};

}  // namespace rch::verify
