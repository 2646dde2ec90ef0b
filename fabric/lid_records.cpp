#include "fabric/lid_records.h"

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/line_cursor.h"
#include "fabric/reporter.h"
#include "fabric/rules.h"

namespace rch::fabric {

const LidRange* LidRecords::find(Guid port) const {
  const auto found = ranges_.find(port);
  return found == ranges_.end() ? nullptr : &found->second;
}

std::optional<Guid> LidRecords::owner_in(const LidRange& range) const {
  auto after = by_first_.upper_bound(range.last);
  if (after == by_first_.begin()) return std::nullopt;
  const Guid last = std::prev(after)->second;
  return ranges_.at(last).last < range.first ? std::nullopt : std::optional(last);
}

bool LidRecords::add(Guid port, const LidRange& range) {
  if (find(port) != nullptr || owner_in(range)) return false;
  set(port, range);
  return true;
}

bool LidRecords::take_over(const Fabric& fabric) {
  bool changed = false;
  for (const Port& port : fabric.ports()) {
    if (port.lid == kUnassignedLid) continue;
    const LidRange range{port.lid, Lid(static_cast<std::uint16_t>(port.lid.value + (1U << port.lmc) - 1))};
    const LidRange* known = find(port.guid);
    if (known != nullptr && *known == range) continue;
    changed = true;
    if (known != nullptr) by_first_.erase(known->first);
    ranges_.erase(port.guid);
    for (auto owner = owner_in(range); owner; owner = owner_in(range)) {
      by_first_.erase(ranges_.at(*owner).first);
      ranges_.erase(*owner);
    }
    set(port.guid, range);
  }
  return changed;
}

void LidRecords::set(Guid port, const LidRange& range) {
  ranges_.emplace(port, range);
  by_first_.emplace(range.first, port);
}

namespace {

class Guid2LidReader {
 public:
  Guid2LidReader(const SourceSet& sources, SourceId source, Diagnostics& diagnostics)
      : text_(sources.at(source).text()), source_(source), report_(diagnostics) {}

  LidRecords read() {
    for_each_line(text_, [&](std::string_view line, std::uint32_t begin) {
      read_line({line, source_, begin});
    });
    report_.finish();
    return std::move(records_);
  }

 private:
  void read_line(LineCursor at) {
    at.skip_blanks();
    if (at.at_end() || at.peek() == '#') return;
    const Span line = at.span_line();
    std::optional<std::uint64_t> values[3];
    for (auto& value : values) {
      value = parse_integer(at.word());
      at.skip_blanks();
    }
    const auto [guid, first, last] = values;
    if (!guid || *guid == 0 || !first || !last || !at.at_end()) {
      report_.add(kBadLidRecord, line, "this line is no port GUID with its first and its last LID");
    } else if (*first == 0 || *first > *last || *last > kMaxUnicastLid.value) {
      report_.add(kBadLidRecord, line, fmt::format("{} to {} is no range of unicast LIDs", *first, *last));
    } else {
      add(line, Guid(*guid),
          {Lid(static_cast<std::uint16_t>(*first)), Lid(static_cast<std::uint16_t>(*last))});
    }
  }

  void add(Span line, Guid port, const LidRange& range) {
    const bool known = records_.find(port) != nullptr;
    const auto owner = known ? port : records_.owner_in(range);
    if (records_.add(port, range)) {
      lines_.emplace(port, line);
      return;
    }
    const std::string message =
        known ? fmt::format("port {} has LIDs already", port)
              : fmt::format("LIDs {} to {} overlap those of port {}", range.first, range.last, *owner);
    report_.add(kLidRecordConflict, line, message).labels.push_back({lines_.at(*owner), "this one is kept"});
  }

  std::string_view text_;
  SourceId source_;
  Reporter report_;
  LidRecords records_;
  std::map<Guid, Span> lines_;
};

}  // namespace

LidRecords read_guid2lid(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  return Guid2LidReader(sources, source, diagnostics).read();
}

std::string write_guid2lid(const LidRecords& records) {
  std::string text;
  for (const auto& [port, range] : records.all())
    fmt::format_to(std::back_inserter(text), "0x{:016x} 0x{:04x} 0x{:04x}\n\n", port.value, range.first.value,
                   range.last.value);
  return text;
}

}  // namespace rch::fabric
