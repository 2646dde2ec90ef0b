#include "dumps/pkeys.h"

#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "dumps/heading.h"
#include "dumps/rules.h"
#include "fabric/line_cursor.h"
#include "fabric/multicast.h"
#include "fabric/reporter.h"

namespace rch::dumps {
namespace {

using fabric::LineCursor;

constexpr std::string_view kGroup = "GROUP PKey:", kRecord = "PKeyTableRecord dump:";
constexpr std::uint16_t kFullMembership = 0x8000;
constexpr std::size_t kSlotsOfBlock = 32;  // InfiniBand Architecture 14.2.5.7

/// `GROUP PKey:0x7fff Hosts:16`, and a line for each of the ports: `   Full NAME/P1 lid=… guid=0x… dev=…`.
class Groups {
 public:
  Groups(PKeyDump& dump, fabric::Reporter& report) : dump_(dump), report_(report) {}

  void begin(LineCursor& at) {
    finish();
    const std::uint64_t partition = at.accept("0x") ? at.number(16).value_or(0) : 0;
    at.skip_blanks();
    const auto hosts = at.accept("Hosts:") ? at.number(10) : std::nullopt;
    if (partition == 0 || partition >= kFullMembership || !hosts) {
      report_.add(kBadHeading, at.span_line(),
                  "the number of a partition, and how many hosts follow, are expected");
      partition_ = 0, missing_ = 0;
      return;
    }
    partition_ = static_cast<std::uint16_t>(partition);
    missing_ = *hosts;
    heading_ = at.span_line();
  }

  void member(LineCursor& at) {
    const bool is_full = at.accept("Full ");
    const std::size_t guid = at.line().rfind(" guid=0x");
    bool good =
        partition_ != 0 && missing_ > 0 && (is_full || at.accept("Part ")) && guid != std::string_view::npos;
    if (good) {
      at.seek(guid + std::string_view(" guid=0x").size());
      const auto number = at.number(16);
      good = number && *number != 0 && at.rest().starts_with(" dev=");
      if (good) add(Guid(*number), is_full, at.span_line());
    }
    if (!good) report_.add(kBadEntry, at.span_line(), "a port with its membership and GUID is expected");
  }

  /// A list that is shorter than its heading says was cut off.
  void finish() {
    if (missing_ > 0)
      report_.add(kTruncatedTables, heading_,
                  fmt::format("partition 0x{:04x} has {} more than follow here", partition_,
                              counted(missing_, "host")));
    missing_ = 0;
  }

 private:
  void add(Guid port, bool is_full, Span line) {
    --missing_;
    const auto begin = static_cast<std::uint32_t>(dump_.keys.size());
    dump_.keys.push_back(is_full ? static_cast<std::uint16_t>(partition_ | kFullMembership) : partition_);
    dump_.rows.push_back({port, {}, {}, begin, begin + 1, line});
  }

  PKeyDump& dump_;
  fabric::Reporter& report_;
  std::uint16_t partition_ = 0;
  std::uint64_t missing_ = 0;
  Span heading_;
};

/// `PKeyTableRecord dump:`, then the lines `LID...2`, `Port...1`, `Block...0`, `PKey Table:` and 32 P_Keys.
class Records {
 public:
  Records(PKeyDump& dump, fabric::Reporter& report) : dump_(dump), report_(report) {}

  void begin(const LineCursor& at) {
    finish();
    open_ = at.span_line();
    lid_ = port_ = block_ = std::nullopt;
    begin_ = static_cast<std::uint32_t>(dump_.keys.size());
  }
  bool is_open() const { return open_.has_value(); }

  void line(LineCursor& at) {
    bool good = true;
    if (at.accept("LID."))
      good = field(at, fabric::kFirstMulticastLid.value - 1U, lid_);
    else if (at.accept("Port."))
      good = field(at, 254, port_);
    else if (at.accept("Block."))
      good = field(at, 0xFFFF, block_);
    else if (!at.accept("PKey Table:"))
      good = slots(at);
    if (!good) report_.add(kBadEntry, at.span_line(), "a LID, a port, a block or eight P_Keys are expected");
  }

