#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.h"

namespace rch::fabric {

/// Linear forwarding tables of a set of switches: one byte per (switch, LID), the exit port, kNoPath = drop.
///
/// A row runs over LIDs 0..max_lid and is padded to whole blocks of 64 entries, the unit in which switches
/// are written (padding is kNoPath). Rows lie one behind the other as they are made; tables may share rows
/// that are the same.
class EntriesByLid;

class ForwardingTables {
 public:
  static constexpr std::size_t kBlock = 64;

  ForwardingTables() = default;
  /// All entries kNoPath.
  ForwardingTables(std::size_t switch_count, Lid max_lid);
  /// Entries not set at all: for an engine that writes every row whole, padding included.
  static ForwardingTables uninitialised(std::size_t switch_count, Lid max_lid);

  ForwardingTables(ForwardingTables&&) = default;
  ForwardingTables& operator=(ForwardingTables&&) = default;
  /// An independent copy that costs next to nothing: a row is copied when either side first asks for it to
  /// write. Spans for writing taken before must not be written to any more.
  ForwardingTables clone() const;
  /// The row becomes one of other tables, whose rows must be as long. As with clone() it is copied when
  /// either side asks for it to write.
  void share_row(SwitchId sw, const ForwardingTables& from, SwitchId from_sw);

  /// Keeps all entries a second time, by LID. Tables that share rows with these know of it from here on: it
  /// spares them a look at every row for the entries of one LID.
  void keep_by_lid();
  /// Entries by LID of these tables, or of other ones of the same size that rows may be shared with. Null:
  /// none are kept.
  const EntriesByLid* by_lid() const { return by_lid_.get(); }

  /// The least multiple of kBlock that holds all LIDs.
  static constexpr std::size_t row_length(Lid max_lid) { return (max_lid.index() / kBlock + 1) * kBlock; }

  std::size_t switch_count() const { return rows_.size(); }
  Lid max_lid() const { return max_lid_; }
  /// Length of a row, a multiple of kBlock.
  std::size_t stride() const { return stride_; }
  std::size_t blocks() const { return stride_ / kBlock; }
  /// The size of all rows, shared or not.
  std::size_t byte_count() const { return rows_.size() * stride_; }
  /// For writing: a row that is shared becomes a copy of its own first.
  std::span<std::uint8_t> row(SwitchId sw) {
    Row& row = rows_[sw.index()];
    if (row.memory->lent) take_over(row);
    return {row.entries, stride_};
  }
  /// For writing every entry, padding included: a row that is shared is not copied, entries are not set.
  std::span<std::uint8_t> fresh_row(SwitchId sw);
  std::span<const std::uint8_t> row(SwitchId sw) const { return {rows_[sw.index()].entries, stride_}; }
  /// Entries of a row that are not kNoPath.
  std::size_t routed(SwitchId sw) const;
  std::uint8_t at(SwitchId sw, Lid lid) const { return rows_[sw.index()].entries[lid.index()]; }

  /// Same size, same entries.
  friend bool operator==(const ForwardingTables& a, const ForwardingTables& b);

 private:
  struct Memory {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::atomic<bool> lent = false;  ///< more than one table may point here
    void lend() {
      if (!lent) lent = true;  // most rows are in memory that is lent already, and a store costs more
    }
  };
  struct Row {
    std::uint8_t* entries = nullptr;
    std::shared_ptr<Memory> memory;
  };

  void take_over(Row& row) const;
  Row new_row() const;

  std::size_t stride_ = 0;
  Lid max_lid_;
  std::vector<Row> rows_;
  std::shared_ptr<const EntriesByLid> by_lid_;
};

/// A copy of tables that have one row for each switch, with their entries turned round: those of all switches
/// for one LID lie one behind the other.
class EntriesByLid {
 public:
  explicit EntriesByLid(const ForwardingTables& tables);

  /// The tables as they were when the copy was made.
  const ForwardingTables& tables() const { return tables_; }
  /// True if `other` has as many switches and LIDs, and columns of that height are asked for.
  bool is_like(const ForwardingTables& other, std::size_t height) const {
    return other.switch_count() == height && tables_.switch_count() == height &&
           tables_.stride() == other.stride();
  }
  /// Entries for a LID by switch.
  std::span<const std::uint8_t> of(Lid lid) const {
    return {entries_.get() + lid.index() * tables_.switch_count(), tables_.switch_count()};
  }
  /// Switches whose rows in `other` are not shared with these tables. `other` is of the same size.
  std::vector<SwitchId> other_rows(const ForwardingTables& other) const;

 private:
  ForwardingTables tables_;
  std::unique_ptr<std::uint8_t[]> entries_;
};

}  // namespace rch::fabric
