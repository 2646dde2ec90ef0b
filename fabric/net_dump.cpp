// Reader of ibdiagnet 2's `ibdiagnet2.net_dump`, as public parsers read it: for each switch a line
//
//   "NAME", VENDOR, 0xGUID, LID 5
//
// a line of column names that begins with `#`, and a row for each port, columns apart by ` : `. The names of
// columns vary between versions, so they are found by name. The last one is the description of the neighbour,
// which may hold ` : ` itself.
//
// A row names the port of its neighbour as that one's first column does: by its label on switches that have
// labels. So the port number of a switch comes from its own rows. CAs have no rows: there it is the number,
// and what a CA has beside the ports that are linked is unknown.

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/db_csv_rules.h"
#include "fabric/draft.h"
#include "fabric/formats.h"
#include "fabric/line_cursor.h"
#include "fabric/rules.h"

namespace rch::fabric {
namespace {

enum DumpColumn : std::size_t {
  kDumpLabel,
  kDumpNumber,
  kDumpState,
  kDumpWidth,
  kDumpSpeed,
  kDumpPeerGuid,
  kDumpPeerPort,
  kDumpPeerLid,
  kDumpPeerName,
  kDumpColumnCount
};
constexpr std::array<std::string_view, kDumpColumnCount> kDumpColumnNames{
    "#", "IB#", "Sta", "LWA", "LSA", "Neighbor Guid", "N#", "NLID", "Neighbor Description"};

constexpr std::string_view kBetween = " :";

/// The fields of a row; the last one of `count` holds whatever follows.
std::vector<std::string_view> split_row(std::string_view row, std::size_t count) {
  std::vector<std::string_view> fields;
  while (fields.size() + 1 < count) {
    const std::size_t at = row.find(kBetween);
    if (at == std::string_view::npos) break;
    fields.push_back(trim(row.substr(0, at)));
    row.remove_prefix(at + kBetween.size());
  }
  fields.push_back(trim(row));
  return fields;
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// 0 if the text is no GUID.
Guid dumped_guid(std::string_view text) {
  return Guid(text.starts_with("0x") ? parse_hex(text.substr(2)).value_or(0) : 0);
}

/// A linked port of a switch.
struct NeighborRow {
  std::uint8_t number = 0;
  std::string_view label;
  LinkRate rate;
  Guid peer;
  std::string_view peer_port;
  std::uint64_t peer_lid = 0;
  std::string_view peer_name;
  Span span;
};

struct SwitchBlock {
  std::string_view name;
  Guid guid;
  std::uint64_t lid = 0;
  std::size_t ports = 0;
  std::vector<NeighborRow> rows;
  Span span;
};

class NetDumpReader {
 public:
  NetDumpReader(std::string_view text, SourceId source, Reporter& report)
      : text_(text), source_(source), report_(report), draft_(report, {source, 0, 0}) {}

  std::optional<Fabric> read() {
    for_each_line(text_, [&](std::string_view line, std::uint32_t) { read_line(line); });
    check_last_line(text_, source_, report_);
    report_.add(kUnconfirmedForm, {source_, 0, 0}, "ibdiagnet's net_dump: form not confirmed").hint =
        "no whole file was at hand. VLs, MTUs and unlinked ports of CAs are unknown; a db_csv says more";
    for (const SwitchBlock& block : blocks_) add_switch(block);
    if (report_.failed()) return std::nullopt;  // a GUID may be used twice
    for (const SwitchBlock& block : blocks_)
      for (const NeighborRow& row : block.rows)
        if (!draft_.find(row.peer)) add_ca(row.peer);
    for (const SwitchBlock& block : blocks_)
      for (const NeighborRow& row : block.rows) claim(block, row);
    return draft_.finish(Draft::LinksNamed::once);
  }

 private:
  Span span(std::string_view part) const {
    const auto begin = static_cast<std::uint32_t>(part.data() - text_.data());
    return {source_, begin, begin + static_cast<std::uint32_t>(part.size())};
  }

  void read_line(std::string_view line) {
    const std::string_view content = trim(line);
    if (content.empty()) return;
    if (content.front() == '#' && content.find(": IB#") != std::string_view::npos)
      return read_header(content);
    if (content.front() == '#') return;
    if (content.front() == '"') return read_switch(content);
    if (blocks_.empty() || places_[kDumpNumber] == kNone) {
      report_.add(kStrayLine, span(content), "a row above the first switch and its line of column names");
      return;
    }
    read_row(content);
  }

  void read_header(std::string_view line) {
    const std::vector<std::string_view> names = split_row(line, kMany);
    places_.fill(kNone);
    columns_ = names.size();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto known = std::find(kDumpColumnNames.begin(), kDumpColumnNames.end(), names[i]);
      if (known != kDumpColumnNames.end())
        places_[static_cast<std::size_t>(known - kDumpColumnNames.begin())] = i;
    }
    for (const DumpColumn needed : {kDumpLabel, kDumpNumber, kDumpState, kDumpPeerGuid, kDumpPeerPort}) {
      if (places_[needed] != kNone) continue;
      report_.add(kCsvMissingColumn, span(line), fmt::format("no column `{}`", kDumpColumnNames[needed]))
          .hint = "without it no cable is known; give the db_csv or the list of links of that run";
      lost_block_ = true;
    }
  }

  /// `"NAME", VENDOR, 0xGUID, LID 5`; the name may hold commas and quotes.
  void read_switch(std::string_view line) {
    SwitchBlock block;
    block.span = span(line);
    std::array<std::string_view, 3> last{};  // LID, GUID, vendor
    std::string_view rest = line;
    for (std::string_view& part : last) {
      const std::size_t comma = rest.rfind(',');
      part = trim(rest.substr(comma == std::string_view::npos ? rest.size() : comma + 1));
      rest = rest.substr(0, comma == std::string_view::npos ? 0 : comma);
    }
    const Guid guid = dumped_guid(last[1]);
    const auto lid = last[0].starts_with("LID ") ? parse_integer(trim(last[0].substr(4))) : std::nullopt;
    if (guid.value == 0 || !lid || *lid > 0xFFFF || trim(rest).size() < 2) {
      report_.add(kBadNode, block.span, "a switch is `\"NAME\", VENDOR, 0xGUID, LID NUMBER`");
      lost_block_ = true;
      return;
    }
    lost_block_ = false;
    block.name = unquoted(trim(rest));
    block.guid = guid;
    block.lid = *lid;
    blocks_.push_back(std::move(block));
  }

  void read_row(std::string_view line) {
    if (lost_block_) return;  // which is reported
    const std::vector<std::string_view> fields = split_row(line, columns_);
    const auto field = [&](DumpColumn column) {
      return places_[column] < fields.size() ? fields[places_[column]] : std::string_view();
    };
    const auto number = parse_integer(field(kDumpNumber));
    if (number == std::uint64_t{0}) return;  // the switch itself
    if (!number || *number > 254 || fields.size() <= places_[kDumpState]) {
      report_.add(kBadLink, span(line), "the number of a port (`IB#`) is expected in this row");
      return;
    }
    SwitchBlock& block = blocks_.back();
    block.ports = std::max<std::size_t>(block.ports, *number);
    const std::string_view state = field(kDumpState);
    if (state == "DOWN" || state == "DWN") return;
    if (fields.size() == columns_ && field(kDumpPeerGuid).empty()) {
      report_.add(kNoCable, span(line), fmt::format("port {} is up, and its row names no neighbour", *number))
          .hint = "it is taken as down: what is behind it did not answer";
      return;
    }
    const Guid peer = dumped_guid(field(kDumpPeerGuid));
    if (peer.value == 0 || fields.size() < columns_) {
      report_.add(kBadLink, span(line), "the neighbour cannot be read");
      return;
    }
    NeighborRow row;
    row.number = static_cast<std::uint8_t>(*number);
    row.label = field(kDumpLabel);
    row.rate = {known(width_from(to_lower(field(kDumpWidth))), field(kDumpWidth)),
                known(speed(field(kDumpSpeed)), field(kDumpSpeed))};
    row.peer = peer;
    row.peer_port = field(kDumpPeerPort);
    row.peer_lid = parse_integer(field(kDumpPeerLid)).value_or(0);
    row.peer_name = unquoted(field(kDumpPeerName));
    row.span = span(line);
    block.rows.push_back(row);
  }

  static std::optional<LinkSpeed> speed(std::string_view word) {
    const auto rate = speed_from_subnet_lst(word);
    return rate ? rate : speed_from(word);
  }

  template <class T>
  T known(std::optional<T> value, std::string_view word) {
    if (!value && !word.empty() && word != "N/A")
      report_.add(kUnknownRate, span(word), fmt::format("`{}` is no known width or speed", word));
    return value.value_or(T{});
  }

  void add_switch(const SwitchBlock& block) {
    NodeSpec spec;
    spec.guid = block.guid;
    spec.type = NodeType::sw;
    spec.description = block.name;
    spec.ports.resize(block.ports + 1);
    spec.ports[0].state = PortState::active;
    if (block.lid != 0xFFFF) spec.ports[0].lid = Lid(static_cast<std::uint16_t>(block.lid));
    for (const NeighborRow& row : block.rows) {
      if (row.label == std::to_string(row.number)) continue;
      spec.port_labels.resize(block.ports + 1);
      spec.port_labels[row.number] = row.label;
    }
    if (block.rows.empty())
      report_.add(kUnlinkedNode, block.span, fmt::format("`{}` ({}) has no link", block.name, block.guid))
          .hint = "if its rows are missing here, the file was cut short";
    block_of_.emplace(block.guid, &block);
    draft_.add_node(std::move(spec), block.span);
  }

  /// A node without rows of its own is a CA, as far as its neighbours tell.
  void add_ca(Guid guid) {
    if (ends_of_.empty())
      for (const SwitchBlock& block : blocks_)
        for (const NeighborRow& row : block.rows) ends_of_[row.peer].push_back(&row);
    const std::vector<const NeighborRow*>& ends = ends_of_[guid];
    NodeSpec spec;
    spec.guid = guid;
    spec.type = NodeType::ca;
    spec.description = ends.front()->peer_name;
    spec.ports.resize(1);
    bool is_ca = true;
    for (const NeighborRow* row : ends) {
      const auto port = parse_integer(row->peer_port);
      is_ca = is_ca && port && *port >= 1 && *port <= 254;
      if (!is_ca) break;
      if (spec.ports.size() <= *port) spec.ports.resize(*port + 1);
      const bool has_lid = row->peer_lid > 0 && row->peer_lid < 0xFFFF;
      const auto lid = has_lid ? Lid(static_cast<std::uint16_t>(row->peer_lid)) : kUnassignedLid;
      for (const PortSpec& other : spec.ports) is_ca = is_ca && (lid == kUnassignedLid || other.lid != lid);
      spec.ports[*port].lid = lid;
    }
    if (!is_ca) {
      report_
          .add(kUnknownPeer, ends.front()->span,
               fmt::format("{} is no CA by its ports, and no switch of this file", guid))
          .hint = "if its rows are missing, the file was cut short; write it again";
      spec.ports.assign(1, {});
    }
    const std::uint32_t node = draft_.add_node(std::move(spec), ends.front()->span);
    draft_.node(node).damaged = !is_ca;
  }

  void claim(const SwitchBlock& block, const NeighborRow& row) {
    const std::uint32_t node = *draft_.find(block.guid), peer = *draft_.find(row.peer);
    if (draft_.node(peer).damaged) return;
    const auto far = block_of_.find(row.peer);
    std::uint64_t port = 0;
    if (far == block_of_.end()) {
      port = *parse_integer(row.peer_port);
    } else {
      const auto& rows = far->second->rows;
      const auto back = std::find_if(rows.begin(), rows.end(), [&](const NeighborRow& other) {
        return other.label == row.peer_port && other.peer == block.guid && other.peer_port == row.label;
      });
      if (back == rows.end()) {
        Diagnostic& d = report_.add(kOneSidedLink, row.span,
                                    fmt::format("`{}` has no row of its port `{}` that leads here",
                                                far->second->name, row.peer_port));
        d.labels.push_back({far->second->span, "the neighbour"});
        d.hint = "if lines are missing there, the file was cut short";
        return;
      }
      port = back->number;
    }
    draft_.add_claim({node, peer, PortNum(row.number), PortNum(static_cast<std::uint8_t>(port)), row.span,
                      row.rate, std::nullopt});
    if (far == block_of_.end())
      draft_.add_claim({peer, node, PortNum(static_cast<std::uint8_t>(port)), PortNum(row.number), row.span,
                        row.rate, std::nullopt});
  }

  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kMany = 64;

  std::string_view text_;
  SourceId source_;
  Reporter& report_;
  Draft draft_;
  std::array<std::size_t, kDumpColumnCount> places_ = [] {
    std::array<std::size_t, kDumpColumnCount> none{};
    none.fill(kNone);
    return none;
  }();
  std::size_t columns_ = 0;
  std::vector<SwitchBlock> blocks_;
  bool lost_block_ = false;  ///< of the rows at hand the switch or the columns are not known
  std::unordered_map<Guid, const SwitchBlock*> block_of_;
  std::unordered_map<Guid, std::vector<const NeighborRow*>> ends_of_;
};

}  // namespace

std::optional<Fabric> read_net_dump(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  Reporter report(diagnostics);
  const std::string_view text = sources.at(source).text();
  if (!check_bytes(text, source, report)) return std::nullopt;
  auto fabric = NetDumpReader(text, source, report).read();
  report.finish();
  return report.failed() ? std::nullopt : std::move(fabric);
}

}  // namespace rch::fabric
