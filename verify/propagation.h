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
#include "verify/switch_order.h"

namespace rch::verify {

/// Columns of one block at most: an item has 16 bits.
constexpr std::size_t most_columns(std::size_t classes) {
  return std::bit_floor(std::size_t{0x10000} / classes);
}

/// Takes the packets of all hosts towards a block of destinations through the tables, switch by switch, until
/// no switch gets a packet of a destination and class that it had not before (routing-engines 12.2).
///
/// A switch works on what all its neighbours sent in one go: its row of entries, its SL2VL maps and its
/// dependencies stay in the cache. Packets to a destination are one item; so the work is the number of
/// (switch, destination, class) triples that occur. Switches are numbered by SwitchOrder, so that neighbours
/// are close in memory, whatever the numbering of the fabric is.
///
/// `Sink` gets what is found: use(slot, lanes) for links that carry packets; cross(cell, in lane, out lane,
/// lid) when packets to that LID, the lowest of its column, go from a lane of one link to a lane of the next.
/// Both are called many times over.
template <class Sink>
class Propagation {
 public:
  /// `block`: columns at most, a power of two.
  Propagation(const Context& context, const PacketClasses& classes, const SwitchOrder& order,
              std::size_t block, Sink sink)
      : context_(context),
        wiring_(context.wiring),
        classes_(classes),
        order_(order),
        rows_(context, order, block),
        shift_(static_cast<unsigned>(std::countr_zero(block))),
        words_((classes.count() * block + 63) / 64),
        sink_(std::move(sink)),
        only_entries_(only_entries_count(context, classes)),
        reached_(words_ * order.count()),
        fresh_(classes.count() * block + 1) {
    for (Round* round : {&now_, &next_}) {
      round->inboxes.resize(wiring_.slot_count());
      round->pending.resize(order.count());
    }
  }

  /// Sets faulty[column] where there may be pairs that do not reach each other: the exact account is
  /// Account's. Table entries on `loops` do not count. Adds the service levels met.
  void run(std::span<const EntryColumn> columns, const ForwardingLoops& loops, std::uint8_t* faulty,
           SlSet& met) {
    columns_ = columns;
    faulty_ = faulty;
    rows_.gather(columns, loops);
    sls_.set(context_, columns_);
    std::ranges::fill(reached_, 0U);
    for (std::uint32_t at = 0; at < order_.count(); ++at)
      if (!wiring_.sources_of(order_.sw(at)).empty()) inject(at, met);
    while (!next_.switches.empty()) {
      std::swap(now_, next_);
      next_.switches.clear();
      next_.size = 0;
      for (const std::uint32_t at : now_.switches) receive(at);
    }
  }

 private:
  /// EntryColumn of the block and class: packets towards a destination that leave a switch.
  using Item = std::uint16_t;
  static constexpr unsigned kAhead = 3;  ///< inboxes
  struct Inbox {
    std::uint32_t begin = 0, count = 0;
  };
  /// Items that leave the switch at hand for the first time. Pointers of its own keep the loops tight.
  struct Departures {
    explicit Departures(Propagation& of)
        : row(of.rows_.row(of.here_)),
          reached(of.reached_.data() + of.words_ * of.here_),
          fresh(of.fresh_.data()),
          count(of.count_.data()) {}

    void add(std::size_t item, std::uint8_t out) {
      // No branch to mispredict: an item that left before is written and not counted.
      std::uint64_t& word = reached[item / 64];
      const auto is_new = static_cast<std::uint32_t>(~word >> item % 64) & 1U;
      word |= std::uint64_t{1} << item % 64;
      fresh[fresh_count] = static_cast<Item>(item);
      fresh_count += is_new;
      count[out] += is_new;
    }
    /// Of an item that has not left before. Items of one word come in a row mostly: bits are written when
    /// another word begins, and by end_first().
    void add_first(std::size_t item, std::uint8_t out) {
      if (item / 64 != word_at) {
        end_first();
        word_at = item / 64;
      }
      bits |= std::uint64_t{1} << item % 64;
      fresh[fresh_count++] = static_cast<Item>(item);
      ++count[out];
    }
    void end_first() { reached[word_at] |= std::exchange(bits, 0U); }

