// Tables are row-major, and a path needs a column. So a thread takes a few cache lines of every row of both
// sides (256 LIDs) and does all that these columns need while they are in its cache:
//
//   lines are compared: which entries differ, and in which columns packets go another way at a switch;
//   the packets of all hosts are followed, once where no entry of a column differs, else once for each side;
//   where entries differ, packets that meet no such entry are followed once more: all others have other
//   paths.

#include "compare/forwarding.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>

#include <tbb/enumerable_thread_specific.h>

#include "base/parallel.h"
#include "compare/single_column.h"

namespace rch::compare {
namespace {

constexpr std::size_t kLines = 4;  ///< cache lines of a row that are read together

/// Hosts of both sides that hang on the same switches.
struct CommonSources {
  std::uint32_t before = 0, after = 0;  ///< switches
  bool stay = false;                    ///< on the same port of the same switch
  std::uint64_t count = 0;
};

/// Bit i: byte i of the eight is not 0.
std::uint64_t nonzero_bytes(std::uint64_t eight) {
  constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F;
  const std::uint64_t high = (((eight & kLow) + kLow) | eight) & ~kLow;  // the high bit of each
  return (high >> 7U) * 0x0102040810204080U >> 56U;
}

/// Calls of(eight bytes of a, eight of b) for a line, and puts the bits of what it returns together.
template <class Of>
std::uint64_t bits_of_line(const std::uint8_t* a, const std::uint8_t* b, const Of& of) {
  std::uint64_t bits = 0;
  for (std::size_t c = 0; c < kColumns; c += 8) {
    std::uint64_t left = 0, right = 0;
    std::memcpy(&left, a + c, sizeof left);
    std::memcpy(&right, b + c, sizeof right);
    bits |= of(left, right) << c;
  }
  return bits;
}

std::uint64_t differing_bytes(const std::uint8_t* a, const std::uint8_t* b) {
  return bits_of_line(a, b, [](std::uint64_t l, std::uint64_t r) { return nonzero_bytes(l ^ r); });
}
std::uint64_t no_path_bytes(const std::uint8_t* a) {
  static_assert(kNoPath == 0xFF);
  return ~bits_of_line(a, a, [](std::uint64_t l, std::uint64_t) { return nonzero_bytes(~l); });
}

/// What all threads read.
struct SharedContext {
  const Side& before;
  const Side& after;
  const verify::Wiring& wiring_before;
  const verify::Wiring& wiring_after;
  const Matching& matching;
  verify::SwitchOrder order_before, order_after;
  Onward onward_before, onward_after;
  std::vector<std::uint16_t> hosts_before, hosts_after;  ///< by switch
  std::vector<LidPair> columns;                          ///< matching.lids, filled up to whole tiles
  std::vector<CommonSources> sources{};
  std::uint64_t staying = 0;  ///< hosts
};

std::vector<std::uint16_t> hosts_by_switch(const verify::Wiring& wiring) {
  std::vector<std::uint16_t> hosts;
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw)
    hosts.push_back(static_cast<std::uint16_t>(wiring.sources_of(sw).size()));
  return hosts;
}

std::vector<CommonSources> common_sources(const SharedContext& context) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint64_t> counts;
  const fabric::Fabric &fabric = *context.before.fabric, &now = *context.after.fabric;
  std::map<PortId, std::uint32_t> switch_after;
  for (const verify::Source& source : context.wiring_after.sources())
    switch_after.emplace_hint(switch_after.end(), source.port, source.sw.value);
  for (const verify::Source& source : context.wiring_before.sources()) {
    const fabric::Port& port = fabric.port(source.port);
    const auto node = now.find_node(fabric.node(port.node).guid);
    if (!node || port.number.value > now.node(*node).num_ports) continue;
    const auto there = switch_after.find(now.port_id(*node, port.number));
    if (there != switch_after.end())
      ++counts[{source.sw.value, there->second, context.matching.stays(source, fabric, now)}];
  }
  std::vector<CommonSources> sources;
  for (const auto& [key, count] : counts)
    sources.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
  return sources;
}

Target target_of(const fabric::Fabric& fabric, Lid lid) {
  const auto owner = lid == kUnassignedLid ? std::nullopt : fabric.lid_owner(lid);
  if (!owner) return {};
  const fabric::Port& port = fabric.port(*owner);
  if (fabric.is_switch(port.node) || port.peer.is_none()) return {};
  const fabric::Port& peer = fabric.port(port.peer);
  if (!fabric.is_switch(peer.node)) return {};
  return {peer.node.value, peer.number.value, true};
}

/// Columns of one side, some lines of each row.
class Tile {
 public:
  explicit Tile(const fabric::ForwardingTables& lfts)
      : lfts_(lfts), bytes_(lfts.switch_count() * kColumns * kLines) {}

