#include "fabric/forwarding_tables.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"

namespace rch::fabric {

ForwardingTables ForwardingTables::uninitialised(std::size_t switch_count, Lid max_lid) {
  ForwardingTables tables;
  tables.max_lid_ = max_lid;
  tables.stride_ = row_length(max_lid);
  const auto memory = std::make_shared<Memory>();
  memory->bytes = std::make_unique_for_overwrite<std::uint8_t[]>(switch_count * tables.stride_);
  tables.rows_.reserve(switch_count);
  for (std::size_t s = 0; s < switch_count; ++s)
    tables.rows_.push_back({memory->bytes.get() + s * tables.stride_, memory});
  return tables;
}

ForwardingTables::ForwardingTables(std::size_t switch_count, Lid max_lid)
    : ForwardingTables(uninitialised(switch_count, max_lid)) {
  parallel_ranges(switch_count, 64, [&](std::size_t begin, std::size_t end) {
    std::memset(rows_[begin].entries, kNoPath, (end - begin) * stride_);
  });
}

ForwardingTables ForwardingTables::clone() const {
  ForwardingTables tables;
  tables.max_lid_ = max_lid_;
  tables.stride_ = stride_;
  tables.rows_ = rows_;
  tables.by_lid_ = by_lid_;
  for (const Row& row : rows_) row.memory->lend();
  return tables;
}

void ForwardingTables::share_row(SwitchId sw, const ForwardingTables& from, SwitchId from_sw) {
  rows_[sw.index()] = from.rows_[from_sw.index()];
  rows_[sw.index()].memory->lend();
  if (by_lid_ == nullptr && from.by_lid_ != nullptr && from.rows_.size() == rows_.size())
    by_lid_ = from.by_lid_;
}

void ForwardingTables::keep_by_lid() { by_lid_ = std::make_shared<const EntriesByLid>(*this); }

EntriesByLid::EntriesByLid(const ForwardingTables& tables)
    : tables_(tables.clone()), entries_(std::make_unique_for_overwrite<std::uint8_t[]>(tables.byte_count())) {
  const std::size_t rows = tables.switch_count();
  parallel_ranges(tables.blocks(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t block = begin; block < end; ++block)
      for (std::size_t s = 0; s < rows; ++s) {
        const auto row = tables.row(SwitchId(static_cast<std::uint32_t>(s)));
        for (std::size_t lid = block * ForwardingTables::kBlock; lid < (block + 1) * ForwardingTables::kBlock;
             ++lid)
          entries_[lid * rows + s] = row[lid];
      }
  });
}

std::vector<SwitchId> EntriesByLid::other_rows(const ForwardingTables& other) const {
  std::vector<SwitchId> found;
  for (std::uint32_t s = 0; s < tables_.switch_count(); ++s)
    if (tables_.row(SwitchId(s)).data() != other.row(SwitchId(s)).data()) found.emplace_back(s);
  return found;
}

std::size_t ForwardingTables::routed(SwitchId sw) const {
  // Eight entries at a time; most words have none that is kNoPath. Rows are whole blocks.
  std::size_t count = 0;
  const auto entries = row(sw);
  for (std::size_t at = 0; at < entries.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, &entries[at], sizeof word);
    const std::uint64_t missing = ~word;  // a byte is 0 where there is no path
    constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F, kEach = 0x0101010101010101;
    const std::uint64_t highest = (((missing & kLow) + kLow) | missing) & ~kLow;
    count += (highest >> 7) * kEach >> 56;  // the sum of the bytes, each 0 or 1
  }
  return count;
}

std::span<std::uint8_t> ForwardingTables::fresh_row(SwitchId sw) {
  Row& row = rows_[sw.index()];
  if (row.memory->lent) row = new_row();
  return {row.entries, stride_};
}

ForwardingTables::Row ForwardingTables::new_row() const {
  auto memory = std::make_shared<Memory>();
  memory->bytes = std::make_unique_for_overwrite<std::uint8_t[]>(stride_);
  std::uint8_t* const entries = memory->bytes.get();
  return {entries, std::move(memory)};
}

void ForwardingTables::take_over(Row& row) const {
  Row own = new_row();
  std::memcpy(own.entries, row.entries, stride_);
  row = std::move(own);
}

bool operator==(const ForwardingTables& a, const ForwardingTables& b) {
  return a.max_lid_ == b.max_lid_ &&
         std::ranges::equal(
             a.rows_, b.rows_, [&](const ForwardingTables::Row& x, const ForwardingTables::Row& y) {
               return x.entries == y.entries || std::memcmp(x.entries, y.entries, a.stride_) == 0;
             });
}

}  // namespace rch::fabric
