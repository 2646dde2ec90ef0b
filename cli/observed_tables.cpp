#include "cli/observed_tables.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/adaptive_report.h"
#include "cli/certify.h"
#include "cli/json.h"
#include "cli/live.h"
#include "cli/live_path_sls.h"
#include "cli/report.h"
#include "cli/tenants_report.h"
#include "dumps/judgement.h"
#include "dumps/recognise.h"
#include "dumps/scan.h"
#include "fabric/db_csv_file.h"

namespace rch::cli {
namespace {

using dumps::Kind;

/// A file of tables.
struct Given {
  Kind kind = Kind::other;
  std::string name;
};

/// The regular files of a folder, by name.
Result<std::vector<std::string>> files_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.is_regular_file(error)) files.push_back(entry.path().string());
  if (error) return fail(ErrorKind::usage, fmt::format("`{}` cannot be read: {}", folder, error.message()));
  std::ranges::sort(files);
  return files;
}

/// Loads what `--tables` names. Of the files of a folder that tell the same, one counts: OpenSM writes its
/// tables in two forms, and `rch plan` writes those of each step, too, under a longer name.
class TableFiles {
 public:
  explicit TableFiles(Context& context) : context_(context) {}

  Result<void> add(const std::string& target) {
    std::error_code error;
    if (std::filesystem::is_directory(target, error)) return add_folder(target);
    auto given = look_at(target);
    if (!given) return tl::unexpected(given.error());
    used_.push_back(std::move(*given));
    return {};
  }
  const std::vector<Given>& used() const { return used_; }
  Result<SourceId> load(const Given& given) {
    if (const auto found = loaded_.find(given.name); found != loaded_.end()) return found->second;
    // Counters make a db_csv many times as large as what is read of it.
    return given.kind == Kind::settings ? fabric::load_fabric_text(*context_.sources, given.name)
                                        : context_.sources->load(given.name);
  }
  const std::vector<Given>& others() const { return others_; }

 private:
  /// What is needed to recognise a file; of what is no regular file all, as it can be read once.
  Result<Given> look_at(const std::string& file) {
    std::string beginning(dumps::kRecognised, '\0');
    if (!std::filesystem::is_regular_file(file)) {
      auto source = context_.sources->load(file);
      if (!source) return tl::unexpected(source.error());
      beginning = context_.sources->at(*source).text();
      loaded_.emplace(file, *source);
    } else {
      std::ifstream in(file, std::ios::binary);
      if (!in) return fail(ErrorKind::usage, fmt::format("`{}` cannot be read", file));
      in.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
      beginning.resize(static_cast<std::size_t>(in.gcount()));
    }
    return Given{dumps::recognise(file, beginning), file};
  }

  Result<void> add_folder(const std::string& folder) {
    const auto files = files_in(folder);
    if (!files) return tl::unexpected(files.error());
    std::map<Kind, Given> best;
    for (const std::string& file : *files) {
      auto given = look_at(file);
      if (!given) return tl::unexpected(given.error());
      if (given->kind == Kind::other) {
        others_.push_back(std::move(*given));
        continue;
      }
      const auto [at, is_first] = best.try_emplace(given->kind, *given);
      if (is_first) continue;
      if (is_better(*given, at->second)) std::swap(*given, at->second);
      others_.push_back(std::move(*given));
    }
    for (auto& [kind, given] : best) used_.push_back(std::move(given));
    return {};
  }

  /// opensm-lfts.dump names the owners of LIDs, which .fdbs does not.
  static bool is_better(const Given& a, const Given& b) {
    const auto rank = [](const Given& given) {
      const bool names_owners =
          std::filesystem::path(given.name).filename().string().find("lfts") != std::string::npos;
      return std::pair(!names_owners, given.name.size());
    };
    return rank(a) < rank(b);
  }

  Context& context_;
  std::vector<Given> used_, others_;
  std::map<std::string, SourceId> loaded_;
};

