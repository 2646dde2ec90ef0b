#include "engines/tree/destinations.h"

#include <algorithm>

namespace rch::engines::tree {
namespace {

/// Size of the NID range of compute nodes: the padded leaves, rounded up to a multiple of the up paths from a
/// leaf if the links above the leaves carry as many. Otherwise the first and the last compute nodes share up
/// paths.
std::uint64_t nid_range(const Tree& tree) {
  const std::uint64_t padded = tree.leaves().size() * tree.max_cn_per_leaf();
  std::vector<std::uint64_t> up_groups(tree.leaf_rank() + std::size_t{1}, 1);  // by rank, at most
  std::uint64_t links = 1;  // of an up group of a leaf, at most
  for (SwitchId sw : tree.order()) {
    const auto up = tree.up_groups(sw);
    if (tree.rank(sw) > tree.leaf_rank()) continue;
    up_groups[tree.rank(sw)] = std::max<std::uint64_t>(up_groups[tree.rank(sw)], up.size());
    if (tree.rank(sw) == tree.leaf_rank())
      for (const fabric::Neighbor& n : up) links = std::max<std::uint64_t>(links, n.link_count);
  }
  std::uint64_t up_paths = 1;
  for (std::uint64_t n : up_groups) up_paths = std::min(up_paths * n, padded + 1);
  const std::uint64_t even = (padded + up_paths - 1) / up_paths * up_paths;
  return even <= tree.leaves().size() * up_groups.back() * links ? even : padded;
}

/// NIDs of end ports.
class EndPortNids {
 public:
  explicit EndPortNids(const Tree& tree) : tree_(tree), nids_(tree.view().end_ports().size()) {
    const std::uint64_t total = nid_range(tree);
    for (std::uint64_t i = 0; i < tree.leaves().size(); ++i) {
      next_ = static_cast<std::uint32_t>(i * total / tree.leaves().size());
      add(tree.leaves()[i], true);
    }
    next_ = static_cast<std::uint32_t>(total);
    for (SwitchId sw : tree.order()) add(sw, false);
  }

  std::uint32_t of(const fabric::EndPort& end) const { return nids_[index(end)]; }
  /// First NID that no end port has.
  std::uint32_t end() const { return next_; }

 private:
  std::size_t index(const fabric::EndPort& end) const {
    return static_cast<std::size_t>(&end - tree_.view().end_ports().data());
  }
  void add(SwitchId sw, bool compute) {
    for (const fabric::EndPort& end : tree_.view().end_ports_of(sw))
      if ((tree_.role(end) == Role::compute) == compute) nids_[index(end)] = next_++;
  }

  const Tree& tree_;
  std::vector<std::uint32_t> nids_;  ///< by place in view().end_ports()
  std::uint32_t next_ = 0;
};

/// Between the NIDs of consecutive LIDs of one port.
std::uint32_t lid_spacing(const Tree& tree) {
  std::size_t most = 1;
  for (SwitchId leaf : tree.leaves()) most = std::max(most, tree.up_groups(leaf).size());
  std::uint8_t lmc = 0;
  for (const fabric::EndPort& end : tree.view().end_ports()) lmc = std::max(lmc, end.lmc);
  return static_cast<std::uint32_t>(std::max<std::size_t>(1, most >> lmc));
}

}  // namespace

Destinations list_destinations(const Tree& tree) {
  const fabric::SubFabric& view = tree.view();
  const EndPortNids nids(tree);
  const std::uint32_t spacing = lid_spacing(tree);
  Destinations destinations;
  const auto add = [&](Lid base, std::uint8_t lmc, PortNum attach, bool compute, std::uint32_t nid) {
    if (base == kUnassignedLid) return;
    for (std::uint32_t bit = 0; bit < 1U << lmc; ++bit)
      destinations.all.push_back({Lid(static_cast<std::uint16_t>(base.value + bit)), attach,
                                  compute && bit == 0, nid + bit * spacing});
  };
  for (std::uint32_t c = 0; c < tree.order().size(); ++c) {
    destinations.first.push_back(static_cast<std::uint32_t>(destinations.all.size()));
    const SwitchId sw = tree.order()[c];
    if (!tree.is_ranked(sw)) continue;
    for (const fabric::EndPort& end : view.end_ports_of(sw))
      add(end.lid, end.lmc, end.attach, tree.role(end) == Role::compute, nids.of(end));
    // An enhanced port 0 may own 2^lmc LIDs. A view of one path bit routes only the first.
    const fabric::Port& port0 = view.fabric().port(view.fabric().port_id(view.fabric_switch(sw), PortNum(0)));
    add(view.switch_lid(sw), view.path_bit() ? std::uint8_t{0} : port0.lmc, PortNum(0), false,
        nids.end() + c);
  }
  destinations.first.push_back(static_cast<std::uint32_t>(destinations.all.size()));
  return destinations;
}

}  // namespace rch::engines::tree