  /// `first`: of the columns, whose LIDs are `lid_of` them.
  template <class LidOf>
  void fill(std::span<const LidPair> columns, std::size_t first, bool by_number, const LidOf& lid_of) {
    for (std::uint32_t sw = 0; sw < lfts_.switch_count(); ++sw) {
      const std::span<const std::uint8_t> row = lfts_.row(SwitchId(sw));
      for (std::size_t line = 0; line < kLines; ++line) {
        std::uint8_t* to = bytes_.data() + (line * lfts_.switch_count() + sw) * kColumns;
        const std::size_t at = first + line * kColumns;
        if (by_number && at < row.size())
          std::memcpy(to, row.data() + at, kColumns);
        else if (by_number)
          std::memset(to, kNoPath, kColumns);
        else
          for (std::size_t c = 0; c < kColumns; ++c) {
            const Lid lid = lid_of(columns[at + c]);
            to[c] = lid == kUnassignedLid || lid.index() >= row.size() ? kNoPath : row[lid.index()];
          }
      }
    }
  }
  /// By switch, kColumns each.
  const std::uint8_t* line(std::size_t number) const {
    return bytes_.data() + number * lfts_.switch_count() * kColumns;
  }

 private:
  const fabric::ForwardingTables& lfts_;
  std::vector<std::uint8_t> bytes_;
};

/// One side of the columns of a line.
struct LineSide {
  const std::uint8_t* entries = nullptr;
  std::array<Target, kColumns> targets{};
  std::uint64_t hosts = 0;  ///< columns whose target is a host
};

/// The work of one thread.
class LineWorker {
 public:
  explicit LineWorker(const SharedContext& context)
      : context_(context),
        tile_before_(context.before.tables->lfts),
        tile_after_(context.after.tables->lfts),
        waves_before_(context.wiring_before, context.order_before, context.onward_before),
        waves_after_(context.wiring_after, context.order_after, context.onward_after),
        single_before_(context.wiring_before, context.onward_before),
        single_after_(context.wiring_after, context.onward_after),
        diverted_(context.wiring_before.switch_count()),
        counts_(context.wiring_before.switch_count()) {
    for (PairSums* sums : {&both_, &sums_before_}) sums->flows.resize(context.wiring_before.slot_count());
    sums_after_.flows.resize(context.wiring_after.slot_count());
  }

  /// `out`: by column of the context.
  void take(std::size_t first, std::vector<DestinationPaths>& out) {
    tile_before_.fill(context_.columns, first, context_.matching.same_lids,
                      [](const LidPair& p) { return p.before; });
    tile_after_.fill(context_.columns, first, context_.matching.same_lids,
                     [](const LidPair& p) { return p.after; });
    for (std::size_t line = 0; line < kLines; ++line) {
      first_ = first + line * kColumns;
      before_.entries = tile_before_.line(line);
      after_.entries = tile_after_.line(line);
      compare_lines();
      find_targets();
      follow(std::span(out).subspan(first_, kColumns));
    }
  }

  const std::vector<EntryCounts>& counts() const { return counts_; }
  const PairSums& both() const { return both_; }
  const PairSums& sums_before() const { return sums_before_; }
  const PairSums& sums_after() const { return sums_after_; }
  std::uint64_t pairs() const { return pairs_; }

 private:
  void compare_lines() {
    differing_ = 0;
    const std::uint64_t no_lid = first_ == 0 ? 1 : 0;
    for (std::uint32_t sw = 0; sw < diverted_.size(); ++sw) {
      const std::uint32_t now = context_.matching.after_of[sw];
      const std::uint8_t* before = before_.entries + sw * kColumns;
      diverted_[sw] = ~std::uint64_t{0};
      if (now == Matching::kNone) continue;
      const std::uint8_t* after = after_.entries + now * kColumns;
      const auto& moved = context_.matching.moved_exits[sw];
      diverted_[sw] = 0;
      if (std::memcmp(before, after, kColumns) != 0)
        diverted_[sw] = count_entries(before, after, no_lid, counts_[sw]);
      for (std::size_t c = 0; !moved.empty() && c < kColumns; ++c)
        if ((moved[before[c] / 64] >> (before[c] % 64) & 1U) != 0) diverted_[sw] |= std::uint64_t{1} << c;
      differing_ |= diverted_[sw];
    }
  }

  static std::uint64_t count_entries(const std::uint8_t* before, const std::uint8_t* after,
                                     std::uint64_t left_out, EntryCounts& counts) {
    const std::uint64_t differing = differing_bytes(before, after) & ~left_out;
    const std::uint64_t fresh = differing & no_path_bytes(before), gone = differing & no_path_bytes(after);
    const auto count = [](std::uint64_t bits) { return static_cast<std::uint64_t>(std::popcount(bits)); };
    counts.fresh += count(fresh);
    counts.gone += count(gone);
    counts.changed += count(differing & ~fresh & ~gone);
    return differing;
  }

