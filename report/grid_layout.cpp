// Coordinates of tori and meshes from their cables alone. A torus is a product of rings, a mesh one of paths.
// Two cables of a switch that lead along different dimensions lie in one square, and the opposite sides of a
// square lead along the same dimension. So sides that are opposite are put into one class: all cables between
// two neighboring coordinates of one dimension. Two classes that meet at switches without a square between
// them belong to one dimension. Where a dimension is taken away, what is left of the cables falls into
// components: one for each coordinate.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "report/part.h"

namespace rch::report {
namespace {

constexpr std::size_t kMostNeighbors = 6;  // three dimensions
constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// Sets that are joined (Galler and Fischer 1964).
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(b)] = find(a); }

 private:
  std::vector<std::uint32_t> parent_;
};

class GridFinder {
 public:
  explicit GridFinder(const Part& part) : part_(part), sides_(number_edges()) {}

  std::optional<Coordinates> find() {
    join_opposite_sides();
    find_dimensions();
    Coordinates coordinates(part_.size());
    for (const std::uint32_t dimension : dimensions())
      if (!add_coordinate(dimension, coordinates)) return std::nullopt;
    if (coordinates.front().empty()) return std::nullopt;
    coordinates = fold(std::move(coordinates));
    return fits(coordinates) ? std::optional(std::move(coordinates)) : std::nullopt;
  }

 private:
  std::size_t number_edges() {
    std::uint32_t count = 0;
    edges_.resize(part_.size());
    for (std::uint32_t a = 0; a < part_.size(); ++a)
      for (const std::uint32_t b : part_.neighbors[a]) edges_[a].push_back(a < b ? count++ : edge(b, a));
    return count;
  }
  std::uint32_t edge(std::uint32_t a, std::uint32_t b) const {
    const auto& near = part_.neighbors[a];
    return edges_[a][static_cast<std::size_t>(std::ranges::lower_bound(near, b) - near.begin())];
  }
  bool joined(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::binary_search(part_.neighbors[a], b);
  }
  /// The fourth corner of the square of a switch and two neighbors; kNone unless there is exactly one.
  std::uint32_t fourth(std::uint32_t at, std::uint32_t a, std::uint32_t b) const {
    std::uint32_t corner = kNone;
    for (const std::uint32_t c : part_.neighbors[a]) {
      if (c == at || !joined(b, c)) continue;
      if (corner != kNone) return kNone;
      corner = c;
    }
    return corner;
  }
  template <class F>
  void each_corner(F&& f) const {
    for (std::uint32_t at = 0; at < part_.size(); ++at) {
      const auto& near = part_.neighbors[at];
      for (std::size_t i = 0; i < near.size(); ++i)
        for (std::size_t j = i + 1; j < near.size(); ++j) f(at, near[i], near[j]);
    }
  }

  void join_opposite_sides() {
    each_corner([&](std::uint32_t at, std::uint32_t a, std::uint32_t b) {
      const std::uint32_t corner = fourth(at, a, b);
      if (corner == kNone) return;
      sides_.join(edge(at, a), edge(b, corner));
      sides_.join(edge(at, b), edge(a, corner));
    });
  }

  /// A broken cable may leave another one without squares: a class of its own tells nothing of dimensions.
  void find_dimensions() {
    const std::size_t count = edge_count();
    size_.assign(count, 0);
    for (std::uint32_t e = 0; e < count; ++e) ++size_[sides_.find(e)];
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> votes;
    each_corner([&](std::uint32_t at, std::uint32_t a, std::uint32_t b) {
      const std::uint32_t one = sides_.find(edge(at, a)), other = sides_.find(edge(at, b));
      if (one == other || !tells(one) || !tells(other)) return;
      auto& [square, none] = votes[std::minmax(one, other)];
      ++(fourth(at, a, b) == kNone ? none : square);
    });
    // Cables of different dimensions meet in one square, and few places lack it when it is broken. Those of
    // one dimension meet at nearly every switch between them.
    same_.emplace(count);
    for (const auto& [classes, vote] : votes) {
      const std::uint32_t fewer = std::min(size_[classes.first], size_[classes.second]);
      if (vote.second > vote.first && 3 * vote.second > 2 * fewer) same_->join(classes.first, classes.second);
    }
  }
  std::size_t edge_count() const {
    std::size_t ends = 0;
    for (const auto& near : part_.neighbors) ends += near.size();
    return ends / 2;
  }
  bool tells(std::uint32_t side) const { return size_[side] > 1 || edge_count() == part_.size(); }
  std::uint32_t dimension_of(std::uint32_t e) {
    const std::uint32_t side = sides_.find(e);
    return tells(side) ? same_->find(side) : kNone;
  }
  std::vector<std::uint32_t> dimensions() {
    std::set<std::uint32_t> found;
    for (std::uint32_t e = 0; e < edge_count(); ++e)
      if (const std::uint32_t dimension = dimension_of(e); dimension != kNone) found.insert(dimension);
    return {found.begin(), found.end()};
  }

