#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "verify/lanes.h"
#include "verify/wiring.h"

// Channel dependencies as bits. A channel is a virtual lane of a directed link between switches. The channel
// that enters a switch by port i on lane a depends on the one that leaves it by port o on lane b when packets
// take both (Dally and Seitz 1987). Host links are on no cycle and left out.

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

/// Dependencies and channels in use, filled by all threads at once. A cell has N x N bits for N lanes, so
/// that those of a large fabric stay in the cache. Almost every bit is set many times over, so a thread looks
/// before it writes.
template <std::size_t N>
class Dependencies {
 public:
  explicit Dependencies(const Wiring& wiring)
      : words_((wiring.cell_count() * N * N + kWordBits - 1) / kWordBits), used_(wiring.slot_count()) {}

  void add(std::size_t cell, std::size_t in_lane, std::size_t out_lane) {
    const std::size_t bit = (cell * N + in_lane) * N + out_lane;
    grow(bit / kWordBits, std::uint64_t{1} << bit % kWordBits);
  }
  /// Adds those of the one lane from a port, with its first cell, to the ports in `outs`, bit 0 for port 1.
  void add_outs(std::size_t cells, std::uint64_t outs) {
    static_assert(N == 1);
    const std::size_t word = (cells + 1) / kWordBits, shift = (cells + 1) % kWordBits;
    grow(word, outs << shift);
    if (const std::uint64_t beyond = shift == 0 ? 0 : outs >> (kWordBits - shift); beyond != 0)
      grow(word + 1, beyond);
  }
  /// Calls f(out port, out lane) for what packets on a lane request that came in by a port, ascending.
  /// `cells`: the first cell of that port; `ports`: of the switch, 0 included.
  template <class F>
  void for_each_after(std::size_t cells, std::size_t ports, std::size_t in_lane, const F& f) const {
    const std::size_t begin = cells * N * N, end = begin + ports * N * N;
    for (std::size_t first = begin; first < end; first = (first / kWordBits + 1) * kWordBits) {
      std::uint64_t word = words_[first / kWordBits] & ~std::uint64_t{0} << first % kWordBits;
      for (; word != 0; word &= word - 1) {
        const std::size_t bit =
            first / kWordBits * kWordBits + static_cast<std::size_t>(std::countr_zero(word));
        if (bit >= end) return;
        if ((bit - begin) / N % N == in_lane) f((bit - begin) / (N * N), (bit - begin) % N);
      }
    }
  }
  /// `lanes`: one bit for each lane of the port's cable that packets are on.
  void use(std::size_t slot, std::uint16_t lanes) { merge(used_[slot], lanes); }

  /// Dependencies of packets on `load` that leave by `map`.
  void add_crossing(std::size_t cell, const LaneLoad<N>& load, const LaneMap& map) {
    for (std::size_t in = 0; in < N; ++in)
      for (std::size_t out = 0; out < N; ++out)
        if ((load[in] & map.on_lane[out]) != 0) add(cell, in, out);
  }