  void find_targets() {
    before_.hosts = after_.hosts = one_port_ = 0;
    for (std::size_t c = 0; c < kColumns; ++c) {
      const LidPair& lids = context_.columns[first_ + c];
      before_.targets[c] = target_of(*context_.before.fabric, lids.before);
      after_.targets[c] = target_of(*context_.after.fabric, lids.after);
      before_.hosts |= std::uint64_t{before_.targets[c].is_host} << c;
      after_.hosts |= std::uint64_t{after_.targets[c].is_host} << c;
      one_port_ |= std::uint64_t{lids.is_one_port} << c;
    }
  }

  /// Sums up all pairs to some columns. Returns the columns in which some packets do not arrive.
  static std::uint64_t sum_up(FlowWaves& waves, SingleColumn& single, const LineSide& side,
                              const std::vector<std::uint16_t>& hosts, std::uint64_t columns,
                              PairSums& sums) {
    if (columns == 0) return 0;
    FlowWaves::Walk walk{.entries = side.entries,
                         .targets = side.targets,
                         .columns = columns,
                         .hosts = hosts.data(),
                         .own = columns,
                         .sums = &sums};
    const std::uint64_t lost = waves.walk(walk).lost;
    if (lost == 0) return 0;
    walk.columns = lost;
    walk.is_undone = true;
    waves.walk(walk);
    for (std::uint64_t rest = lost; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(rest));
      single.build(side.entries + c, side.targets[c]);
      single.sum_up(sums);
    }
    return lost;
  }

  void follow(std::span<DestinationPaths> out) {
    const std::uint64_t common = before_.hosts & after_.hosts & one_port_;
    const std::uint64_t same = context_.matching.same_cables ? common & ~differing_ : 0;
    std::uint64_t lost =
        sum_up(waves_before_, single_before_, before_, context_.hosts_before, same, both_) |
        sum_up(waves_before_, single_before_, before_, context_.hosts_before, before_.hosts & ~same,
               sums_before_) |
        sum_up(waves_after_, single_after_, after_, context_.hosts_after, after_.hosts & ~same, sums_after_);
    lost &= common;
    for (std::size_t c = 0; c < kColumns; ++c)
      if ((lost >> c & 1U) != 0) count_each(c, out[c]);
    count_whole(common & ~lost, out);
  }

  /// The target hangs where it hung, and so is among the staying hosts.
  bool target_stays(std::size_t c) const {
    const Target &was = before_.targets[c], &is = after_.targets[c];
    const auto& moved = context_.matching.moved_exits[was.sw];
    return context_.matching.after_of[was.sw] == is.sw && was.attach == is.attach &&
           (moved.empty() || (moved[was.attach / 64] >> (was.attach % 64) & 1U) == 0);
  }

  /// Columns in which all packets arrive on both sides.
  void count_whole(std::uint64_t columns, std::span<DestinationPaths> out) {
    std::uint64_t stay = 0;
    for (std::size_t c = 0; c < kColumns; ++c)
      if ((columns >> c & 1U) != 0 && target_stays(c)) stay |= std::uint64_t{1} << c;
    FlowWaves::Ends ends;
    if (const std::uint64_t walked = columns & differing_; walked != 0)
      ends = waves_before_.walk({.entries = before_.entries,
                                 .targets = before_.targets,
                                 .columns = walked,
                                 .hosts = context_.matching.staying_hosts.data(),
                                 .own = stay,
                                 .taken_out = diverted_.data()});
    for (; columns != 0; columns &= columns - 1) {
      const auto c = static_cast<std::size_t>(std::countr_zero(columns));
      const std::uint64_t all = context_.matching.common_hosts - 1;
      const std::uint64_t same =
          (differing_ >> c & 1U) != 0 ? ends.arrived[c] : context_.staying - (stay >> c & 1U);
      pairs_ += all;
      out[c].changed = all - same;
    }
  }

  /// A column in which some packets do not arrive, source by source.
  void count_each(std::size_t c, DestinationPaths& out) {
    single_before_.build(before_.entries + c, before_.targets[c]);
    single_after_.build(after_.entries + c, after_.targets[c]);
    const bool stays = target_stays(c);
    for (const CommonSources& from : context_.sources) {
      const bool is_own =
          from.before == before_.targets[c].sw && from.after == after_.targets[c].sw && from.stay == stays;
      const std::uint64_t count = from.count - (is_own ? 1 : 0);
      const bool was = single_before_.arrives_from(from.before), is = single_after_.arrives_from(from.after);
      if (was || is) pairs_ += count;
      if (was && !is) out.lost += count;
      if (!was && is) out.gained += count;
      if (was && is && (!from.stay || !is_same_path(from.before, c))) out.changed += count;
    }
  }

  bool is_same_path(std::uint32_t from, std::size_t c) const {
    for (std::uint32_t sw = from;; sw = single_before_.next(sw)) {
      if ((diverted_[sw] >> c & 1U) != 0) return false;
      if (single_before_.next(sw) == Onward::kOut) return true;
    }
  }

  const SharedContext& context_;
  Tile tile_before_, tile_after_;
  FlowWaves waves_before_, waves_after_;
  SingleColumn single_before_, single_after_;
  std::size_t first_ = 0;  ///< column of the line
  LineSide before_, after_;
  std::uint64_t differing_ = 0;          ///< columns in which some switch sends packets another way
  std::uint64_t one_port_ = 0;           ///< columns of LidPair::is_one_port
  std::vector<std::uint64_t> diverted_;  ///< by switch before: columns in which it does
  std::vector<EntryCounts> counts_;      ///< by switch before
  PairSums both_, sums_before_, sums_after_;
  std::uint64_t pairs_ = 0;
};

