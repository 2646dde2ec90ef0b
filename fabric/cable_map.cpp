#include "fabric/cable_map.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "fabric/line_cursor.h"
#include "fabric/reporter.h"
#include "fabric/rules.h"

namespace rch::fabric {

const CableEnd* CableMap::behind(const CableEnd& near) const {
  const auto found = behind_.find(near);
  return found == behind_.end() ? nullptr : &found->second;
}

bool CableMap::add(const CableEnd& a, const CableEnd& b) {
  if (const CableEnd* known = behind(a); known != nullptr && *known == b) return false;
  remove(a);
  remove(b);
  behind_.emplace(a, b);
  behind_.emplace(b, a);
  ++version_;
  return true;
}

void CableMap::remove(const CableEnd& end) {
  const auto found = behind_.find(end);
  if (found == behind_.end()) return;
  const CableEnd far = found->second;
  behind_.erase(found);
  behind_.erase(far);
}

void CableMap::add(const Fabric& fabric) {
  const auto end_of = [&](const Port& port) {
    return CableEnd{fabric.is_switch(port.node) ? fabric.node(port.node).guid : port.guid, port.number};
  };
  for (const Port& port : fabric.ports())
    if (!port.peer.is_none()) add(end_of(port), end_of(fabric.port(port.peer)));
}

std::vector<std::pair<CableEnd, CableEnd>> CableMap::all() const {
  std::vector<std::pair<CableEnd, CableEnd>> cables(behind_.begin(), behind_.end());
  std::ranges::sort(cables);
  return cables;
}

namespace {

/// `0xGUID:PORT`
std::optional<CableEnd> end_in(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == word.npos) return std::nullopt;
  const auto guid = parse_integer(word.substr(0, colon)), port = parse_integer(word.substr(colon + 1));
  if (!guid || *guid == 0 || !port || *port == 0 || *port > 254) return std::nullopt;
  return CableEnd{Guid(*guid), PortNum(static_cast<std::uint8_t>(*port))};
}

}  // namespace

CableMap read_neighbors(const SourceSet& sources, SourceId source, Diagnostics& diagnostics) {
  CableMap cables;
  Reporter report(diagnostics);
  for_each_line(sources.at(source).text(), [&](std::string_view line, std::uint32_t begin) {
    LineCursor at(line, source, begin);
    at.skip_blanks();
    if (at.at_end() || at.peek() == '#') return;
    const Span whole = at.span_line();
    const auto near = end_in(at.word());
    at.skip_blanks();
    const auto far = end_in(at.word());
    at.skip_blanks();
    if (near && far && *near != *far && at.at_end())
      cables.add(*near, *far);
    else
      report.add(kBadNeighbor, whole, "this line is no port with the one behind its cable");
  });
  report.finish();
  return cables;
}

std::string write_neighbors(const CableMap& cables) {
  std::string text;
  for (const auto& [near, far] : cables.all())
    fmt::format_to(std::back_inserter(text), "0x{:016x}:{} 0x{:016x}:{}\n\n", near.agent.value, near.port,
                   far.agent.value, far.port);
  return text;
}

}  // namespace rch::fabric