  /// Those of the others, too.
  void add_all(const Dependencies& others) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= others.words_[i];
    for (std::size_t i = 0; i < used_.size(); ++i)
      used_[i] = static_cast<std::uint16_t>(used_[i] | others.used_[i]);
  }

  /// Some dependencies of consecutive cells.
  struct Part {
    std::uint32_t word;
    std::uint64_t bits;
  };
  /// Notes what is added from here on, by one thread, until take_recorded().
  void record() { records_ = true; }
  /// Takes away what was recorded and returns it, except for what `others` has, too.
  std::vector<Part> take_recorded(const Dependencies& others) {
    std::vector<Part> parts;
    for (const std::uint32_t word : recorded_)
      if (const std::uint64_t bits = std::exchange(words_[word], 0) & ~others.words_[word]; bits != 0)
        parts.push_back({word, bits});
    recorded_.clear();
    records_ = false;
    return parts;
  }
  /// Returns what neither of the others has.
  std::vector<Part> beyond(const Dependencies& one, const Dependencies& other) const {
    std::vector<Part> parts;
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (const std::uint64_t bits = words_[i] & ~(one.words_[i] | other.words_[i]); bits != 0)
        parts.push_back({static_cast<std::uint32_t>(i), bits});
    return parts;
  }
  /// Adds a part, and appends to `added` what was not there before.
  void add(const Part& part, std::vector<Part>& added) {
    const std::uint64_t bits = part.bits & ~words_[part.word];
    if (bits == 0) return;
    words_[part.word] |= bits;
    added.push_back({part.word, bits});
  }
  void remove(const Part& part) { words_[part.word] &= ~part.bits; }
  /// Calls f(cell, in lane, out lane).
  template <class F>
  static void for_each(const Part& part, const F& f) {
    for (std::uint64_t word = part.bits; word != 0; word &= word - 1) {
      const std::size_t bit = part.word * kWordBits + static_cast<std::size_t>(std::countr_zero(word));
      f(bit / (N * N), bit / N % N, bit % N);
    }
  }

  /// As if no packet took the link of a port.
  void forget(const Wiring& wiring, std::size_t sw, std::size_t port) {
    for (std::size_t other = 0; other <= wiring.num_ports(sw); ++other) {
      clear(wiring.cell(sw, port, other));
      clear(wiring.cell(sw, other, port));
    }
    used_[wiring.slot(sw, port)] = 0;
  }
  std::size_t byte_count() const { return words_.size() * sizeof(words_[0]); }

  std::size_t count() const {
    std::size_t bits = 0;
    for (const std::uint64_t word : words_) bits += static_cast<std::size_t>(std::popcount(word));
    return bits;
  }
  std::uint16_t used(std::size_t slot) const { return used_[slot]; }
  /// Channels.
  std::size_t used_count() const {
    std::size_t lanes = 0;
    for (const std::uint16_t of_link : used_) lanes += static_cast<std::size_t>(std::popcount(of_link));
    return lanes;
  }
  /// Something was added since the last call.
  bool take_grown() { return std::exchange(grown_, std::uint8_t{0}) != 0; }

 private:
  static constexpr std::size_t kWordBits = 64;

  void clear(std::size_t cell) {
    for (std::size_t bit = cell * N * N; bit < (cell + 1) * N * N; ++bit)
      words_[bit / kWordBits] &= ~(std::uint64_t{1} << bit % kWordBits);
  }

  template <class Word>
  bool merge(Word& word, Word bits) {
    std::atomic_ref<Word> shared(word);
    if ((bits & ~shared.load(std::memory_order_relaxed)) == 0) return false;
    shared.fetch_or(bits, std::memory_order_relaxed);
    std::atomic_ref(grown_).store(1, std::memory_order_relaxed);
    return true;
  }
  void grow(std::size_t word, std::uint64_t bits) {
    if (merge(words_[word], bits) && records_) recorded_.push_back(static_cast<std::uint32_t>(word));
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint16_t> used_;
  std::uint8_t grown_ = 0;
  bool records_ = false;
  std::vector<std::uint32_t> recorded_;  ///< words that grew, some of them several times
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
  graph.first.reserve(graph.channels.size() + 1);
  graph.dependents.reserve(dependencies.count());
  for (const ChannelDependencyGraph::Channel& c : graph.channels) {
    graph.first.push_back(static_cast<std::uint32_t>(graph.dependents.size()));
    const std::size_t to = c.to.index();
    dependencies.for_each_after(wiring.cell(to, c.in.index(), 0), wiring.num_ports(to) + 1U, c.lane,
                                [&](std::size_t out, std::size_t lane) {
                                  graph.dependents.push_back(id[wiring.slot(to, out) * N + lane]);
                                });
  }
  graph.first.push_back(static_cast<std::uint32_t>(graph.dependents.size()));
  return graph;
}

}  // namespace rch::verify
