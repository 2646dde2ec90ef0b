#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "chains/dumps.h"
#include "chains/opensm_export.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/report.h"
#include "cli/state_file.h"
#include "fabric/fabric_builder.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/given_names.h"

namespace rch::cli {
namespace {

struct ExportFlags {
  ConfFlags conf;
  std::string plan, fabric, folder, at, previous;
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

/// As `rch plan` makes it.
Stage<Exported> compute_exported(Context& context, const ExportFlags& flags) {
  const auto policy = read_policy(context, flags.conf);
  if (!policy) return tl::unexpected(policy.error());
  auto fabric = read_fabric(context, flags.fabric, (*policy)->options, policy::cable_policy(**policy));
  if (!fabric) return tl::unexpected(fabric.error());
  *fabric = fabric::with_names(std::move(*fabric), policy::given_names(**policy));
  Report report(context, {.dump_dir = "",
                          .dump_path_sls = false,
                          .previous = flags.previous,
                          .metrics = false,
                          .show_rounds = false});
  std::optional<chains::Plan> installed;
  const auto request =
      plan_request(context, {.accept = {}, .dump_dir = "", .previous = flags.previous}, installed);
  if (!request) return tl::unexpected(request.error());
  auto plan = chains::plan(*policy, std::move(*fabric), *request, context.diagnostics, report.observer());
  if (!plan) return tl::unexpected(context.stop(plan.error()));
  return Exported{std::move(*plan), partitions_of(**policy, *context.sources)};
}

Stage<Exported> exported(Context& context, const ExportFlags& flags) {
  if (flags.plan.empty()) return compute_exported(context, flags);
  auto plan = read_plan(context, flags.plan);
  if (!plan) return tl::unexpected(plan.error());
  return Exported{std::move(*plan), {.text = "", .is_known = false}};
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

}  // namespace

void add_export(const Command& rch) {
  const Command command = rch.command("export", "Write a plan as files that OpenSM 3.3.23 starts from");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::unroutable, Exit::forbidden, Exit::fabric});
  auto flags = std::make_shared<ExportFlags>();
  const Command what = command.exactly_one();
  add_conf(what, flags->conf);
  what.add("--plan", flags->plan, "The plan to export").type("PLAN");
  command.add("--fabric", flags->fabric, "With a configuration: the fabric to plan, as `rch plan` takes it")
      .type("FABRIC");
  add_previous(command, flags->previous);
  command
      .add("--opensm", flags->folder,
           "Write opensm.conf, opensm-lfts.dump, guid2lid and partitions.conf here")
      .type("DIR")
      .required();
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
      [flags] {
        if (flags->conf.given() && flags->fabric.empty())
          return std::string("a configuration needs --fabric");
        const bool plans = !flags->fabric.empty() || !flags->previous.empty();
        return !flags->plan.empty() && plans ? std::string("--plan goes without --fabric and --previous")
                                             : std::string();
      });
}

}  // namespace rch::cli