    const std::uint8_t* row;  ///< entries by column
    std::uint64_t* reached;   ///< items that left before
    Item* fresh;
    std::size_t fresh_count = 0;
    std::uint32_t* count;  ///< of fresh ones, by port
    std::size_t word_at = 0;
    std::uint64_t bits = 0;
  };
  /// What switches send in one round, and who gets it.
  struct Round {
    std::vector<Item> items;
    std::size_t size = 0;
    std::vector<Inbox> inboxes;           ///< by slot of SwitchOrder, of the receiver
    std::vector<std::uint8_t> pending;    ///< by switch: listed
    std::vector<std::uint32_t> switches;  ///< that get something
  };

  /// Packets of the hosts of a switch.
  void inject(std::uint32_t at, SlSet& met) {
    open(at);
    const std::uint8_t* const injected = classes_.injected(wiring_.slot(sw_, 0));
    Departures departures(*this);
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
      const std::uint8_t sl = sls_.at(sw_, c), out = departures.row[c];
      met = static_cast<SlSet>(met | sl_bit(sl));
      if (out == EntryRows::kEnd) {
        stay(c, sl);
        continue;
      }
      const std::uint8_t packet_class = injected[out * 16U + sl];
      if (!columns_[c].proper && sw_ == columns_[c].sw().value)
        inject_all_but_owner(c, sl, departures);
      else if (packet_class < PacketClasses::kDiffers)
        departures.add_first(std::uint32_t{packet_class} << shift_ | c, out);
      else
        inject_each_map(c, sl, departures);
    }
    departures.end_first();
    send(departures);
  }

  void inject_each_map(std::uint32_t column, std::uint8_t sl, Departures& departures) {
    const std::uint8_t out = departures.row[column];
    for (const Injection::Entry& entry : context_.injection.at(wiring_.slot(sw_, out))) {
      if ((sl_bit(sl) & entry.unsent) != 0) faulty_[column] = 1;
      if ((sl_bit(sl) & entry.sent) != 0) leave(column, entry.map, sl, departures);
    }
  }

  /// The same at the destination switch when it sends its own host's packets elsewhere: that host is no
  /// source.
  void inject_all_but_owner(std::uint32_t column, std::uint8_t sl, Departures& departures) {
    faulty_[column] = 1;
    for (const Source& source : wiring_.sources_of(sw_))
      if (source.port != columns_[column].members.front().owner.port && can_send(source, sl))
        leave(column, context_.lanes.map_id(sw_, source.attach.index(), departures.row[column]), sl,
              departures);
  }

  /// Packets of the hosts of the switch when it sends them to no other: they are there, or lost.
  void stay(std::uint32_t column, std::uint8_t sl) {
    for (const Source& source : wiring_.sources_of(sw_)) {
      if (!can_send(source, sl)) faulty_[column] = 1;
      arrive(source.attach.value, column, sl);
    }
  }

  bool can_send(const Source& source, std::uint8_t sl) const {
    return (context_.lanes.unsendable(source.port, wiring_.data_vls(source.sw.index(), source.attach.value)) &
            sl_bit(sl)) == 0;
  }

  /// Packets reach the switch where their way ends.
  void arrive(std::uint8_t in, std::uint32_t column, std::uint8_t sl) {
    const EntryColumn& to = columns_[column];
    if (!to.proper || sw_ != to.sw().value) {
      faulty_[column] = 1;
      return;
    }
    for (const Destination& member : to.members) {
      if (member.owner.attach.value == in) continue;  // no port sends to itself
      if (member.is_switch()) continue;
      if ((context_.lanes.at(sw_, in, member.owner.attach.index()).drops & sl_bit(sl)) != 0)
        faulty_[column] = 1;
    }
  }

  /// All that neighbours sent to a switch in this round.
  void receive(std::uint32_t at) {
    now_.pending[at] = 0;
    open(at);
    Departures departures(*this);
    Inbox* const inboxes = now_.inboxes.data() + order_.slot(at, 0);
    for (unsigned in = 1; in <= ports_; ++in) {
      // Their senders are all over the fabric: what comes next is fetched meanwhile.
      const Inbox& ahead = inboxes[std::min(in + kAhead, ports_)];
      __builtin_prefetch(now_.items.data() + ahead.begin);
      __builtin_prefetch(now_.items.data() + ahead.begin + ahead.count);
      const Inbox box = std::exchange(inboxes[in], {});
      if (box.count == 0) continue;
      const std::span<const Item> items(now_.items.data() + box.begin, box.count);
      const std::uint16_t lanes =
          only_entries_ ? receive<true>(in, items, departures) : receive<false>(in, items, departures);
      const Exit& from = wiring_.exits(sw_)[in];
      sink_.use(wiring_.slot(from.to, from.in), lanes);
    }
    send(departures);
  }

