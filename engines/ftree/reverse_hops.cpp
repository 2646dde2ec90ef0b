#include "engines/ftree/reverse_hops.h"

#include <algorithm>
#include <queue>
#include <tuple>

// A label says how often the route of a switch goes up and how long it is. Switches with a way have theirs;
// from there the labels spread to the others, smallest first. A switch may send up to any neighbour that has
// a label, and down to one whose route goes up at most `most` times. The next hop always has a smaller label,
// so routes end.

namespace rch::engines::ftree {
namespace {

using tree::Role;
using tree::Tree;

struct Label {
  std::uint16_t ups = 0xFFFF;
  std::uint16_t hops = 0xFFFF;

  bool known() const { return hops != 0xFFFF; }
  friend auto operator<=>(const Label&, const Label&) = default;
};

class ReverseSearch {
 public:
  ReverseSearch(const Tree& tree, const tree::Ways& ways, std::uint16_t most)
      : tree_(tree), ways_(ways), most_(most) {}

  void run(SwitchId destination) {
    column_ = tree_.column(destination);
    label_.assign(tree_.view().switch_count(), {});
    for (SwitchId sw : joined()) {
      label_[sw.index()] = {ups_of_way(sw, destination), ways_.row(sw)[column_]};
      queue_.push({label_[sw.index()], sw});
    }
    while (!queue_.empty()) {
      const auto [label, sw] = queue_.top();
      queue_.pop();
      if (label == label_[sw.index()]) spread(sw);
    }
  }

  /// Cables by which the switch goes on; none if it had a way before, or has none now.
  std::vector<PortNum> choices(SwitchId sw) const {
    std::vector<PortNum> ports;
    const Label own = label_[sw.index()];
    if (!own.known() || ways_.row(sw)[column_] != HopMatrix::kUnknown) return ports;
    for_each_step(sw, [&](const fabric::Neighbor& n, int ups) {
      if (step(label_[n.sw.index()], ups) != own) return;
      for (const fabric::SwitchLink& link : tree_.view().graph().links(n)) ports.push_back(link.out);
    });
    return ports;
  }

 private:
  using Item = std::pair<Label, SwitchId>;

  /// Switches with a way, the nearest first.
  std::vector<SwitchId> joined() const {
    std::vector<SwitchId> found;
    for (std::uint32_t s = 0; s < label_.size(); ++s)
      if (ways_.row(SwitchId(s))[column_] != HopMatrix::kUnknown) found.push_back(SwitchId(s));
    std::ranges::stable_sort(found, {}, [&](SwitchId sw) { return ways_.row(sw)[column_]; });
    return found;
  }

  /// A way leads straight down, by a sibling, or by any of the nearer neighbours above.
  std::uint16_t ups_of_way(SwitchId sw, SwitchId destination) const {
    const std::uint8_t hops = ways_.row(sw)[column_];
    if (hops + tree_.rank(sw) == tree_.rank(destination)) return 0;
    if (const auto next = ways_.next_aside(sw, column_)) return label_[next->index()].ups;
    int most = 0;
    for (const fabric::Neighbor& n : tree_.up(sw))
      if (ways_.row(n.sw)[column_] + 1 == hops) most = std::max(most, label_[n.sw.index()].ups + 1);
    return static_cast<std::uint16_t>(most);
  }

  /// The neighbours a switch may send to, and whether that goes up (1), down (-1) or neither.
  template <class F>
  void for_each_step(SwitchId sw, F&& f) const {
    for (const fabric::Neighbor& n : tree_.up(sw)) f(n, 1);
    for (const fabric::Neighbor& n : tree_.beside(sw)) f(n, 0);
    for (const fabric::Neighbor& n : tree_.down(sw)) f(n, -1);
  }

  /// Label of a switch that sends to one with label `next`.
  Label step(Label next, int up) const {
    if (!next.known() || (up < 0 && next.ups > most_)) return {};
    return {static_cast<std::uint16_t>(next.ups + (up > 0)), static_cast<std::uint16_t>(next.hops + 1)};
  }

  void spread(SwitchId to) {
    for_each_step(to, [&](const fabric::Neighbor& n, int up) {
      const Label label = step(label_[to.index()], -up);
      if (label >= label_[n.sw.index()] || ways_.row(n.sw)[column_] != HopMatrix::kUnknown) return;
      label_[n.sw.index()] = label;
      queue_.push({label, n.sw});
    });
  }

  const Tree& tree_;
  const tree::Ways& ways_;
  std::uint16_t most_;
  std::uint32_t column_ = 0;  ///< of the destination
  std::vector<Label> label_;  ///< by switch
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
};

}  // namespace

void add_reverse_routes(const Tree& tree, const tree::Ways& ways, std::uint16_t most,
                        fabric::ForwardingTables& lfts) {
  const fabric::SubFabric& view = tree.view();
  ReverseSearch search(tree, ways, most);
  for (std::uint32_t d = 0; d < view.switch_count(); ++d) {
    std::vector<Lid> lids;
    for (const fabric::EndPort& end : view.end_ports_of(SwitchId(d)))
      for (std::uint32_t bit = 0;
           tree.role(end) == Role::io && end.lid != kUnassignedLid && bit < 1U << end.lmc; ++bit)
        lids.push_back(Lid(static_cast<std::uint16_t>(end.lid.value + bit)));
    if (lids.empty() || !tree.is_ranked(SwitchId(d))) continue;
    search.run(SwitchId(d));
    for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
      const std::vector<PortNum> ports = search.choices(SwitchId(s));
      for (std::size_t i = 0; i < lids.size() && !ports.empty(); ++i)
        lfts.row(SwitchId(s))[lids[i].index()] = ports[i % ports.size()].value;
    }
  }
}

}  // namespace rch::engines::ftree
