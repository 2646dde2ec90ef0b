#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/common/channels.h"
#include "engines/common/dependency_graph.h"
#include "engines/dfsssp/product.h"
#include "engines/dfsssp/routes.h"

namespace rch::engines::dfsssp {

/// A copy of one factor in a product, as one ring of a torus is, in which a link or a switch is missing. Its
/// switches differ in the coordinate of that factor alone.
struct DamagedLine {
  std::size_t factor = 0;
  std::vector<SwitchId> members;    ///< by coordinate; none(): the switch is missing
  std::vector<std::uint16_t> next;  ///< by coordinates to and at, the next one; kNone: no path
  static constexpr std::uint16_t kNone = 0xFFFF;

  std::uint16_t towards(std::size_t to, std::size_t at) const { return next[to * members.size() + at]; }
};

/// The damaged lines of a product, with the shortest paths inside them. A ring that lacks one link is a path:
/// packets that went over the link go round the other way, and no cycle of that ring is left.
class DamagedLines {
 public:
  /// Keeps references to both.
  DamagedLines(const Product& product, const common::Channels& channels);

  bool empty() const { return lines_.empty(); }
  /// A number for each switch, ascending with its coordinates: the first factor counts most.
  std::uint64_t place(SwitchId s) const { return place_[s.index()]; }
  /// From here on all lines count as intact.
  void forget();
  /// The switch to which the path of `at` inside its line of a factor leads towards a coordinate. None if the
  /// line is intact, or has no such path.
  SwitchId next(std::size_t factor, SwitchId at, std::size_t to) const;
  /// Adds what packets may hold and request in these lines. `crosses`: by factor, then by coordinates from
  /// and to, the layer of the factor that the pair is on; `layer_of`: by factor, the layer that is listed.
  void list_dependencies(const std::vector<const std::vector<std::uint8_t>*>& crosses,
                         const std::vector<std::size_t>& layer_of, common::DependencyGraph& graph) const;
  /// Lets the whole line of a switch that lacks the link for a tree send along the paths inside the line.
  /// False, and nothing is changed, if none leads from the switch.
  bool lead(std::uint32_t tree, SwitchId at, Routes& routes) const;

 private:
  void add_line(std::size_t factor, std::vector<SwitchId> members);
  bool is_damaged(const Product::Factor& factor, const std::vector<SwitchId>& members) const;
  common::ChannelId channel(SwitchId from, SwitchId to) const;

  const Product& product_;
  const common::Channels& channels_;
  std::vector<std::uint64_t> place_;  ///< by switch
  std::vector<DamagedLine> lines_;
  std::vector<std::vector<std::uint32_t>> line_of_;  ///< by factor, then switch; kNoLine: an intact one
  static constexpr std::uint32_t kNoLine = ~std::uint32_t{0};
};

}  // namespace rch::engines::dfsssp
