#include "engines/dfsssp/routes.h"

#include <algorithm>
#include <array>

#include "base/parallel.h"

namespace rch::engines::dfsssp {
namespace {

constexpr std::size_t kRows = 64;  ///< that are filled together: a piece of a tree is read as a whole

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
  tree_of_.resize(fabric.max_lid().index() + 1, static_cast<std::uint16_t>(trees_.size()));
  for (const Delivery& delivery : deliveries_)
    tree_of_[delivery.lid.index()] = static_cast<std::uint16_t>(delivery.tree);
}

void Routes::expand(SwitchId sw, std::span<const std::uint8_t> ports, std::span<std::uint8_t> row) const {
  const auto port_of = [from = ports.data()](std::uint16_t tree) { return from[tree]; };
  std::ranges::transform(tree_of_, row.begin(), port_of);
  std::ranges::fill(row.subspan(tree_of_.size()), kNoPath);
  for (const Delivery& delivery : deliveries(sw)) row[delivery.lid.index()] = delivery.port;
}

void Routes::read(const fabric::ForwardingTables& tables) {
  places_.assign(trees_.size() * channels_->switch_count(), kNoChannel);
  parallel_ranges(
      (channels_->switch_count() + kRows - 1) / kRows, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin * kRows; s < std::min(end * kRows, channels_->switch_count()); ++s) {
          const SwitchId sw(static_cast<std::uint32_t>(s));
          read_row(sw, tables.row(sw));
        }
      });
}

void Routes::read_tree(const fabric::ForwardingTables& tables, std::size_t tree,
                       std::vector<std::uint8_t>& places) const {
  places.assign(channels_->switch_count(), kNoChannel);
  for (std::uint32_t s = 0; s < places.size(); ++s) {
    const std::uint8_t port = tables.at(SwitchId(s), trees_[tree].lid);
    if (port == kNoPath || SwitchId(s) == trees_[tree].to) continue;
    channels_->for_each_leaving(SwitchId(s), [&](common::ChannelId c) {
      if (channels_->port(c).value == port)
        places[s] = static_cast<std::uint8_t>(c.value - channels_->first(SwitchId(s)).value);
    });
  }
}

void Routes::read_row(SwitchId sw, std::span<const std::uint8_t> row) {
  std::array<std::uint8_t, 256> place{};
  place.fill(kNoChannel);
  channels_->for_each_leaving(sw, [&](common::ChannelId c) {
    place[channels_->port(c).index()] = static_cast<std::uint8_t>(c.value - channels_->first(sw).value);
  });
  for (std::size_t t = 0; t < trees_.size(); ++t)
    if (trees_[t].to != sw) places(t)[sw.index()] = place[row[trees_[t].lid.index()]];
}

fabric::ForwardingTables Routes::tables() const {
  fabric::ForwardingTables tables(channels_->switch_count(), view_->fabric().max_lid());
  parallel_ranges((channels_->switch_count() + kRows - 1) / kRows, 1,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t block = begin; block < end; ++block)
                      for (const Delivery& delivery : deliveries_) fill(tables, block * kRows, delivery);
                  });
  return tables;
}

void Routes::fill(fabric::ForwardingTables& tables, std::size_t first_row, const Delivery& delivery) const {
  const std::span<const std::uint8_t> places = this->places(delivery.tree);
  const std::size_t end = std::min(first_row + kRows, places.size());
  for (std::size_t s = first_row; s < end; ++s) {
    const SwitchId sw(static_cast<std::uint32_t>(s));
    std::uint8_t& entry = tables.row(sw)[delivery.lid.index()];
    if (sw == trees_[delivery.tree].to)
      entry = delivery.port;
    else if (places[s] != kNoChannel)
      entry = channels_->port(next(delivery.tree, sw)).value;
  }
}

}  // namespace rch::engines::dfsssp
