#include "engines/dfsssp/next_hops.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/parallel.h"
#include "engines/common/port_selection/candidates.h"

namespace rch::engines::dfsssp {
namespace {

/// Switches that are looked at one after the other, before it is noted what they have to each destination:
/// these places are far apart, and so many numbers fill a line of the cache.
constexpr std::size_t kBlock = 32;

struct Exit {
  SwitchId to;
  PortNum port;
};

/// Exit sets of one switch.
struct Found {
  std::vector<Exit> exits;           ///< by neighbour, then port
  std::vector<std::uint8_t> places;  ///< in `exits`, ascending in each set
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

  explicit Numbering(Found& found) : found_(found) {}

  std::uint16_t number(const Set& set) {
    if (set == last_) return number_;
    last_ = set;
    number_ = NextHops::kNone;
    if (set.none()) return number_;
    const auto [at, is_new] = known_.try_emplace(set, static_cast<std::uint16_t>(known_.size()));
    if (is_new) {
      set.for_each([&](std::size_t place) { found_.places.push_back(static_cast<std::uint8_t>(place)); });
      found_.ends.push_back(static_cast<std::uint32_t>(found_.places.size()));
    }
    return number_ = at->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Set& set) const { return set.hash(); }
  };

  Found& found_;
  std::unordered_map<Set, std::uint16_t, Hash> known_;
  Set last_;
  std::uint16_t number_ = NextHops::kNone;
};

/// Looks at one switch after the other.
class Finder {
 public:
  Finder(const fabric::SwitchGraph& graph, const HopBits& hops) : graph_(graph), hops_(hops) {}

  /// `numbers`: by destination, which set, or NextHops::kNone.
  Found find(SwitchId sw, std::span<std::uint16_t> numbers) {
    Found found;
    for (const fabric::Neighbor& n : graph_.neighbors(sw))
      for (const fabric::SwitchLink& link : graph_.links(n)) found.exits.push_back({n.sw, link.out});
    std::ranges::sort(found.exits, {}, [](const Exit& exit) { return std::pair(exit.to, exit.port); });
    if (found.exits.size() <= 64)
      number_sets<1>(sw, numbers, found);
    else
      number_sets<4>(sw, numbers, found);
    return found;
  }

 private:
  /// Block after block: bits by exit become sets by destination.
  template <std::size_t W>
  void number_sets(SwitchId sw, std::span<std::uint16_t> numbers, Found& found) {
    Numbering<W> numbering(found);
    std::array<std::array<BitSquare, W>, HopBits::kWords> bits;
    for (std::size_t block = 0, d = 0; block < hops_.blocks(); ++block) {
      bits = {};
      for (std::size_t e = 0; e < found.exits.size(); ++e) {
        const HopBits::Block nearer = hops_.nearer(sw, found.exits[e].to, block);
        for (std::size_t word = 0; word < nearer.size(); ++word) bits[word][e / 64][e % 64] = nearer[word];
      }
      for (std::array<BitSquare, W>& squares : bits) {
        for (BitSquare& square : squares) transpose(square);
        for (std::size_t i = 0; i < 64 && d < numbers.size(); ++i, ++d) {
          common::CandidateSet<W> set;
          for (std::size_t w = 0; w < W; ++w) set.words[w] = squares[w][i];
          numbers[d] = numbering.number(set);
        }
      }
    }
  }

  const fabric::SwitchGraph& graph_;
  const HopBits& hops_;
};

/// The port for a destination: the next one takes the next of its exit set.
std::uint8_t port_in_turn(const Found& found, std::uint16_t number, SwitchId to) {
  if (number == NextHops::kNone) return kNoPath;
  const std::span<const std::uint8_t> places = found.set(number);
  return found.exits[places[to.value % static_cast<std::uint32_t>(places.size())]].port.value;
}

}  // namespace

/// Joins the exit sets of switch after switch.
class NextHops::Joining {
 public:
  explicit Joining(NextHops& all)
      : all_(all),
        known_(all.column_.size(), Hash{all}, Same{all}),
        of_one_(all.column_.size(), GroupId::none()) {
    all_.first_set_ = {0};
    all_.first_next_ = {0};
  }

  void add(SwitchId sw, const Found& found) {
    for (std::size_t number = 0; number < found.ends.size(); ++number) add(sw, found, found.set(number));
    all_.exit_count_ += static_cast<std::uint32_t>(found.exits.size());
    all_.first_set_.push_back(static_cast<std::uint32_t>(all_.sets_.size()));
  }

