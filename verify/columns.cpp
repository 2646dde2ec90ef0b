#include "verify/columns.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <xxhash.h>

#include "base/parallel.h"

namespace rch::verify {
namespace {

constexpr std::size_t kLine = 64;  ///< entries of a row that are read together
constexpr std::size_t kTile = 64;  ///< rows that are turned together

/// A LID whose column is columns, and where it goes.
struct Column {
  std::uint16_t lid;
  std::uint8_t* column;
};

/// Writes the first `rows` entries of the columns columns, all of which lie in one line of each row. A tile
/// is copied together first: rows of a table often lie so far apart that they fall on one set of the cache.
void transpose_line(const fabric::ForwardingTables& lfts, std::span<const Column> columns, std::size_t rows) {
  const std::size_t line = columns.front().lid / kLine * kLine;
  std::array<std::uint8_t, kTile * kLine> tile;
  for (std::size_t top = 0; top < rows; top += kTile) {
    const std::size_t count = std::min(kTile, rows - top);
    for (std::size_t r = 0; r < count; ++r)
      std::memcpy(tile.data() + r * kLine,
                  lfts.row(SwitchId(static_cast<std::uint32_t>(top + r))).data() + line, kLine);
    for (const Column& w : columns)
      for (std::size_t r = 0; r < count; ++r) w.column[top + r] = tile[r * kLine + w.lid % kLine];
  }
}

/// Writes whole columns: those of tables that share rows with `lfts`, with the entries of all other rows.
/// False where these are so many that it does not pay.
bool take_over(const fabric::EntriesByLid& known, const fabric::ForwardingTables& lfts,
               std::span<const Column> columns) {
  const std::vector<SwitchId> others = known.other_rows(lfts);
  if (others.size() * 2 > lfts.switch_count()) return false;
  parallel_ranges(columns.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (const Column& w : columns.subspan(begin, end - begin)) {
      std::ranges::copy(known.of(Lid(w.lid)), w.column);
      for (const SwitchId sw : others) w.column[sw.index()] = lfts.row(sw)[w.lid];
    }
  });
  return true;
}

void append_lids(const fabric::Fabric& fabric, const Source& owner, std::vector<Destination>& all) {
  const fabric::Port& port = fabric.port(owner.port);
  const std::uint32_t count = 1U << std::min<unsigned>(port.lmc, 7);
  for (std::uint32_t lid = port.lid.value; lid < port.lid.value + count && lid <= 0xFFFF; ++lid)
    all.push_back({Lid(static_cast<std::uint16_t>(lid)), owner});
}

}  // namespace

std::uint8_t entry(const fabric::ForwardingTables& lfts, SwitchId sw, Lid lid) {
  return sw.index() < lfts.switch_count() && lid.index() < lfts.stride() ? lfts.at(sw, lid) : kNoPath;
}

std::vector<Destination> destinations(const fabric::Fabric& fabric, const Wiring& wiring) {
  std::vector<Destination> all;
  for (std::size_t sw = 0; sw < wiring.switch_count(); ++sw) {
    const auto begin = static_cast<std::ptrdiff_t>(all.size());
    for (const Source& owner : wiring.sources_of(sw)) append_lids(fabric, owner, all);
    std::sort(all.begin() + begin, all.end(),
              [](const Destination& a, const Destination& b) { return a.lid < b.lid; });
  }
  return all;
}

std::vector<Destination> switch_destinations(const fabric::Fabric& fabric) {
  std::vector<Destination> all;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const Source owner{fabric.port_id(SwitchId(s), PortNum(0)), SwitchId(s), PortNum(0)};
    if (fabric.port(owner.port).lid != kUnassignedLid) append_lids(fabric, owner, all);
  }
  return all;
}

std::vector<Destination> absent_destinations(const fabric::Fabric& fabric,
                                             const fabric::ForwardingTables& lfts) {
  std::vector<Destination> absent;
  const std::size_t end = std::min<std::size_t>(lfts.stride(), fabric::kFirstMulticastLid.index());
  const Source nobody{PortId::none(), SwitchId(0), PortNum(kNoPath)};
  for (std::size_t lid = 1; lid < end; ++lid)
    if (!fabric.lid_owner(Lid(static_cast<std::uint16_t>(lid))))
      absent.push_back({Lid(static_cast<std::uint16_t>(lid)), nobody});
  if (absent.empty()) return absent;
  std::vector<std::uint8_t> has_entry(end);
  for (std::uint32_t s = 0; s < lfts.switch_count(); ++s) {
    const std::span<const std::uint8_t> row = lfts.row(SwitchId(s));
    for (const Destination& d : absent)
      has_entry[d.lid.index()] |= static_cast<std::uint8_t>(row[d.lid.index()] != kNoPath);
  }
  std::erase_if(absent, [&](const Destination& d) { return has_entry[d.lid.index()] == 0; });
  return absent;
}