  void finish() {
    if (!open_) return;
    const auto end = static_cast<std::uint32_t>(dump_.keys.size());
    if (!lid_ || !port_ || !block_ || end - begin_ != kSlotsOfBlock)
      report_.add(kTruncatedTables, *open_, "this record has no LID, port or block, or other than 32 P_Keys");
    else
      take(end);
    open_.reset();
  }

  /// The table of a port without one of its blocks was cut out of a longer list.
  void check_blocks() {
    for (const auto& [at, row] : seen_) {
      const auto& [lid, port, block] = at;
      if (block == 0 || seen_.contains({lid, port, block - 1})) continue;
      report_.add(kTruncatedTables, dump_.rows[row].line,
                  fmt::format("block {} of LID {} port {} is here, and block {} is not", block, lid, port,
                              block - 1));
    }
  }

 private:
  static bool field(LineCursor& at, std::uint64_t most, std::optional<std::uint64_t>& value) {
    while (at.accept('.')) {
    }
    const auto number = at.number(10);
    if (!number || *number > most || !at.at_end() || value) return false;
    value = number;
    return true;
  }

  bool slots(LineCursor& at) {
    for (; !at.at_end(); at.skip_blanks()) {
      constexpr std::uint64_t kNone = 0x10000;
      const std::uint64_t key = at.accept("0x") ? at.number(16).value_or(kNone) : kNone;
      if (key >= kNone) return false;
      dump_.keys.push_back(static_cast<std::uint16_t>(key));
    }
    return true;
  }

  void take(std::uint32_t end) {
    const PKeyDump::Row row{{},
                            Lid(static_cast<std::uint16_t>(*lid_)),
                            PortNum(static_cast<std::uint8_t>(*port_)),
                            begin_,
                            end,
                            *open_};
    const auto [at, is_new] = seen_.try_emplace({*lid_, *port_, *block_}, dump_.rows.size());
    if (!is_new && !std::ranges::equal(dump_.of(dump_.rows[at->second]), dump_.of(row)))
      report_.add(kTableTwice, *open_, "a second record of this block differs")
          .labels.push_back({dump_.rows[at->second].line, "the first record"});
    dump_.rows.push_back(row);
  }

  PKeyDump& dump_;
  fabric::Reporter& report_;
  std::optional<Span> open_;
  std::optional<std::uint64_t> lid_, port_, block_;
  std::uint32_t begin_ = 0;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::size_t> seen_;
};

/// The GUID of a port in a heading such as `Port … guid=0x0002c90300010001`; nothing in any other line.
std::optional<Guid> guid_of_heading(std::string_view line) {
  const std::string lower = to_lower(line);
  const std::size_t word = lower.rfind("guid");
  if (word == std::string::npos) return std::nullopt;
  LineCursor at(line, SourceId::none(), 0);
  at.seek(word + std::string_view("guid").size());
  while (at.accept('=') || at.accept(':') || at.accept(' ')) {
  }
  const auto guid = at.accept("0x") ? at.number(16) : std::nullopt;
  return guid && *guid != 0 ? std::optional(Guid(*guid)) : std::nullopt;
}

/// A line of a table: its index, and the P_Key with the membership that stands behind it.
struct IndexedKey {
  std::uint64_t index = 0;
  std::uint16_t key = 0;
};
std::optional<IndexedKey> indexed_key(std::string_view line) {
  LineCursor at(line, SourceId::none(), 0);
  at.skip_blanks();
  const auto index = at.number(10);
  if (!index || *index > 0xFFFF) return std::nullopt;
  while (at.accept(':') || at.accept(',') || at.accept(' ') || at.accept('\t')) {
  }
  const auto key = at.accept("0x") ? at.number(16) : std::nullopt;
  if (!key || *key > 0xFFFF) return std::nullopt;
  std::string word = to_lower(at.rest());
  std::erase_if(word, [](char c) { return std::string_view(" \t:,()\r").find(c) != std::string_view::npos; });
  const bool is_full = word == "full", is_limited = word == "limited" || word == "part" || word == "partial";
  const bool contradicts = is_limited && (*key & kFullMembership) != 0;
  if ((!word.empty() && !is_full && !is_limited) || contradicts) return std::nullopt;
  return IndexedKey{*index, static_cast<std::uint16_t>(is_full && *key != 0 ? *key | kFullMembership : *key)};
}

/// A table of P_Keys for each port, below a heading with its GUID.
class PortTables {
 public:
  PortTables(PKeyDump& dump, fabric::Reporter& report) : dump_(dump), report_(report) {}

