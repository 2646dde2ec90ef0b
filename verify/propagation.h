#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "verify/context.h"
#include "verify/entry_rows.h"
#include "verify/given_sls.h"
#include "verify/packet_classes.h"
#include "verify/service_levels.h"
#include "verify/switch_order.h"

namespace rch::verify {

/// Columns of one block at most: an item has 16 bits.
constexpr std::size_t most_columns(std::size_t classes) {
  return std::size_t{0x10000} / std::bit_ceil(classes);
}

/// Takes the packets of all hosts towards a block of destinations through the tables, switch by switch, until
/// no switch gets a packet of a destination and class that it had not before (Dally and Seitz 1987).
///
/// A switch works on what all its neighbours sent in one go: its row of entries, its SL2VL maps and its
/// dependencies stay in the cache. Packets to a destination are one item; so the work is the number of
/// (switch, destination, class) triples that occur. Switches are numbered by SwitchOrder, so that neighbours
/// are close in memory, whatever the numbering of the fabric is.
///
/// `Sink` gets what is found: use(slot, lanes) for links that carry packets, once; and, many times over,
/// cross(cell, in lane, out lane, lid) when packets to that LID, the lowest of its column, go from a lane of
/// one link to a lane of the next. With Sink::kAnyLid it gets cross(cells, outs) instead where there is one
/// lane: `cells` is the first cell of a port, `outs` has a bit for each port from 1 on by which packets go
/// on.
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
        sls_(context, order, block),
        shift_(static_cast<unsigned>(std::countr_zero(std::bit_ceil(classes.count())))),
        words_(((block << shift_) + 63) / 64),
        sink_(std::move(sink)),
        only_entries_(Sink::kAnyLid && only_entries_count(context, classes)),
        carried_(wiring_.slot_count()),
        reached_(words_ * order.count()),
        column_words_((block + 63) / 64),
        ends_(column_words_ * order.count()),
        walks_(order.count()),
        fresh_((block << shift_) + 1) {
    for (Round* round : {&now_, &next_}) {
      round->inboxes.resize(wiring_.slot_count());
      round->pending.resize(order.count());
    }
    for (std::uint32_t at = 0; only_entries_ && at < order.count(); ++at)
      hosts_are_alike_.push_back(hosts_are_alike(order.sw(at)));
  }

  /// Sets faulty[column] where there may be pairs that do not reach each other: the exact account is
  /// Account's. Sets it, too, where entries that no packet of a host meets form a forwarding loop; not with
  /// Options::loop_free. Table entries on `loops` do not count. Adds the service levels met.
  void run(std::span<const EntryColumn> columns, const ForwardingLoops& loops, std::uint8_t* faulty,
           SlSet& met) {
    columns_ = columns;
    faulty_ = faulty;
    rows_.gather(columns, loops);
    if (!are_given(context_)) sls_.set(columns);
    plain_ = only_entries_ && !are_given(context_) && sls_.common() == classes_.sl(0) &&
             std::ranges::all_of(columns, &EntryColumn::proper);
    std::ranges::fill(reached_, 0U);
    for (std::uint32_t at = 0; at < order_.count(); ++at)
      if (!wiring_.sources_of(order_.sw(at)).empty()) inject(at, met);
    while (!next_.switches.empty()) {
      std::swap(now_, next_);
      next_.switches.clear();
      next_.size = 0;
      for (const std::uint32_t at : now_.switches) receive(at);
    }
    if (!context_.options.loop_free) follow_other_entries();
  }

  /// Tells the sink of links that carry packets. To be called after all blocks.
  void report_links() {
    for (std::uint32_t at = 0; at < order_.count(); ++at)
      for (unsigned in = 1; in <= wiring_.num_ports(order_.sw(at)); ++in)
        if (const std::uint16_t lanes = carried_[order_.slot(at, in)]; lanes != 0) {
          const Exit& from = wiring_.exits(order_.sw(at))[in];
          sink_.use(wiring_.slot(from.to, from.in), lanes);
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
    /// Adds the port of an item that has not left before. Items of one word come in a row mostly: bits are
    /// written when another word begins, and by end_first().
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
    Departures departures(*this);
    if (are_given(context_))
      inject_given(met, departures);
    else if (plain_ && hosts_are_alike_[at] != 0 && !wiring_.is_bare(sw_))
      inject_entries(met, departures);
    else
      inject_classes(met, departures);
    send(departures);
  }

  /// All columns leave but those that end here.
  void inject_entries(SlSet& met, Departures& departures) {
    const std::uint8_t sl = classes_.sl(0);
    met = static_cast<SlSet>(met | sl_bit(sl));
    std::fill_n(departures.reached, words_, ~std::uint64_t{0});
    Item* fresh = departures.fresh;
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
      const std::uint8_t out = departures.row[c];
      if (out == EntryRows::kEnd) {
        stay(c, sl);
        continue;
      }
      *fresh++ = static_cast<Item>(c);
      ++departures.count[out];
    }
    departures.fresh_count = static_cast<std::size_t>(fresh - departures.fresh);
  }

