#include "assertions/points.h"

#include <fnmatch.h>

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::assertions {
namespace {

std::string_view first_word(std::string_view name) { return name.substr(0, name.find(' ')); }

bool is_called(const fabric::Node& node, std::string_view name) {
  return node.description == name || node.given_name == name;
}

template <class... Args>
tl::unexpected<Error> wrong(fmt::format_string<Args...> text, Args&&... args) {
  return fail(ErrorKind::usage, fmt::format(text, std::forward<Args>(args)...));
}

Result<std::vector<PortId>> some(std::vector<PortId> ports, std::string_view word) {
  std::ranges::sort(ports);
  ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  if (ports.empty()) return wrong("`{}` names no linked port of the fabric", word);
  return ports;
}

}  // namespace

std::vector<PortId> PointFinder::ports_of(NodeId id) const {
  const fabric::Node& node = fabric_.node(id);
  if (fabric_.is_switch(id)) return {node.first_port};
  std::vector<PortId> ports;
  for (unsigned p = 1; p <= node.num_ports; ++p)
    if (const PortId port = fabric_.port_id(id, PortNum(static_cast<std::uint8_t>(p)));
        !fabric_.port(port).peer.is_none())
      ports.push_back(port);
  return ports;
}

Result<NodeId> PointFinder::node_named(std::string_view name) const {
  if (const auto guid = name.starts_with("0x") ? parse_integer(name) : std::nullopt)
    if (const auto node = fabric_.find_node(Guid(*guid))) return *node;
  std::vector<NodeId> exact, by_word;
  for (std::uint32_t n = 0; n < fabric_.nodes().size(); ++n) {
    const fabric::Node& node = fabric_.node(NodeId(n));
    if (is_called(node, name)) exact.push_back(NodeId(n));
    if (first_word(node.description) == name || first_word(node.given_name) == name)
      by_word.push_back(NodeId(n));
  }
  const std::vector<NodeId>& found = exact.empty() ? by_word : exact;
  if (found.empty()) return wrong("no node of the fabric is called `{}`", name);
  if (found.size() > 1) return wrong("{} are called `{}`: use a GUID", counted(found.size(), "node"), name);
  return found.front();
}

/// A group that is named twice is followed once.
Result<std::vector<PortId>> PointFinder::of_group(std::string_view name, Groups& groups) const {
  const auto group = groups_.find(std::string(name));
  if (group == groups_.end()) return wrong("`groups` has no group `{}`", name);
  if (!groups.open.insert(group->first).second) return wrong("group `{}` is a part of itself", name);
  std::vector<PortId> all;
  const bool is_new = groups.done.insert(group->first).second;
  for (const std::string& word : is_new ? group->second : std::vector<std::string>()) {
    const auto found = find(word, groups);
    if (!found) return found;
    all.insert(all.end(), found->begin(), found->end());
  }
  groups.open.erase(group->first);
  return all;
}

Result<std::vector<PortId>> PointFinder::find(std::string_view word) const {
  Groups groups;
  return find(word, groups);
}

Result<std::vector<PortId>> PointFinder::find(std::string_view word, Groups& groups) const {
  std::vector<PortId> ports;
  if (word == "all") {
    for (const fabric::EndPort& end : fabric_.end_ports()) ports.push_back(end.port);
    return some(std::move(ports), word);
  }
  const std::size_t colon = word.find(':');
  const std::string_view form = word.substr(0, std::min(colon, word.size()));
  const std::string_view rest = colon == std::string_view::npos ? std::string_view() : word.substr(colon + 1);
  const auto number = parse_integer(rest);
  if (form == "group") {
    auto found = of_group(rest, groups);
    return found && groups.open.empty() ? some(std::move(*found), word) : found;
  }
  if (form == "node") {
    const auto node = node_named(rest);
    return node ? some(ports_of(*node), word) : tl::unexpected(node.error());
  }
  if (form == "pattern") {
    const std::string glob(rest);
    for (std::uint32_t n = 0; n < fabric_.nodes().size(); ++n) {
      const fabric::Node& node = fabric_.node(NodeId(n));
      const auto fits = [&](const std::string& name) { return fnmatch(glob.c_str(), name.c_str(), 0) == 0; };
      if (!fits(node.description) && (node.given_name.empty() || !fits(node.given_name))) continue;
      const auto own = ports_of(NodeId(n));
      ports.insert(ports.end(), own.begin(), own.end());
    }
    return some(std::move(ports), word);
  }
  if (form == "lid" && number && *number <= kMaxUnicastLid.value) {
    if (const auto port = fabric_.lid_owner(Lid(static_cast<std::uint16_t>(*number)))) ports.push_back(*port);
    return some(std::move(ports), word);
  }
  if (form == "guid" && number) {
    const Guid guid(*number);
    if (const auto port = fabric_.find_port(guid)) return some({*port}, word);
    const auto node = fabric_.find_node(guid);
    return some(node ? ports_of(*node) : std::vector<PortId>(), word);
  }
  const std::size_t slash = rest.rfind('/');
  const auto port = slash == std::string_view::npos ? std::nullopt : parse_integer(rest.substr(slash + 1));
  if (form == "port" && port) {
    const auto node = node_named(rest.substr(0, slash));
    if (!node) return tl::unexpected(node.error());
    const auto own = ports_of(*node);
    std::ranges::copy_if(own, std::back_inserter(ports),
                         [&](PortId id) { return fabric_.port(id).number.value == *port; });
    return some(std::move(ports), word);
  }
  return wrong(
      "`{}` is no point: `node:NAME`, `pattern:GLOB`, `lid:NUMBER`, `guid:0x…`, `port:NAME/NUMBER`, "
      "`group:NAME` and `all` are",
      word);
}

}  // namespace rch::assertions