  void line(const LineCursor& at) {
    if (const auto guid = guid_of_heading(at.line())) {
      finish();
      row_ = {*guid, {}, {}, static_cast<std::uint32_t>(dump_.keys.size()), 0, at.span_line()};
      next_ = 0;
      return;
    }
    const auto key = indexed_key(at.line());
    if (!key || row_.guid == Guid{} || key->index < next_) {
      report_.add(kBadEntry, at.span_line(),
                  "the GUID of a port, or a higher index with a P_Key and its membership, is expected");
      return;
    }
    next_ = key->index + 1;
    dump_.keys.push_back(key->key);
  }
  void finish() {
    if (row_.guid == Guid{}) return;
    row_.end = static_cast<std::uint32_t>(dump_.keys.size());
    dump_.rows.push_back(row_);
  }

 private:
  PKeyDump& dump_;
  fabric::Reporter& report_;
  PKeyDump::Row row_{};  ///< of the port at hand; a GUID of 0: there is none
  std::uint64_t next_ = 0;
};

/// Lines that carry nothing.
bool is_decoration(std::string_view line) {
  line = trim(line);
  return line.empty() || line.front() == '#' || line.find_first_not_of("-=") == std::string_view::npos;
}

void read_port_tables(std::string_view text, SourceId source, PKeyDump& dump, fabric::Reporter& report) {
  report.add(kUnconfirmedTables, {source, 0, 0}, "P_Keys by port: form not confirmed").hint =
      "compare some of them with what `smpquery pkeys` prints, and please send some lines of the file";
  PortTables tables(dump, report);
  fabric::for_each_line(text, [&](std::string_view line, std::uint32_t begin) {
    if (!is_decoration(line)) tables.line(LineCursor(line, source, begin));
  });
  tables.finish();
}

}  // namespace

bool has_port_tables(std::string_view text) {
  bool after_heading = false, found = false, has_groups = false;
  fabric::for_each_line(text, [&](std::string_view line, std::uint32_t) {
    if (is_decoration(line)) return;
    has_groups = has_groups || trim(line).starts_with(kGroup);
    found = found || (after_heading && indexed_key(line));
    after_heading = guid_of_heading(line).has_value();
  });
  return found && !has_groups;
}

std::optional<PKeyDump> read_pkeys(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  fabric::Reporter report(diagnostics);
  check_end(text, source, report);
  PKeyDump dump;
  if (has_port_tables(text)) {
    read_port_tables(text, source, dump, report);
    report.finish();
    return report.failed() ? std::nullopt : std::optional(std::move(dump));
  }
  Groups groups(dump, report);
  Records records(dump, report);
  fabric::for_each_line(text, [&](std::string_view line, std::uint32_t begin) {
    LineCursor at(line, source, begin);
    at.skip_blanks();
    if (at.at_end() || at.peek() == '#' || line.starts_with("---")) return;
    if (at.accept(kGroup))
      groups.begin(at);
    else if (at.accept(kRecord))
      records.begin(at);
    else if (records.is_open())
      records.line(at);
    else
      groups.member(at);
  });
  groups.finish();
  records.finish();
  records.check_blocks();
  report.finish();
  if (report.failed()) return std::nullopt;
  return dump;
}

}  // namespace rch::dumps
