#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

/// One cable between two switches, seen from the first.
struct SwitchLink {
  PortNum out;  ///< port on this switch
  PortNum in;   ///< port on the neighbour

  friend bool operator==(const SwitchLink&, const SwitchLink&) = default;
};

/// All cables from one switch to one other.
struct Neighbor {
  SwitchId sw;
  std::uint32_t first_link = 0;
  std::uint32_t link_count = 0;
};

/// Switch-to-switch adjacency in CSR form, parallel cables grouped. Symmetric: each cable is listed from both
/// ends. The neighbours of a switch are ordered by their lowest `out` port, the cables of a neighbour by
/// `out`.
class SwitchGraph {
 public:
  struct Edge {
    SwitchId from;
    PortNum out;
    SwitchId to;
    PortNum in;
  };

  SwitchGraph() = default;
  /// `edges` lists every cable from both ends, in any order, without self-loops.
  SwitchGraph(std::size_t switch_count, std::vector<Edge> edges);

  std::size_t switch_count() const { return neighbor_begin_.empty() ? 0 : neighbor_begin_.size() - 1; }
  /// Cables, each counted from both ends.
  std::size_t link_ends() const { return links_.size(); }
  std::span<const Neighbor> neighbors(SwitchId sw) const {
    return std::span(neighbors_)
        .subspan(neighbor_begin_[sw.index()], neighbor_begin_[sw.index() + 1] - neighbor_begin_[sw.index()]);
  }
  std::span<const SwitchLink> links(const Neighbor& n) const {
    return std::span(links_).subspan(n.first_link, n.link_count);
  }

 private:
  std::vector<std::uint32_t> neighbor_begin_;
  std::vector<Neighbor> neighbors_;
  std::vector<SwitchLink> links_;
};

}  // namespace rch::fabric
