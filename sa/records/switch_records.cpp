#include "fabric/multicast.h"
#include "hw/attributes.h"
#include "sa/records/listing.h"

namespace rch::sa {
namespace {

namespace switch_records {

namespace s = hw::switch_info;
constexpr std::size_t kInfo = 4, kInfoSize = 20;

constexpr Component kComponents[] = {
    {2, kInfo, s::kLinearCap},
    {3, kInfo + 2, 0, 16},  // RandomFDBCap
    {4, kInfo, s::kMulticastCap},
    {5, kInfo, s::kLinearTop},
    {6, kInfo + 8, 0, 8},   // DefaultPort
    {7, kInfo + 9, 0, 8},   // DefaultMulticastPrimaryPort
    {8, kInfo + 10, 0, 8},  // DefaultMulticastNotPrimaryPort
    {9, kInfo, s::kLifeTime},
    {10, kInfo, s::kPortStateChange},
    {11, kInfo, s::kOptimizedSl2Vl},
    {12, kInfo + 12, 0, 16},  // LIDsPerPort
    {13, kInfo, s::kPartitionEnforcementCap},
    {14, kInfo + 16, 0, 1},  // InboundEnforcementCap
    {15, kInfo + 16, 1, 1},  // OutboundEnforcementCap
    {16, kInfo + 16, 2, 1},  // FilterRawInboundCap
    {17, kInfo + 16, 3, 1},  // FilterRawOutboundCap
    {18, kInfo, s::kEnhancedPort0},
    {20, kInfo, s::kMulticastTop},
};

void list(Listing& listing) {
  listing.each_switch([&](PortId port0, SwitchId sw) {
    const hw::SmpData data = hw::encode(listing.snapshot().switches[sw.index()]);
    put(listing.begin(listing.fabric().port(port0).lid), kInfo, data, kInfoSize);
    listing.offer();
  });
}

}  // namespace switch_records

namespace linear {

constexpr std::size_t kTable = 8;
constexpr hw::Field kBlock{2, 0, 16};
constexpr Component kComponents[] = {{1, 0, kBlock}};
constexpr std::size_t kEntries = fabric::ForwardingTables::kBlock;

/// Blocks up to the one of LinearFDBTop.
void list(Listing& listing) {
  const fabric::ForwardingTables& tables = listing.snapshot().plan.tables->lfts;
  listing.each_switch([&](PortId port0, SwitchId sw) {
    const std::span<const std::uint8_t> row = tables.row(sw);
    const std::size_t top = listing.snapshot().switches[sw.index()].linear_top.value / kEntries;
    if (row.empty()) return;
    const auto last_block = static_cast<unsigned>(std::min(top, row.size() / kEntries - 1));
    const auto [first, last] = listing.numbers(1, kBlock, 0, last_block);
    for (unsigned block = first; block <= last; ++block) {
      const std::span<std::uint8_t> record = listing.begin(listing.fabric().port(port0).lid);
      set(record, kBlock, block);
      put(record, kTable, row.subspan(block * kEntries, kEntries), kEntries);
      listing.offer();
    }
  });
}

}  // namespace linear

namespace multicast {

constexpr std::size_t kTable = 8;
constexpr hw::Field kWord{2, 0, 16};  ///< position in bits 15:12, block in 8:0
constexpr unsigned kBlockBits = 9;
constexpr Component kComponents[] = {{1, 2, 0, 4}, {3, 2, 16 - kBlockBits, kBlockBits}};

/// Blocks up to the last one with an entry, with all positions.
void list(Listing& listing) {
  const fabric::Fabric& fabric = listing.fabric();
  listing.each_switch([&](PortId port0, SwitchId sw) {
    const std::span<const MulticastBlock> used = listing.snapshot().multicast_of(sw);
    if (used.empty()) return;
    const unsigned last_position = fabric.node(sw).num_ports / 16U;
    auto next = used.begin();
    for (unsigned block = 0; block <= used.back().place.block; ++block)
      for (unsigned position = 0; position <= last_position; ++position) {
        const std::span<std::uint8_t> record = listing.begin(fabric.port(port0).lid);
        set(record, kWord, position << 12U | block);
        if (next != used.end() && next->place.block == block && next->place.position == position) {
          for (std::size_t i = 0; i < next->masks.size(); ++i)
            set(record, hw::Field{static_cast<std::uint16_t>(kTable + 2 * i), 0, 16}, next->masks[i]);
          ++next;
        }
        listing.offer();
      }
  });
}

}  // namespace multicast
}  // namespace

const RecordType kSwitchInfoRecord{.attribute = Attribute::switch_info_record,
                                   .size = 24,
                                   .components = switch_records::kComponents,
                                   .list = switch_records::list};
const RecordType kLinearTableRecord{.attribute = Attribute::linear_table_record,
                                    .size = 72,
                                    .components = linear::kComponents,
                                    .list = linear::list};
const RecordType kMulticastTableRecord{.attribute = Attribute::multicast_table_record,
                                       .size = 72,
                                       .components = multicast::kComponents,
                                       .list = multicast::list};

}  // namespace rch::sa