  void inject_classes(SlSet& met, Departures& departures) {
    const std::uint8_t* const injected = classes_.injected(wiring_.slot(sw_, 0));
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
      const std::uint8_t sl = sls_.at(here_, c), out = departures.row[c];
      if (wiring_.is_bare(sw_) && sends_nothing(columns_[c])) continue;
      met = static_cast<SlSet>(met | sl_bit(sl));
      if (out == EntryRows::kEnd) {
        stay(c, sl);
        continue;
      }
      const std::uint8_t packet_class = injected[out * 16U + sl];
      if (!columns_[c].proper && sw_ == columns_[c].sw().value)
        inject_all_but_owner(c, sl, departures);
      else if (packet_class < PacketClasses::kDiffers)
        departures.add_first(c << shift_ | packet_class, out);
      else
        inject_each_map(c, sl, departures);
    }
    departures.end_first();
  }

  /// Each source has service levels of its own.
  void inject_given(SlSet& met, Departures& departures) {
    for (std::uint32_t c = 0; c < columns_.size(); ++c) {
      const EntryColumn& to = columns_[c];
      if (wiring_.is_bare(sw_) && sends_nothing(to)) continue;
      if (!to.proper && sw_ == to.sw().value) faulty_[c] = 1;
      const Destination& member = to.members.front();
      for (const Source& source : wiring_.sources_of(sw_))
        if (source.port != member.owner.port)
          inject_one(c, source, context_.options.given->at(source.port, member.lid), met, departures);
    }
  }
  void inject_one(std::uint32_t column, const Source& source, std::uint8_t sl, SlSet& met,
                  Departures& departures) {
    met = static_cast<SlSet>(met | sl_bit(sl));
    const std::uint8_t out = departures.row[column];
    if (!can_send(source, sl))
      faulty_[column] = 1;
    else if (out == EntryRows::kEnd)
      arrive(source.attach.value, column, sl);
    else
      leave(column, context_.lanes.map_id(sw_, source.attach.index(), out), sl, departures);
  }

  /// True for a switch with aggregation nodes alone: they have no packets for this column.
  bool sends_nothing(const EntryColumn& to) const {
    return std::ranges::all_of(to.members, [&](const Destination& member) {
      return member.is_switch() || is_unneeded(context_, SwitchId(sw_), member);
    });
  }

  /// All hosts of the switch send packets of the first class, by whatever port they leave.
  std::uint8_t hosts_are_alike(std::uint32_t sw) const {
    for (unsigned out = 1; out <= wiring_.num_ports(sw); ++out)
      if (wiring_.exits(sw)[out].kind == Exit::Kind::to_switch &&
          classes_.injected(wiring_.slot(sw, out))[classes_.sl(0)] != 0)
        return 0;
    return 1;
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
      const unsigned lanes = only_entries_ && ports_ <= 64 ? receive_entries(in, items, departures)
                                                           : receive_classes(in, items, departures);
      std::uint16_t& carried = carried_[order_.slot(at, in)];
      carried = static_cast<std::uint16_t>(carried | lanes);
    }
    send(departures);
  }

  /// Returns the lanes on which the items came. Each item is its column. What does not depend on it is kept
  /// in registers.
  unsigned receive_entries(unsigned in, std::span<const Item> items, Departures& departures) {
    const auto [row, reached, count] = std::tuple(departures.row, departures.reached, departures.count);
    Item* fresh = departures.fresh + departures.fresh_count;
    std::uint64_t outs = 0;
    for (const Item item : items) {
      const std::uint8_t out = row[item];
      if (out == EntryRows::kEnd) {
        arrive(static_cast<std::uint8_t>(in), item, classes_.sl(0));
        continue;
      }
      outs |= std::uint64_t{1} << (out - 1U);
      const std::uint64_t before = reached[item / 64];
      const auto is_new = static_cast<std::uint32_t>(~before >> item % 64) & 1U;
      reached[item / 64] = before | std::uint64_t{1} << item % 64;
      *fresh = item;
      fresh += is_new;
      count[out] += is_new;
    }
    departures.fresh_count = static_cast<std::size_t>(fresh - departures.fresh);
    if constexpr (Sink::kAnyLid) sink_.cross(wiring_.cell(sw_, in, 0), outs);
    return 1;
  }

  unsigned receive_classes(unsigned in, std::span<const Item> items, Departures& departures) {
    const std::uint16_t* const maps = context_.lanes.map_ids(sw_, in);
    const std::size_t cells = wiring_.cell(sw_, in, 0);
    unsigned lanes = 0;
    for (const Item item : items) {
      const std::size_t was = item & ((1U << shift_) - 1);
      const std::uint32_t column = unsigned{item} >> shift_;
      const std::uint8_t out = departures.row[column];
      lanes |= 1U << classes_.lane(was);
      if (out == EntryRows::kEnd) {
        arrive(static_cast<std::uint8_t>(in), column, classes_.sl(was));
        continue;
      }
      const std::uint8_t is = classes_.leaving(maps[out])[classes_.sl(was)];
      if (is == PacketClasses::kDropped) {
        faulty_[column] = 1;
        continue;
      }
      sink_.cross(cells + out, classes_.lane(was), classes_.lane(is), columns_[column].lid());
      departures.add(column << shift_ | is, out);
    }
    return lanes;
  }

  /// Packets leave by a map.
  void leave(std::uint32_t column, std::uint16_t map, std::uint8_t sl, Departures& departures) {
    const std::uint8_t packet_class = classes_.leaving(map)[sl];
    if (packet_class == PacketClasses::kDropped)
      faulty_[column] = 1;
    else
      departures.add(column << shift_ | packet_class, departures.row[column]);
  }

  /// Entries that no packet of a host meets still forward packets: those of switches, and management packets
  /// that are routed by LID on VL 15. Each is followed to the end of its way, or to an entry that was met.
  void follow_other_entries() {
    note_ends();
    std::ranges::fill(walks_, 0U);
    walk_ = 0;
    for (std::uint32_t at = 0; at < order_.count(); ++at)
      for (std::size_t word = 0; word * 64 < columns_.size(); ++word) {
        std::uint64_t open = ~ends_[at * column_words_ + word];
        if (columns_.size() - word * 64 < 64) open &= (std::uint64_t{1} << (columns_.size() - word * 64)) - 1;
        for (; open != 0; open &= open - 1)
          follow(at, word * 64 + static_cast<std::size_t>(std::countr_zero(open)));
      }
  }

  /// Notes entries that packets met: the propagation knows the rest of the way.
  void note_ends() {
    if (shift_ == 0) {
      std::ranges::copy(reached_, ends_.begin());
      return;
    }
    std::ranges::fill(ends_, 0U);
    for (std::size_t at = 0; at < order_.count(); ++at)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        ends_[at * column_words_ + c / 64] |= std::uint64_t{met(at, c)} << c % 64;
  }

  /// Packets of some class to the column left the switch.
  bool met(std::size_t at, std::size_t column) const {
    const std::size_t first = column << shift_, classes = std::size_t{1} << shift_;
    const std::uint64_t* const words = reached_.data() + at * words_ + first / 64;
    if (classes < 64) return (*words >> first % 64 & ((std::uint64_t{1} << classes) - 1)) != 0;
    return std::any_of(words, words + classes / 64, [](std::uint64_t word) { return word != 0; });
  }

  void follow(std::uint32_t at, std::size_t column) {
    ++walk_;
    for (;;) {
      std::uint64_t& word = ends_[at * column_words_ + column / 64];
      const std::uint64_t bit = std::uint64_t{1} << column % 64;
      if ((word & bit) != 0) break;
      word |= bit;
      walks_[at] = walk_;
      const std::uint8_t out = rows_.row(at)[column];
      if (out == EntryRows::kEnd) return;
      at = order_.peers(at)[out].at;
    }
    if (walks_[at] == walk_) faulty_[column] = 1;
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
    Item* const items = next_.items.data();
    for (const Item item : std::span(departures.fresh, fresh))
      items[end[departures.row[item >> shift_]]++] = item;
  }

  const Context& context_;
  const Wiring& wiring_;
  const PacketClasses& classes_;
  const SwitchOrder& order_;
  EntryRows rows_;
  BlockServiceLevels sls_;
  const unsigned shift_;  ///< an item is column << shift | class: those of a column are close to each other
  const std::size_t words_;  ///< of reached_ for each switch
  Sink sink_;
  const bool only_entries_;
  std::vector<std::uint8_t> hosts_are_alike_;  ///< by switch; empty unless only entries count
  std::vector<std::uint16_t> carried_;         ///< by slot of SwitchOrder, of the receiver: lanes

  // The block at hand.
  std::span<const EntryColumn> columns_;
  std::uint8_t* faulty_ = nullptr;
  bool plain_ = false;                  ///< only entries count, and each path ends at its port
  std::vector<std::uint64_t> reached_;  ///< by switch: items that left it
  Round now_, next_;
  const std::size_t column_words_;    ///< of ends_ for each switch
  std::vector<std::uint64_t> ends_;   ///< by switch: columns whose way from there is known to end
  std::vector<std::uint32_t> walks_;  ///< by switch: last walk that came by
  std::uint32_t walk_ = 0;

  // The switch at hand.
  std::uint32_t here_ = 0;  ///< in SwitchOrder
  std::uint32_t sw_ = 0;    ///< in the fabric
  unsigned ports_ = 0;
  std::vector<Item> fresh_;                 ///< of Departures; one to spare
  std::array<std::uint32_t, 256> count_{};  ///< of Departures; 0 between switches
};

}  // namespace rch::verify
