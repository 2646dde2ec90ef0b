#include "engines/dfsssp/next_hop_sets.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/parallel.h"
#include "engines/common/port_selection/candidate_sets.h"

namespace rch::engines::dfsssp {
namespace {

/// Switches processed before their set numbers are stored by destination: so many numbers fill a cache line.
constexpr std::size_t kBlock = 32;

struct OutPort {
  std::uint32_t position;  ///< of the neighbour
  SwitchId to;
  PortNum port;
};

/// The port sets of one switch.
struct SwitchSets {
  std::vector<OutPort> out_ports;    ///< by position, then port
  std::vector<std::uint8_t> places;  ///< in `out_ports`, ascending in each set
  std::vector<std::uint32_t> ends;   ///< by set, into `places`

  std::span<const std::uint8_t> set(std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : ends[number - 1];
    return std::span(places).subspan(begin, ends[number] - begin);
  }
};

/// Numbers sets in the order in which they are first seen.
template <std::size_t W>
class Numbering {
 public:
  using Set = common::CandidateSet<W>;

  explicit Numbering(SwitchSets& sets) : sets_(sets) {}

  std::uint16_t number(const Set& set) {
    if (set == last_) return number_;
    last_ = set;
    number_ = NextHopSets::kNone;
    if (set.none()) return number_;
    const auto [at, is_new] = known_.try_emplace(set, static_cast<std::uint16_t>(known_.size()));
    if (is_new) {
      set.for_each([&](std::size_t place) { sets_.places.push_back(static_cast<std::uint8_t>(place)); });
      sets_.ends.push_back(static_cast<std::uint32_t>(sets_.places.size()));
    }
    return number_ = at->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Set& set) const { return set.hash(); }
  };

  SwitchSets& sets_;
  std::unordered_map<Set, std::uint16_t, Hash> known_;
  Set last_;
  std::uint16_t number_ = NextHopSets::kNone;
};

/// Fills `numbers`, by destination: which set, or NextHopSets::kNone. Bits by output port become sets by
/// destination, block after block, in the order of structure.
template <std::size_t W>
void number_sets(const HopBits& hops, SwitchId sw, std::span<std::uint16_t> numbers, SwitchSets& sets) {
  Numbering<W> numbering(sets);
  std::array<std::array<BitSquare, W>, HopBits::kWords> bits;
  for (std::size_t block = 0, d = 0; block < hops.blocks(); ++block) {
    bits = {};
    for (std::size_t p = 0; p < sets.out_ports.size(); ++p) {
      const HopBits::Block nearer = hops.nearer(sw, sets.out_ports[p].to, block);
      for (std::size_t word = 0; word < nearer.size(); ++word) bits[word][p / 64][p % 64] = nearer[word];
    }
    for (std::array<BitSquare, W>& squares : bits) {
      for (BitSquare& square : squares) transpose(square);
      for (std::size_t i = 0; i < 64 && d < numbers.size(); ++i, ++d) {
        common::CandidateSet<W> set;
        for (std::size_t w = 0; w < W; ++w) set.words[w] = squares[w][i];
        numbers[hops.order()[d].index()] = numbering.number(set);
      }
    }
  }
}

SwitchSets find_sets(const fabric::SwitchGraph& graph, const HopBits& hops,
                     std::span<const std::uint32_t> positions, SwitchId sw,
                     std::span<std::uint16_t> numbers) {
  SwitchSets sets;
  for (const fabric::Neighbor& n : graph.neighbors(sw))
    for (const fabric::SwitchLink& link : graph.links(n))
      sets.out_ports.push_back({positions[n.sw.index()], n.sw, link.out});
  std::ranges::sort(sets.out_ports, {}, [](const OutPort& out) { return std::pair(out.position, out.port); });
  if (sets.out_ports.size() <= 64)
    number_sets<1>(hops, sw, numbers, sets);
  else
    number_sets<4>(hops, sw, numbers, sets);
  return sets;
}

std::uint8_t port_in_turn(const SwitchSets& sets, std::uint16_t number, SwitchId to) {
  if (number == NextHopSets::kNone) return kNoPath;
  const std::span<const std::uint8_t> places = sets.set(number);
  return sets.out_ports[places[to.value % static_cast<std::uint32_t>(places.size())]].port.value;
}

}  // namespace

/// Appends the port sets of switch after switch, by position.
class NextHopSets::Builder {
 public:
  explicit Builder(NextHopSets& all)
      : all_(all),
        known_(all.column_.size(), Hash{all}, Same{all}),
        of_one_(all.column_.size(), ClassId::none()) {
    all_.first_set_ = {0};
    all_.first_next_ = {0};
  }

