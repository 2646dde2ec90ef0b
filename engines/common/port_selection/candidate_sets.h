#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace rch::engines::common {

/// A set of candidates of one switch, by their index in scan order; W words of 64.
template <std::size_t W>
struct CandidateSet {
  std::array<std::uint64_t, W> words{};

  bool none() const {
    std::uint64_t all = 0;
    for (std::uint64_t word : words) all |= word;
    return all == 0;
  }
  bool is_single() const {
    bool found = false;
    for (std::uint64_t word : words) {
      if (word != 0 && (found || (word & (word - 1)) != 0)) return false;
      found = found || word != 0;
    }
    return found;
  }
  /// There must be one.
  std::size_t first() const {
    std::size_t w = 0;
    while (words[w] == 0) ++w;
    return w * 64 + static_cast<std::size_t>(std::countr_zero(words[w]));
  }
  bool contains(std::size_t index) const { return ((words[index / 64] >> (index % 64)) & 1) != 0; }
  std::size_t size() const {
    std::size_t n = 0;
    for (std::uint64_t word : words) n += static_cast<std::size_t>(std::popcount(word));
    return n;
  }
  std::size_t hash() const {
    std::uint64_t mixed = 0;
    for (std::uint64_t word : words) mixed = (mixed ^ word) * 0x9E3779B97F4A7C15;
    return mixed >> 32;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t w = 0; w < W; ++w)
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1)
        f(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }
  friend bool operator==(const CandidateSet&, const CandidateSet&) = default;
};

/// Hops by destination of a switch and of the neighbor to which a candidate leads; HopMatrix::kUnknown
/// without a path. Each has an entry for every destination.
struct HopRows {
  std::size_t candidate;
  const std::uint8_t* own;
  const std::uint8_t* neighbor;
  std::uint8_t weight = 1;  ///< hops that the candidate costs
};

/// The candidates of one switch for every destination: output ports, or groups of them.
class CandidateSets {
 public:
  explicit CandidateSets(std::size_t destinations) : destinations_(destinations) {}

  /// Empties the sets, of so many candidates, for these destinations; none: for all. The following calls are
  /// about these destinations. Storage is reused.
  void clear(std::size_t candidates, std::span<const SwitchId> only = {});

  bool contains(std::size_t destination, std::size_t candidate) const {
    return ((planes_[candidate / kPlane * destinations_ + destination] >> (candidate % kPlane)) & 1) != 0;
  }
  /// W * 64 must be at least the number of candidates.
  template <std::size_t W>
  CandidateSet<W> at(std::size_t destination) const {
    CandidateSet<W> found;
    std::size_t at = destination;
    for (std::size_t w = 0; at < planes_.size(); ++w)
      for (unsigned shift = 0; shift < 64; shift += kPlane, at += destinations_)
        found.words[w] |= std::uint64_t{planes_[at]} << shift;
    return found;
  }

  void add(std::size_t destination, std::size_t candidate) {
    planes_[candidate / kPlane * destinations_ + destination] |=
        static_cast<std::uint8_t>(1U << (candidate % kPlane));
  }
  /// Adds the candidate of each row for every destination that is nearer from the neighbor than from here, by
  /// exactly its weight.
  void add_where_nearer(std::vector<HopRows> rows);
  /// Keeps, for each destination, the first candidate and those to the same neighbor. `neighbor`: by
  /// candidate.
  void keep_first_neighbor(std::span<const std::uint8_t> neighbor);
  /// By destination: not 0 if its set differs from that of the destination before.
  void mark_changes(std::span<std::uint8_t> changes) const;

 private:
  static constexpr std::size_t kPlane = 8;  ///< candidates

  /// Calls f(d) for every destination in question. `f` should keep what it needs in local variables: stores
  /// of bytes may alias any member, and compilers make vector code of a loop only if none can.
  template <class F>
  void for_each_destination(F&& f) const {
    const std::size_t count = destinations_;
    if (only_.empty())
      for (std::size_t d = 0; d < count; ++d) f(d);
    else
      for (SwitchId d : only_) f(d.index());
  }

  std::size_t destinations_;
  std::span<const SwitchId> only_;  ///< the destinations in question; empty: all
  /// [candidate / 8 * destinations + destination], bit candidate % 8; as many planes as words of 64
  /// candidates have.
  std::vector<std::uint8_t> planes_;
};

}  // namespace rch::engines::common
