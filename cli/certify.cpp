#include "cli/certify.h"

#include <fmt/format.h>

#include "base/source.h"
#include "base/text.h"
#include "chains/plan_file.h"
#include "cli/commands.h"
#include "cli/observed_tables.h"

namespace rch::cli {
namespace {

std::string_view name(certificate::Packets packets) {
  return packets == certificate::Packets::any_sl ? "any-sl" : "path-sls";
}

void tell(Output& output, const certificate::Certificate& certificate, const std::string& file) {
  output.line(fmt::format(
      "certificate {}: {} in an order that packets {}{} ascend{}", file,
      counted(certificate.order.size(),
              certificate.packets == certificate::Packets::any_sl ? "link direction" : "channel"),
      certificate.packets == certificate::Packets::any_sl ? "of any service level"
                                                          : "of the service levels of their paths",
      certificate.to_switches ? ", and those to LIDs of switches," : "",
      certificate.lost_pairs == 0
          ? ""
          : fmt::format("; {} without a path", counted(certificate.lost_pairs, "pair"))));
  output.json("certificate", {{"file", file},
                              {"packets", name(certificate.packets)},
                              {"to_switches", certificate.to_switches},
                              {"channels", certificate.order.size()},
                              {"lost_pairs", certificate.lost_pairs},
                              {"lost_members", certificate.lost_members}});
}

/// Prints the error, whatever its kind is.
Exit refuse(Context& context, const Error& error) {
  context.output.error(error);
  return exit_of(error.kind);
}

struct CertifyFlags {
  std::string certificate, target, fabric, timings;
  Format format = Format::text;
};

Exit check_tables(Context& context, const CertifyFlags& flags, const certificate::Tables& tables) {
  const auto checked =
      context.timings.measure("check", [&] { return check_certificate(tables, flags.certificate); });
  if (!checked) return refuse(context, checked.error());
  tell(context.output, *checked, flags.certificate);
  const bool leaves_switches =
      checked->to_switches && !certificate::knows_sls_to_switches(tables, checked->packets);
  context.output.json("holds",
                      {{"to_hosts", true}, {"to_switches", checked->to_switches && !leaves_switches}});
  context.output.line(leaves_switches
                          ? "verdict  the certificate holds, but for packets to LIDs of switches: no file "
                            "gives their service levels"
                          : "verdict  the certificate holds");
  return Exit::good;
}

Exit check(Context& context, const CertifyFlags& flags) {
  if (chains::is_plan(flags.target)) {
    if (!flags.fabric.empty())
      return context.stop(
          {ErrorKind::usage, "`--fabric` is for files with tables; a plan has its own fabric"});
    const auto plan = read_plan(context, flags.target);
    return plan ? check_tables(context, flags, tables_of(*plan)) : plan.error();
  }
  const auto observed =
      read_observed(context, {.fabric = flags.fabric, .tables = {flags.target}, .accept = {}});
  return observed ? check_tables(context, flags, tables_of(*observed)) : observed.error();
}

}  // namespace

certificate::Tables tables_of(const chains::Plan& plan) {
  return {.fabric = *plan.fabric, .tables = *plan.tables, .max_op_vls = plan.options.qos.max_op_vls};
}

certificate::Tables tables_of(const dumps::Observed& observed) {
  certificate::Tables tables{.fabric = *observed.fabric, .tables = observed.tables};
  const bool knows_sls = observed.path_sls && observed.pairs_without_sl == 0;
  tables.knows_lanes = observed.no_sl2vl.empty() && knows_sls;
  tables.knows_sls_to_switches = !tables.knows_lanes || observed.knows_sls_to_switches;
  if (tables.knows_lanes)
    tables.sl = [&sls = *observed.path_sls](PortId from, Lid to) { return sls.at(from, to); };
  return tables;
}

Result<certificate::Certificate> certify(const certificate::Tables& tables) {
  auto made = certificate::make(tables);
  if (!made) return made;
  if (auto holds = certificate::check(tables, *made); !holds) return tl::unexpected(holds.error());
  return made;
}

Exit write_certificate(Context& context, const certificate::Tables& tables, const std::string& file) {
  if (file.empty()) return Exit::good;
  const auto made = context.timings.measure("certify", [&] { return certify(tables); });
  if (!made) return refuse(context, made.error());
  if (const auto written = write_file(file, certificate::to_text(tables.fabric, *made)); !written)
    return context.stop(written.error());
  tell(context.output, *made, file);
  return Exit::good;
}

Result<certificate::Certificate> check_certificate(const certificate::Tables& tables,
                                                   const std::string& file) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  auto read = certificate::from_text(tables.fabric, *text);
  if (!read && read.error().kind == ErrorKind::invalid)
    return fail(ErrorKind::usage, fmt::format("`{}`: {}", file, read.error().message));
  const auto holds = read ? certificate::check(tables, *read) : Result<void>(tl::unexpected(read.error()));
  if (!holds)
    return fail(holds.error().kind,
                fmt::format("the certificate `{}` does not hold: {}", file, holds.error().message));
  return read;
}

void add_certificate(const Command& command, std::string& file) {
  command.add("--certify", file, "Write a certificate of the tables here, which `rch certify` checks")
      .type("FILE");
}

void add_certify(const Command& rch) {
  const Command command =
      rch.command("certify", "Check a certificate of tables, by a program that is short enough to be read");
  command.exits({Exit::good, Exit::findings, Exit::usage, Exit::forbidden});
  auto flags = std::make_shared<CertifyFlags>();
  command
      .add("--check", flags->certificate,
           "The certificate, of `rch plan --certify` or `rch verify --certify`")
      .required()
      .type("FILE");
  command.add("TABLES", flags->target, "A plan, or a file or folder with the tables that switches hold")
      .required();
  command.add("--fabric", flags->fabric, "The fabric that such tables are of (default: it is in the folder)")
      .type("FABRIC");
  add_timings(command, flags->timings);
  command.add_format(flags->format);
  command.does([flags] {
    Context context(flags->format);
    return context.end(check(context, *flags), flags->timings);
  });
}

}  // namespace rch::cli
