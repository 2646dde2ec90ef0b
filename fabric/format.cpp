#include <array>

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

Format recognise_line(std::string_view line) {
  if (line.starts_with(kNetTitle)) return Format::ibnetdiscover;
  if (line.starts_with("{ ")) return Format::subnet_lst;
  for (std::string_view word : kNetWords)
    if (line.starts_with(word)) return Format::ibnetdiscover;
  return Format::unknown;
}

}  // namespace

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
  return format;
}

std::string_view to_string(Format format) {
  switch (format) {
    case Format::ibnetdiscover:
      return "ibnetdiscover";
    case Format::subnet_lst:
      return "subnet.lst";
    case Format::snapshot:
      return "snapshot";
    case Format::unknown:
      break;
  }
  return "unknown";
}

std::optional<Fabric> read_fabric(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  const std::string_view text = sources.at(source).text();
  const Span start{source, 0, 0};
  switch (recognise(text)) {
    case Format::ibnetdiscover:
      return read_ibnetdiscover(sources, source, diagnostics);
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
      "known are ibnetdiscover text, opensm-subnet.lst, ibutils' topology files and rch's own snapshot";
  return std::nullopt;
}

}  // namespace rch::fabric
