#include "tree_fabrics.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace rch::test {
namespace {

using engines::pqft::Structure;

/// Switches of one level of a PGFT, and how they are counted: digits of the children above run fastest.
class Builder {
 public:
  Builder(const Structure& structure, const Damage& damage)
      : structure_(structure), damage_(damage), random_(damage.seed) {}

  Shape build() {
    for (std::size_t level = 1; level <= structure_.levels(); ++level) {
      first_.push_back(static_cast<std::uint32_t>(shape_.hosts.size()));
      shape_.hosts.resize(shape_.hosts.size() + size(level), 0);
    }
    for (std::uint32_t leaf = 0; leaf < size(1); ++leaf)
      for (std::uint32_t h = 0; h < structure_.children[0]; ++h)
        shape_.hosts[leaf] += lucky(damage_.lost_hosts) ? 0 : 1;
    for (std::size_t level = 1; level < structure_.levels(); ++level) join(level);
    for (std::uint32_t i = 0; i < damage_.sideways_cables; ++i) add_sideways();
    if (damage_.shuffle_ports) std::shuffle(shape_.cables.begin(), shape_.cables.end(), random_);
    return std::move(shape_);
  }

  std::uint32_t first_root() const { return first_.back(); }

 private:
  /// Switches of a level: digits (a_h .. a_level+1 by M, b_level .. b_1 by W).
  std::uint32_t size(std::size_t level) const {
    std::uint32_t count = 1;
    for (std::size_t l = 1; l <= structure_.levels(); ++l)
      count *= l > level ? structure_.children[l - 1] : structure_.parents[l - 1];
    return count;
  }

  /// A switch is numbered (sub-tree, place in it): the place counts b_level slowest.
  void join(std::size_t level) {
    const std::uint32_t below = product(structure_.parents, level), children = structure_.children[level];
    const std::uint32_t parents = structure_.parents[level];
    for (std::uint32_t s = 0; s < size(level); ++s) {
      const std::uint32_t place = s % below, tree = s / below / children;
      for (std::uint32_t b = 0; b < parents; ++b)
        for (std::uint32_t p = 0; p < structure_.cables[level]; ++p)
          if (!lucky(damage_.lost_cables))
            shape_.cables.push_back(
                {first_[level - 1] + s, first_[level] + (tree * parents + b) * below + place});
    }
  }

  static std::uint32_t product(const std::vector<std::uint32_t>& numbers, std::size_t count) {
    return std::accumulate(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(count), 1U,
                           std::multiplies<>());
  }

  void add_sideways() {
    const std::size_t level = 1 + random_() % structure_.levels();
    const auto pick = [&] { return first_[level - 1] + static_cast<std::uint32_t>(random_() % size(level)); };
    const Cable cable{pick(), pick()};
    if (cable.a != cable.b) shape_.cables.push_back(cable);
  }

  bool lucky(double share) { return std::uniform_real_distribution<>(0, 1)(random_) < share; }

  const Structure& structure_;
  const Damage& damage_;
  std::mt19937_64 random_;
  Shape shape_;
  std::vector<std::uint32_t> first_;  ///< switch of each level
};

}  // namespace

TreeFabric pgft(const Structure& structure, const Damage& damage, std::uint8_t lmc, std::uint64_t guid_step) {
  Builder builder(structure, damage);
  Shape shape = builder.build();
  shape.lmc = lmc;
  shape.guid_step = guid_step;
  std::vector<Guid> roots;
  for (std::uint64_t s = builder.first_root(); s < shape.hosts.size(); ++s)
    roots.emplace_back(0x100000 + shape.guid_step * s);
  return {test::build(shape), std::move(roots)};
}

Structure k_ary(std::uint32_t k) {
  return {.children = {k / 2, k / 2, k}, .parents = {1, k / 2, k / 2}, .cables = {1, 1, 1}};
}

fabric::RoutingTables one_step(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts) {
  fabric::RoutingTables tables;
  tables.lfts = lfts.clone();
  tables.steps.push_back({.id = StepId(1),
                          .engine = "tree",
                          .switches = IdSet<SwitchId>(fabric.switch_count(), true),
                          .lids = IdSet<Lid>(fabric.max_lid().index() + 1, true),
                          .holes = {},
                          .sl = {}});
  return tables;
}

std::string dangers(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts) {
  std::string text;
  for (const verify::Finding& finding : verify::verify(fabric, one_step(fabric, lfts)).findings)
    if (finding.kind != verify::FindingKind::unreachable && finding.kind != verify::FindingKind::disconnected)
      text += finding.message + "\n";
  return text;
}

std::uint64_t worst_shift(const fabric::Fabric& fabric, const fabric::ForwardingTables& lfts,
                          const std::vector<PortId>& order) {
  std::uint64_t worst = 0;
  for (std::size_t k = 1; k < order.size(); ++k) {
    std::map<PortId, std::uint64_t> flows;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const PortId from = order[i], to = order[(i + k) % order.size()];
      if (from.is_none() || to.is_none()) continue;
      PortId at = fabric.port(from).peer;
      while (at != to) {
        const fabric::Port& in = fabric.port(at);
        const std::uint8_t out = lfts.at(SwitchId(in.node.value), fabric.port(to).lid);
        if (out == kNoPath) break;
        const PortId port = fabric.port_id(in.node, PortNum(out));
        at = fabric.port(port).peer;
        if (at != to) worst = std::max(worst, ++flows[port]);
      }
    }
  }
  return worst;
}

}  // namespace rch::test
