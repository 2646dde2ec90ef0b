#include "cli/observed_tables.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Many a db_csv says nothing of adaptive routing.
bool has_adaptive_settings(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("START_AR_INFO")) return true;
  return false;
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
    const auto found = loaded_.find(given.name);
    return found != loaded_.end() ? Result<SourceId>(found->second) : context_.sources->load(given.name);
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
      if (given->kind == Kind::adaptive_settings && !has_adaptive_settings(given->name))
        given->kind = Kind::other;
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
  if (!judgement.sound()) return std::string(kNotSound);
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

Output::VerdictWords verdict_words(const dumps::Judgement& judgement) {
  return {.proven = proven_words(judgement), .refused = std::string(kNotSound)};
}

Exit judge_observed(Context& context, const ObservedFlags& flags) {
  const auto observed = read_observed(context, flags);
  if (!observed) return observed.error();
  dumps::Judgement judgement = context.timings.measure(
      "verify", [&] { return dumps::judge(*observed, {.without_qos = flags.without_qos}); });
  for (verify::Finding& finding : judgement.verdict.findings)
    finding.accepted = std::ranges::find(flags.accept, verify::name(finding.kind)) != flags.accept.end();
  const auto tenants =
      context.timings.measure("tenants", [&] { return judge_tenants(context, flags, *observed); });
  if (!tenants) return tenants.error();
  const TenantsTold told = tenants->value_or(TenantsTold{});
  judgement.not_judged.insert(judgement.not_judged.end(), told.not_judged.begin(), told.not_judged.end());
  report_groups(context.output, observed->tables);
  for (const std::string& what : judgement.not_judged) context.output.line("open     not judged: " + what);
  context.output.verdict(judgement.verdict, *observed->fabric, verdict_words(judgement));
  if (!told.is_target) tell_not_the_target(context.output, flags.isolation);
  context.output.json("claim", {{"proven", judgement.proven() && told.is_target},
                                {"credit_loops", dumps::to_string(judgement.credit_loops)},
                                {"not_judged", judgement.not_judged}});
  if (flags.metrics) report_metrics(context, *observed->fabric, observed->tables);
  if (!judgement.sound() || !told.is_target) return Exit::forbidden;
  if (const Exit code = write_certificate(context, tables_of(*observed), flags.certify); code != Exit::good)
    return code;
  return flags.strict && (!judgement.not_judged.empty() || !told.checked) ? Exit::findings : Exit::good;
}

}  // namespace rch::cli
