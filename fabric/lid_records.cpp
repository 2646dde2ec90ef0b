#include "fabric/lid_records.h"

#include <map>
#include <span>
#include <utility>

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
    changed = close_question(port.guid) || changed;
    const LidRange range{port.lid, Lid(static_cast<std::uint16_t>(port.lid.value + (1U << port.lmc) - 1))};
    const LidRange* known = find(port.guid);
    if (known != nullptr && *known == range) continue;
    changed = true;
    erase(port.guid);
    for (auto owner = owner_in(range); owner; owner = owner_in(range)) erase(*owner);
    set(port.guid, range);
  }
  return changed;
}

LidRecords LidRecords::settled(const Fabric& fabric, std::vector<std::string>& choices) const {
  LidRecords out = *this;
  for (const RivalRecord& rival : rivals_) out.settle(rival, fabric, choices);
  for (const Guid guid : hidden_) {
    const LidRange* range = out.find(guid);
    const auto port = fabric.find_port(guid);
    if (range == nullptr || !port) continue;
    const Lid live = fabric.port(*port).lid;
    if (live == kUnassignedLid || live == range->first) continue;
    choices.push_back(
        fmt::format("port {} holds LID {}: guid2lid names LID {} in a record that OpenSM does not find, "
                    "which is not used",
                    guid, live, range->first));
    out.erase(guid);
  }
  out.rivals_.clear();
  out.hidden_.clear();
  return out;
}

void LidRecords::settle(const RivalRecord& rival, const Fabric& fabric, std::vector<std::string>& choices) {
  const auto holds = [&](Guid guid, const LidRange& range) {
    const auto port = fabric.find_port(guid);
    return port && fabric.port(*port).lid == range.first;
  };
  if (!holds(rival.port, rival.range)) return;
  const LidRange* kept = find(rival.port);
  if (kept != nullptr && (*kept == rival.range || holds(rival.port, *kept))) return;
  for (auto owner = owner_in(rival.range); owner; owner = owner_in(rival.range)) {
    if (*owner != rival.port && holds(*owner, *find(*owner))) return;
    if (*owner != rival.port)
      choices.push_back(fmt::format("port {} holds LID {}, which guid2lid names for port {} too: it keeps it",
                                    rival.port, rival.range.first, *owner));
    erase(*owner);
  }
  if (const LidRange* other = find(rival.port)) {
    choices.push_back(fmt::format("port {} holds LID {}: of the LIDs {} and {} in guid2lid it keeps this one",
                                  rival.port, rival.range.first, other->first, rival.range.first));
    erase(rival.port);
  }
  set(rival.port, rival.range);
  hidden_.erase(rival.port);
}

void LidRecords::set(Guid port, const LidRange& range) {
  ranges_.emplace(port, range);
  by_first_.emplace(range.first, port);
}

void LidRecords::erase(Guid port) {
  const LidRange* range = find(port);
  if (range == nullptr) return;
  by_first_.erase(range->first);
  ranges_.erase(port);
}

bool LidRecords::close_question(Guid port) {
  const bool was_hidden = hidden_.erase(port) != 0;
  return std::erase_if(rivals_, [&](const RivalRecord& rival) { return rival.port == port; }) != 0 ||
         was_hidden;
}

namespace {

/// Reads as OpenSM does what it reads, and beyond it what it does not: its records are paragraphs that begin
/// with a GUID, and whatever follows the two LIDs belongs to the value.
class Guid2LidReader {
 public:
  Guid2LidReader(const SourceSet& sources, SourceId source, Diagnostics& diagnostics)
      : text_(sources.at(source).text()), source_(source), report_(diagnostics) {}

  LidRecords read() {
    for_each_line(text_, [&](std::string_view line, std::uint32_t begin) {
      read_line({line, source_, begin});
    });
    for (const Record& record : read_) ++hidden_for_[record.why_hidden];
    for (const bool hidden : {false, true})
      for (const Record& record : read_)
        if (record.why_hidden.empty() != hidden) keep(record);
    report_.finish();
    return std::move(records_);
  }

