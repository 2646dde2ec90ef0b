#include "hw/pkeys.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "hw/installed_tables.h"

namespace rch::hw {
namespace {

using fabric::PartitionEnforcement;

constexpr std::size_t kPKeyBlock = kBlockEntries.size();
constexpr std::uint16_t kMembershipBit = 0x8000, kPartitionBits = 0x7FFF;

/// The switch port that a CA or router port hangs on; none of a port 0.
PortId attach_of(const LiveFabric& live, PortId end_port) {
  return live.is_switch_port(end_port) ? PortId::none() : live.fabric.port(end_port).peer;
}

bool is_enforcing(const LiveFabric& live, PortId port) {
  return live.is_switch_port(port) && live.fabric.port(port).number != PortNum(0);
}

/// P_Keys that the table of a port has room for.
std::size_t capacity(const LiveFabric& live, PortId port) {
  const NodeId node = live.fabric.port(port).node;
  return is_enforcing(live, port) ? live.info(SwitchId(node.value)).partition_enforcement_cap
                                  : live.partition_cap[node.index()];
}

void add_blocks(const LiveFabric& live, PortId port, std::vector<Image>& blocks) {
  const std::size_t slots = capacity(live, port);
  const std::uint32_t number =
      live.is_switch_port(port) ? std::uint32_t{live.fabric.port(port).number.value} << 16U : 0U;
  for (std::size_t begin = 0; begin < slots; begin += kPKeyBlock)
    blocks.push_back({port,
                      Attribute::p_key_table,
                      number | static_cast<std::uint32_t>(begin / kPKeyBlock),
                      {},
                      std::span(kBlockEntries).first(std::min(slots - begin, kPKeyBlock))});
}

using Table = std::vector<std::uint16_t>;

bool same_partition(std::uint16_t a, std::uint16_t b) { return ((a ^ b) & kPartitionBits) == 0; }

/// Where a key that is to be present stands already: itself, else the other membership of its partition.
std::optional<std::size_t> index_of(std::span<const std::uint16_t> installed, std::uint16_t key,
                                    const Table& taken) {
  const auto find = [&](auto matches) -> std::optional<std::size_t> {
    for (std::size_t i = 1; i < installed.size(); ++i)
      if (taken[i] == 0 && installed[i] != 0 && matches(installed[i])) return i;
    return std::nullopt;
  };
  const auto exact = find([&](std::uint16_t present) { return present == key; });
  return exact ? exact : find([&](std::uint16_t present) { return same_partition(present, key); });
}

/// The keys in a table of the size of `installed`. Returns the keys for which there is no room.
Table fit(std::span<const std::uint16_t> keys, bool keep, Table& table) {
  const Table installed = std::exchange(table, Table(table.size()));
  if (table.empty()) return {keys.begin(), keys.end()};
  table[0] = keys.front();
  Table rest;
  for (const std::uint16_t key : keys.subspan(1)) {
    const auto at = keep ? index_of(installed, key, table) : std::nullopt;
    if (at)
      table[*at] = key;
    else
      rest.push_back(key);
  }
  std::size_t placed = 0;
  for (std::size_t i = 1; i < table.size() && placed < rest.size(); ++i)
    if (table[i] == 0) table[i] = rest[placed++];
  return {rest.begin() + static_cast<std::ptrdiff_t>(placed), rest.end()};
}

/// Ports and P_Keys that one line names at most.
constexpr std::size_t kNamed = 20;

/// `0x8001, 0x8002 and 3 more`.
std::string list_of(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), kNamed);
  std::string text = fmt::format("{}", fmt::join(names.first(shown), ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string list_of(const Table& keys) {
  std::vector<std::string> names;
  for (const std::uint16_t key : keys) names.push_back(fmt::format("0x{:04x}", key));
  return list_of(names);
}

class Fitting {
 public:
  Fitting(const LiveFabric& live, const fabric::PKeyTables& target, std::vector<Image> blocks,
          std::span<const SmpData> installed)
      : live_(live), target_(target), installed_(installed) {
    result_.blocks = std::move(blocks);
    result_.enforcement.resize(live.fabric.ports().size(), PartitionEnforcement::off);
  }

  TargetPKeys run() {
    // Blocks come port by port, as pkey_blocks() lists them.
    for (std::size_t i = 0; i < target_.ports.size(); ++i) {
      const PortId port = target_.ports[i];
      if (const Table lost = fill(port, target_.of(i), target_.keep_indexes); !lost.empty())
        short_ports_.push_back(fmt::format("{} without {}", name_of(port), list_of(lost)));
      const PortId attach = attach_of(live_, port);
      if (attach.is_none() || target_.enforcement == PartitionEnforcement::off) continue;
      const Table keys = passing_pkeys(target_.of(i));
      if (keys.size() > capacity(live_, attach)) {
        unenforced_.push_back(fmt::format("{} has room for {} of {} P_Keys ({})", name_of(attach),
                                          capacity(live_, attach), keys.size(), list_of(keys)));
        at_ += blocks_of(attach);
        continue;
      }
      fill(attach, keys, false);
      result_.enforcement[attach.index()] = target_.enforcement;
    }
    remark();
    return std::move(result_);
  }

 private:
  std::size_t blocks_of(PortId port) const { return (capacity(live_, port) + kPKeyBlock - 1) / kPKeyBlock; }

  /// Fills the next blocks, which are those of `port`. Returns the keys for which there is no room.
  Table fill(PortId port, std::span<const std::uint16_t> keys, bool keep) {
    Table table;
    for (std::size_t b = 0; b < blocks_of(port); ++b)
      for (const Field slot : result_.blocks[at_ + b].compared)
        table.push_back(static_cast<std::uint16_t>(get(installed_[at_ + b], slot)));
    Table without_room = fit(keys, keep, table);
    for (std::size_t i = 0; i < table.size(); ++i)
      set(result_.blocks[at_ + i / kPKeyBlock].data, kBlockEntries[i % kPKeyBlock], table[i]);
    at_ += blocks_of(port);
    return without_room;
  }

  void remark() {
    if (!short_ports_.empty())
      result_.unenforced.push_back(fmt::format(
          "{} no room for all P_Keys: {}",
          short_ports_.size() == 1 ? "1 port has" : fmt::format("{} ports have", short_ports_.size()),
          list_of(short_ports_)));
    if (!unenforced_.empty())
      result_.unenforced.push_back(
          fmt::format("{} with a host behind cannot enforce partitions, the table for it is too short: {}",
                      counted(unenforced_.size(), "switch port"), list_of(unenforced_)));
  }

  std::string name_of(PortId id) const {
    const fabric::Port& port = live_.fabric.port(id);
    return fmt::format("`{}` port {}", live_.fabric.node(port.node).name(), port.number);
  }

  const LiveFabric& live_;
  const fabric::PKeyTables& target_;
  std::span<const SmpData> installed_;
  std::size_t at_ = 0;  ///< next block
  std::vector<std::string> short_ports_, unenforced_;
  TargetPKeys result_;
};

}  // namespace

namespace {

bool holds(const Table& sorted, std::uint16_t key) { return std::ranges::binary_search(sorted, key); }

/// The P_Keys of a port, sorted. `data(b)`: content of its block b.
template <class Data>
Table keys_of(std::span<const Image> blocks, const Data& data) {
  Table keys;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const Field entry : blocks[b].compared)
      keys.push_back(static_cast<std::uint16_t>(get(data(b), entry)));
  std::ranges::sort(keys);
  return keys;
}

/// What stays of an installed P_Key until the additions: no more than it and the target allow. A full member
/// that is to be a limited one becomes one now: two limited members must not exchange packets.
std::uint16_t kept_of(std::uint16_t key, const Table& target, const Table& installed) {
  if (holds(target, key) || holds(target, key | kMembershipBit)) return key;
  const std::uint16_t limited = key & kPartitionBits;
  return holds(target, limited) && !holds(installed, limited) ? limited : std::uint16_t{0};
}

}  // namespace

PKeyWrites in_order(const std::vector<Image>& target, std::span<const SmpData> installed) {
  PKeyWrites writes;
  for (std::size_t first = 0, end = 0; first < target.size(); first = end) {
    while (end < target.size() && target[end].port == target[first].port) ++end;
    const auto blocks = std::span(target).subspan(first, end - first);
    const Table of_target = keys_of(blocks, [&](std::size_t b) { return blocks[b].data; });
    const Table present = keys_of(blocks, [&](std::size_t b) { return installed[first + b]; });
    for (std::size_t b = first; b < end; ++b) {
      Image without = target[b];
      without.data = installed[b];
      for (const Field entry : without.compared)
        set(without.data, entry,
            kept_of(static_cast<std::uint16_t>(get(installed[b], entry)), of_target, present));
      if (!without.is_shown_by(installed[b])) writes.removals.push_back(without);
      if (!target[b].is_shown_by(without.data)) writes.additions.push_back(target[b]);
    }
  }
  return writes;
}

namespace {

/// The blocks of ports that `writes` change, in three moments.
struct Moments {
  std::vector<Image> blocks;
  std::vector<SmpData> before, between, after;
};

Moments moments_of(const std::vector<Image>& target, std::span<const SmpData> installed,
                   const PKeyWrites& writes) {
  std::vector<PortId> ports;
  for (const auto* images : {&writes.removals, &writes.additions})
    for (const Image& image : *images) ports.push_back(image.port);
  std::ranges::sort(ports);
  Moments moments;
  std::size_t removal = 0;  // they come in the order of the target
  for (std::size_t b = 0; b < target.size(); ++b) {
    if (!std::ranges::binary_search(ports, target[b].port)) continue;
    moments.blocks.push_back(target[b]);
    moments.before.push_back(installed[b]);
    moments.between.push_back(installed[b]);
    moments.after.push_back(target[b].data);
    if (removal == writes.removals.size()) continue;
    const Image& next = writes.removals[removal];
    if (next.port != target[b].port || next.modifier != target[b].modifier) continue;
    moments.between.back() = next.data;
    ++removal;
  }
  return moments;
}

}  // namespace

isolation::PKeyChange change_of(const LiveFabric& live, const std::vector<Image>& target,
                                std::span<const SmpData> installed, const PKeyWrites& writes) {
  if (writes.removals.empty() && writes.additions.empty()) return {};
  const Moments moments = moments_of(target, installed, writes);
  const auto pkeys_in = [&](const std::vector<SmpData>& data) {
    return installed_pkeys(live, moments.blocks, data);
  };
  return isolation::judge_change(pkeys_in(moments.before), pkeys_in(moments.between),
                                 pkeys_in(moments.after));
}

std::vector<std::uint16_t> passing_pkeys(std::span<const std::uint16_t> keys) {
  Table out;
  for (const std::uint16_t key : keys) {
    const auto known =
        std::ranges::find_if(out, [&](std::uint16_t other) { return same_partition(key, other); });
    if (key == 0) continue;
    if (known == out.end())
      out.push_back(key);
    else
      *known |= key;
  }
  return out;
}

std::vector<Image> pkey_blocks(const LiveFabric& live, const fabric::PKeyTables& target) {
  std::vector<Image> blocks;
  for (const PortId port : target.ports) {
    add_blocks(live, port, blocks);
    const PortId attach = attach_of(live, port);
    if (!attach.is_none() && target.enforcement != PartitionEnforcement::off)
      add_blocks(live, attach, blocks);
  }
  return blocks;
}

std::vector<Image> all_pkey_blocks(const LiveFabric& live) {
  std::vector<Image> blocks;
  for (const PortId port : seen_end_ports(live)) {
    add_blocks(live, port, blocks);
    if (const PortId attach = attach_of(live, port); !attach.is_none() && live.is_switch_port(attach))
      add_blocks(live, attach, blocks);
  }
  return blocks;
}

isolation::InstalledPKeys installed_pkeys(const LiveFabric& live, std::span<const Image> blocks,
                                          std::span<const SmpData> installed) {
  isolation::InstalledPKeys pkeys(live.fabric.ports().size());
  for (std::size_t first = 0, end = 0; first < blocks.size(); first = end) {
    const PortId port = blocks[first].port;
    while (end < blocks.size() && blocks[end].port == port) ++end;
    pkeys.set(port, keys_of(blocks.subspan(first, end - first),
                            [&](std::size_t b) { return installed[first + b]; }));
    if (!is_enforcing(live, port)) continue;
    const PortInfo& info = live.info(port);
    using enum PartitionEnforcement;
    pkeys.set_checks(port, info.partition_enforcement_in    ? info.partition_enforcement_out ? both : in
                           : info.partition_enforcement_out ? out
                                                            : off);
  }
  return pkeys;
}

TargetPKeys fit_pkeys(const LiveFabric& live, const fabric::PKeyTables& target, std::vector<Image> blocks,
                      std::span<const SmpData> installed) {
  if (target.empty()) return {};
  return Fitting(live, target, std::move(blocks), installed).run();
}

}  // namespace rch::hw
