#include "engines/dfsssp/product.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

// In a product two links of a switch that belong to different factors span a square, and it is the only one:
// their far ends have exactly two common neighbours and are not neighbours themselves. Opposite links of a
// square belong to the same factor (the relation of Djokovic and Winkler; Imrich, Peterin: Recognizing
// Cartesian products in linear time, 2007). So links fall into classes by squares, and classes that meet at
// switches without spanning squares are of one factor. Where links are missing some squares are missing too;
// so the majority of the places where two classes meet decides.

namespace rch::engines::dfsssp {
namespace {

/// A hypercube of 65,536 switches has so many.
constexpr std::size_t kMostFactors = 16;
/// Links without squares are classes of their own. So a fabric with more classes than this fraction of its
/// links is no product.
constexpr std::size_t kLinksOfClass = 3;

class ProductUnion {
 public:
  explicit ProductUnion(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }

  std::uint32_t find(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  /// The least member of a set stands for it.
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

class ProductSearch {
 public:
  explicit ProductSearch(const fabric::SwitchGraph& graph) : adjacent_(graph.switch_count()) {
    for (std::uint32_t s = 0; s < adjacent_.size(); ++s)
      for (const fabric::Neighbor& n : graph.neighbors(SwitchId(s)))
        if (s < n.sw.value) {
          adjacent_[s].push_back({n.sw.value, link_count_});
          adjacent_[n.sw.index()].push_back({s, link_count_++});
        }
  }

  std::optional<Product> run() {
    if (!may_be_product()) return std::nullopt;
    const std::vector<std::uint32_t> factor_of = divide_links();
    Product product;
    std::uint32_t count = 0;
    for (const std::uint32_t factor : factor_of) count = std::max(count, factor + 1);
    if (count < 2 || count > kMostFactors) return std::nullopt;
    for (std::uint32_t f = 0; f < count; ++f)
      if (!add_factor(factor_of, f, product)) return std::nullopt;
    if (!tells_switches_apart(product)) return std::nullopt;
    return product;
  }

 private:
  struct Adjacent {
    std::uint32_t to, link;
  };
  /// A switch two hops from another one, and the links to it by the first two switches in between.
  struct Opposite {
    std::uint32_t count = 0;
    std::uint32_t near[2], far[2];
  };

  /// Squares with one corner.
  class Squares {
   public:
    explicit Squares(const ProductSearch& search)
        : search_(search), opposite_(search.adjacent_.size()), is_neighbor_(search.adjacent_.size()) {}

    /// Calls f(near, far) for each square: the two links at switch `s`, and those that follow them to the
    /// opposite corner, which has a number of at least `first`.
    template <class F>
    void for_each(std::uint32_t s, std::uint32_t first, F&& f) {
      mark(s, 1);
      reached_.clear();
      for (const Adjacent& near : search_.adjacent_[s])
        for (const Adjacent& far : search_.adjacent_[near.to])
          if (far.to >= first && is_neighbor_[far.to] == 0) add(near, far);
      for (const std::uint32_t r : reached_)
        if (std::exchange(opposite_[r].count, 0U) == 2) f(opposite_[r].near, opposite_[r].far);
      mark(s, 0);
    }

   private:
    void mark(std::uint32_t s, std::uint8_t value) {
      is_neighbor_[s] = value;
      for (const Adjacent& near : search_.adjacent_[s]) is_neighbor_[near.to] = value;
    }
    void add(const Adjacent& near, const Adjacent& far) {
      Opposite& o = opposite_[far.to];
      if (o.count == 0) reached_.push_back(far.to);
      if (o.count < 2) {
        o.near[o.count] = near.link;
        o.far[o.count] = far.link;
      }
      ++o.count;
    }

    const ProductSearch& search_;
    std::vector<Opposite> opposite_;         ///< by switch
    std::vector<std::uint8_t> is_neighbor_;  ///< by switch: the corner or a neighbour of it
    std::vector<std::uint32_t> reached_;     ///< switches with a count
  };

  template <class F>
  void for_each_square(F&& f) const {
    Squares squares(*this);
    for (std::uint32_t s = 0; s < adjacent_.size(); ++s) squares.for_each(s, s, f);
  }

  /// Looks at a few switches: one with links of several factors is a corner of almost as many squares as it
  /// has links, at least.
  bool may_be_product() const {
    constexpr std::size_t kSamples = 16;
    Squares squares(*this);
    std::size_t samples = 0, corners = 0;
    const std::size_t step = std::max<std::size_t>(1, adjacent_.size() / kSamples);
    for (std::size_t s = 0; s < adjacent_.size(); s += step, ++samples) {
      std::size_t count = 0;
      squares.for_each(static_cast<std::uint32_t>(s), 0, [&](const auto&, const auto&) { ++count; });
      if (adjacent_[s].size() > 1 && 2 * count >= adjacent_[s].size()) ++corners;
    }
    return 2 * corners > samples;
  }

  /// How often links of two classes meet at a switch, and how often they span a square there.
  struct Meeting {
    std::uint32_t count = 0, squares = 0;
  };

  /// By link, the number of its factor; empty if there are too many classes.
  std::vector<std::uint32_t> divide_links() {
    ProductUnion classes(link_count_);
    for_each_square([&](const auto& near, const auto& far) {
      classes.join(near[0], far[1]);
      classes.join(near[1], far[0]);
    });
    std::vector<std::uint32_t> class_of(link_count_);
    std::size_t count = 0;
    for (std::uint32_t link = 0; link < link_count_; ++link) {
      class_of[link] = classes.find(link);
      if (class_of[link] == link) ++count;
    }
    if (count * kLinksOfClass > link_count_) return {};
    return numbered(join_classes(meetings(class_of)), class_of);
  }

  /// Joins classes that meet without squares. Where two classes meet at four switches only, one missing link
  /// is enough for that; so it counts where they meet about as often as others that do.
  template <class Meetings>
  ProductUnion join_classes(const Meetings& meetings) const {
    const auto for_each = [&](auto&& f) {
      for (const auto& [key, meeting] : meetings)
        if (meeting.squares * 2 < meeting.count)
          f(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), meeting.count);
    };
    std::vector<std::uint32_t> most(link_count_);  // by class
    for_each([&](std::uint32_t a, std::uint32_t b, std::uint32_t count) {
      for (const std::uint32_t cls : {a, b}) most[cls] = std::max(most[cls], count);
    });
    ProductUnion factors(link_count_);
    for_each([&](std::uint32_t a, std::uint32_t b, std::uint32_t count) {
      if (count * 2 >= std::min(most[a], most[b])) factors.join(a, b);
    });
    return factors;
  }

  std::unordered_map<std::uint64_t, Meeting> meetings(const std::vector<std::uint32_t>& class_of) const {
    std::unordered_map<std::uint64_t, Meeting> meetings;
    const auto at = [&](std::uint32_t a, std::uint32_t b) -> Meeting& {
      const auto [low, high] = std::minmax(class_of[a], class_of[b]);
      return meetings[std::uint64_t{low} << 32 | high];
    };
    for (const std::vector<Adjacent>& links : adjacent_)
      for (std::size_t i = 0; i < links.size(); ++i)
        for (std::size_t j = i + 1; j < links.size(); ++j) ++at(links[i].link, links[j].link).count;
    for_each_square([&](const auto& near, const auto& far) {
      for (int i = 0; i < 2; ++i) ++at(near[i], far[i]).squares;
    });
    return meetings;
  }

  std::vector<std::uint32_t> numbered(ProductUnion factors,
                                      const std::vector<std::uint32_t>& class_of) const {
    std::vector<std::uint32_t> number(link_count_, link_count_), factor_of;
    std::uint32_t count = 0;
    for (const std::uint32_t cls : class_of) {
      std::uint32_t& of_factor = number[factors.find(cls)];
      if (of_factor == link_count_) of_factor = count++;
      factor_of.push_back(of_factor);
    }
    return factor_of;
  }

  /// Switches have the same coordinate where links of other factors join them.
  bool add_factor(const std::vector<std::uint32_t>& factor_of, std::uint32_t f, Product& product) const {
    ProductUnion joined(adjacent_.size());
    for_each_link([&](std::uint32_t s, const Adjacent& a) {
      if (factor_of[a.link] != f) joined.join(s, a.to);
    });
    Product::Factor factor;
    std::vector<std::uint16_t> number(adjacent_.size());
    for (std::uint32_t s = 0; s < adjacent_.size(); ++s) {
      const std::uint32_t first = joined.find(s);
      if (first == s) {
        number[s] = static_cast<std::uint16_t>(factor.size++);
        if (factor.size * 2 > adjacent_.size()) return false;
      }
      factor.coordinate.push_back(number[first]);
    }
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t> edges;
    for_each_link([&](std::uint32_t s, const Adjacent& a) {
      if (factor_of[a.link] == f) ++edges[std::minmax({factor.coordinate[s], factor.coordinate[a.to]})];
    });
    for (const auto& [edge, count] : edges) {
      factor.edges.push_back(edge);
      factor.joined.push_back(count);
    }
    const bool joins_itself =
        std::ranges::any_of(factor.edges, [](const auto& edge) { return edge.first == edge.second; });
    product.factors.push_back(std::move(factor));
    return !joins_itself;
  }

  template <class F>
  void for_each_link(F&& f) const {
    for (std::uint32_t s = 0; s < adjacent_.size(); ++s)
      for (const Adjacent& a : adjacent_[s])
        if (s < a.to) f(s, a);
  }

  /// No two switches have the same coordinates, and not half of the places is empty.
  bool tells_switches_apart(const Product& product) const {
    std::vector<std::uint64_t> places(adjacent_.size());
    std::uint64_t all = 1;
    for (const Product::Factor& factor : product.factors) {
      all *= factor.size;
      if (all > 2 * adjacent_.size()) return false;
      for (std::size_t s = 0; s < places.size(); ++s)
        places[s] = places[s] * factor.size + factor.coordinate[s];
    }
    std::ranges::sort(places);
    return std::ranges::adjacent_find(places) == places.end();
  }

  std::vector<std::vector<Adjacent>> adjacent_;  ///< by switch
  std::uint32_t link_count_ = 0;
};

}  // namespace

std::optional<Product> find_product(const fabric::SwitchGraph& graph) { return ProductSearch(graph).run(); }

}  // namespace rch::engines::dfsssp