 private:
  void add(SwitchId sw, const Found& found, std::span<const std::uint8_t> places) {
    const bool in_a_row = places.back() - places.front() + std::size_t{1} == places.size();
    ExitSet set{.sw = sw,
                .first = all_.exit_count_ + places.front(),
                .list = in_a_row ? kInARow : static_cast<std::uint32_t>(all_.exits_.size()),
                .ports = static_cast<std::uint32_t>(all_.ports_.size())};
    for (std::uint8_t place : places) {
      if (!in_a_row) all_.exits_.push_back(all_.exit_count_ + place);
      all_.ports_.push_back(found.exits[place].port.value);
      all_.next_.push_back(found.exits[place].to);
    }
    set.group = group_of_last();
    ports_of_.resize(all_.group_count(), set.ports);
    set.ports = ports_of_[set.group.index()] = same_ports(ports_of_[set.group.index()], set.ports);
    all_.sets_.push_back(set);
  }

  /// Next hops that are there already are taken back.
  GroupId group_of_last() {
    const GroupId last(static_cast<std::uint32_t>(all_.group_count()));
    all_.first_next_.push_back(static_cast<std::uint32_t>(all_.next_.size()));
    const GroupId group = all_.next_hops(last).size() == 1 ? group_of_one(last) : *known_.insert(last).first;
    if (group != last) {
      all_.first_next_.pop_back();
      all_.next_.resize(all_.first_next_.back());
    }
    return group;
  }
  /// Most are of one: there is a shorter way to find these.
  GroupId group_of_one(GroupId last) {
    GroupId& group = of_one_[all_.next_hops(last).front().index()];
    if (group.is_none()) group = last;
    return group;
  }

  /// Those from `last` on to the end, or earlier ones if they are the same.
  std::uint32_t same_ports(std::uint32_t earlier, std::uint32_t last) {
    const auto begin = all_.ports_.begin();
    if (earlier == last || !std::equal(begin + last, all_.ports_.end(), begin + earlier)) return last;
    all_.ports_.resize(last);
    return earlier;
  }

  struct Hash {
    const NextHops& all;
    std::size_t operator()(GroupId group) const {
      std::size_t mixed = 0;
      for (SwitchId sw : all.next_hops(group)) mixed = (mixed ^ sw.value) * 0x9E3779B97F4A7C15;
      return mixed;
    }
  };
  struct Same {
    const NextHops& all;
    bool operator()(GroupId a, GroupId b) const {
      return std::ranges::equal(all.next_hops(a), all.next_hops(b));
    }
  };

  NextHops& all_;
  std::unordered_set<GroupId, Hash, Same> known_;
  std::vector<GroupId> of_one_;          ///< by its next hop
  std::vector<std::uint32_t> ports_of_;  ///< by group: those of its last exit set
};

NextHops::NextHops(const fabric::SwitchGraph& graph, const HopBits& hops, const IdSet<SwitchId>& dealt)
    : column_(graph.switch_count()),
      numbers_(dealt.count() * graph.switch_count()),
      in_turn_(graph.switch_count() * graph.switch_count()) {
  const std::size_t count = graph.switch_count();
  std::vector<SwitchId> destinations, others;
  for (std::uint32_t to = 0; to < count; ++to) {
    column_[to] = static_cast<std::uint32_t>(destinations.size());
    (dealt.contains(SwitchId(to)) ? destinations : others).push_back(SwitchId(to));
  }
  std::vector<Found> found(count);
  parallel_ranges((count + kBlock - 1) / kBlock, 1, [&](std::size_t begin, std::size_t end) {
    Finder finder(graph, hops);
    std::vector<std::uint16_t> numbers(kBlock * count);  // by switch of a block, then destination
    for (std::size_t first = begin * kBlock; first < std::min(count, end * kBlock); first += kBlock) {
      const std::size_t size = std::min(kBlock, count - first);
      for (std::size_t i = 0; i < size; ++i) {
        const auto of_switch = std::span(numbers).subspan(i * count, count);
        found[first + i] = finder.find(SwitchId(static_cast<std::uint32_t>(first + i)), of_switch);
        for (SwitchId to : others)
          in_turn_[(first + i) * count + to.index()] =
              port_in_turn(found[first + i], of_switch[to.index()], to);
      }
      for (std::size_t column = 0; column < destinations.size(); ++column)
        for (std::size_t i = 0; i < size; ++i)
          numbers_[column * count + first + i] = numbers[i * count + destinations[column].index()];
    }
  });
  Joining joining(*this);
  for (std::uint32_t s = 0; s < count; ++s) joining.add(SwitchId(s), found[s]);
}

}  // namespace rch::engines::dfsssp
