#include "engines/ftree/reverse_hops.h"

#include <algorithm>
#include <queue>
#include <tuple>

// A label counts the hops up and all hops of a switch's route. Switches with an up-down path have a label at
// once. From there a shortest-path search labels the others. A switch may send up to any labelled neighbour,
// and down to one whose route goes up at most `max` times. The next hop has a smaller label, so no route
// loops.

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
  ReverseSearch(const Tree& tree, const tree::UpDownHops& hops, std::uint16_t max)
      : tree_(tree), hops_(hops), max_(max) {}

  void run(SwitchId destination) {
    column_ = tree_.column(destination);
    label_.assign(tree_.view().switch_count(), {});
    for (SwitchId sw : with_up_down_path()) {
      label_[sw.index()] = {ups_of_path(sw, destination), hops_.row(sw)[column_]};
      queue_.push({label_[sw.index()], sw});
    }
    while (!queue_.empty()) {
      const auto [label, sw] = queue_.top();
      queue_.pop();
      if (label == label_[sw.index()]) relax_neighbors(sw);
    }
  }

  /// Next-hop ports of the switch; none if it has an up-down path, or no label.
  std::vector<PortNum> next_hops(SwitchId sw) const {
    std::vector<PortNum> ports;
    const Label own = label_[sw.index()];
    if (!own.known() || hops_.row(sw)[column_] != HopMatrix::kUnknown) return ports;
    for_each_step(sw, [&](const fabric::Neighbor& n, int ups) {
      if (step(label_[n.sw.index()], ups) != own) return;
      for (const fabric::SwitchLink& link : tree_.view().graph().links(n)) ports.push_back(link.out);
    });
    return ports;
  }

 private:
  using Item = std::pair<Label, SwitchId>;

  /// Nearest first.
  std::vector<SwitchId> with_up_down_path() const {
    std::vector<SwitchId> found;
    for (std::uint32_t s = 0; s < label_.size(); ++s)
      if (hops_.row(SwitchId(s))[column_] != HopMatrix::kUnknown) found.push_back(SwitchId(s));
    std::ranges::stable_sort(found, {}, [&](SwitchId sw) { return hops_.row(sw)[column_]; });
    return found;
  }

  /// A path goes down, by a sibling, or by any of the nearer switches above.
  std::uint16_t ups_of_path(SwitchId sw, SwitchId destination) const {
    const std::uint8_t hops = hops_.row(sw)[column_];
    if (hops + tree_.rank(sw) == tree_.rank(destination)) return 0;
    if (const auto next = hops_.next_sibling(sw, column_)) return label_[next->index()].ups;
    int max = 0;
    for (const fabric::Neighbor& n : tree_.up_groups(sw))
      if (hops_.row(n.sw)[column_] + 1 == hops) max = std::max(max, label_[n.sw.index()].ups + 1);
    return static_cast<std::uint16_t>(max);
  }

  /// Calls f(neighbour, 1 for up, 0 for sibling, -1 for down).
  template <class F>
  void for_each_step(SwitchId sw, F&& f) const {
    for (const fabric::Neighbor& n : tree_.up_groups(sw)) f(n, 1);
    for (const fabric::Neighbor& n : tree_.sibling_groups(sw)) f(n, 0);
    for (const fabric::Neighbor& n : tree_.down_groups(sw)) f(n, -1);
  }

  /// Label of a switch that sends to one with label `next`.
  Label step(Label next, int up) const {
    if (!next.known() || (up < 0 && next.ups > max_)) return {};
    return {static_cast<std::uint16_t>(next.ups + (up > 0)), static_cast<std::uint16_t>(next.hops + 1)};
  }

  void relax_neighbors(SwitchId to) {
    for_each_step(to, [&](const fabric::Neighbor& n, int up) {
      const Label label = step(label_[to.index()], -up);
      if (label >= label_[n.sw.index()] || hops_.row(n.sw)[column_] != HopMatrix::kUnknown) return;
      label_[n.sw.index()] = label;
      queue_.push({label, n.sw});
    });
  }

  const Tree& tree_;
  const tree::UpDownHops& hops_;
  std::uint16_t max_;
  std::uint32_t column_ = 0;  ///< of the destination
  std::vector<Label> label_;  ///< by switch
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
};

}  // namespace

void add_reverse_routes(const Tree& tree, const tree::UpDownHops& hops, std::uint16_t max,
                        fabric::ForwardingTables& lfts) {
  const fabric::SubFabric& view = tree.view();
  ReverseSearch search(tree, hops, max);
  for (std::uint32_t d = 0; d < view.switch_count(); ++d) {
    std::vector<Lid> lids;
    for (const fabric::EndPort& end : view.end_ports_of(SwitchId(d)))
      for (std::uint32_t bit = 0;
           tree.role(end) == Role::io && end.lid != kUnassignedLid && bit < 1U << end.lmc; ++bit)
        lids.push_back(Lid(static_cast<std::uint16_t>(end.lid.value + bit)));
    if (lids.empty() || !tree.is_ranked(SwitchId(d))) continue;
    search.run(SwitchId(d));
    for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
      const std::vector<PortNum> ports = search.next_hops(SwitchId(s));
      for (std::size_t i = 0; i < lids.size() && !ports.empty(); ++i)
        lfts.row(SwitchId(s))[lids[i].index()] = ports[i % ports.size()].value;
    }
  }
}

}  // namespace rch::engines::ftree