Balance balance(const PairSums& sums) {
  Balance balance;
  for (const std::uint32_t flows : sums.flows) {
    balance.fullest = std::max<std::uint64_t>(balance.fullest, flows);
    balance.sum += flows;
  }
  return balance;
}

SharedContext shared_context(const Side& before, const verify::Wiring& wiring_before, const Side& after,
                             const verify::Wiring& wiring_after, const Matching& matching) {
  SharedContext context{before,
                        after,
                        wiring_before,
                        wiring_after,
                        matching,
                        verify::SwitchOrder(wiring_before),
                        verify::SwitchOrder(wiring_after),
                        Onward(wiring_before),
                        Onward(wiring_after),
                        hosts_by_switch(wiring_before),
                        hosts_by_switch(wiring_after),
                        matching.lids};
  constexpr std::size_t kTile = kColumns * kLines;
  context.columns.resize((context.columns.size() + kTile - 1) / kTile * kTile);
  context.sources = common_sources(context);
  for (const CommonSources& sources : context.sources)
    if (sources.stay) context.staying += sources.count;
  return context;
}

}  // namespace

void EntryCounts::add(const EntryCounts& other) {
  changed += other.changed;
  fresh += other.fresh;
  gone += other.gone;
}

Forwarding compare_forwarding(const Side& before, const verify::Wiring& wiring_before, const Side& after,
                              const verify::Wiring& wiring_after, const Matching& matching) {
  const SharedContext context = shared_context(before, wiring_before, after, wiring_after, matching);
  std::vector<DestinationPaths> paths(context.columns.size());
  for (std::size_t c = 0; c < paths.size(); ++c) paths[c].lids = context.columns[c];
  tbb::enumerable_thread_specific<LineWorker> workers([&] { return LineWorker(context); });
  constexpr std::size_t kTile = kColumns * kLines;
  parallel_ranges(context.columns.size() / kTile, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tile = begin; tile < end; ++tile) workers.local().take(tile * kTile, paths);
  });

  Forwarding result;
  result.by_switch.resize(wiring_before.switch_count());
  PairSums sums_before, sums_after;
  for (const LineWorker& worker : workers) {
    for (std::size_t sw = 0; sw < result.by_switch.size(); ++sw)
      result.by_switch[sw].add(worker.counts()[sw]);
    sums_before.merge(worker.both());
    sums_before.merge(worker.sums_before());
    sums_after.merge(worker.both());
    sums_after.merge(worker.sums_after());
    result.pairs += worker.pairs();
  }
  for (const EntryCounts& counts : result.by_switch) result.entries.add(counts);
  for (const DestinationPaths& to : paths) {
    if (to.changed + to.lost + to.gained == 0) continue;
    result.destinations.push_back(to);
    result.changed += to.changed;
    result.lost += to.lost;
    result.gained += to.gained;
  }
  result.hops_before = std::move(sums_before.hops);
  result.hops_after = std::move(sums_after.hops);
  result.balance_before = balance(sums_before);
  result.balance_after = balance(sums_after);
  return result;
}

std::vector<EntryChange> changed_entries(const Side& before, SwitchId sw_before, const Side& after,
                                         SwitchId sw_after, const Matching& matching) {
  const auto entry = [](const fabric::ForwardingTables& lfts, SwitchId sw, Lid lid) {
    return lid == kUnassignedLid || lid.index() >= lfts.stride() ? kNoPath : lfts.at(sw, lid);
  };
  std::vector<EntryChange> changes;
  for (const LidPair& lids : matching.lids) {
    const std::uint8_t was = entry(before.tables->lfts, sw_before, lids.before);
    const std::uint8_t is = entry(after.tables->lfts, sw_after, lids.after);
    if (was != is) changes.push_back({lids.before, lids.after, was, is});
  }
  return changes;
}

}  // namespace rch::compare