void tell_files(Context& context, const TableFiles& files, const std::string& member) {
  const auto name = [](const Given& given) { return std::filesystem::path(given.name).filename().string(); };
  auto used = Json::array(), others = Json::array();
  for (const Given& given : files.used()) {
    if (given.kind != Kind::other)
      context.output.line(fmt::format("tables   {}: {}", given.name, to_string(given.kind)));
    used.push_back({{"file", given.name}, {"holds", to_string(given.kind)}});
  }
  std::vector<std::string> names;
  for (const Given& given : files.others()) {
    names.push_back(name(given));
    others.push_back(given.name);
  }
  if (!names.empty()) context.output.line(fmt::format("unused   {}", fmt::join(names, ", ")));
  context.output.json(member, {{"used", used}, {"unused", others}});
}

/// Nothing if a file, or files together, are wrong.
Result<std::optional<dumps::Observed>> observe(Context& context, TableFiles& files,
                                               const fabric::Fabric& fabric, bool may_scan) {
  std::vector<dumps::File> read;
  bool good = true;
  for (const Given& given : files.used()) {
    if (may_scan && given.kind == Kind::unicast)
      if (auto scanned = dumps::scan_unicast(given.name); scanned) {
        read.emplace_back(std::move(*scanned));
        continue;
      }
    const auto source = files.load(given);
    if (!source) return tl::unexpected(source.error());
    auto file = dumps::read(*context.sources, *source, context.diagnostics);
    good = good && file;
    if (file) read.push_back(std::move(*file));
  }
  return good ? dumps::observe(fabric, read, context.diagnostics) : std::nullopt;
}

constexpr std::string_view kNotSound = "NOT sound";

/// What the claim of the verdict is.
std::string proven_words(const dumps::Judgement& judgement) {
  const std::string_view part = judgement.not_judged.empty() ? "proven" : "proven in part";
  switch (judgement.credit_loops) {
    case dumps::CreditLoops::any_sl:
      return fmt::format("{}: every pair reachable, no loop, no credit loop", part);
    case dumps::CreditLoops::given_sls:
      return fmt::format("{}: at the given service levels every pair reachable, no loop, no credit loop",
                         part);
    case dumps::CreditLoops::sl_0:
      return fmt::format("{}: at service level 0 every pair reachable, no loop, no credit loop", part);
    case dumps::CreditLoops::not_judged:
      break;
  }
  return fmt::format("{}: every pair reachable, no loop", part);
}

/// Files do not tell where the subnet manager is: most fabrics are seen from there.
OwnPort own_port(const dumps::Observed& observed) {
  if (!observed.sm.is_none()) return {observed.sm, false};
  return {observed.fabric->origin().value_or(PortId::none()), true};
}

/// Who exchanges packets with whom, and whether that is as target. Nothing if no P_Keys are known.
Stage<std::optional<TenantsTold>> judge_tenants(Context& context, const ObservedFlags& flags,
                                                const dumps::Observed& observed) {
  if (!observed.pkeys) {
    if (flags.isolation.empty()) return std::nullopt;
    return tl::unexpected(
        context.stop({ErrorKind::usage,
                      "`--isolation` needs the P_Keys of ports, and no file has any: ibdiagnet.pkey, or what "
                      "`saquery --smkey KEY PKTR` prints"}));
  }
  TenantsToTell what{.fabric = *observed.fabric,
                     .tables = observed.tables,
                     .installed = *observed.pkeys,
                     .knows_checks = observed.knows_checks};
  std::optional<isolation::InstalledPKeys> target;
  if (!flags.isolation.empty()) {
    auto read = target_pkeys(context, flags.isolation, *observed.fabric, own_port(observed));
    if (!read) return tl::unexpected(read.error());
    target = std::move(*read);
    what.target = &*target;
    what.target_name = fmt::format("`{}`", flags.isolation);
  }
  return tell_tenants(context, what);
}

}  // namespace

