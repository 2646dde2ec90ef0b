#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/overwrites.h"
#include "cli/slurm_array.h"
#include "cli/whatif_report.h"
#include "fabric/fabric_builder.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/given_names.h"
#include "whatif/damage.h"
#include "whatif/rules.h"

namespace rch::cli {
namespace {

struct WhatifFlags {
  ConfFlags conf;
  std::string fabric, links, switches, pairs, hosts, shard, output, timings;
  std::string slurm_folder;
  std::optional<std::uint64_t> slurm;
  std::vector<std::string> slurm_options, configurations;
  std::uint64_t seed = 1;
  PlanFlags plan;
  std::vector<std::string> merge;
  Format format = Format::text;
};

constexpr std::string_view kRandom = "random:";

/// `all` or `random:N`; nothing for other words.
std::optional<whatif::Draw> draw_of(std::string_view words) {
  if (words == "all") return whatif::Draw{};
  if (!words.starts_with(kRandom)) return std::nullopt;
  const auto count = parse_integer(words.substr(kRandom.size()));
  return count && *count > 0 ? std::optional(whatif::Draw{*count}) : std::nullopt;
}

/// `2/4`: the second of four shards.
std::optional<whatif::Shard> shard_of(std::string_view words) {
  const std::size_t slash = words.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto index = parse_integer(words.substr(0, slash)), count = parse_integer(words.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count) return std::nullopt;
  return whatif::Shard{*index - 1, *count};
}

/// Cables, a case for each line. Empty lines and those that begin with `#` do not count.
Stage<std::vector<whatif::Failure>> read_links(Context& context, const fabric::Fabric& fabric,
                                               const std::string& name) {
  const auto source = context.sources->load(name);
  if (!source) return tl::unexpected(context.stop(source.error()));
  const std::string_view text = context.sources->at(*source).text();
  std::vector<whatif::Failure> listed;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trim(text.substr(begin, end - begin));
    const auto at = static_cast<std::uint32_t>(line.data() - text.data());
    begin = end + 1;
    if (line.empty() || line.starts_with('#')) continue;
    auto failure = whatif::named_cables(fabric, line);
    if (failure) {
      listed.push_back(std::move(*failure));
      continue;
    }
    Diagnostic& wrong = context.diagnostics.add(whatif::kNoSuchLink,
                                                {*source, at, at + static_cast<std::uint32_t>(line.size())},
                                                failure.error().message);
    wrong.hint = "write `A:B` for all cables between two nodes, or `A[3]` for the cable at port 3 of a node";
  }
  if (context.report()) return tl::unexpected(Exit::usage);
  if (listed.empty())
    return tl::unexpected(
        context.stop({ErrorKind::usage, fmt::format("`{}` names no cable", printable(name))}));
  return listed;
}

Stage<std::vector<whatif::Failure>> failures_of(Context& context, const fabric::Fabric& fabric,
                                                const WhatifFlags& flags) {
  whatif::FailureRequest request{.links = draw_of(flags.links),
                                 .switches = draw_of(flags.switches),
                                 .pairs = draw_of(flags.pairs),
                                 .hosts = draw_of(flags.hosts),
                                 .configurations = flags.configurations,
                                 .seed = flags.seed};
  if (!flags.links.empty() && !request.links) {
    auto listed = read_links(context, fabric, flags.links);
    if (!listed) return tl::unexpected(listed.error());
    request.listed = std::move(*listed);
  }
  auto found = whatif::failures(fabric, request);
  if (!found) return tl::unexpected(context.stop(found.error()));
  if (found->empty())
    return tl::unexpected(context.stop({ErrorKind::usage, "there is no case: the fabric has no such part"}));
  return std::move(*found);
}

/// The cases in the words of the command line.
std::string asked(const WhatifFlags& flags) {
  std::vector<std::string> words;
  const auto add = [&](std::string_view noun, const std::string& which) {
    if (!which.empty()) words.push_back(fmt::format("{} {}", noun, which));
  };
  add("links", draw_of(flags.links) ? flags.links : flags.links.empty() ? "" : "listed");
  add("switches", flags.switches);
  add("pairs", flags.pairs);
  add("hosts", flags.hosts);
  if (!flags.configurations.empty()) words.push_back(counted(flags.configurations.size(), "configuration"));
  const bool draws = std::ranges::any_of(
      words, [](const std::string& text) { return text.find(kRandom) != std::string::npos; });
  return fmt::format("{}{}", fmt::join(words, ", "), draws ? fmt::format(", seed {}", flags.seed) : "");
}

/// The plan of the whole fabric, from which all cases start.
Stage<whatif::Base> base_plan(Context& context, const WhatifFlags& flags) {
  const auto policy = read_policy(context, flags.conf);
  if (!policy) return tl::unexpected(policy.error());
  auto fabric = read_fabric(context, flags.fabric, (*policy)->options, policy::cable_policy(**policy));
  if (!fabric) return tl::unexpected(fabric.error());
  auto seen = whatif::damaged(*fabric, {});
  if (!seen) return tl::unexpected(context.stop(seen.error()));
  if (!seen->cut_off.empty())
    context.output.warning(
        fmt::format("{} hang{} on a part of the fabric that no cable joins to the largest one, "
                    "and are left out of all cases",
                    counted(seen->cut_off.size(), "host"), seen->cut_off.size() == 1 ? "s" : ""));
  std::optional<chains::Plan> installed;
  auto request = plan_request(context, flags.plan, installed);
  if (!request) return tl::unexpected(request.error());
  request->makes_groups = false;  // as `rch run` plans
  request->may_change_sls = true;
  auto plan = context.timings.measure("plan", [&] {
    return chains::plan(*policy, fabric::with_names(std::move(seen->fabric), policy::given_names(**policy)),
                        *request, context.diagnostics);
  });
  const bool errors = context.report();
  if (!plan || errors) return tl::unexpected(plan ? Exit::findings : context.stop(plan.error()));
  if (!plan->verdict.clean()) {
    context.output.begin_with_verdict();
    context.output.steps(plan->steps);
    context.output.verdict(plan->verdict, *plan->fabric);
    return tl::unexpected(Exit::forbidden);
  }
  return whatif::Base{*policy, std::move(*plan), request->settings};
}

/// The configurations of --other-config. Those that have errors are reported, and no case is judged.
Stage<std::vector<whatif::Alternative>> alternatives_of(Context& context, const WhatifFlags& flags) {
  std::vector<whatif::Alternative> alternatives;
  for (const std::string& file : flags.configurations) {
    // Settings are those of one configuration.
    policy::Settings settings = std::exchange(context.settings, {});
    const bool is_yaml = file.ends_with(".yaml") || file.ends_with(".yml");
    const auto policy = read_policy(context, is_yaml ? ConfFlags{"", file} : ConfFlags{file, ""});
    std::swap(settings, context.settings);
    if (!policy) return tl::unexpected(policy.error());
    settings.accept.insert(settings.accept.end(), flags.plan.accept.begin(), flags.plan.accept.end());
    alternatives.push_back({file, *policy, std::move(settings)});
  }
  return alternatives;
}

/// Says on standard error how far the cases are, and how long they will take: on a terminal twice a second,
/// else once a minute.
class ProgressLine {
 public:
  explicit ProgressLine(std::uint64_t cases) : cases_(cases), on_terminal_(::isatty(STDERR_FILENO) != 0) {}
  ~ProgressLine() {
    if (on_terminal_ && is_shown_) std::fputs("\r\033[K", stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void operator()(std::uint64_t done) {
    const auto now = Clock::now();
    if (now - shown_ < (on_terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(60'000)))
      return;
    shown_ = now;
    is_shown_ = true;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const double rate = static_cast<double>(done) / seconds;
    const std::string line = fmt::format("{} of {} cases, {:.1f} a second, {:.0f} s left", done, cases_, rate,
                                         static_cast<double>(cases_ - done) / rate);
    std::fputs((on_terminal_ ? "\r\033[K" + line : line + "\n").c_str(), stderr);
    std::fflush(stderr);
  }

 private:
  using Clock = std::chrono::steady_clock;
  const std::uint64_t cases_;
  const bool on_terminal_;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = begin_;
  bool is_shown_ = false;
};

Exit judgement(const StudyFile& file) {
  return std::ranges::any_of(file.outcomes, whatif::breaks) ? Exit::findings : Exit::good;
}

Json findings_of(const Context& context) {
  auto findings = Json::array();
  for (const Diagnostic& diagnostic : context.diagnostics.all())
    findings.push_back(to_json(diagnostic, *context.sources));
  return findings;
}

Exit finish(Context& context, const WhatifFlags& flags, const StudyFile& file) {
  if (!flags.output.empty())
    if (const auto written = write_file(flags.output, write_study(file)); !written)
      return context.stop(written.error());
  if (file.shard == whatif::Shard{})
    print_study(context.output, file);
  else
    context.output.line(fmt::format("shard    {}/{}: {} of {}, in {}", file.shard.index + 1, file.shard.count,
                                    file.outcomes.size(), counted(file.study.cases, "case"), flags.output));
  return judgement(file);
}

/// All shards of one study, in any order, as one.
Result<StudyFile> merged(const std::vector<std::string>& names);

/// The command line of a shard of the same study, without what names the shard.
std::vector<std::string> shard_command(const WhatifFlags& flags) {
  std::error_code unreadable;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unreadable);
  std::vector<std::string> words{unreadable ? "rch" : self.string(), "whatif"};
  const auto add = [&](const char* flag, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(flag);
    words.push_back(value);
  };
  add("-F", flags.conf.opensm_conf);
  add("-C", flags.conf.rch_file);
  add("--fabric", flags.fabric);
  add("--links", flags.links);
  add("--switches", flags.switches);
  add("--pairs", flags.pairs);
  add("--hosts", flags.hosts);
  for (const std::string& file : flags.configurations) add("--other-config", file);
  add("--seed", fmt::format("{}", flags.seed));
  add("--previous", flags.plan.previous);
  for (const std::string& finding : flags.plan.accept) add("--accept", finding);
  return words;
}

/// Has Slurm judge the cases, and puts the shards together.
Exit judge_on_slurm(Context& context, const WhatifFlags& flags, const whatif::Study& study) {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::absolute(flags.slurm_folder, failed);
  if (failed)
    return context.stop({ErrorKind::usage, fmt::format("`{}`: {}", flags.slurm_folder, failed.message())});
  const SlurmArray array{folder.lexically_normal().string(), *flags.slurm, shard_command(flags),
                         flags.slurm_options};
  const auto is_there = [&](std::uint64_t task) -> Result<bool> {
    const std::string name = result_file(array, task);
    std::error_code unreadable;
    if (!std::filesystem::exists(name, unreadable)) return false;
    const auto text = read_file(name);
    if (!text) return tl::unexpected(text.error());
    const auto file = read_study(*text, name);
    if (!file) return tl::unexpected(file.error());
    if (file->study == study && file->shard == whatif::Shard{task - 1, array.tasks}) return true;
    return fail(ErrorKind::usage,
                fmt::format("`{}` is of another study: name another folder, or remove what is in it", name));
  };
  const auto tell = [](const std::string& line) { std::fputs(("slurm: " + line + "\n").c_str(), stderr); };
  const auto ran = context.timings.measure("cases", [&] { return run_array(array, is_there, tell); });
  if (!ran) return context.stop(ran.error());
  std::vector<std::string> names;
  for (std::uint64_t task = 1; task <= array.tasks; ++task) names.push_back(result_file(array, task));
  const auto all = merged(names);
  return all ? finish(context, flags, *all) : context.stop(all.error());
}

Exit judge_cases(Context& context, const WhatifFlags& flags) {
  // Each case needs what the one before gave back: a process that returns it to the system spends its time
  // there.
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  const auto base = base_plan(context, flags);
  if (!base) return base.error();
  const auto failures = failures_of(context, *base->plan.fabric, flags);
  if (!failures) return failures.error();
  auto alternatives = alternatives_of(context, flags);
  if (!alternatives) return alternatives.error();
  const whatif::Judge judge(*base, std::move(*alternatives));
  const whatif::Study study = whatif::study_of(*base, judge, *failures, asked(flags));
  if (flags.slurm) return judge_on_slurm(context, flags, study);
  StudyFile file{study, shard_of(flags.shard).value_or(whatif::Shard{}), findings_of(context), {}};
  file.outcomes = context.timings.measure("cases", [&] {
    ProgressLine progress(failures->size() / file.shard.count);
    return whatif::study(judge, *failures, file.shard, [&](std::uint64_t done) { progress(done); });
  });
  return finish(context, flags, file);
}

Result<StudyFile> merged(const std::vector<std::string>& names) {
  std::vector<StudyFile> files;
  for (const std::string& name : names) {
    const auto text = read_file(name);
    if (!text) return tl::unexpected(text.error());
    auto file = read_study(*text, name);
    if (!file) return tl::unexpected(file.error());
    if (!files.empty() &&
        (file->study != files.front().study || file->shard.count != files.front().shard.count))
      return fail(ErrorKind::usage,
                  fmt::format("`{}` and `{}` are not of one study: another fabric, configuration, "
                              "list of cases or number of shards",
                              names.front(), name));
    for (std::size_t other = 0; other < files.size(); ++other)
      if (files[other].shard == file->shard)
        return fail(ErrorKind::usage, fmt::format("`{}` and `{}` are the same shard, {} of {}", names[other],
                                                  name, file->shard.index + 1, file->shard.count));
    files.push_back(std::move(*file));
  }
  if (files.size() != files.front().shard.count)
    return fail(ErrorKind::usage, fmt::format("{} of {} shards are there; a report needs all of them",
                                              files.size(), files.front().shard.count));
  StudyFile all{files.front().study, {}, files.front().findings, {}};
  for (StudyFile& file : files) std::ranges::move(file.outcomes, std::back_inserter(all.outcomes));
  std::ranges::sort(all.outcomes, {}, &whatif::Outcome::number);
  return all;
}

Exit run(const WhatifFlags& flags) {
  Context context(flags.format);
  const auto code = [&] {
    if (flags.merge.empty()) return judge_cases(context, flags);
    const auto all = merged(flags.merge);
    return all ? finish(context, flags, *all) : context.stop(all.error());
  };
  return context.end(code(), flags.timings);
}

/// What is wrong with the flags of a job array; empty: nothing.
std::string objection_to_slurm(const WhatifFlags& flags) {
  if (!flags.slurm)
    return flags.slurm_folder.empty() && flags.slurm_options.empty()
               ? ""
               : "--slurm-folder and --slurm-option need --slurm N";
  constexpr std::uint64_t kMostTasks = 10'000;
  if (*flags.slurm == 0 || *flags.slurm > kMostTasks)
    return fmt::format("--slurm takes a number of tasks from 1 to {}", kMostTasks);
  if (flags.slurm_folder.empty()) return "--slurm needs --slurm-folder DIR, which all nodes have";
  if (!flags.shard.empty()) return "--slurm makes the shards: --shard does not go with it";
  if (flags.fabric.starts_with("live"))
    return "--slurm needs a fabric in a file: each node would see another one";
  return "";
}

/// What is wrong with the flags together; empty: nothing.
std::string objection(const WhatifFlags& flags) {
  if (std::string why = objection_to_slurm(flags); !why.empty()) return why;
  const bool asks = !flags.links.empty() || !flags.switches.empty() || !flags.pairs.empty() ||
                    !flags.hosts.empty() || !flags.configurations.empty();
  if (!flags.merge.empty())
    return asks || flags.conf.given() || !flags.fabric.empty() || !flags.shard.empty() || flags.slurm
               ? "--merge goes without a configuration, a fabric, cases, --shard and --slurm"
               : require_writable(flags.output, "outcomes");
  if (std::string none = require_conf(flags.conf); !none.empty()) return none;
  if (flags.fabric.empty()) return "a fabric (--fabric FABRIC) is required";
  if (!asks) return "name the cases: --links, --switches, --pairs, --hosts or --other-config";
  for (const auto& [flag, words] :
       {std::pair("--switches", flags.switches), std::pair("--hosts", flags.hosts)})
    if (!words.empty() && !draw_of(words))
      return fmt::format("{} takes `all` or `random:N`, not `{}`", flag, printable(words));
  if (flags.links.starts_with(kRandom) && !draw_of(flags.links))
    return fmt::format("--links takes `all`, `random:N` or a file, not `{}`", printable(flags.links));
  if (!flags.pairs.empty() && (!draw_of(flags.pairs) || !draw_of(flags.pairs)->count))
    return fmt::format("--pairs takes `random:N`, not `{}`", printable(flags.pairs));
  if (!flags.shard.empty() && !shard_of(flags.shard))
    return fmt::format("--shard takes I/N with I from 1 to N, not `{}`", printable(flags.shard));
  if (!flags.shard.empty() && flags.output.empty()) return "--shard needs -o FILE, where its outcomes go";
  return require_other_file(
      flags.output, "outcomes",
      {flags.fabric, flags.conf.opensm_conf, flags.conf.rch_file, flags.links, flags.plan.previous});
}

}  // namespace

void add_whatif(const Command& rch) {
  const Command command = rch.command(
      "whatif",
      "Fail parts of a fabric one by one, and say what each failure does; exit 1 if one breaks something");
  auto flags = std::make_shared<WhatifFlags>();
  add_conf(command, flags->conf);
  command.add("--fabric", flags->fabric, "The whole fabric: a file, or live[:CA[:PORT]]").type("FABRIC");
  command
      .add("--links", flags->links,
           "Cables between switches: all, random:N, or a file that names a case a line")
      .type("WHICH");
  command.add("--switches", flags->switches, "Switches: all or random:N").type("WHICH");
  command.add("--pairs", flags->pairs, "Two cables between switches at once: random:N").type("WHICH");
  command.add("--hosts", flags->hosts, "Hosts: all or random:N").type("WHICH");
  command
      .add("--other-config", flags->configurations,
           "What changes if this opensm.conf (or rch.yaml) replaces the configuration (may be repeated)")
      .type("FILE");
  command.add("--seed", flags->seed, "What random:N draws by (default: 1)");
  command.add("--shard", flags->shard, "Judge one of N parts of the cases: I/N, I from 1 to N").type("I/N");
  command.add("-o,--output", flags->output, "Write the outcomes of the cases here, for --merge").type("FILE");
  command.add("--merge", flags->merge, "Report on all shards of a study, from these files").type("FILE");
  command.add("--slurm", flags->slurm, "Have Slurm judge the cases, as a job array of N tasks").type("N");
  command
      .add("--slurm-folder", flags->slurm_folder,
           "Where the outcomes of the tasks go; all nodes have it. The same command goes on from what is "
           "there")
      .type("DIR");
  command
      .add("--slurm-option", flags->slurm_options,
           "An option for sbatch, such as --partition=all (may be repeated)")
      .type("OPTION");
  add_previous(command, flags->plan.previous);
  add_accept(command, flags->plan.accept, {});
  add_timings(command, flags->timings);
  command.add_format(flags->format);
  command.does([flags] { return run(*flags); }, [flags] { return objection(*flags); });
}

}  // namespace rch::cli
