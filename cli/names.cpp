#include "cli/names.h"

#include <vector>

#include "base/text.h"
#include "cli/output.h"

namespace rch::cli {
namespace {

tl::unexpected<Error> unknown(std::string_view text, std::string_view why) {
  return fail(ErrorKind::usage, fmt::format("`{}` {}", text, why));
}

Result<NamedPort> base_port(const fabric::Fabric& fabric, NodeId id, std::string_view text) {
  const fabric::Node& node = fabric.node(id);
  if (fabric.is_switch(id)) return NamedPort{node.first_port, fabric.port(node.first_port).lid};
  for (std::uint32_t p = 1; p <= node.num_ports; ++p) {
    const auto port = PortId(node.first_port.value + p);
    if (!fabric.port(port).peer.is_none()) return NamedPort{port, fabric.port(port).lid};
  }
  return unknown(text, "has no linked port");
}

Result<NamedPort> by_guid(const fabric::Fabric& fabric, Guid guid, std::string_view text) {
  if (const auto port = fabric.find_port(guid)) return NamedPort{*port, fabric.port(*port).lid};
  if (const auto node = fabric.find_node(guid)) return base_port(fabric, *node, text);
  return unknown(text, "is no GUID of this fabric");
}

Result<NamedPort> by_lid(const fabric::Fabric& fabric, std::uint64_t number, std::string_view text) {
  const auto lid = Lid(static_cast<std::uint16_t>(number));
  const auto port = fabric.lid_owner(lid);
  if (!port) return unknown(text, "is a LID nobody owns");
  return NamedPort{*port, lid};
}

std::string_view first_word(std::string_view description) {
  return description.substr(0, description.find(' '));
}

std::string_view nearest_name(const fabric::Fabric& fabric, std::string_view text) {
  std::vector<std::string_view> names;
  for (const fabric::Node& node : fabric.nodes())
    names.push_back(text.find(' ') == text.npos ? first_word(node.name()) : std::string_view(node.name()));
  return nearest(text, names);
}

}  // namespace

namespace {

/// `guesses`: a name that is near is told.
Result<NamedPort> find_named(const fabric::Fabric& fabric, std::string_view text, bool guesses) {
  if (text.starts_with("0x")) {
    const auto guid = parse_integer(text);
    if (!guid) return unknown(text, "is no number");
    // As `ibstat` and `ibroute` print LIDs. No GUID is so small.
    if (*guid <= kMaxUnicastLid.value && !fabric.find_port(Guid(*guid)) && !fabric.find_node(Guid(*guid)))
      return by_lid(fabric, *guid, text);
    return by_guid(fabric, Guid(*guid), text);
  }
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos) {
    const auto lid = parse_integer(text);
    if (!lid || *lid > kMaxUnicastLid.value) return unknown(text, "is no unicast LID");
    return by_lid(fabric, *lid, text);
  }
  std::vector<NodeId> exact, by_word;
  for (std::uint32_t n = 0; n < fabric.nodes().size(); ++n) {
    const fabric::Node& node = fabric.node(NodeId(n));
    if (node.description == text || node.given_name == text) exact.push_back(NodeId(n));
    if (first_word(node.description) == text || first_word(node.given_name) == text)
      by_word.push_back(NodeId(n));
  }
  const std::vector<NodeId>& found = exact.empty() ? by_word : exact;
  if (found.empty()) {
    const std::string_view meant = guesses ? nearest_name(fabric, text) : std::string_view();
    return unknown(text, "is no node description, GUID or LID of this fabric" +
                             (meant.empty() ? std::string() : fmt::format("; did you mean `{}`?", meant)));
  }
  if (found.size() > 1)
    return unknown(text, fmt::format("names {} nodes, {} and {} among them; use a GUID", found.size(),
                                     describe(fabric.node(found[0])), describe(fabric.node(found[1]))));
  return base_port(fabric, found.front(), text);
}

}  // namespace

Result<NamedPort> find_end_port(const fabric::Fabric& fabric, std::string_view text,
                                std::string_view absence) {
  auto found = find_named(fabric, text, absence.empty());
  if (found || absence.empty()) return found;
  return fail(found.error().kind, fmt::format("{}: {}", absence, found.error().message));
}

}  // namespace rch::cli