  /// Returns the lanes on which the items came.
  template <bool kOnlyEntries>
  std::uint16_t receive(unsigned in, std::span<const Item> items, Departures& departures) {
    const std::uint16_t* const maps = context_.lanes.map_ids(sw_, in);
    const std::size_t cells = wiring_.cell(sw_, in, 0);
    unsigned lanes = 0;
    for (const Item item : items) {
      const std::size_t was = kOnlyEntries ? 0 : item >> shift_;
      const std::uint32_t column = kOnlyEntries ? item : item & ((1U << shift_) - 1);
      const std::uint8_t out = departures.row[column];
      lanes |= 1U << classes_.lane(was);
      if (out == EntryRows::kEnd) {
        arrive(static_cast<std::uint8_t>(in), column, classes_.sl(was));
        continue;
      }
      const std::uint8_t is = kOnlyEntries ? 0 : classes_.leaving(maps[out])[classes_.sl(was)];
      if (is == PacketClasses::kDropped) {
        faulty_[column] = 1;
        continue;
      }
      sink_.cross(cells + out, classes_.lane(was), classes_.lane(is), columns_[column].members.front().lid);
      departures.add(std::uint32_t{is} << shift_ | column, out);
    }
    return static_cast<std::uint16_t>(lanes);
  }

  /// Packets leave by a map.
  void leave(std::uint32_t column, std::uint16_t map, std::uint8_t sl, Departures& departures) {
    const std::uint8_t packet_class = classes_.leaving(map)[sl];
    if (packet_class == PacketClasses::kDropped)
      faulty_[column] = 1;
    else
      departures.add(std::uint32_t{packet_class} << shift_ | column, departures.row[column]);
  }

  void open(std::uint32_t at) {
    here_ = at;
    sw_ = order_.sw(at);
    ports_ = wiring_.num_ports(sw_);
  }

  /// Puts what leaves the switch at hand into the inboxes of its neighbours, sorted by port.
  void send(const Departures& departures) {
    const std::size_t fresh = departures.fresh_count;
    if (fresh == 0) return;
    if (next_.items.size() < next_.size + fresh) next_.items.resize((next_.size + fresh) * 5 / 4);
    const SwitchOrder::Peer* const peers = order_.peers(here_);
    std::array<std::uint32_t, 256> end;
    for (unsigned out = 1; out <= ports_; ++out) {
      const std::uint32_t count = std::exchange(count_[out], 0U);
      end[out] = static_cast<std::uint32_t>(next_.size);
      if (count == 0) continue;
      next_.inboxes[peers[out].slot] = {end[out], count};
      next_.size += count;
      if (std::exchange(next_.pending[peers[out].at], std::uint8_t{1}) == 0)
        next_.switches.push_back(peers[out].at);
    }
    const std::uint32_t mask = (1U << shift_) - 1;
    Item* const items = next_.items.data();
    for (const Item item : std::span(departures.fresh, fresh))
      items[end[departures.row[item & mask]]++] = item;
  }

  const Context& context_;
  const Wiring& wiring_;
  const PacketClasses& classes_;
  const SwitchOrder& order_;
  EntryRows rows_;
  const unsigned shift_;     ///< an item is class << shift | column
  const std::size_t words_;  ///< of reached_ for each switch
  Sink sink_;
  const bool only_entries_;

  // The block at hand.
  std::span<const EntryColumn> columns_;
  std::uint8_t* faulty_ = nullptr;
  BlockServiceLevels sls_;
  std::vector<std::uint64_t> reached_;  ///< by switch: items that left it
  Round now_, next_;

  // The switch at hand.
  std::uint32_t here_ = 0;  ///< in SwitchOrder
  std::uint32_t sw_ = 0;    ///< in the fabric
  unsigned ports_ = 0;
  std::vector<Item> fresh_;                 ///< of Departures; one to spare
  std::array<std::uint32_t, 256> count_{};  ///< of Departures; 0 between switches
};

}  // namespace rch::verify
