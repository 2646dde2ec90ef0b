#include <algorithm>
#include <map>
#include <numeric>

#include "report/part.h"

namespace rch::report {
namespace {

constexpr std::uint8_t kNoRank = 0xFF;

/// Distance of each switch to the nearest one with many hosts; kNoRank where there is none. Few hosts do not
/// count: a server of the subnet manager may hang on a spine.
std::vector<std::uint8_t> ranks_of(const Part& part) {
  const std::uint32_t most = *std::ranges::max_element(part.hosts);
  std::vector<std::uint8_t> rank(part.size(), kNoRank);
  std::vector<std::uint32_t> open;
  for (std::uint32_t i = 0; i < part.size(); ++i)
    if (most > 0 && part.hosts[i] * 4 >= most) {
      rank[i] = 0;
      open.push_back(i);
    }
  for (std::size_t at = 0; at < open.size(); ++at)
    for (const std::uint32_t next : part.neighbors[open[at]])
      if (rank[next] == kNoRank && rank[open[at]] + 1 < kNoRank) {
        rank[next] = static_cast<std::uint8_t>(rank[open[at]] + 1);
        open.push_back(next);
      }
  return rank;
}

/// At most one cable in 20 joins switches of the same rank.
bool is_tree(const Part& part, const std::vector<std::uint8_t>& rank) {
  if (std::ranges::find(rank, kNoRank) != rank.end() || *std::ranges::max_element(rank) == 0) return false;
  std::size_t all = 0, level = 0;
  for (std::uint32_t i = 0; i < part.size(); ++i)
    for (const std::uint32_t next : part.neighbors[i]) {
      ++all;
      if (rank[next] == rank[i]) ++level;
    }
  return level * 20 <= all;
}

/// Lowest and highest place of some switches.
struct Extent {
  float low = 0, high = 0;
};

/// Lays a tree out rank by rank. A branch of rank r is a component of the switches up to that rank. Branches
/// lie side by side, those of lower ranks inside those of higher ones.
class TreeLayout {
 public:
  TreeLayout(const Part& part, std::vector<std::uint8_t> rank) : part_(part) {
    drawing_.rank = std::move(rank);
    drawing_.ranks = *std::ranges::max_element(drawing_.rank) + 1U;
    drawing_.x.resize(part.size());
    drawing_.y.resize(part.size());
    for (std::uint32_t r = 0; r < drawing_.ranks; ++r) {
      std::vector<bool> keeps(part.size());
      for (std::uint32_t i = 0; i < part.size(); ++i) keeps[i] = drawing_.rank[i] <= r;
      branches_.push_back(components(part, keeps));
    }
  }

  Drawing make() {
    place_leaves();
    for (std::uint32_t r = 1; r < drawing_.ranks; ++r) place_rank(r);
    const float gap = std::max(3.0F, width_ * 0.45F / static_cast<float>(drawing_.ranks - 1));
    for (std::uint32_t i = 0; i < part_.size(); ++i)
      drawing_.y[i] = -gap * static_cast<float>(drawing_.rank[i]);
    draw_branches(gap);
    return std::move(drawing_);
  }

 private:
  void place_leaves() {
    std::vector<std::uint32_t> leaves;
    for (std::uint32_t i = 0; i < part_.size(); ++i)
      if (drawing_.rank[i] == 0) leaves.push_back(i);
    const auto branch = [&](std::uint32_t leaf, std::uint32_t r) { return branches_[r][leaf]; };
    std::ranges::stable_sort(leaves, [&](std::uint32_t a, std::uint32_t b) {
      for (std::uint32_t r = drawing_.ranks; r-- > 0;)
        if (branch(a, r) != branch(b, r)) return branch(a, r) < branch(b, r);
      return false;
    });
    const std::uint32_t below_top = drawing_.ranks - 2;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const bool is_apart =
          k > 0 && below_top > 0 && branch(leaves[k], below_top) != branch(leaves[k - 1], below_top);
      if (k > 0) width_ += is_apart ? 2.0F : 1.0F;
      drawing_.x[leaves[k]] = width_;
    }
  }

  /// Extents of the branches of a rank: of their leaves, or of all their switches.
  std::map<std::uint32_t, Extent> extents_of(std::uint32_t rank, bool leaves_alone) const {
    std::map<std::uint32_t, Extent> extents;
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const std::uint32_t branch = branches_[rank][i];
      if (branch == kNoComponent || (leaves_alone && drawing_.rank[i] != 0)) continue;
      const float x = drawing_.x[i];
      Extent& extent = extents.try_emplace(branch, Extent{x, x}).first->second;
      extent = {std::min(extent.low, x), std::max(extent.high, x)};
    }
    return extents;
  }

  /// Spreads the switches of a rank evenly above their branch.
  void place_rank(std::uint32_t rank) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> members;
    for (std::uint32_t i = 0; i < part_.size(); ++i)
      if (drawing_.rank[i] == rank) members[branches_[rank][i]].push_back(i);
    const auto extents = extents_of(rank, true);
    for (const auto& [branch, switches] : members) {
      const Extent extent = extents.at(branch);
      const float width = std::max(extent.high - extent.low, 0.9F), middle = (extent.low + extent.high) / 2;
      const auto gaps = static_cast<float>(switches.size() - 1);
      for (std::size_t k = 0; k < switches.size(); ++k)
        drawing_.x[switches[k]] = gaps == 0 ? middle : middle + width * (static_cast<float>(k) / gaps - 0.5F);
    }
  }

  /// Boxes around the pods: the branches below the highest rank, where these have several ranks.
  void draw_branches(float gap) {
    if (drawing_.ranks < 3) return;
    const auto extents = extents_of(drawing_.ranks - 2, false);
    if (extents.size() < 2) return;
    const float top = -gap * static_cast<float>(drawing_.ranks - 2);
    for (const auto& [number, extent] : extents)
      drawing_.groups.push_back({extent.low - 0.8F, top - 0.8F, extent.high + 0.8F, 0.8F});
  }

  const Part& part_;
  Drawing drawing_;
  std::vector<std::vector<std::uint32_t>> branches_;  ///< by rank, then index
  float width_ = 0;
};

}  // namespace

std::optional<Drawing> draw_tree(const Part& part) {
  std::vector<std::uint8_t> rank = ranks_of(part);
  if (!is_tree(part, rank)) return std::nullopt;
  return TreeLayout(part, std::move(rank)).make();
}

}  // namespace rch::report