  void add(SwitchId sw, const SwitchSets& sets) {
    for (std::size_t number = 0; number < sets.ends.size(); ++number) add(sw, sets, sets.set(number));
    all_.out_port_count_ += static_cast<std::uint32_t>(sets.out_ports.size());
    all_.first_set_.push_back(static_cast<std::uint32_t>(all_.sets_.size()));
  }

 private:
  void add(SwitchId sw, const SwitchSets& sets, std::span<const std::uint8_t> places) {
    const bool consecutive = places.back() - places.front() + std::size_t{1} == places.size();
    PortSet set{.sw = sw,
                .first = all_.out_port_count_ + places.front(),
                .list = consecutive ? kConsecutive : static_cast<std::uint32_t>(all_.out_ports_.size()),
                .ports = static_cast<std::uint32_t>(all_.ports_.size())};
    for (std::uint8_t place : places) {
      if (!consecutive) all_.out_ports_.push_back(all_.out_port_count_ + place);
      all_.ports_.push_back(sets.out_ports[place].port.value);
      all_.next_.push_back(sets.out_ports[place].to);
    }
    set.cls = class_of_last();
    all_.sets_.push_back(set);
  }

  /// Removes the next hops appended last if their class is known.
  ClassId class_of_last() {
    const ClassId last(static_cast<std::uint32_t>(all_.class_count()));
    all_.first_next_.push_back(static_cast<std::uint32_t>(all_.next_.size()));
    const ClassId cls = all_.next_hops(last).size() == 1 ? class_of_one(last) : *known_.insert(last).first;
    if (cls != last) {
      all_.first_next_.pop_back();
      all_.next_.resize(all_.first_next_.back());
    }
    return cls;
  }
  /// Most classes have one next hop: those need no hashing.
  ClassId class_of_one(ClassId last) {
    ClassId& cls = of_one_[all_.next_hops(last).front().index()];
    if (cls.is_none()) cls = last;
    return cls;
  }

  struct Hash {
    const NextHopSets& all;
    std::size_t operator()(ClassId cls) const {
      std::size_t hash = 0;
      for (SwitchId sw : all.next_hops(cls)) hash = (hash ^ sw.value) * 0x9E3779B97F4A7C15;
      return hash;
    }
  };
  struct Same {
    const NextHopSets& all;
    bool operator()(ClassId a, ClassId b) const {
      return std::ranges::equal(all.next_hops(a), all.next_hops(b));
    }
  };

  NextHopSets& all_;
  std::unordered_set<ClassId, Hash, Same> known_;
  std::vector<ClassId> of_one_;  ///< by its next hop
};

NextHopSets::NextHopSets(const fabric::SwitchGraph& graph, const HopBits& hops,
                         const IdSet<SwitchId>& with_hosts)
    : order_(hops.order()),
      column_(graph.switch_count()),
      numbers_(with_hosts.count() * graph.switch_count()),
      without_hosts_(graph.switch_count() - with_hosts.count()),
      round_robin_(graph.switch_count() * without_hosts_) {
  const std::size_t count = graph.switch_count();
  std::vector<SwitchId> destinations, others;
  for (std::uint32_t to = 0; to < count; ++to) {
    std::vector<SwitchId>& alike = with_hosts.contains(SwitchId(to)) ? destinations : others;
    column_[to] = static_cast<std::uint32_t>(alike.size());
    alike.push_back(SwitchId(to));
  }
  std::vector<std::uint32_t> positions(count);
  for (std::uint32_t p = 0; p < count; ++p) positions[order_[p].index()] = p;
  std::vector<SwitchSets> sets(count);
  parallel_ranges((count + kBlock - 1) / kBlock, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint16_t> numbers(kBlock * count);  // by switch of a block, then destination
    for (std::size_t first = begin * kBlock; first < std::min(count, end * kBlock); first += kBlock) {
      const std::size_t size = std::min(kBlock, count - first);
      for (std::size_t i = 0; i < size; ++i) {
        const auto of_switch = std::span(numbers).subspan(i * count, count);
        sets[first + i] = find_sets(graph, hops, positions, order_[first + i], of_switch);
        for (SwitchId to : others)
          round_robin_[(first + i) * without_hosts_ + column_[to.index()]] =
              port_in_turn(sets[first + i], of_switch[to.index()], to);
      }
      for (std::size_t column = 0; column < destinations.size(); ++column)
        for (std::size_t i = 0; i < size; ++i)
          numbers_[column * count + first + i] = numbers[i * count + destinations[column].index()];
    }
  });
  Builder builder(*this);
  for (std::size_t p = 0; p < count; ++p) builder.add(order_[p], sets[p]);
}

}  // namespace rch::engines::dfsssp
