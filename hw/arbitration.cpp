#include "hw/arbitration.h"

#include <algorithm>
#include <bitset>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::hw {
namespace {

using fabric::VlWeights;

/// Entries of a block, and the first blocks of the two tables.
constexpr std::size_t kArbitrationBlock = kBlockEntries.size();
constexpr std::uint32_t kLow = 1, kHigh = 3;

/// Both ends of a link use as many VLs as both have; port 0 is no end of a link.
std::uint8_t op_vls(const LiveFabric& live, PortId id, std::uint8_t max_op_vls) {
  const fabric::Port& near = live.fabric.port(id);
  const std::uint8_t own = std::min(near.vl_cap, max_op_vls);
  return near.peer.is_none() ? own : std::min(own, live.fabric.port(near.peer).vl_cap);
}

/// VLs of a port that uses those of a code (1 to 5).
VlWeights masked(VlWeights weights, std::uint8_t code) {
  const unsigned mask = (1U << (code - 1U)) - 1U;
  for (fabric::VlWeight& entry : weights) entry.vl = static_cast<std::uint8_t>(entry.vl & mask);
  return weights;
}

/// Entries of `weights` from `begin` on, as many as `entries` has room for.
SmpData block_of(const VlWeights& weights, std::size_t begin, std::span<const Field> entries) {
  SmpData data{};
  for (std::size_t i = 0; i < entries.size() && begin + i < weights.size(); ++i)
    set(data, entries[i], std::uint64_t{weights[begin + i].vl} << 8U | weights[begin + i].weight);
  return data;
}

using VlSet = std::bitset<16>;
/// The VLs with a weight in the first `entries`.
VlSet served_vls(const VlWeights& weights, std::size_t entries) {
  VlSet vls;
  for (std::size_t i = 0; i < std::min(entries, weights.size()); ++i)
    if (weights[i].weight > 0) vls.set(weights[i].vl);
  return vls;
}

class Blocks {
 public:
  Blocks(const LiveFabric& live, std::uint8_t max_op_vls) : live_(live), max_op_vls_(max_op_vls) {}

  void add(PortId port, const fabric::Arbitration& target) {
    const std::uint8_t code = op_vls(live_, port, max_op_vls_);
    if (code <= 1) return;
    const std::size_t low_cap = live_.info(port).vl_arb_low_cap, high_cap = live_.info(port).vl_arb_high_cap;
    const VlWeights low = masked(target.low, code), high = masked(target.high, code);
    add_table(port, kLow, low, low_cap);
    add_table(port, kHigh, high, high_cap);
    const auto all = served_vls(low, low.size()) | served_vls(high, high.size());
    if ((served_vls(low, low_cap) | served_vls(high, high_cap)) != all) ++cut_;
  }

  std::vector<Image> images;

  std::vector<std::string> remarks() const {
    if (cut_ == 0) return {};
    return {fmt::format(
        "VL arbitration of {} has VLs that are never served: the tables are too short for the lists",
        counted(cut_, "port"))};
  }

 private:
  void add_table(PortId port, std::uint32_t first_block, const VlWeights& weights, std::size_t cap) {
    for (std::size_t begin = 0; begin < std::min(cap, 2 * kArbitrationBlock); begin += kArbitrationBlock) {
      const std::size_t length = std::min(cap - begin, kArbitrationBlock);
      const auto block = static_cast<std::uint32_t>(first_block + begin / kArbitrationBlock);
      const std::span<const Field> entries = std::span(kBlockEntries).first(length);
      images.push_back({port, Attribute::vl_arbitration, block << 16U | port_number(port),
                        block_of(weights, begin, entries), entries});
    }
  }

  /// End ports have one pair of tables, which needs no number.
  std::uint32_t port_number(PortId id) const {
    return live_.is_switch_port(id) ? live_.fabric.port(id).number.value : 0U;
  }

  const LiveFabric& live_;
  std::uint8_t max_op_vls_;
  std::size_t cut_ = 0;
};

}  // namespace

std::optional<SmpData> arbitration_block(const fabric::Arbitration& arbitration, unsigned block,
                                         const PortInfo& port) {
  const bool high = block >= kHigh;
  const std::size_t begin = (block - (high ? kHigh : kLow)) * kArbitrationBlock;
  const std::size_t cap = high ? port.vl_arb_high_cap : port.vl_arb_low_cap;
  if (port.oper_vls <= 1 || begin >= cap) return std::nullopt;
  const std::size_t length = std::min(cap - begin, kArbitrationBlock);
  return block_of(masked(high ? arbitration.high : arbitration.low, port.oper_vls), begin,
                  std::span(kBlockEntries).first(length));
}

TargetArbitration target_arbitration(const LiveFabric& live, const fabric::ArbitrationTables& target,
                                     std::uint8_t max_op_vls) {
  if (target.empty()) return {};
  Blocks blocks(live, max_op_vls);
  for (std::uint32_t p = 0; p < live.fabric.ports().size(); ++p)
    if (const fabric::Arbitration* arbitration = target.at(PortId(p))) blocks.add(PortId(p), *arbitration);
  return {std::move(blocks.images), blocks.remarks()};
}

}  // namespace rch::hw
