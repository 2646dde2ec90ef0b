#include "fabric/glance.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/db_csv_sections.h"
#include "fabric/line_cursor.h"

namespace rch::fabric {
namespace {

/// Comments stand at the beginning of a file.
constexpr std::size_t kDateBytes = 4096;

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool are_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// `2026-01-31` in a line.
std::string iso_date(std::string_view line) {
  for (std::size_t at = 0; at + 10 <= line.size(); ++at) {
    const std::string_view date = line.substr(at, 10);
    if (date[4] == '-' && date[7] == '-' && are_digits(date.substr(0, 4)) && are_digits(date.substr(5, 2)) &&
        are_digits(date.substr(8)))
      return std::string(date);
  }
  return "";
}

/// `Sat Jan 31 12:00:00 2026` in a line, as asctime() writes it.
std::string c_date(std::string_view line) {
  for (std::size_t m = 0; m < kMonths.size(); ++m) {
    const std::size_t at = line.find(fmt::format(" {} ", kMonths[m]));
    if (at == std::string_view::npos) continue;
    std::string_view rest = line.substr(at + 5);
    const auto word = [&] {
      rest = trim(rest);
      const std::string_view found = rest.substr(0, rest.find(' '));
      rest.remove_prefix(found.size());
      return found;
    };
    const std::string_view day = word(), time = word(), year = word();
    if (are_digits(day) && day.size() <= 2 && time.find(':') != std::string_view::npos && year.size() == 4 &&
        are_digits(year))
      return fmt::format("{}-{:02}-{}{}", year, m + 1, day.size() == 1 ? "0" : "", day);
  }
  return "";
}

std::string date_of(std::string_view content) {
  std::string date;
  for_each_line(content.substr(0, kDateBytes), [&](std::string_view line, std::uint32_t) {
    if (!date.empty() || !line.starts_with('#')) return;
    date = iso_date(line);
    if (date.empty()) date = c_date(line);
  });
  return date;
}

void count_ibnetdiscover(std::string_view content, Glance& out) {
  out.switches = out.others = 0;
  for_each_line(content, [&](std::string_view line, std::uint32_t) {
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (word.size() == line.size()) return;
    if (word == "Switch") ++*out.switches;
    if (word == "Ca" || word == "Hca" || word == "Rt") ++*out.others;
  });
}

/// Both ends of each line name their node.
void count_links(std::string_view content, Glance& out) {
  constexpr std::string_view kGuid = "NodeGUID:";
  std::unordered_set<std::string_view> switches, others;
  for (std::size_t at = content.find(kGuid); at != std::string_view::npos; at = content.find(kGuid, at)) {
    const std::size_t brace = content.rfind('{', at);
    at += kGuid.size();
    const std::string_view guid = content.substr(at, content.substr(at, 17).find(' '));
    const bool is_switch = brace != std::string_view::npos && trim(content.substr(brace + 1, 3)) == "SW";
    (is_switch ? switches : others).insert(guid);
  }
  out.switches = switches.size();
  out.others = others.size();
}

/// The column NodeType tells; names may hold commas, and stand before it or behind it.
void count_rows(std::string_view content, Glance& out) {
  const CsvSections sections = find_sections(content, SourceId::none());
  const CsvSection* const nodes = sections.find("NODES");
  if (nodes == nullptr) return;
  std::size_t all = 0;
  for_each_line(nodes->rows,
                [&](std::string_view line, std::uint32_t) { all += trim(line).empty() ? 0 : 1; });
  const CsvSection* const rows = sections.find("SWITCHES");
  if (rows == nullptr) return;
  std::size_t switches = 0;
  for_each_line(rows->rows,
                [&](std::string_view line, std::uint32_t) { switches += trim(line).empty() ? 0 : 1; });
  out.switches = switches;
  if (all >= switches) out.others = all - switches;
}

void count_net_dump(std::string_view content, Glance& out) {
  out.switches = 0;
  for_each_line(
      content, [&](std::string_view line, std::uint32_t) { *out.switches += line.starts_with('"') ? 1 : 0; });
}

}  // namespace

Glance glance(std::string_view content) {
  Glance out{recognise(content), {}, {}, date_of(content)};
  switch (out.format) {
    case Format::db_csv:
    case Format::smdb:
      count_rows(content, out);
      break;
    case Format::ibnetdiscover:
      count_ibnetdiscover(content, out);
      break;
    case Format::ibdiagnet_lst:
    case Format::subnet_lst:
      count_links(content, out);
      break;
    case Format::net_dump:
      count_net_dump(content, out);
      break;
    case Format::snapshot:
    case Format::unknown:
      out.date.clear();
      break;
  }
  return out;
}

}  // namespace rch::fabric
