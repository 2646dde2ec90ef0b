#include "engines/dfsssp/routes.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace rch::engines::dfsssp {
namespace {

constexpr std::size_t kRowBlock = 64;  ///< switches handled together: a cache line of a tree's outputs

Lid lid_of(Lid base, std::uint32_t path_bit) {
  return Lid(static_cast<std::uint16_t>(base.value + path_bit));
}

}  // namespace

Routes::Routes(const fabric::SubFabric& view, const common::Channels& channels)
    : view_(&view), channels_(&channels) {
  const fabric::Fabric& fabric = view.fabric();
  for (std::uint32_t s = 0; s < view.switch_count(); ++s) {
    const SwitchId sw(s);
    first_tree_.push_back(static_cast<std::uint32_t>(trees_.size()));
    first_delivery_.push_back(static_cast<std::uint32_t>(deliveries_.size()));
    if (!view.end_ports_of(sw).empty()) sources_.push_back(sw);
    for (const fabric::EndPort& host : view.end_ports_of(sw))
      for (std::uint32_t bit = 0; bit < 1U << host.lmc && host.lid != kUnassignedLid; ++bit) {
        deliveries_.push_back(
            {lid_of(host.lid, bit), host.attach.value, static_cast<std::uint32_t>(trees_.size())});
        trees_.push_back({sw, host.port, lid_of(host.lid, bit)});
      }
    if (view.switch_lid(sw) == kUnassignedLid) continue;
    const PortId own = fabric.port_id(view.fabric_switch(sw), PortNum(0));
    const std::uint32_t lids = view.path_bit() ? 1 : 1U << fabric.port(own).lmc;
    const auto hosts = static_cast<std::uint32_t>(trees_.size()) - first_tree_.back();
    for (std::uint32_t bit = 0; bit < lids && hosts == 0; ++bit)
      trees_.push_back({sw, PortId::none(), lid_of(view.switch_lid(sw), bit)});
    for (std::uint32_t bit = 0; bit < lids; ++bit)
      deliveries_.push_back(
          {lid_of(view.switch_lid(sw), bit), 0, first_tree_.back() + (hosts == 0 ? bit : bit % hosts)});
  }
  first_tree_.push_back(static_cast<std::uint32_t>(trees_.size()));
  first_delivery_.push_back(static_cast<std::uint32_t>(deliveries_.size()));
}

void Routes::read(const fabric::ForwardingTables& tables) {
  const std::size_t count = channels_->switch_count();
  clear();
  parallel_ranges((count + kRowBlock - 1) / kRowBlock, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t s = begin * kRowBlock; s < std::min(end * kRowBlock, count); ++s) {
      const SwitchId sw(static_cast<std::uint32_t>(s));
      read_row(sw, tables.row(sw));
    }
  });
}

void Routes::read_entries(const fabric::ForwardingTables& tables, const Delivery& to,
                          std::vector<std::uint8_t>& outputs) const {
  outputs.assign(channels_->switch_count(), kNoOutput);
  for (std::uint32_t s = 0; s < outputs.size(); ++s) {
    const SwitchId sw(s);
    if (sw != trees_[to.tree].to) outputs[s] = output(sw, channels_->at(sw, tables.at(sw, to.lid)));
  }
}

void Routes::read_row(SwitchId sw, std::span<const std::uint8_t> table) {
  for (std::size_t t = 0; t < trees_.size(); ++t)
    if (trees_[t].to != sw)
      outputs(t)[sw.index()] = output(sw, channels_->at(sw, table[trees_[t].lid.index()]));
}

fabric::ForwardingTables Routes::tables() const {
  fabric::ForwardingTables tables(channels_->switch_count(), view_->fabric().max_lid());
  parallel_ranges((channels_->switch_count() + kRowBlock - 1) / kRowBlock, 1,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t block = begin; block < end; ++block)
                      for (const Delivery& delivery : deliveries_) fill(tables, block * kRowBlock, delivery);
                  });
  return tables;
}

void Routes::update(fabric::ForwardingTables& tables) const {
  for (std::uint32_t s = 0; s < channels_->switch_count(); ++s) {
    const SwitchId sw(s);
    const std::span<const std::uint8_t> row = std::as_const(tables).row(sw);
    for (const Delivery& delivery : deliveries_) {
      if (trees_[delivery.tree].to == sw) continue;
      const std::uint8_t entry =
          sends(delivery.tree, sw) ? channels_->port(next(delivery.tree, sw)).value : kNoPath;
      if (row[delivery.lid.index()] != entry) tables.row(sw)[delivery.lid.index()] = entry;
    }
  }
}

void Routes::fill(fabric::ForwardingTables& tables, std::size_t first_row, const Delivery& delivery) const {
  const std::size_t end = std::min(first_row + kRowBlock, channels_->switch_count());
  for (std::size_t s = first_row; s < end; ++s) {
    const SwitchId sw(static_cast<std::uint32_t>(s));
    std::uint8_t& entry = tables.row(sw)[delivery.lid.index()];
    if (sw == trees_[delivery.tree].to)
      entry = delivery.port;
    else if (sends(delivery.tree, sw))
      entry = channels_->port(next(delivery.tree, sw)).value;
  }
}

common::TopologicalOrder topological_order(const Routes& routes) {
  constexpr std::size_t kGrain = 32;
  common::DependencyGraph cdg(routes.channels());
  parallel_ranges(routes.tree_count(), kGrain, [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint8_t> seen;
    for (std::size_t tree = begin; tree < end; ++tree)
      routes.for_each_dependency(tree, seen,
                                 [&](common::ChannelId c, common::ChannelId next) { cdg.add(c, next); });
  });
  return common::topological_order(cdg);
}

}  // namespace rch::engines::dfsssp
