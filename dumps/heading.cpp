#include "dumps/heading.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "dumps/rules.h"
#include "fabric/line_cursor.h"

namespace rch::dumps {
namespace {

using fabric::LineCursor;

/// Calls f(offset of the line) for each line with `word`, ascending.
template <class F>
void for_each_line_with(std::string_view text, std::string_view word, const F& f) {
  for (std::size_t from = 0; from < text.size();) {
    const void* found = ::memmem(text.data() + from, text.size() - from, word.data(), word.size());
    if (found == nullptr) return;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    const std::size_t before = text.rfind('\n', at);
    f(before == std::string_view::npos ? std::size_t{0} : before + 1);
    from = std::min(text.find('\n', at), text.size());
  }
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  std::string_view line = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::optional<Guid> guid_behind(std::string_view line, std::string_view key) {
  const std::size_t found = line.find(key);
  if (found == std::string_view::npos) return std::nullopt;
  LineCursor at(line, SourceId::none(), 0);
  at.seek(found + key.size());
  const auto guid = at.number(16);
  if (!guid || (!at.at_end() && at.peek() != ' ' && at.peek() != '(')) return std::nullopt;
  return Guid(*guid);
}

std::vector<Heading> headings_of(std::string_view text, SourceId source, fabric::Reporter& report) {
  std::vector<Heading> headings;
  const auto add = [&](Kind kind, std::size_t begin, std::string_view key) {
    const std::string_view line = line_at(text, begin);
    const auto guid = guid_behind(line, key);
    const auto at = static_cast<std::uint32_t>(begin);
    if (!guid)
      report.add(kBadHeading,
                 {source, at, at + static_cast<std::uint32_t>(std::max<std::size_t>(line.size(), 1))},
                 fmt::format("`{}` and a GUID are expected in this line", key));
    headings.push_back({guid ? kind : Kind::other, guid.value_or(Guid{}), at, 0});
  };
  for_each_line_with(text, "Unicast lids", [&](std::size_t begin) {
    if (text.substr(begin).starts_with("Unicast lids")) add(Kind::unicast, begin, " guid 0x");
  });
  for_each_line_with(text, "Multicast mlids", [&](std::size_t begin) {
    if (text.substr(begin).starts_with("Multicast mlids")) add(Kind::multicast, begin, " guid 0x");
  });
  // The line below tells what is in the table. A switch that is named by an entry of dump_lfts is none.
  for_each_line_with(text, "Switch 0x", [&](std::size_t begin) {
    const std::string_view line = line_at(text, begin);
    if (line.starts_with("0x")) return;
    for (std::size_t next = begin; next < text.size();) {
      next = std::min(text.find('\n', next), text.size() - 1) + 1;
      const std::string_view below = line_at(text, next);
      if (below.starts_with("PLFT_NUM:") || below.starts_with("#") || (below.empty() && next < text.size()))
        continue;
      const bool is_multicast = below.starts_with("LID    : Out Port");
      if (is_multicast || below.starts_with("LID "))
        add(is_multicast ? Kind::multicast : Kind::unicast, begin, "Switch 0x");
      return;
    }
  });
  std::ranges::sort(headings, {}, &Heading::begin);
  for (std::size_t i = 0; i < headings.size(); ++i)
    headings[i].end =
        i + 1 < headings.size() ? headings[i + 1].begin : static_cast<std::uint32_t>(text.size());
  return headings;
}

void check_end(std::string_view text, SourceId source, fabric::Reporter& report) {
  if (text.empty() || text.ends_with('\n')) return;
  const std::size_t begin = text.rfind('\n') == std::string_view::npos ? 0 : text.rfind('\n') + 1;
  report.add(kTruncatedTables,
             {source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(text.size())},
             "this line does not end: the file may have been cut short");
}

}  // namespace rch::dumps