Stage<dumps::Observed> read_tables(Context& context, const std::vector<std::string>& tables,
                                   const FabricReader& fabric_of, const std::string& member) {
  TableFiles files(context);
  for (const std::string& target : tables)
    if (const auto added = files.add(target); !added) return tl::unexpected(context.stop(added.error()));
  tell_files(context, files, member);
  const auto fabric = fabric_of();
  if (!fabric) return tl::unexpected(fabric.error());
  const auto observed_by = [&](bool may_scan) {
    return context.timings.measure("tables", [&] { return observe(context, files, *fabric, may_scan); });
  };
  // A scan is quick and shows no line of the file; so what is worth saying is found once more.
  const std::size_t before = context.diagnostics.all().size();
  auto observed = observed_by(true);
  if (!observed || !*observed || context.diagnostics.all().size() > before) {
    context.diagnostics.revise(before, [](const Diagnostic&) { return false; });
    observed = observed_by(false);
  }
  if (!observed) return tl::unexpected(context.stop(observed.error()));
  if (context.report() || !*observed) return tl::unexpected(Exit::usage);
  return std::move(**observed);
}

Stage<dumps::Observed> read_switches(Context& context, const hw::PortName& port, bool asks_for_sls) {
  auto live = context.timings.measure("discover", [&] { return read_live_tables(port, true); });
  if (!live) return tl::unexpected(context.stop(live.error()));
  context.output.quarantine(live->seen.quarantine, live->seen.own_cable, live->seen.absent);
  dumps::Observed observed;
  observed.fabric = std::make_shared<const fabric::Fabric>(std::move(live->seen.fabric));
  observed.tables = std::move(live->tables);
  observed.has_groups = true;
  observed.pkeys = std::move(live->pkeys);
  observed.knows_checks = true;
  observed.sm = live->sm;
  observed.settings = std::move(live->settings);
  observed.fabric = std::make_shared<const fabric::Fabric>(
      dumps::with_operational_vls(fabric::Fabric(*observed.fabric), observed.settings));
  if (!asks_for_sls) return observed;
  auto sls = context.timings.measure("ask", [&] { return ask_path_sls(port, *observed.fabric); });
  if (!sls) return tl::unexpected(context.stop(sls.error()));
  observed.path_sls = std::move(*sls);
  dumps::count_pairs_without_sl(observed);
  return observed;
}

Stage<dumps::Observed> read_observed(Context& context, const ObservedFlags& flags) {
  if (!flags.tables.empty())
    return read_tables(context, flags.tables, [&] {
      return read_fabric(context, flags.fabric.empty() ? flags.tables.front() : flags.fabric, {});
    });
  const auto port = live_port(flags.fabric);
  if (!port) return tl::unexpected(context.stop(port.error()));
  return read_switches(context, **port, flags.ask_path_sls);
}

namespace {

bool names(const std::vector<std::string>& accept, std::string_view finding) {
  return std::ranges::find(accept, finding) != accept.end();
}

void accept_findings(dumps::Judgement& judgement, const std::vector<std::string>& accept) {
  for (verify::Finding& finding : judgement.verdict.findings)
    finding.accepted = names(accept, verify::name(finding.kind));
  for (dumps::SettingFinding& finding : judgement.settings)
    finding.accepted = names(accept, dumps::name(finding.kind));
}

/// Nobody who works on rch has seen these columns in a whole file.
void mark_unconfirmed(dumps::Judgement& judgement) {
  for (dumps::SettingFinding& finding : judgement.settings)
    if (finding.kind == dumps::SettingKind::link_mtu || finding.kind == dumps::SettingKind::link_vls)
      finding.message += "; the form of these columns is not confirmed";
}

/// Settings that only some switches tell, or only some cables at both ends, are judged in part.
void note_unknown_settings(const dumps::Observed& observed, dumps::Judgement& judgement) {
  if (const std::uint64_t switches = observed.settings.without_top; switches > 0)
    judgement.not_judged.push_back(fmt::format(
        "entries beyond the LinearFDBTop of {}: that of others is told", counted(switches, "switch")));
  const dumps::KnownCables known = dumps::known_cables(*observed.fabric, observed.settings);
  if (known.with_mtu == 0 || known.with_mtu == known.all) return;
  judgement.not_judged.push_back(fmt::format("the MTUs of {}: those of both ends are not known",
                                             counted(known.all - known.with_mtu, "cable")));
}

}  // namespace

