#include "cli/live_commit.h"

#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/accepts.h"
#include "cli/key_file.h"
#include "cli/lid_file.h"
#include "cli/live.h"
#include "cli/stop_signals.h"
#include "sm/apply.h"

namespace rch::cli {
namespace {

void print_commit(Output& output, const hw::CommitReport& report, bool dry_run) {
  for (const std::string& remark : report.remarks) output.line("commit   " + remark);
  output.line(fmt::format(
      "commit   {}: {} forwarding blocks, {} SL2VL tables, {} VL arbitration blocks, {} multicast "
      "blocks, {} end ports, {} switches, {} switch ports, {} links reset, {} ports armed, {} "
      "activated",
      dry_run                ? "would write"
      : report.writes() == 0 ? "nothing differs"
                             : "written and read back",
      report.lft_blocks, report.sl2vl_tables, report.arbitration_blocks, report.multicast_blocks,
      report.end_ports, report.switches, report.switch_ports, report.resets, report.armed, report.activated));
  if (report.multicast_removals > 0)
    output.line(fmt::format(
        "         {} of the multicast blocks are drained before paths change; until the others are written, "
        "groups are incomplete",
        report.multicast_removals));
  if (report.rate_limits > 0)
    output.line(fmt::format("         rate limits of {}", counted(report.rate_limits, "port")));
  if (report.fdr10 > 0) output.line(fmt::format("         FDR10 of {}", counted(report.fdr10, "port")));
  if (report.pkey_blocks > 0)
    output.line(fmt::format("         {} of P_Keys", counted(report.pkey_blocks, "block")));
  output.line(
      fmt::format("         {} requests, {} datagrams sent again", report.smps.requests, report.smps.resent));
  output.json("commit", {{"dry_run", dry_run},
                         {"writes", report.writes()},
                         {"lft_blocks", report.lft_blocks},
                         {"sl2vl_tables", report.sl2vl_tables},
                         {"arbitration_blocks", report.arbitration_blocks},
                         {"rate_limits", report.rate_limits},
                         {"fdr10", report.fdr10},
                         {"pkey_blocks", report.pkey_blocks},
                         {"multicast_blocks", report.multicast_blocks},
                         {"multicast_removals", report.multicast_removals},
                         {"end_ports", report.end_ports},
                         {"switches", report.switches},
                         {"switch_ports", report.switch_ports},
                         {"closed", report.closed},
                         {"resets", report.resets},
                         {"armed", report.armed},
                         {"activated", report.activated},
                         {"requests", report.smps.requests},
                         {"resent", report.smps.resent},
                         {"remarks", report.remarks}});
}

/// Returns the options of sm::apply(). They refer to `commit`.
sm::InstallOptions install_options(const LiveCommit& commit, const policy::Options& options,
                                   const std::string& lid_file) {
  sm::InstallOptions how = accepted(commit.accept);
  how.dry_run = commit.dry_run;
  how.strict = commit.strict;
  how.manager = {.sm_key = options.manager.sm_key,
                 .sm_priority = options.manager.sm_priority,
                 .takeover = commit.takeover};
  if (!commit.previous.empty()) {
    how.previous = commit.previous.front();
    how.also_previous.assign(commit.previous.begin() + 1, commit.previous.end());
  }
  how.take_found = commit.take_found;
  how.keep_cables = [lid_file](const fabric::CableMap& cables) { return keep_cables(lid_file, cables); };
  return how;
}

}  // namespace

Stage<Committed> commit_live(Context& context, const LiveCommit& commit, const policy::Options& options,
                             Report& report) {
  const auto stop = [&](const Error& error) { return tl::unexpected(context.stop(error)); };
  const auto port = live_port(commit.port);
  if (!port) return stop(port.error());
  if (!*port)
    return stop({ErrorKind::usage,
                 "--fabric must be live[:CA[:PORT]]; tables are committed to switches, not to a file"});
  const std::string lid_file = commit.lid_file.empty() ? default_lid_file(options.manager) : commit.lid_file;
  const auto read = [](const std::string& path) -> std::optional<std::string> {
    const auto content = read_file(path);
    return content ? std::optional(*content) : std::nullopt;
  };
  const auto keys = known_keys(options.manager, lid_file, read, *context.sources, context.diagnostics);
  context.report();
  if (!commit.dry_run)
    if (const auto kept = keep_keys(lid_file, keys.own, keys.former); !kept) return stop(kept.error());
  const auto connection = connect(**port, options, true, keys);
  if (!connection) return stop(connection.error());
  if (const std::string& choice = connection->transport->choice(); !choice.empty())
    context.output.line("port     " + choice);
  hw::Driver& driver = *connection->driver;
  driver.stop_when(stop_on_signals());
  driver.name_nodes(std::make_shared<const fabric::NodeNames>(commit.names));
  driver.admit(commit.admitted);
  std::optional<chains::Plan> made;
  const auto keep = [&](const fabric::Fabric& live) {
    auto plan = commit.planner(live);
    if (plan) made = *plan;
    return plan;
  };
  sm::InstallOptions how = install_options(commit, options, lid_file);
  if (commit.agrees)
    how.agrees = [&](const sm::PendingUpdate& pending) {
      auto agreed = commit.agrees(pending);
      // Context::stop() tells every other error.
      if (!agreed && agreed.error().kind == ErrorKind::forbidden) context.output.error(agreed.error());
      return agreed;
    };
  const auto committed = driver.wait(sm::apply(driver, keep, std::move(how), report.observer()));
  if (!committed) return stop(committed.error());
  print_commit(context.output, *committed, commit.dry_run);
  return Committed{std::move(*made), *committed};
}

Stage<LidFile> read_lid_file(Context& context, const std::string& path) {
  LidFile file{path};
  if (!context.sources->exists(path)) return file;
  const auto source = context.sources->load(path);
  if (!source) return tl::unexpected(context.stop(source.error()));
  file.records = fabric::read_guid2lid(*context.sources, *source, context.diagnostics);
  context.report();
  return file;
}

Result<void> take_over_lids(LidFile& file, const fabric::Fabric& fabric) {
  return file.records.take_over(fabric) ? write_lid_file(file.path, file.records) : Result<void>();
}

}  // namespace rch::cli
