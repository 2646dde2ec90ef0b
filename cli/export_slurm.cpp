// `rch export slurm`: the fabric as a topology of Slurm, and what a site's topology.conf has otherwise.

#include <memory>

#include <fmt/format.h>

#include "base/source.h"
#include "base/text.h"
#include "chains/plan_file.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/node_names.h"
#include "cli/overwrites.h"
#include "cli/state_file.h"
#include "fabric/names.h"
#include "schedulers/host_list.h"
#include "schedulers/site_topology.h"
#include "schedulers/slurm.h"

namespace rch::cli {
namespace {

struct SlurmFlags {
  std::string fabric, plan, names, nodes, form = "tree", file, site;
  bool as_yaml = false;
  Format format = Format::text;
};

/// The fabric, with the names of the node-name map.
Stage<fabric::Fabric> fabric_of(Context& context, const SlurmFlags& flags) {
  const auto names = read_node_names(context, flags.names);
  if (!names) return tl::unexpected(names.error());
  if (!flags.plan.empty()) {
    auto plan = read_plan(context, flags.plan);
    if (!plan) return tl::unexpected(plan.error());
    return flags.names.empty() ? *plan->fabric : fabric::with_names(*plan->fabric, *names);
  }
  auto fabric = read_fabric(context, flags.fabric, {});
  if (!fabric) return fabric;
  return fabric::with_names(std::move(*fabric), *names);
}

std::string text_of(const schedulers::Tree& tree, const SlurmFlags& flags) {
  const std::string_view file = flags.as_yaml ? "topology.yaml" : "topology.conf";
  const std::string begin = fmt::format("# {} of Slurm, by `rch export slurm`.\n", file);
  if (flags.form == "block") return begin + slurm_blocks(tree);
  return begin + (flags.as_yaml ? slurm_tree_yaml(tree, "infiniband") : slurm_tree(tree));
}

/// Tells how the file differs from the fabric.
Exit check(Context& context, const schedulers::Tree& tree, const std::string& file) {
  const auto text = read_file(file);
  if (!text) return context.stop(text.error());
  const auto site = schedulers::read_site_topology(*text);
  if (!site) return context.stop({ErrorKind::usage, fmt::format("`{}`, {}", file, site.error().message)});
  const std::vector<std::string> found = schedulers::differences(tree, *site);
  context.output.line(found.empty() ? fmt::format("verdict  `{}` is as the fabric is", file)
                                    : fmt::format("verdict  `{}` differs from the fabric in {}", file,
                                                  counted(found.size(), "place")),
                      found.empty() ? Meaning::good : Meaning::bad);
  for (const std::string& difference : found) context.output.line("finding  " + difference);
  context.output.json("differences", found);
  return found.empty() ? Exit::good : Exit::findings;
}

Exit write(Context& context, const std::string& text, const std::string& file) {
  context.output.json("topology", text);
  if (file.empty() || file == "-") {
    context.output.text(text);
    return Exit::good;
  }
  if (const auto written = write_file(file, text); !written) return context.stop(written.error());
  return Exit::good;
}

Exit export_slurm(Context& context, const SlurmFlags& flags) {
  const auto only = schedulers::unfolded(flags.nodes);
  if (!only) return context.stop(only.error());
  const auto fabric = fabric_of(context, flags);
  if (!fabric) return fabric.error();
  const schedulers::Tree tree = schedulers::tree_of(*fabric, *only);
  for (const std::string& remark : tree.remarks) context.output.warning(remark);
  context.output.json("remarks", tree.remarks);
  if (tree.roots.empty()) return context.stop({ErrorKind::usage, "the fabric has none of these hosts"});
  return flags.site.empty() ? write(context, text_of(tree, flags), flags.file)
                            : check(context, tree, flags.site);
}

std::string objection_to(const SlurmFlags& flags) {
  if (flags.fabric.empty() == flags.plan.empty()) return "one of --fabric and --plan is required";
  if (flags.as_yaml && flags.form != "tree") return "--yaml goes with `--form tree`";
  if (!flags.site.empty() && (flags.as_yaml || flags.form != "tree" || !flags.file.empty()))
    return "--check reads a topology.conf with a tree, and writes nothing";
  return flags.file == "-" ? "" : require_other_file(flags.file, "a topology", {flags.fabric, flags.plan});
}

}  // namespace

void add_export_slurm(const Command& exports) {
  const Command command = exports.optional_command(
      "slurm", "Write the fabric as a topology of Slurm, or check the one of a site");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<SlurmFlags>();
  command.add("--fabric", flags->fabric, "The fabric: a file, or live[:CA[:PORT]]").type("FABRIC");
  command.add("--plan", flags->plan, "A plan, for its fabric").type("PLAN");
  add_node_name_map(command, flags->names);
  command.add("--nodes", flags->nodes, "The hosts that Slurm knows, such as host[001-128] (default: all)")
      .type("LIST");
  command.add("--form", flags->form, "tree (default) or block").one_of({"tree", "block"}).type("FORM");
  command.add("--yaml", flags->as_yaml, "Write topology.yaml, which Slurm 25.05 and later read");
  command.add("-o,--output", flags->file, "File to write (default, and -: standard output)").type("FILE");
  command
      .add("--check", flags->site,
           "Write nothing, and tell how this topology.conf differs; exit 1 if it does")
      .type("FILE");
  command.add_format(flags->format);
  command.does(
      [flags] {
        Context context(flags->format);
        return context.output.finish(export_slurm(context, *flags));
      },
      [flags] { return objection_to(*flags); });
}

}  // namespace rch::cli