std::vector<std::string> accepted_of_tables() {
  std::vector<std::string> kinds;
  for (const dumps::SettingKind kind : dumps::kForbidding) kinds.emplace_back(dumps::name(kind));
  return kinds;
}

dumps::Judgement judge_tables(Context& context, const dumps::Observed& observed, const ObservedFlags& flags) {
  dumps::Judgement judgement = context.timings.measure(
      "verify", [&] { return dumps::judge(observed, {.without_qos = flags.without_qos}); });
  accept_findings(judgement, flags.accept);
  if (!flags.tables.empty()) mark_unconfirmed(judgement);
  note_unknown_settings(observed, judgement);
  return judgement;
}

void tell_settings(Output& output, const dumps::Observed& observed, const dumps::Judgement& judgement) {
  const dumps::KnownCables known = dumps::known_cables(*observed.fabric, observed.settings);
  auto findings = Json::array();
  for (const dumps::SettingFinding& finding : judgement.settings) {
    const std::string_view head = finding.accepted    ? "finding  accepted: "
                                  : finding.forbids() ? "finding  "
                                                      : "links    ";
    output.line(fmt::format("{}{} [{}]", head, finding.message, dumps::name(finding.kind)),
                finding.forbids() ? Meaning::bad : Meaning::warning);
    findings.push_back({{"kind", dumps::name(finding.kind)},
                        {"message", finding.message},
                        {"count", finding.count},
                        {"accepted", finding.accepted},
                        {"forbids", finding.forbids()}});
  }
  output.json(
      "settings",
      {{"cables", known.all}, {"cables_with_mtu", known.with_mtu}, {"findings", std::move(findings)}});
}

Output::VerdictWords verdict_words(const dumps::Judgement& judgement) {
  return {
      .proven = proven_words(judgement), .refused = std::string(kNotSound), .is_refused = !judgement.sound()};
}

Exit judge_observed(Context& context, const ObservedFlags& flags) {
  const auto observed = read_observed(context, flags);
  if (!observed) return observed.error();
  dumps::Judgement judgement = judge_tables(context, *observed, flags);
  const auto tenants =
      context.timings.measure("tenants", [&] { return judge_tenants(context, flags, *observed); });
  if (!tenants) return tenants.error();
  const TenantsTold told = tenants->value_or(TenantsTold{});
  judgement.not_judged.insert(judgement.not_judged.end(), told.not_judged.begin(), told.not_judged.end());
  report_groups(context.output, observed->tables);
  for (const std::string& what : judgement.not_judged) context.output.line("open     not judged: " + what);
  Output::VerdictWords words = verdict_words(judgement);
  if (!told.is_target) {
    words.refused = not_the_target(flags.isolation);
    words.is_refused = true;
  }
  context.output.verdict(judgement.verdict, *observed->fabric, words);
  tell_settings(context.output, *observed, judgement);
  context.output.json("claim", {{"proven", judgement.proven() && told.is_target},
                                {"credit_loops", dumps::to_string(judgement.credit_loops)},
                                {"not_judged", judgement.not_judged}});
  if (flags.metrics) report_metrics(context, *observed->fabric, observed->tables);
  if (!judgement.sound() || !told.is_target) return Exit::forbidden;
  if (const Exit code = write_certificate(context, tables_of(*observed), flags.certify); code != Exit::good)
    return code;
  const bool is_open = !judgement.not_judged.empty() || !judgement.settings.empty() || !told.checked;
  return flags.strict && is_open ? Exit::findings : Exit::good;
}

}  // namespace rch::cli
