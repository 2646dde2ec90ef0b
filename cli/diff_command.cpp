#include <memory>

#include "cli/commands.h"
#include "cli/diff_report.h"
#include "cli/diff_side.h"
#include "cli/node_names.h"

namespace rch::cli {
namespace {

struct DiffFlags {
  std::string before, after, names, timings;
  SideOptions sides;
  Format format = Format::text;
};

Exit compare_sides(Context& context, const DiffFlags& flags) {
  const auto names = read_node_names(context, flags.names);
  if (!names) return names.error();
  auto sides = read_sides(context, flags.before, flags.after, flags.sides);
  if (!sides) return sides.error();
  if (!flags.names.empty())
    for (compare::Side* side : {&sides->before, &sides->after})
      side->fabric =
          std::make_shared<const fabric::Fabric>(fabric::with_names(fabric::Fabric(*side->fabric), *names));
  const compare::Comparison comparison =
      context.timings.measure("compare", [&] { return compare::compare(sides->before, sides->after); });
  if (context.output.format() == Format::json)
    context.output.json("diff", diff_json(*sides, comparison));
  else
    print_diff(context.output, *sides, comparison);
  return comparison.equal() ? Exit::good : Exit::findings;
}

}  // namespace

void add_diff(const Command& rch) {
  const Command command =
      rch.command("diff", "Say what differs between two plans, tables or live fabrics; exit 1 if any");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::fabric});
  auto flags = std::make_shared<DiffFlags>();
  command
      .add("BEFORE", flags->before,
           "A plan, a file or a folder of tables as `rch verify --tables` takes, or live[:CA[:PORT]]")
      .required();
  command.add("AFTER", flags->after, "Another one").required();
  command
      .add("--fabric", flags->sides.fabric,
           "The fabric of tables whose folder has none, and of a file of tables (default: that of the other "
           "side)")
      .type("FABRIC");
  command.add(
      "--ask-path-sls", flags->sides.ask_path_sls,
      "Of a live fabric: ask its subnet administration for the service levels of all paths, a request "
      "for each host");
  add_node_name_map(command, flags->names);
  add_timings(command, flags->timings);
  command.add_format(flags->format);
  command.does([flags] {
    Context context(flags->format);
    return context.end(compare_sides(context, *flags), flags->timings);
  });
}

}  // namespace rch::cli
