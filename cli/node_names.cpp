#include "cli/node_names.h"

#include "parsers/side_files/side_files.h"

namespace rch::cli {

void add_node_name_map(const Command& command, std::string& file) {
  command.add("--node-name-map", file, "Names for nodes, a line `GUID name` each").type("FILE");
}

Stage<fabric::NodeNames> read_node_names(Context& context, const std::string& file) {
  fabric::NodeNames names;
  if (file.empty()) return names;
  const auto source = context.sources->load(file);
  if (!source) return tl::unexpected(context.stop(source.error()));
  for (auto& entry : parsers::side_files::parse_node_names(*context.sources, *source, context.diagnostics))
    names.emplace(entry.node.guid, std::move(entry.name.text));
  if (context.report()) return tl::unexpected(Exit::usage);
  return names;
}

}  // namespace rch::cli
