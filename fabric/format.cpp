#include <algorithm>
#include <array>
#include <iterator>

#include "base/text.h"
#include "fabric/formats.h"
#include "fabric/line_cursor.h"
#include "fabric/rules.h"
#include "fabric/snapshot.h"

namespace rch::fabric {
namespace {

/// Beginnings of lines that only ibnetdiscover text has.
constexpr std::array<std::string_view, 12> kNetWords{"Switch", "Ca\t",       "Ca ",    "Hca",
                                                     "Rt",     "vendid",     "devid",  "sysimgguid",
                                                     "caguid", "switchguid", "rtguid", "hcaguid"};
constexpr std::string_view kNetTitle = "# Topology file: generated on";

/// Lines looked at before the file is called unknown.
constexpr std::size_t kLinesTried = 200;

constexpr std::string_view kSectionLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// A column that ibdiagnet's net_dump alone has.
constexpr std::string_view kNetDumpColumn = ": IB# ";

Format recognise_line(std::string_view line) {
  if (line.starts_with(kNetTitle)) return Format::ibnetdiscover;
  if (line.starts_with("START_") && line.find_first_not_of(kSectionLetters) == std::string_view::npos)
    return Format::db_csv;
  if (line.starts_with("{ ")) return is_ibdiagnet_line(line) ? Format::ibdiagnet_lst : Format::subnet_lst;
  if (line.starts_with('#') && line.find(kNetDumpColumn) != std::string_view::npos) return Format::net_dump;
  if (line.starts_with("Switch 0x") || line.starts_with("Switch:")) return Format::unknown;  // tables
  for (std::string_view word : kNetWords)
    if (line.starts_with(word)) return Format::ibnetdiscover;
  return Format::unknown;
}

/// NVIDIA SM's tables have sections that those of ibdiagnet do not have.
bool is_smdb(std::string_view tables) {
  constexpr std::string_view kOwn[] = {"START_SM", "START_SMS", "START_SM_PORTS", "SM_PORTS", "SMS"};
  return std::any_of(std::begin(kOwn), std::end(kOwn), [&](std::string_view section) {
    for (std::size_t at = 0; (at = tables.find(section, at)) != std::string_view::npos;
         at += section.size()) {
      const bool begins = at == 0 || tables[at - 1] == '\n';
      const std::string_view rest = tables.substr(at + section.size(), 1);
      const bool ends = rest.empty() || rest.find_first_of("\r\n ,") == 0;  // in the index a comma follows
      if (begins && ends) return true;
    }
    return false;
  });
}

}  // namespace

bool is_ibdiagnet_line(std::string_view line) {
  constexpr std::string_view kVendor = "VenID:";
  constexpr std::size_t kDigits = 8;
  const std::size_t at = line.find(kVendor);
  return at != std::string_view::npos &&
         line.substr(at + kVendor.size()).find_first_not_of("0123456789ABCDEFabcdef") == kDigits;
}

Format recognise(std::string_view content) {
  if (is_snapshot(content)) return Format::snapshot;
  Format format = Format::unknown;
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < content.size() && lines < kLinesTried && format == Format::unknown;
       ++lines) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    format = recognise_line(trim(content.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (format == Format::db_csv && is_smdb(content)) return Format::smdb;
  return format;
}

std::string_view to_string(Format format) {
  switch (format) {
    case Format::db_csv:
      return "db_csv";
    case Format::ibnetdiscover:
      return "ibnetdiscover";
    case Format::ibdiagnet_lst:
      return "ibdiagnet.lst";
    case Format::subnet_lst:
      return "subnet.lst";
    case Format::smdb:
      return "smdb";
    case Format::net_dump:
      return "net_dump";
    case Format::snapshot:
      return "snapshot";
    case Format::unknown:
      break;
  }
  return "unknown";
}

std::optional<Fabric> read_fabric(SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  const Span start{source, 0, 0};
  switch (recognise(text)) {
    case Format::db_csv:
    case Format::smdb:
      return read_db_csv(sources, source, diagnostics);
    case Format::net_dump:
      return read_net_dump(sources, source, diagnostics);
    case Format::ibnetdiscover:
      return read_ibnetdiscover(sources, source, diagnostics);
    case Format::ibdiagnet_lst:
    case Format::subnet_lst:
      return read_subnet_lst(sources, source, diagnostics);
    case Format::snapshot: {
      auto fabric = read_snapshot(text);
      if (fabric) return std::move(*fabric);
      diagnostics.add(kBadSnapshot, {},
                      fmt::format("`{}`: {}", sources.at(source).name(), fabric.error().message));
      return std::nullopt;
    }
    case Format::unknown:
      break;
  }
  if (trim(text).empty()) {
    diagnostics.add(kEmptyFabric, start, "the file is empty");
    return std::nullopt;
  }
  diagnostics.add(kUnknownFormat, start, "this is no fabric in any known form").hint =
      "known are ibnetdiscover text, ibdiagnet's db_csv, net_dump and list of links, opensm-subnet.lst, "
      "opensm-smdb.dump, ibutils' topology files and rch's own snapshot";
  return std::nullopt;
}

}  // namespace rch::fabric
