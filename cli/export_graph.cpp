// `rch export dot` and `rch export graphml`: switches and hosts as a graph, for programs that draw and
// measure graphs.

#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "base/source.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/json.h"
#include "cli/node_names.h"
#include "cli/overwrites.h"
#include "fabric/names.h"

namespace rch::cli {
namespace {

struct GraphFlags {
  std::string fabric, names, file;
  bool only_switches = false;
};

/// The text with U+FFFD for bytes that are no UTF-8: readers of either form refuse a file with others.
std::string as_utf8(std::string_view text) {
  const auto valid = Json::parse(Json(text).dump());
  return valid && valid->string() != nullptr ? *valid->string() : std::string();
}

/// Text in double quotes, of an identifier of dot or an attribute of XML.
std::string in_quotes(std::string_view text, bool is_xml) {
  std::string out = "\"";
  for (const char c : as_utf8(text)) {
    if (is_xml && (c == '<' || c == '>' || c == '&' || c == '"'))
      out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : "&quot;";
    else if (!is_xml && (c == '"' || c == '\\'))
      out += std::string("\\") + c;
    else
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return out + "\"";
}

bool is_drawn(const fabric::Node& node, bool only_switches) {
  return node.type == fabric::NodeType::sw || !only_switches;
}

/// Calls `use` with the two ports of each cable, once.
template <class Use>
void each_cable(const fabric::Fabric& fabric, bool only_switches, const Use& use) {
  for (const fabric::Port& port : fabric.ports()) {
    if (port.peer.is_none()) continue;
    const fabric::Port& other = fabric.port(port.peer);
    const fabric::Node &from = fabric.node(port.node), &to = fabric.node(other.node);
    const auto key = [](const fabric::Node& node, const fabric::Port& p) {
      return std::pair(node.guid.value, p.number.value);
    };
    if (key(from, port) < key(to, other) && is_drawn(from, only_switches) && is_drawn(to, only_switches))
      use(from, port, to, other);
  }
}

std::string dot(const fabric::Fabric& fabric, bool only_switches) {
  std::string text = "graph fabric {\n";
  const auto out = std::back_inserter(text);
  for (const fabric::Node& node : fabric.nodes())
    if (is_drawn(node, only_switches))
      fmt::format_to(out, "  \"{}\" [label={}, shape={}];\n", node.guid, in_quotes(node.name(), false),
                     node.type == fabric::NodeType::sw ? "box" : "ellipse");
  each_cable(fabric, only_switches,
             [&](const auto& from, const auto& port, const auto& to, const auto& other) {
               fmt::format_to(out, "  \"{}\" -- \"{}\" [taillabel=\"{}\", headlabel=\"{}\"];\n", from.guid,
                              to.guid, port.number, other.number);
             });
  return text + "}\n";
}

std::string graphml(const fabric::Fabric& fabric, bool only_switches) {
  constexpr std::string_view kTypes[] = {"", "ca", "switch", "router"};  // by NodeType
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
      "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
      "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
      "  <key id=\"type\" for=\"node\" attr.name=\"type\" attr.type=\"string\"/>\n"
      "  <key id=\"source_port\" for=\"edge\" attr.name=\"source_port\" attr.type=\"int\"/>\n"
      "  <key id=\"target_port\" for=\"edge\" attr.name=\"target_port\" attr.type=\"int\"/>\n"
      "  <graph edgedefault=\"undirected\">\n";
  const auto out = std::back_inserter(text);
  for (const fabric::Node& node : fabric.nodes()) {
    if (!is_drawn(node, only_switches)) continue;
    const std::string name = in_quotes(node.name(), true);
    fmt::format_to(out,
                   "    <node id=\"{}\"><data key=\"name\">{}</data><data key=\"type\">{}</data></node>\n",
                   node.guid, name.substr(1, name.size() - 2), kTypes[static_cast<std::size_t>(node.type)]);
  }
  each_cable(fabric, only_switches,
             [&](const auto& from, const auto& port, const auto& to, const auto& other) {
               fmt::format_to(out,
                              "    <edge source=\"{}\" target=\"{}\"><data key=\"source_port\">{}</data>"
                              "<data key=\"target_port\">{}</data></edge>\n",
                              from.guid, to.guid, port.number, other.number);
             });
  return text + "  </graph>\n</graphml>\n";
}

Exit export_graph(const GraphFlags& flags, std::string (*text_of)(const fabric::Fabric&, bool)) {
  Context context(Format::text);
  const auto names = read_node_names(context, flags.names);
  if (!names) return context.output.finish(names.error());
  auto fabric = read_fabric(context, flags.fabric, {});
  if (!fabric) return context.output.finish(fabric.error());
  const std::string text = text_of(fabric::with_names(std::move(*fabric), *names), flags.only_switches);
  if (flags.file.empty() || flags.file == "-")
    context.output.text(text);
  else if (const auto written = write_file(flags.file, text); !written)
    return context.output.finish(context.stop(written.error()));
  return context.output.finish(Exit::good);
}

}  // namespace

void add_export_graphs(const Command& exports) {
  struct Form {
    const char *name, *about;
    std::string (*text_of)(const fabric::Fabric&, bool);
  };
  constexpr Form kForms[] = {{"dot", "Write the fabric as a graph for Graphviz", dot},
                             {"graphml", "Write the fabric as GraphML", graphml}};
  for (const Form& form : kForms) {
    const Command command = exports.optional_command(form.name, form.about);
    command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
    auto flags = std::make_shared<GraphFlags>();
    command.add("--fabric", flags->fabric, "The fabric: a file, or live[:CA[:PORT]]")
        .required()
        .type("FABRIC");
    add_node_name_map(command, flags->names);
    command.add("--only-switches", flags->only_switches, "Leave out hosts and routers");
    command.add("-o,--output", flags->file, "File to write (default, and -: standard output)").type("FILE");
    command.does([flags, text_of = form.text_of] { return export_graph(*flags, text_of); },
                 [flags] {
                   return flags->file == "-" ? ""
                                             : require_other_file(flags->file, "a graph", {flags->fabric});
                 });
  }
}

}  // namespace rch::cli
