#include "cli/points.h"

#include <fnmatch.h>

#include <fmt/format.h>

#include "assertions/points.h"
#include "base/text.h"
#include "cli/flags.h"
#include "parsers/assertions/assertions.h"

namespace rch::cli {
namespace {

constexpr std::string_view kPattern = "pattern:", kPort = "port:", kLid = "lid:", kGroup = "group:",
                           kAll = "all";

bool matches_pattern(const std::string& pattern, const std::string& name) {
  return !name.empty() && ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// Every end port with a LID of the nodes that match: ports of CAs and routers, port 0 of a switch.
std::vector<NamedPort> matching_ports(const fabric::Fabric& fabric, const std::string& pattern) {
  std::vector<NamedPort> found;
  for (std::uint32_t p = 0; p < fabric.ports().size(); ++p) {
    const fabric::Port& port = fabric.port(PortId(p));
    const fabric::Node& node = fabric.node(port.node);
    if (port.lid != kUnassignedLid &&
        (matches_pattern(pattern, node.description) || matches_pattern(pattern, node.given_name)))
      found.push_back({PortId(p), port.lid});
  }
  return found;
}

}  // namespace

bool names_several(std::string_view point) {
  return point.starts_with(kPattern) || point.starts_with(kGroup) || point == kAll;
}

void add_groups(const Command& command, std::string& file) {
  command.add("--groups", file, "A YAML file whose `groups` say what group:NAME stands for, as in rch test")
      .type("FILE");
}

Stage<PointGroups> read_groups(Context& context, const std::string& file) {
  PointGroups groups;
  if (file.empty()) return groups;
  const auto source = context.sources->load(file);
  if (!source) return tl::unexpected(context.stop(source.error()));
  const auto read = parsers::assertions::parse_groups(*context.sources, *source, context.diagnostics);
  if (context.report()) return tl::unexpected(Exit::usage);
  for (const auto& [name, words] : read.groups)
    for (const parsers::Token& word : words) groups[name].push_back(word.text);
  return groups;
}

std::optional<std::uint64_t> port_number(std::string_view point) {
  if (!point.starts_with(kPort)) return std::nullopt;
  const std::string_view number = point.substr(kPort.size());
  const bool is_decimal = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  return is_decimal
             ? parse_integer(number == "0"
                                 ? number
                                 : number.substr(std::min(number.find_first_not_of('0'), number.size() - 1)))
             : std::nullopt;
}

Result<std::vector<NamedPort>> find_end_ports(const fabric::Fabric& fabric, std::string_view point,
                                              std::string_view absence, const PointGroups& groups) {
  if (point.starts_with(kGroup) && groups.empty())
    return fail(ErrorKind::usage,
                fmt::format("`{}` is a group; `--groups` names the file that has it", point));
  if (point.starts_with(kGroup) || point == kAll) {
    const auto ports = assertions::PointFinder(fabric, groups).find(point);
    if (!ports) return tl::unexpected(ports.error());
    std::vector<NamedPort> found;
    for (const PortId port : *ports) found.push_back({port, fabric.port(port).lid});
    return found;
  }
  if (!names_several(point)) {
    const auto one = find_end_port(fabric, point, absence);
    if (!one) return tl::unexpected(one.error());
    return std::vector<NamedPort>{*one};
  }
  std::vector<NamedPort> found = matching_ports(fabric, std::string(point.substr(kPattern.size())));
  if (found.empty())
    return fail(ErrorKind::usage, fmt::format("`{}` matches the name of no node that has a LID", point));
  return found;
}

Result<SwitchId> find_switch_point(const fabric::Fabric& fabric, std::string_view point) {
  const auto port = find_end_port(fabric, point);
  if (!port) return tl::unexpected(port.error());
  const auto sw = fabric.switch_id(fabric.port(port->port).node);
  if (!sw) return fail(ErrorKind::usage, fmt::format("`{}` is no switch", point));
  return *sw;
}

Result<Lid> find_lid_point(const fabric::Fabric& fabric, std::string_view point) {
  const std::string_view text = point.starts_with(kLid) ? point.substr(kLid.size()) : point;
  const auto number = parse_integer(text);
  if (number && *number > 0 && *number <= kMaxUnicastLid.value)
    return Lid(static_cast<std::uint16_t>(*number));
  const auto port = find_end_port(fabric, point);
  if (!port) return tl::unexpected(port.error());
  if (port->lid == kUnassignedLid) return fail(ErrorKind::invalid, fmt::format("`{}` has no LID", point));
  return port->lid;
}

}  // namespace rch::cli
