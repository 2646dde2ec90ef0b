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

Result<NamedPort> find_named(const fabric::Fabric& fabric, std::string_view text, bool guesses);

/// `guesses`: a name that is near is told.
Result<NamedPort> by_name(const fabric::Fabric& fabric, std::string_view text, bool guesses) {
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

/// `NODE/N`: port N of a CA or router, port 0 of a switch.
Result<NamedPort> by_port(const fabric::Fabric& fabric, std::string_view text, bool guesses) {
  const std::size_t slash = text.rfind('/');
  const auto number = slash == std::string_view::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
  if (!number) return unknown(text, "is no `NODE/PORT`");
  const std::string_view name = text.substr(0, slash);
  const auto node =
      name.starts_with("0x") ? find_named(fabric, name, guesses) : by_name(fabric, name, guesses);
  if (!node) return node;
  const NodeId id = fabric.port(node->port).node;
  const bool is_switch = fabric.is_switch(id);
  if (*number > fabric.node(id).num_ports || (*number == 0) != is_switch)
    return unknown(text, is_switch ? "is no end port: of a switch only port 0 is"
                                   : "names a port that the node does not have");
  const PortId port = fabric.port_id(id, PortNum(static_cast<std::uint8_t>(*number)));
  return NamedPort{port, fabric.port(port).lid};
}

/// A point with the name of its form in front.
std::optional<Result<NamedPort>> by_form(const fabric::Fabric& fabric, std::string_view text, bool guesses) {
  const auto rest = [&](std::string_view form) {
    return text.starts_with(form) ? std::optional(text.substr(form.size())) : std::nullopt;
  };
  if (const auto name = rest("node:")) return by_name(fabric, *name, guesses);
  if (const auto port = rest("port:")) return by_port(fabric, *port, guesses);
  if (const auto lid = rest("lid:")) {
    const auto number = parse_integer(*lid);
    if (!number || *number > kMaxUnicastLid.value) return unknown(text, "is no unicast LID");
    return by_lid(fabric, *number, text);
  }
  if (const auto guid = rest("guid:")) {
    const auto number = guid->starts_with("0x") ? parse_integer(*guid) : std::nullopt;
    return number ? by_guid(fabric, Guid(*number), text)
                  : unknown(text, "is no GUID: 0x and hexadecimal digits");
  }
  if (text.starts_with("pattern:")) return unknown(text, "may name several; only one is taken here");
  if (text.starts_with("group:")) return unknown(text, "may name several; only one is taken here");
  return std::nullopt;
}

Result<NamedPort> find_named(const fabric::Fabric& fabric, std::string_view text, bool guesses) {
  if (auto found = by_form(fabric, text, guesses)) return *found;
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
  return by_name(fabric, text, guesses);
}

}  // namespace

Result<NamedPort> find_end_port(const fabric::Fabric& fabric, std::string_view text,
                                std::string_view absence) {
  auto found = find_named(fabric, text, absence.empty());
  if (found || absence.empty()) return found;
  return fail(found.error().kind, fmt::format("{}: {}", absence, found.error().message));
}

}  // namespace rch::cli
