#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "chains/dumps.h"
#include "chains/opensm_export.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/plan_source.h"
#include "cli/report.h"
#include "cli/state_file.h"
#include "fabric/fabric_builder.h"

namespace rch::cli {
namespace {

struct ExportFlags {
  PlanSource source;
  std::string folder, at;
  std::vector<std::string> accept;
  Format format = Format::text;
};

/// A plan, and the partitions.conf that it is of.
struct Exported {
  chains::Plan plan;
  chains::ExportedPartitions partitions;
};

chains::ExportedPartitions partitions_of(const policy::Policy& policy, const SourceSet& sources) {
  const policy::partitions::Partitions& partitions = policy.partitions;
  chains::ExportedPartitions out;
  if (!partitions.source.is_none()) out.text = sources.at(partitions.source).text();
  for (const auto& partition : partitions.all)
    for (const auto& member : partition.members)
      out.has_port_groups |= member.who == policy::partitions::Who::group;
  return out;
}

/// As `rch plan` makes and shows it.
Stage<Exported> exported(Context& context, const ExportFlags& flags) {
  Report report(context, {.dump_dir = "",
                          .dump_path_sls = false,
                          .previous = flags.source.previous,
                          .metrics = false,
                          .show_rounds = false});
  auto made = plan_from(context, flags.source, report.observer());
  if (!made) return tl::unexpected(made.error());
  if (made->policy == nullptr) return Exported{std::move(made->plan), {.text = "", .is_known = false}};
  return Exported{std::move(made->plan), partitions_of(*made->policy, *context.sources)};
}

/// Where OpenSM will find the folder. Fails (usage) when its options could not name it.
Result<std::string> folder_there(const ExportFlags& flags) {
  std::error_code failed;
  const std::string there = flags.at.empty()
                                ? std::filesystem::absolute(flags.folder, failed).lexically_normal().string()
                                : flags.at;
  if (there.find_first_of(" \t#\"") != std::string::npos)
    return fail(ErrorKind::usage,
                fmt::format("`{}` has a character that opensm.conf cannot hold in a path; name "
                            "another folder",
                            there));
  return there.size() > 1 && there.ends_with('/') ? there.substr(0, there.size() - 1) : there;
}

/// Tells what OpenSM cannot be told. Returns true if some of it forbids the export.
bool tell_unsaid(Context& context, const std::vector<chains::Unsaid>& unsaid,
                 const std::vector<std::string>& accept) {
  bool forbidden = false;
  auto list = Json::array();
  for (const chains::Unsaid& one : unsaid) {
    const bool accepted = one.may_be_accepted && std::ranges::find(accept, one.name) != accept.end();
    context.output.line(fmt::format("{} {} [{}]", accepted ? "accepted" : "refused ", one.what, one.name));
    list.push_back({{"name", one.name},
                    {"what", one.what},
                    {"accepted", accepted},
                    {"may_be_accepted", one.may_be_accepted}});
    forbidden = forbidden || !accepted;
  }
  context.output.json("unsaid", std::move(list));
  return forbidden;
}

Result<void> write_export(const std::filesystem::path& folder, const chains::Plan& plan,
                          const chains::OpenSmExport& files) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return fail(ErrorKind::usage,
                fmt::format("cannot make the folder `{}`: {}", folder.string(), failed.message()));
  const auto options = folder / chains::kExportedOptions;
  make_private(options);  // it has the M_Key
  if (auto done = chains::dump_tables(folder / chains::kExportedTables, *plan.fabric, plan.tables->lfts);
      !done)
    return done;
  if (auto done = write_file(folder / chains::kExportedLids, files.lids); !done) return done;
  if (auto done = write_file(folder / chains::kExportedPartitions, files.partitions); !done) return done;
  return write_file(options, files.options);  // the last: it names the others
}

Exit export_plan(Context& context, const ExportFlags& flags) {
  const auto there = folder_there(flags);
  if (!there) return context.stop(there.error());
  const auto source = exported(context, flags);
  if (!source) return source.error();
  if (!source->plan.verdict.clean()) {
    context.output.line("refused  the plan is not proven, so nothing is exported");
    return Exit::forbidden;
  }
  const chains::OpenSmExport files = chains::export_for_opensm(source->plan, source->partitions, *there);
  if (tell_unsaid(context, files.unsaid, flags.accept)) {
    context.output.line("nothing is written: OpenSM would not install what is proven");
    return Exit::forbidden;
  }
  if (const auto written = write_export(flags.folder, source->plan, files); !written)
    return context.stop(written.error());
  context.output.line(fmt::format("export   {}: {}, {}, {}, {}", flags.folder, chains::kExportedOptions,
                                  chains::kExportedTables, chains::kExportedLids,
                                  chains::kExportedPartitions));
  context.output.line(
      fmt::format("start    OSM_CACHE_DIR={0} opensm -F {0}/{1}", *there, chains::kExportedOptions));
  context.output.json("export", {{"folder", flags.folder}, {"at", *there}});
  return Exit::good;
}

std::string objection_to(const ExportFlags& flags) {
  if (flags.folder.empty()) return "--opensm is required";
  if (flags.source.plan.empty() && !flags.source.conf.given())
    return "a plan (--plan) or a configuration (-F, -C) is required";
  return objection(flags.source);
}

}  // namespace

void add_export(const Command& rch) {
  const Command command =
      rch.command("export", "Write a plan as files that OpenSM 3.3.23 starts from, or a fabric for Slurm");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::unroutable, Exit::forbidden, Exit::fabric});
  auto flags = std::make_shared<ExportFlags>();
  add_plan_source(command, flags->source, "The plan to export", false);
  command
      .add("--opensm", flags->folder,
           "Write opensm.conf, opensm-lfts.dump, guid2lid and partitions.conf here")
      .type("DIR");
  command
      .add("--at", flags->at,
           "Where OpenSM will find the folder, if on another machine (default: DIR as an absolute path)")
      .type("PATH");
  const std::vector<std::string> names = chains::acceptable_unsaid();
  command
      .add("--accept", flags->accept,
           fmt::format("What may be otherwise under OpenSM (may be repeated): {}", fmt::join(names, ", ")))
      .one_of(names)
      .type("NAME");
  command.add_format(flags->format);
  command.does(
      [flags] {
        Context context(flags->format);
        return context.output.finish(export_plan(context, *flags));
      },
      [flags] { return objection_to(*flags); });
  add_export_slurm(command);
  add_export_graphs(command);
}

}  // namespace rch::cli
