#include "policy/bind/partitions/layout.h"

#include <algorithm>
#include <iterator>

#include "policy/bind/partitions/end_ports.h"

namespace rch::policy::partitions {
namespace {

constexpr std::uint8_t kLimited = 1, kFull = 2;  ///< bits of a Membership

/// One port while its table is put together.
struct Row {
  std::vector<std::uint16_t> keys;  ///< in OpenSM's order
  std::uint16_t index0 = 0;         ///< P_Key for index 0; 0: that of the default partition
  std::uint32_t index0_place = 0;   ///< of the item that says so: the last one wins
};

/// The index 0 of a table is kept for one P_Key, and left free when the port does not hold it.
void append_table(const Row& row, bool both, std::vector<std::uint16_t>& table) {
  const std::uint16_t first_key = row.index0 != 0 ? row.index0 : kDefaultPKey.value | kMembershipBit;
  const auto is_first_key = [&](std::uint16_t key) {
    return both ? key == first_key : ((key ^ first_key) & 0x7FFF) == 0;
  };
  const auto first = std::find_if(row.keys.begin(), row.keys.end(), is_first_key);
  table.push_back(first != row.keys.end() ? *first : std::uint16_t{0});
  std::copy_if(row.keys.begin(), row.keys.end(), std::back_inserter(table),
               [&](std::uint16_t key) { return !is_first_key(key); });
}

void add_keys(Row& row, PKey pkey, const Shares::Share& share, bool both) {
  const std::uint16_t full = pkey.value | kMembershipBit;
  const bool limited = (share.membership & kLimited) != 0 && (both || (share.membership & kFull) == 0);
  if (limited) row.keys.push_back(pkey.value);
  if ((share.membership & kFull) != 0) row.keys.push_back(full);
  if (share.index0 == nullptr || share.index0->begin < row.index0_place) return;
  row.index0 = limited ? pkey.value : full;
  row.index0_place = share.index0->begin;
}

std::vector<const Partition*> in_opensm_order(const Partitions& partitions) {
  std::vector<const Partition*> order;
  for (const Partition& partition : partitions.all) order.push_back(&partition);
  std::sort(order.begin(), order.end(), [](const Partition* a, const Partition* b) {
    return __builtin_bswap16(a->pkey.value) < __builtin_bswap16(b->pkey.value);
  });
  return order;
}

}  // namespace

PKeyTables lay_out(const Partitions& partitions, const Place& place) {
  EndPorts ends(place);
  std::vector<Row> rows(ends.size());
  Shares shares(ends);
  for (const Partition* partition : in_opensm_order(partitions)) {
    shares.apply(*partition);
    for (const std::uint32_t port : shares.members())
      add_keys(rows[port], partition->pkey, shares.of(port), partitions.allow_both_pkeys);
  }
  PKeyTables tables;
  tables.begin.push_back(0);
  for (const Row& row : rows) {
    append_table(row, partitions.allow_both_pkeys, tables.keys);
    tables.begin.push_back(static_cast<std::uint32_t>(tables.keys.size()));
  }
  tables.ports = ends.take();
  return tables;
}

}  // namespace rch::policy::partitions
