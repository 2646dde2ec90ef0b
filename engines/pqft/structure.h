#pragma once

#include <cstdint>
#include <vector>

namespace rch::engines::pqft {

/// What a tree is built of, level by level from the hosts upwards: PGFT(h; M; W; P) of Zahavi (D-Mod-K for
/// real life fat trees, 2010). A node of level l has M[l] children on level l - 1 and W[l + 1] parents, with
/// P[l + 1] cables to each; level 0 are the hosts. A QFT spreads its parallel cables over as many switches.
struct Structure {
  bool quasi = false;  ///< QFT
  // By level, the first is level 1 (leaves and their hosts); as many of each as the tree has switch levels.
  std::vector<std::uint32_t> children;  ///< M
  std::vector<std::uint32_t> parents;   ///< W
  std::vector<std::uint32_t> cables;    ///< P

  std::size_t levels() const { return children.size(); }

  friend bool operator==(const Structure&, const Structure&) = default;
};

}  // namespace rch::engines::pqft
