#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "verify/lanes.h"
#include "verify/wiring.h"

// Channel dependencies as bits. A channel is a virtual lane of a directed link between switches. The channel
// that enters a switch by port i on lane a depends on the one that leaves it by port o on lane b when packets
// take both (routing-engines 12.1). Host links are on no cycle and left out.

namespace rch::verify {

/// Packets on one channel of each lane: their service levels.
template <std::size_t N>
using LaneLoad = std::array<SlSet, N>;

/// Bits of lanes that carry something.
template <std::size_t N>
std::uint16_t lanes_in(const LaneLoad<N>& load) {
  std::uint16_t lanes = 0;
  for (std::size_t lane = 0; lane < N; ++lane)
    lanes = static_cast<std::uint16_t>(lanes | unsigned{load[lane] != 0} << lane);
  return lanes;
}

template <std::size_t N>
SlSet all_sls(const LaneLoad<N>& load) {
  SlSet sls = 0;
  for (const SlSet on_lane : load) sls = static_cast<SlSet>(sls | on_lane);
  return sls;
}

/// Packets of `sls` that a map puts on lanes, besides what is there.
template <std::size_t N>
void add_load(LaneLoad<N>& load, const LaneMap& map, SlSet sls) {
  for (std::size_t lane = 0; lane < N; ++lane)
    load[lane] = static_cast<SlSet>(load[lane] | (sls & map.on_lane[lane]));
}

/// All bits of one switch's (in port, out port) pair, N x N for N lanes, in as few words as they fit.
template <std::size_t N>
struct CellBits {
  using Word =
      std::conditional_t<N <= 2, std::uint8_t, std::conditional_t<N <= 4, std::uint16_t, std::uint64_t>>;
  static constexpr std::size_t kWordBits = sizeof(Word) * 8;
  static constexpr std::size_t kWords = (N * N + kWordBits - 1) / kWordBits;

  std::array<Word, kWords> words{};

  void set(std::size_t in_lane, std::size_t out_lane) {
    const std::size_t bit = in_lane * N + out_lane;
    words[bit / kWordBits] = static_cast<Word>(words[bit / kWordBits] | Word{1} << (bit % kWordBits));
  }
  bool has(std::size_t in_lane, std::size_t out_lane) const {
    const std::size_t bit = in_lane * N + out_lane;
    return (words[bit / kWordBits] >> (bit % kWordBits) & 1U) != 0;
  }
};

/// Dependencies and channels in use, filled by all threads at once. Almost every bit is set many times over,
/// so a thread looks before it writes.
template <std::size_t N>
class Dependencies {
 public:
  explicit Dependencies(const Wiring& wiring) : cells_(wiring.cell_count()), used_(wiring.slot_count()) {}

  void add(std::size_t cell, const CellBits<N>& bits) {
    for (std::size_t w = 0; w < CellBits<N>::kWords; ++w) merge(cells_[cell].words[w], bits.words[w]);
  }
  void add(std::size_t cell, std::size_t in_lane, std::size_t out_lane) {
    using Word = typename CellBits<N>::Word;
    const std::size_t bit = in_lane * N + out_lane;
    merge(cells_[cell].words[bit / CellBits<N>::kWordBits],
          static_cast<Word>(Word{1} << bit % CellBits<N>::kWordBits));
  }
  /// `lanes`: one bit for each lane of the port's cable that packets are on.
  void use(std::size_t slot, std::uint16_t lanes) { merge(used_[slot], lanes); }

  /// Dependencies of packets on `load` that leave by `map`.
  void add_crossing(std::size_t cell, const LaneLoad<N>& load, const LaneMap& map) {
    CellBits<N> bits;
    for (std::size_t in = 0; in < N; ++in) {
      if (load[in] == 0) continue;
      for (std::size_t out = 0; out < N; ++out)
        if ((load[in] & map.on_lane[out]) != 0) bits.set(in, out);
    }
    add(cell, bits);
  }

  const CellBits<N>& cell(std::size_t cell) const { return cells_[cell]; }
  std::uint16_t used(std::size_t slot) const { return used_[slot]; }
  /// Something was added since the last call.
  bool take_grown() { return std::exchange(grown_, std::uint8_t{0}) != 0; }

 private:
  template <class Word>
  void merge(Word& word, Word bits) {
    std::atomic_ref<Word> shared(word);
    if ((bits & ~shared.load(std::memory_order_relaxed)) == 0) return;
    shared.fetch_or(bits, std::memory_order_relaxed);
    std::atomic_ref(grown_).store(1, std::memory_order_relaxed);
  }

  std::vector<CellBits<N>> cells_;
  std::vector<std::uint16_t> used_;
  std::uint8_t grown_ = 0;
};

/// The channel dependency graph (CDG) of the channels in use, in CSR form.
struct ChannelDependencyGraph {
  struct Channel {
    SwitchId sw;  ///< that sends
    PortNum out;
    std::uint8_t lane;
    SwitchId to;  ///< that receives
    PortNum in;
  };
  std::vector<Channel> channels;          ///< by switch, port, lane
  std::vector<std::uint8_t> vls;          ///< by lane
  std::vector<std::uint32_t> first;       ///< per channel, and one past the last
  std::vector<std::uint32_t> dependents;  ///< channels that packets on a channel request next, ascending

  std::span<const std::uint32_t> after(std::size_t channel) const {
    return std::span(dependents).subspan(first[channel], first[channel + 1] - first[channel]);
  }
};

template <std::size_t N>
ChannelDependencyGraph channel_dependency_graph(const Wiring& wiring, const Dependencies<N>& dependencies) {
  ChannelDependencyGraph graph;
  std::vector<std::uint32_t> id(wiring.slot_count() * N);
  const auto for_each_used = [&](std::size_t sw, auto&& f) {
    for (unsigned out = 1; out <= wiring.num_ports(sw); ++out)
      for (std::size_t lane = 0; lane < N; ++lane)
        if ((dependencies.used(wiring.slot(sw, out)) >> lane & 1U) != 0) f(out, lane);
  };
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw)
    for_each_used(sw, [&](unsigned out, std::size_t lane) {
      const Exit& exit = wiring.exit(sw, static_cast<std::uint8_t>(out));
      id[wiring.slot(sw, out) * N + lane] = static_cast<std::uint32_t>(graph.channels.size());
      graph.channels.push_back({SwitchId(static_cast<std::uint32_t>(sw)),
                                PortNum(static_cast<std::uint8_t>(out)), static_cast<std::uint8_t>(lane),
                                SwitchId(exit.to), PortNum(exit.in)});
    });
  for (const ChannelDependencyGraph::Channel& c : graph.channels) {
    graph.first.push_back(static_cast<std::uint32_t>(graph.dependents.size()));
    for_each_used(c.to.index(), [&](unsigned out, std::size_t lane) {
      if (dependencies.cell(wiring.cell(c.to.index(), c.in.index(), out)).has(c.lane, lane))
        graph.dependents.push_back(id[wiring.slot(c.to.index(), out) * N + lane]);
    });
  }
  graph.first.push_back(static_cast<std::uint32_t>(graph.dependents.size()));
  return graph;
}

}  // namespace rch::verify