  /// Components without the cables of the dimension, in their order along it. False unless they form a path
  /// or a ring.
  bool add_coordinate(std::uint32_t dimension, Coordinates& coordinates) {
    Sets layers(part_.size());
    for (std::uint32_t a = 0; a < part_.size(); ++a)
      for (const std::uint32_t b : part_.neighbors[a])
        if (const std::uint32_t its = dimension_of(edge(a, b)); its != kNone && its != dimension)
          layers.join(a, b);
    std::map<std::uint32_t, std::set<std::uint32_t>> next_to;
    for (std::uint32_t a = 0; a < part_.size(); ++a)
      for (const std::uint32_t b : part_.neighbors[a])
        if (layers.find(a) != layers.find(b)) next_to[layers.find(a)].insert(layers.find(b));
    std::uint32_t at = layers.find(0);
    for (const auto& [layer, near] : next_to) {
      if (near.size() > 2) return false;
      if (near.size() == 1) at = layer;
    }
    std::map<std::uint32_t, std::uint32_t> place;
    for (bool goes_on = true; goes_on;) {
      place.emplace(at, static_cast<std::uint32_t>(place.size()));
      goes_on = false;
      for (const std::uint32_t next : next_to[at])
        if (!place.contains(next)) {
          at = next;
          goes_on = true;
          break;
        }
    }
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const auto found = place.find(layers.find(i));
      if (found == place.end()) return false;
      coordinates[i].push_back(found->second);
    }
    return true;
  }

  /// Each cable leads one step along one dimension, or around it, and most places have a switch.
  bool fits(const Coordinates& coordinates) const {
    const std::vector<std::uint32_t> radix = radix_of(coordinates);
    std::uint64_t places = 1;
    for (const std::uint32_t width : radix) places *= width;
    if (places > 2 * std::uint64_t{part_.size()}) return false;
    for (std::uint32_t a = 0; a < part_.size(); ++a)
      for (const std::uint32_t b : part_.neighbors[a]) {
        std::size_t differ = 0;
        for (std::size_t d = 0; d < radix.size(); ++d) {
          const auto [low, high] = std::minmax(coordinates[a][d], coordinates[b][d]);
          if (low == high) continue;
          ++differ;
          if (high - low != 1 && high - low != radix[d] - 1) return false;
        }
        if (differ != 1) return false;
      }
    return true;
  }

  /// A ring of four is a product of two pairs: two dimensions of two coordinates become one of four.
  static Coordinates fold(Coordinates coordinates) {
    std::vector<std::uint32_t> radix = radix_of(coordinates);
    while (true) {
      const auto first = std::ranges::find(radix, 2U);
      const auto second = first == radix.end() ? first : std::find(first + 1, radix.end(), 2U);
      if (second == radix.end() || radix.size() == 2) return coordinates;
      const auto i = first - radix.begin(), j = second - radix.begin();
      for (auto& place : coordinates) {
        place[static_cast<std::size_t>(i)] =
            2 * place[static_cast<std::size_t>(i)] +
            (place[static_cast<std::size_t>(i)] ^ place[static_cast<std::size_t>(j)]);
        place.erase(place.begin() + j);
      }
      radix = radix_of(coordinates);
    }
  }

 public:
  static std::vector<std::uint32_t> radix_of(const Coordinates& coordinates) {
    std::vector<std::uint32_t> radix(coordinates.front().size(), 1);
    for (const auto& place : coordinates)
      for (std::size_t d = 0; d < place.size(); ++d) radix[d] = std::max(radix[d], place[d] + 1);
    return radix;
  }

 private:
  const Part& part_;
  std::vector<std::vector<std::uint32_t>> edges_;  ///< by switch, as its neighbors
  Sets sides_;                                     ///< classes of cables
  std::vector<std::uint32_t> size_;                ///< of a class
  std::optional<Sets> same_;                       ///< dimensions, of classes
};

}  // namespace

std::optional<Coordinates> grid_coordinates(const Part& part) {
  if (part.size() < 4) return std::nullopt;
  std::size_t ends = 0;
  for (const auto& near : part.neighbors) {
    if (near.size() > kMostNeighbors) return std::nullopt;
    ends += near.size();
  }
  // A tree of switches has no squares; a path or a ring is drawn as one.
  if (ends / 2 + 1 < part.size()) return std::nullopt;
  return GridFinder(part).find();
}

std::optional<Drawing> draw_grid(const Part& part, const Coordinates& coordinates) {
  std::vector<std::uint32_t> radix = GridFinder::radix_of(coordinates);
  std::vector<std::size_t> order(radix.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t d) { return radix[d] == 1; });
  if (order.empty() || order.size() > 3) return std::nullopt;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return radix[a] > radix[b]; });
  if (std::set(coordinates.begin(), coordinates.end()).size() != coordinates.size()) return std::nullopt;
  Drawing drawing;
  for (const std::size_t d : order) drawing.radix.push_back(radix[d]);
  // The third dimension goes into the depth: a step of one unit to the right and up.
  constexpr float kDepthX = 0.8F, kDepthY = 0.6F, kPitch = 2;
  const float depth = drawing.radix.size() < 3 ? 1.0F : static_cast<float>(drawing.radix[2]);
  drawing.pitch = std::max(kPitch, kDepthX * (depth + 1));
  const auto along = [&](std::uint32_t i, std::size_t k) {
    return k < order.size() ? static_cast<float>(coordinates[i][order[k]]) : 0.0F;
  };
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    drawing.x.push_back(drawing.pitch * along(i, 0) + kDepthX * along(i, 2));
    drawing.y.push_back(-drawing.pitch * along(i, 1) - kDepthY * along(i, 2));
  }
  return drawing;
}

}  // namespace rch::report