 private:
  struct Record {
    Span line;
    Guid port;
    LidRange range;
    std::string_view why_hidden;  ///< why OpenSM does not find it; empty if it does
  };

  void read_line(LineCursor at) {
    const bool begins = begins_paragraph(at);
    const bool indented = at.peek() == ' ' || at.peek() == '\t';
    at.skip_blanks();
    if (at.at_end()) return;
    if (begins && indented) ends_for_opensm_ = true;
    if (at.peek() == '#') return;
    const Span line = at.span_line();
    const std::string_view key = at.word();
    std::optional<std::uint64_t> values[3] = {parse_integer(key)};
    for (auto& value : std::span(values).last(2)) {
      at.skip_blanks();
      value = parse_integer(at.word());
    }
    const auto [guid, first, last] = values;
    at.skip_blanks();
    if (!guid || *guid == 0 || !first || !last)
      return void(
          report_.add(kBadLidRecord, line, "this line is no port GUID with its first and its last LID"));
    if (*first == 0 || *first > *last || *last > kMaxUnicastLid.value)
      return void(report_.add(kBadLidRecord, line,
                              fmt::format("{} to {} is no range of unicast LIDs", *first, *last)));
    if (!at.at_end() && at.peek() != '#')
      report_.add(kBadLidRecord, at.span(at.pos(), at.line().size()), "text behind the LIDs is not read");
    read_.push_back({line,
                     Guid(*guid),
                     {Lid(static_cast<std::uint16_t>(*first)), Lid(static_cast<std::uint16_t>(*last))},
                     why_hidden(Guid(*guid), key, begins)});
  }

  /// Moves on from line to line. A line without any byte ends a paragraph; one with a CR does not.
  bool begins_paragraph(const LineCursor& at) {
    const bool begins = !in_paragraph_;
    const bool has_return = at.line().data() + at.line().size() < text_.data() + text_.size() &&
                            at.line().data()[at.line().size()] == '\r';
    in_paragraph_ = !at.line().empty() || has_return;
    return begins;
  }

  std::string_view why_hidden(Guid guid, std::string_view key, bool begins) const {
    if (ends_for_opensm_) return "OpenSM reads no further than a paragraph that begins with a blank";
    if (!begins) return "OpenSM takes a line without an empty line before it for a part of the record above";
    if (key != fmt::format("0x{:016x}", guid.value)) return "OpenSM looks for `0x` and 16 lower-case digits";
    return {};
  }

  /// One finding for all records that one reason hides: a whole file may lack its empty lines.
  void report_hidden(Span line, std::string_view why) {
    const std::size_t count = std::exchange(hidden_for_[why], 0);
    if (count == 0) return;
    const std::string more = count > 1 ? fmt::format(", nor {} more", count - 1) : std::string();
    report_.add(kHiddenLidRecord, line, "OpenSM does not find this record" + more).hint = why;
  }

  void keep(const Record& record) {
    const auto& [line, port, range, why_hidden] = record;
    if (!why_hidden.empty()) report_hidden(line, why_hidden);
    const bool known = records_.find(port) != nullptr;
    const auto owner = known ? port : records_.owner_in(range);
    if (records_.add(port, range)) {
      lines_.emplace(port, line);
      if (!why_hidden.empty()) records_.mark_hidden(port);
      return;
    }
    records_.add_rival({port, range});
    const std::string message =
        known ? fmt::format("port {} has LIDs already", port)
              : fmt::format("LIDs {} to {} overlap those of port {}", range.first, range.last, *owner);
    report_.add(kLidRecordConflict, line, message)
        .labels.push_back(
            {lines_.at(*owner), fmt::format("this one counts, unless the port holds LID {}", range.first)});
  }

  std::string_view text_;
  SourceId source_;
  Reporter report_;
  std::vector<Record> read_;  ///< in the order of the file
  std::map<std::string_view, std::size_t>
      hidden_for_;  ///< records by Record::why_hidden, until they are reported
  LidRecords records_;
  std::map<Guid, Span> lines_;
  bool in_paragraph_ = false;
  bool ends_for_opensm_ = false;
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
