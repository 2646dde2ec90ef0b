#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <unordered_map>
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
        fresh_(classes.count() * block + 1) {
    for (Round* round : {&now_, &next_}) {
      round->inboxes.resize(wiring_.slot_count());
      round->pending.resize(wiring_.switch_count());
    }
    find_plain_switches();
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
  /// Items that leave the switch at hand for the first time. Pointers of its own keep the loops tight.
  struct Departures {
    explicit Departures(Propagation& of)
        : row(of.rows_->row(of.here_) + of.first_),
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

    const std::uint8_t* row;  ///< entries by column
    std::uint64_t* reached;   ///< items that left before
    Item* fresh;
    std::size_t fresh_count = 0;
    std::uint32_t* count;  ///< of fresh ones, by port
  };
  /// What switches send in one round, and who gets it.
  struct Round {
    std::vector<Item> items;
    std::size_t size = 0;
    std::vector<Inbox> inboxes;           ///< by slot of the receiver
    std::vector<std::uint8_t> pending;    ///< by switch: listed
    std::vector<std::uint32_t> switches;  ///< that get something
  };

  /// Marks switches that drop no packet, if there is one class: then only entries count.
  void find_plain_switches() {
    plain_.assign(wiring_.switch_count(), false);
    if (classes_.count() > 1) return;
    std::unordered_map<const std::uint16_t*, bool> known;  // by SL2VL maps, which switches share
    for (std::uint32_t sw = 0; sw < plain_.size(); ++sw) {
      const auto [found, fresh] = known.try_emplace(context_.lanes.map_ids(sw, 0), false);
      if (fresh) found->second = drops_nothing(sw);
      plain_[sw] = found->second;
    }
  }
  bool drops_nothing(std::uint32_t sw) const {
    for (unsigned in = 0; in <= wiring_.num_ports(sw); ++in)
      for (unsigned out = 1; out <= wiring_.num_ports(sw); ++out)
        if (classes_.leaving(context_.lanes.map_id(sw, in, out))[classes_.sl(0)] != 0) return false;
    return true;
  }

  /// Packets of the hosts of `sw`.
  void inject(std::uint32_t sw, SlSet& met) {
    open(sw);
    const std::uint8_t* const injected = classes_.injected(wiring_.slot(sw, 0));
    Departures departures(*this);
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
      const std::uint8_t sl = sls_.at(sw, c), out = departures.row[c];
      met = static_cast<SlSet>(met | sl_bit(sl));
      if (!leads_on(out)) {
        stay(sw, c, sl);
        continue;
      }
      const bool own = !columns_[c].proper && sw == columns_[c].sw().value;
      const std::uint8_t packet_class = injected[out * 16U + sl];
      if (packet_class < PacketClasses::kDiffers && !own)
        departures.add(std::uint32_t{packet_class} << shift_ | c, out);
      else if (own)
        inject_all_but_owner(sw, c, sl, departures);
      else
        inject_each_map(sw, c, sl, departures);
    }
    send(departures);
  }

  void inject_each_map(std::uint32_t sw, std::uint32_t column, std::uint8_t sl, Departures& departures) {
    const std::uint8_t out = departures.row[column];
    for (const Injection::Entry& entry : context_.injection.at(wiring_.slot(sw, out))) {
      if ((sl_bit(sl) & entry.unsent) != 0) faulty_[column] = 1;
      if ((sl_bit(sl) & entry.sent) != 0) leave(column, entry.map, sl, departures);
    }
  }

  /// The same at the destination switch when it sends its own host's packets elsewhere: that host is no
  /// source.
  void inject_all_but_owner(std::uint32_t sw, std::uint32_t column, std::uint8_t sl, Departures& departures) {
    faulty_[column] = 1;
    for (const Source& source : wiring_.sources_of(sw))
      if (source.port != columns_[column].members.front().owner.port && can_send(source, sl))
        leave(column, context_.lanes.map_id(sw, source.attach.index(), departures.row[column]), sl,
              departures);
  }

  /// Packets of the hosts of `sw` when it sends them to no switch: they are there, or lost.
  void stay(std::uint32_t sw, std::uint32_t column, std::uint8_t sl) {
    for (const Source& source : wiring_.sources_of(sw)) {
      if (!can_send(source, sl)) faulty_[column] = 1;
      arrive(sw, source.attach.value, column, sl);
    }
  }

  bool can_send(const Source& source, std::uint8_t sl) const {
    return (context_.lanes.unsendable(wiring_.data_vls(source.sw.index(), source.attach.value)) &
            sl_bit(sl)) == 0;
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
      if (member.is_switch()) continue;
      if ((context_.lanes.at(sw, in, member.owner.attach.index()).drops & sl_bit(sl)) != 0)
        faulty_[column] = 1;
    }
  }

  /// All that neighbours sent to `sw` in this round.
  void receive(std::uint32_t sw) {
    now_.pending[sw] = 0;
    open(sw);
    Departures departures(*this);
    Inbox* const inboxes = now_.inboxes.data() + wiring_.slot(sw, 0);
    for (unsigned in = 1; in <= wiring_.num_ports(sw); ++in)
      __builtin_prefetch(now_.items.data() + inboxes[in].begin);
    for (unsigned in = 1; in <= wiring_.num_ports(sw); ++in) {
      const Inbox box = std::exchange(inboxes[in], {});
      if (box.count == 0) continue;
      const std::span<const Item> items(now_.items.data() + box.begin, box.count);
      const std::uint16_t lanes =
          plain_[sw] ? receive<true>(sw, in, items, departures) : receive<false>(sw, in, items, departures);
      sink_.use(wiring_.slot(exits_[in].to, exits_[in].in), lanes);
    }
    send(departures);
  }

  /// Returns the lanes on which the items came.
  template <bool kPlain>
  std::uint16_t receive(std::uint32_t sw, unsigned in, std::span<const Item> items, Departures& departures) {
    const std::uint16_t* const maps = context_.lanes.map_ids(sw, in);
    const std::size_t cells = wiring_.cell(sw, in, 0);
    unsigned lanes = 0;
    for (const Item item : items) {
      const std::size_t was = kPlain ? 0 : item >> shift_;
      const std::uint32_t column = kPlain ? item : item & ((1U << shift_) - 1);
      const std::uint8_t out = departures.row[column];
      lanes |= 1U << classes_.lane(was);
      if (!leads_on(out)) {
        arrive(sw, static_cast<std::uint8_t>(in), column, classes_.sl(was));
        continue;
      }
      const std::uint8_t is = kPlain ? 0 : classes_.leaving(maps[out])[classes_.sl(was)];
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

  void open(std::uint32_t sw) {
    here_ = sw;
    exits_ = wiring_.exits(sw);
    width_ = wiring_.num_ports(sw) + 1U;
  }
  /// An entry of the switch at hand sends to another switch.
  bool leads_on(std::uint8_t entry) const {
    return exits_[std::min<std::uint32_t>(entry, width_)].kind == Exit::Kind::to_switch;
  }

  /// Puts what leaves the switch at hand into the inboxes of its neighbours, sorted by port.
  void send(const Departures& departures) {
    const std::size_t fresh = departures.fresh_count;
    if (fresh == 0) return;
    if (next_.items.size() < next_.size + fresh)
      next_.items.resize(std::max((next_.size + fresh) * 2, wiring_.switch_count() << shift_));
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
    const std::uint32_t mask = (1U << shift_) - 1;
    Item* const items = next_.items.data();
    for (const Item item : std::span(departures.fresh, fresh))
      items[end[departures.row[item & mask]]++] = item;
  }

  const Context& context_;
  const Wiring& wiring_;
  const PacketClasses& classes_;
  const unsigned shift_;     ///< an item is class << shift | column
  const std::size_t words_;  ///< of reached_ for each switch
  Sink sink_;
  std::vector<bool> plain_;  ///< by switch

  // The block at hand.
  const EntryRows* rows_ = nullptr;
  std::size_t first_ = 0;
  std::span<const EntryRows::Column> columns_;
  std::uint8_t* faulty_ = nullptr;
  BlockServiceLevels sls_;
  std::vector<std::uint64_t> reached_;  ///< by switch: items that left it
  Round now_, next_;

  // The switch at hand.
  std::uint32_t here_ = 0;
  const Exit* exits_ = nullptr;
  std::uint32_t width_ = 0;
  std::vector<Item> fresh_;                 ///< of Departures; one to spare
  std::array<std::uint32_t, 256> count_{};  ///< of Departures; 0 between switches
};

}  // namespace rch::verify