Columns::Columns(const fabric::RoutingTables& tables, const Wiring& wiring, std::span<const Destination> run)
    : run_(run),
      height_(wiring.switch_count()),
      bytes_(std::make_unique_for_overwrite<std::uint8_t[]>(run.size() * height_)),
      own_entries_(run.size()),
      hashes_(run.size()),
      holed_(std::size_t{0x10000}) {
  for (const fabric::RoutedStep& step : tables.steps)
    for (const std::uint64_t hole : step.holes) holed_.insert(Lid(static_cast<std::uint16_t>(hole)));
  transpose(tables.lfts);
  set_own_entries();
  group(tables);
}

void Columns::transpose(const fabric::ForwardingTables& lfts) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < run_.size(); ++i) {
    if (run_[i].lid.index() < lfts.stride())
      columns.push_back({run_[i].lid.value, column(i).data()});
    else
      std::memset(column(i).data(), kNoPath, height_);
  }
  std::sort(columns.begin(), columns.end(), [](const Column& a, const Column& b) { return a.lid < b.lid; });
  const std::size_t rows = std::min(height_, lfts.switch_count());
  const fabric::EntriesByLid* const known = lfts.by_lid();
  if (known != nullptr && known->is_like(lfts, height_) && take_over(*known, lfts, columns)) return;
  std::vector<std::size_t> lines;  // where in `columns` the next line starts
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (i == 0 || columns[i].lid / kLine != columns[i - 1].lid / kLine) lines.push_back(i);
  lines.push_back(columns.size());

  parallel_ranges(lines.size() - 1, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t l = begin; l < end; ++l) {
      const auto line = std::span(columns).subspan(lines[l], lines[l + 1] - lines[l]);
      transpose_line(lfts, line, rows);
      for (const Column& w : line) std::memset(w.column + rows, kNoPath, height_ - rows);
    }
  });
}

void Columns::set_own_entries() {
  parallel_ranges(run_.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Source& owner = run_[i].owner;
      std::uint8_t& own = column(i)[owner.sw.index()];
      own_entries_[i] = own;
      if (!owner.port.is_none() && own == owner.attach.value) own = 0;
      hashes_[i] = XXH3_64bits(column(i).data(), height_);
    }
  });
}

void Columns::group(const fabric::RoutingTables& tables) {
  members_.reserve(run_.size());  // groups keep spans of it
  for (std::size_t begin = 0; begin < run_.size();) {
    std::size_t end = begin + 1;
    while (end < run_.size() && run_[end].owner.sw == run_[begin].owner.sw) ++end;
    group_switch(tables, begin, end);
    begin = end;
  }
}

void Columns::group_switch(const fabric::RoutingTables& tables, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> order;
  for (std::size_t i = begin; i < end; ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return hashes_[a] < hashes_[b]; });
  std::size_t head = order.front();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t at = order[i];
    const bool proper = own_entries_[at] == run_[at].owner.attach.value;
    if (i == 0 || !proper || !groups_.back().proper || !alike(tables, head, at)) {
      head = at;
      groups_.push_back({{members_.data() + members_.size(), 0}, column(at), proper});
    }
    members_.push_back(&run_[at]);
    Group& last = groups_.back();
    last.members = {last.members.data(), last.members.size() + 1};
  }
}

bool Columns::alike(const fabric::RoutingTables& tables, std::size_t a, std::size_t b) const {
  if (hashes_[a] != hashes_[b] || std::memcmp(column(a).data(), column(b).data(), height_) != 0) return false;
  if (holed_.contains(run_[a].lid) || holed_.contains(run_[b].lid)) return false;
  return std::all_of(tables.steps.begin(), tables.steps.end(), [&](const fabric::RoutedStep& step) {
    return step.lids.contains(run_[a].lid) == step.lids.contains(run_[b].lid);
  });
}

}  // namespace rch::verify
