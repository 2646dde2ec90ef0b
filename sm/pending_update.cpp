#include "sm/pending_update.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace rch::sm {
namespace {

/// Text of which a digest is made. Numbers have a fixed width, so no two states give the same text.
class Bytes {
 public:
  void add(std::uint64_t value) {
    for (unsigned shift = 0; shift < 64; shift += 8) text_.push_back(static_cast<char>(value >> shift));
  }
  void add(std::span<const std::uint8_t> bytes) {
    add(bytes.size());
    text_.append(bytes.begin(), bytes.end());
  }
  std::string digest() const { return chains::digest(text_); }

 private:
  std::string text_;
};

/// The row without the empty entries at its end: how far it was read depends on the target.
std::span<const std::uint8_t> used_part(std::span<const std::uint8_t> row) {
  while (!row.empty() && row.back() == kNoPath) row = row.first(row.size() - 1);
  return row;
}

/// Place in the fabric of an attribute, by what does not depend on the numbering of a look.
void add_place(Bytes& bytes, const hw::LiveFabric& live, const hw::Image& image) {
  const fabric::Port& port = live.fabric.port(image.port);
  bytes.add(live.fabric.node(port.node).guid.value);
  bytes.add(std::uint64_t{port.number.value});
  bytes.add(static_cast<std::uint64_t>(image.attribute));
  bytes.add(std::uint64_t{image.modifier});
}

/// The part of a payload that rch determines. Counters and other bits that are written back as they were read
/// may change from one look to the next. An M_Key must not be guessed from a digest.
hw::SmpData determined_part(const hw::Image& image) {
  if (image.attribute == hw::Attribute::port_info) {
    auto info = hw::decode<hw::PortInfo>(image.data);
    info.m_key = 0;
    info.is_sm = false;  // our port shows it in a commit, and not in a dry run
    info.rest = {};
    return hw::encode(info);
  }
  if (image.attribute == hw::Attribute::switch_info) {
    auto info = hw::decode<hw::SwitchInfo>(image.data);
    info.rest = {};
    return hw::encode(info);
  }
  return image.data;
}

std::string digest_of(const hw::LiveFabric& live, const hw::CommitStep& step) {
  Bytes bytes;
  for (std::size_t i = 0; i < step.count; ++i) {
    const hw::Image image = step.image(i);
    add_place(bytes, live, image);
    bytes.add(determined_part(image));
  }
  return bytes.digest();
}

std::vector<std::pair<Guid, std::string>> switch_digests(const PendingUpdate& pending) {
  const fabric::Fabric& fabric = pending.live.fabric;
  const hw::InstalledTables& installed = *pending.prepared.read;
  std::vector<Bytes> by_switch(fabric.switch_count());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    by_switch[s].add(used_part(installed.lfts.row(SwitchId(s))));
    by_switch[s].add(std::uint64_t{installed.known_blocks[s]});
  }
  if (!installed.sl2vl.empty()) {
    const auto places = hw::sl2vl_places(fabric);
    for (std::size_t i = 0; i < places.size(); ++i) {
      by_switch[places[i].sw.index()].add(std::uint64_t{places[i].modifier()});
      by_switch[places[i].sw.index()].add(installed.sl2vl[i]);
    }
  }
  for (const auto& [place, masks] : installed.multicast) {
    by_switch[place.sw.index()].add(std::uint64_t{hw::modifier_of(place)});
    for (const std::uint16_t mask : masks) by_switch[place.sw.index()].add(std::uint64_t{mask});
  }
  std::vector<std::pair<Guid, std::string>> digests;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s)
    digests.emplace_back(fabric.node(SwitchId(s)).guid, by_switch[s].digest());
  return digests;
}

/// Of a plan: the row of the switch with that GUID; empty if it has none.
std::span<const std::uint8_t> row_of(const chains::Plan& plan, Guid guid) {
  const auto node = plan.fabric->find_node(guid);
  const auto sw = node ? plan.fabric->switch_id(*node) : std::nullopt;
  return sw ? plan.tables->lfts.row(*sw) : std::span<const std::uint8_t>();
}

}  // namespace

StateDigests state_digests(const PendingUpdate& pending) {
  const hw::LiveFabric& live = pending.live;
  Bytes lids, links, blocks;
  for (std::uint32_t p = 0; p < live.fabric.ports().size(); ++p) {
    const PortId id(p);
    const fabric::Port& port = live.fabric.port(id);
    lids.add(std::uint64_t{port.lid.value} << 8U | port.lmc);
    links.add(std::uint64_t{port.peer.is_none() ? 0 : port.peer.value + 1} << 1U |
              (live.carries_data(id) ? 1U : 0U));
  }
  const hw::Preparation& prepared = pending.prepared;
  for (std::size_t i = 0; i < prepared.read_blocks.size(); ++i) {
    add_place(blocks, live, prepared.read_blocks[i]);
    blocks.add(prepared.read->blocks[i]);
  }
  for (const hw::WireSl2Vl map : prepared.read->end_port_sl2vl) blocks.add(map);
  return {switch_digests(pending), lids.digest(), links.digest(), blocks.digest()};
}

std::vector<StepDigest> step_digests(const PendingUpdate& pending) {
  using Kind = hw::CommitStep::Kind;
  const auto life_time =
      hw::packet_life_time({.packet_life_time = pending.target.options.ports.packet_life_time});
  std::vector<StepDigest> digests;
  for (const hw::CommitStep& step : pending.steps.list()) {
    if (step.kind == Kind::drain)
      digests.push_back({std::string(step.name), 0, step.until ? life_time : step.span, {}});
    else if ((step.kind == Kind::set || step.kind == Kind::write) && step.count > 0)
      digests.push_back({std::string(step.name), step.count, {}, digest_of(pending.live, step)});
  }
  return digests;
}

bool forwards_as(const chains::Plan& plan, const fabric::Fabric& live,
                 const fabric::ForwardingTables& installed) {
  for (std::uint32_t s = 0; s < live.switch_count(); ++s)
    if (!std::ranges::equal(used_part(installed.row(SwitchId(s))),
                            used_part(row_of(plan, live.node(SwitchId(s)).guid))))
      return false;
  return true;
}

ForeignEntries foreign_entries(std::span<const chains::Plan* const> plans, const fabric::Fabric& live,
                               const fabric::ForwardingTables& installed) {
  ForeignEntries found;
  std::size_t lids = 0;  // nobody has a LID beyond those of the plans
  for (const chains::Plan* plan : plans)
    lids = std::max<std::size_t>(lids, plan->tables->lfts.max_lid().index() + 1);
  for (std::uint32_t s = 0; s < live.switch_count(); ++s) {
    const Guid guid = live.node(SwitchId(s)).guid;
    const auto row = installed.row(SwitchId(s));
    for (std::size_t l = 1; l < std::min(row.size(), lids); ++l) {
      const auto has_it = [&](const chains::Plan* plan) {
        const auto planned = row_of(*plan, guid);
        return l < planned.size() && planned[l] == row[l];
      };
      if (row[l] == kNoPath || std::ranges::any_of(plans, has_it)) continue;
      if (found.count++ == 0) found.node = guid, found.lid = Lid(static_cast<std::uint16_t>(l));
    }
  }
  return found;
}

}  // namespace rch::sm
