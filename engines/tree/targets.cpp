#include "engines/tree/targets.h"

#include <algorithm>

namespace rch::engines::tree {
namespace {

/// How many numbers compute nodes get: as many as there are places on the leaves, or some more, spread over
/// the leaves, if thereby the ways up from the leaves come out even. Else the last and the first hosts share
/// some.
std::uint64_t count_numbers(const Tree& tree) {
  const std::uint64_t places = tree.leaves().size() * tree.widest_leaf();
  std::vector<std::uint64_t> neighbors(tree.leaf_rank() + std::size_t{1}, 1);
  std::uint64_t cables = 1;  // to one neighbour of a leaf
  for (SwitchId sw : tree.order()) {
    const auto up = tree.up(sw);
    if (tree.rank(sw) > tree.leaf_rank()) continue;
    neighbors[tree.rank(sw)] = std::max<std::uint64_t>(neighbors[tree.rank(sw)], up.size());
    if (tree.rank(sw) == tree.leaf_rank())
      for (const fabric::Neighbor& n : up) cables = std::max<std::uint64_t>(cables, n.link_count);
  }
  std::uint64_t ways = 1;
  for (std::uint64_t n : neighbors) ways = std::min(ways * n, places + 1);
  const std::uint64_t even = (places + ways - 1) / ways * ways;
  return even <= tree.leaves().size() * neighbors.back() * cables ? even : places;
}

/// Numbers by end port, in the order of the view's list.
class EndPortNumbers {
 public:
  explicit EndPortNumbers(const Tree& tree) : tree_(tree), numbers_(tree.view().end_ports().size()) {
    const std::uint64_t total = count_numbers(tree);
    for (std::uint64_t i = 0; i < tree.leaves().size(); ++i) {
      next_ = static_cast<std::uint32_t>(i * total / tree.leaves().size());
      add(tree.leaves()[i], true);
    }
    next_ = static_cast<std::uint32_t>(total);
    for (SwitchId sw : tree.order()) add(sw, false);
  }

  std::uint32_t of(const fabric::EndPort& end) const { return numbers_[place(end)]; }
  /// First number that no end port has.
  std::uint32_t end() const { return next_; }

 private:
  std::size_t place(const fabric::EndPort& end) const {
    return static_cast<std::size_t>(&end - tree_.view().end_ports().data());
  }
  void add(SwitchId sw, bool compute) {
    for (const fabric::EndPort& end : tree_.view().end_ports_of(sw))
      if ((tree_.role(end) == Role::compute) == compute) numbers_[place(end)] = next_++;
  }

  const Tree& tree_;
  std::vector<std::uint32_t> numbers_;
  std::uint32_t next_ = 0;
};

/// Between the numbers of LIDs of one port.
std::uint32_t lid_step(const Tree& tree) {
  std::size_t most = 1;
  for (SwitchId leaf : tree.leaves()) most = std::max(most, tree.up(leaf).size());
  std::uint8_t lmc = 0;
  for (const fabric::EndPort& end : tree.view().end_ports()) lmc = std::max(lmc, end.lmc);
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, most >> lmc));
}

}  // namespace

Targets number_targets(const Tree& tree) {
  const fabric::SubFabric& view = tree.view();
  const EndPortNumbers numbers(tree);
  const std::uint32_t step = lid_step(tree);
  Targets targets;
  const auto add = [&](Lid base, std::uint8_t lmc, PortNum attach, bool compute, std::uint32_t number) {
    if (base == kUnassignedLid) return;
    for (std::uint32_t bit = 0; bit < 1U << lmc; ++bit)
      targets.all.push_back({Lid(static_cast<std::uint16_t>(base.value + bit)), attach, compute && bit == 0,
                             number + bit * step});
  };
  for (std::uint32_t c = 0; c < tree.order().size(); ++c) {
    targets.first.push_back(static_cast<std::uint32_t>(targets.all.size()));
    const SwitchId sw = tree.order()[c];
    if (!tree.is_ranked(sw)) continue;
    for (const fabric::EndPort& end : view.end_ports_of(sw))
      add(end.lid, end.lmc, end.attach, tree.role(end) == Role::compute, numbers.of(end));
    // An enhanced port 0 may own 2^lmc LIDs; a view of one path bit routes the first alone.
    const fabric::Port& port0 = view.fabric().port(view.fabric().port_id(view.fabric_switch(sw), PortNum(0)));
    add(view.switch_lid(sw), view.path_bit() ? std::uint8_t{0} : port0.lmc, PortNum(0), false,
        numbers.end() + c);
  }
  targets.first.push_back(static_cast<std::uint32_t>(targets.all.size()));
  return targets;
}

}  // namespace rch::engines::tree
