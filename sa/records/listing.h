#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "sa/query.h"
#include "sa/records/record_type.h"
#include "sa/snapshot.h"
#include "sa/visibility.h"

namespace rch::sa {

/// Records as one query selects them. RecordType::list offers those that may match, the listing keeps those
/// that do.
class Listing {
 public:
  /// Keeps references.
  Listing(const RecordType& type, const Snapshot& snapshot, const Requester& requester, const Query& query);

  const Snapshot& snapshot() const { return snapshot_; }
  const fabric::Fabric& fabric() const { return snapshot_.fabric(); }
  const Query& query() const { return query_; }
  bool trusted() const { return requester_.trusted; }
  bool may_see(PortId port) const { return sa::may_see(snapshot_, requester_, port); }
  /// A field of the record of the query.
  std::uint64_t value(hw::Field field) const { return get(example_, field); }

  /// Calls `visit` with each end port that the LID component selects and the requester may see, by LID.
  template <class Visit>
  void each_end_port(Visit visit) const;
  /// The same, of switches: `visit` takes port 0 and the switch.
  template <class Visit>
  void each_switch(Visit visit) const;
  /// True if LID component `number`, at `field`, is not selected or names one of the LIDs of `end_port`.
  bool lid_selects(unsigned number, hw::Field field, PortId end_port) const;

  /// first..last; only the one that component `number` selects, if it does. Empty: first > last.
  struct Range {
    unsigned first, last;
  };
  Range numbers(unsigned number, hw::Field field, unsigned first, unsigned last) const;

  /// A record to be filled, all zero but for the LID.
  std::span<std::uint8_t> begin(Lid lid);
  /// Takes the record that was begun last if it matches; `ignored` are fields that need not.
  void offer(std::initializer_list<hw::Field> ignored = {});
  /// No more records are needed.
  bool full() const { return full_; }

  Answer finish();

 private:
  static constexpr hw::Field kLid{0, 0, 16};
  static constexpr std::size_t kWords = kLargestRecord / 8;
  using Bytes = std::array<std::uint8_t, kLargestRecord>;

  void select(const Component& component);
  bool matches(const Bytes& compared) const;

  const RecordType& type_;
  const Snapshot& snapshot_;
  Requester requester_;
  const Query& query_;
  Bytes example_{}, mask_{}, record_{};
  std::vector<std::uint8_t> records_;
  std::size_t most_;  ///< bytes
  bool full_ = false;
};

template <class Visit>
void Listing::each_end_port(Visit visit) const {
  const auto one = [&](Lid lid, bool base_only) {
    const std::optional<PortId> port = fabric().lid_owner(lid);
    if (port && (!base_only || fabric().port(*port).lid == lid) && may_see(*port)) visit(*port);
  };
  if (query_.has(0)) return one(Lid(static_cast<std::uint16_t>(value(kLid))), false);
  for (std::uint32_t lid = 1; lid <= fabric().max_lid().value && !full_; ++lid)
    one(Lid(static_cast<std::uint16_t>(lid)), true);
}

template <class Visit>
void Listing::each_switch(Visit visit) const {
  each_end_port([&](PortId port) {
    if (const auto sw = fabric().switch_id(fabric().port(port).node)) visit(port, *sw);
  });
}

/// Puts the first `size` bytes of `data` at `offset` of a record.
inline void put(std::span<std::uint8_t> record, std::size_t offset, std::span<const std::uint8_t> data,
                std::size_t size) {
  std::copy_n(data.begin(), size, record.begin() + static_cast<std::ptrdiff_t>(offset));
}

}  // namespace rch::sa
