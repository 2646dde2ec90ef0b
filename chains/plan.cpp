// The story of a plan, in the order of docs/pipeline.md.

#include "chains/plan.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/text.h"
#include "chains/absent_lids.h"
#include "chains/arbitration.h"
#include "chains/carry.h"
#include "chains/combinations.h"
#include "chains/joined_groups.h"
#include "chains/missing_paths.h"
#include "chains/multicast_roots.h"
#include "chains/option_maps.h"
#include "chains/rate_limits.h"
#include "chains/repair.h"
#include "chains/rules.h"
#include "engines/registry.h"
#include "fabric/fabric_builder.h"
#include "fabric/lids.h"
#include "policy/bind/bind_cables.h"
#include "policy/bind/partitions/layout.h"
#include "policy/bind/partitions/planned_groups.h"
#include "policy/model/vl_tables.h"

namespace rch::chains {
namespace {

using fabric::Fabric;
using policy::BoundPolicy;
using policy::Policy;

Result<Fabric> assign_lids(const policy::LidOptions& options, Fabric fabric, const PlanRequest& request,
                           const Observer& observe) {
  const bool reassign = options.reassign_lids && request.may_reassign;
  const Plan* planned = reassign ? nullptr : request.installed;
  const auto lids = fabric::plan_lids(
      fabric, {.lmc = options.lmc,
               .lmc_esp0 = options.lmc_esp0,
               .reassign = reassign,
               .planned = planned != nullptr ? planned->fabric.get() : nullptr,
               .records = request.lids,
               .found = request.found != nullptr ? &request.found->tables->lfts : nullptr,
               .records_first = !request.lids_of_fabric_first || options.honor_guid2lid_file,
               .of_origin = Lid(options.master_sm_lid)});
  if (!lids) return tl::unexpected(lids.error());
  auto labelled = fabric::with_lids(std::move(fabric), lids->lids);
  if (labelled) tell(observe, LidsAssigned{*labelled, lids->changes});
  return labelled;
}

bool share_a_switch(const Fabric& before, const Fabric& now) {
  for (std::uint32_t s = 0; s < before.switch_count(); ++s)
    if (const auto node = now.find_node(before.node(SwitchId(s)).guid); node && now.is_switch(*node))
      return true;
  return false;
}

/// Binds and grades; fails when a diagnostic is an error.
Result<BoundPolicy> bind_policy(const std::shared_ptr<const Policy>& policy,
                                const std::shared_ptr<const Fabric>& fabric, const PlanRequest& request,
                                Diagnostics& diagnostics, const Observer& observe) {
  const std::size_t before = diagnostics.all().size();
  if (request.installed != nullptr && !share_a_switch(*request.installed->fabric, *fabric))
    diagnostics.add(kPreviousElsewhere, {},
                    "the previous plan is of another fabric: none of its switches is here, nothing is kept");
  BoundPolicy bound = timed(observe, Phase::bind, [&] { return policy::bind(policy, fabric, diagnostics); });
  policy::regrade(diagnostics, before, request.settings);
  tell(observe, PolicyBound{});
  if (diagnostics.has_errors()) return fail(ErrorKind::invalid, "the policy does not fit the fabric");
  return bound;
}

using Refused = std::span<const RefusedStep>;

Result<ChainRun> run_chain(const BoundPolicy& bound, const Previous* previous, Refused refused,
                           RunOptions options, const Observer& observe) {
  auto run = chains::run(
      bound, [&](const StepOutcome& outcome) { tell(observe, outcome); }, previous, refused, options);
  if (run) return std::move(*run);
  tell(observe, ChainFinished{run.error().steps});
  return fail(ErrorKind::unroutable,
              fmt::format("no engine of the chain could route the fabric{}{}",
                          refused.empty() ? "" : " with tables that are proven", kTablesStay));
}

/// True if hosts may use the SLs that they have with either of the tables.
bool have_same_sls(const fabric::RoutingTables& a, const fabric::RoutingTables& b) {
  const auto level = fabric::common_path_sl(a);
  return level && level == fabric::common_path_sl(b);
}

bool asks_for_balancing(const BoundPolicy& bound) {
  return std::ranges::any_of(
      bound.policy->steps, [](const policy::Step& step) { return step.routing.offsweep_balancing_enabled; });
}

/// Off-sweep balancing (docs/engines.md): kept routes let loads drift. On an unchanged fabric fresh routes
/// replace them when they are clearly better.
bool recompute(const BoundPolicy& bound, const Previous& previous, const PlanRequest& request,
               Refused refused, const Observer& observe) {
  const auto kept = run(bound, {}, &previous, refused), fresh = run(bound, {}, nullptr, refused);
  if (!kept || !fresh) return false;
  BalanceCompared event{balance(*bound.fabric, kept->tables), balance(*bound.fabric, fresh->tables)};
  if (is_clearly_better(event.fresh, event.kept))
    event.decision = request.may_change_sls || have_same_sls(previous.tables, fresh->tables)
                         ? Rebalancing::recompute
                         : Rebalancing::other_sls;
  tell(observe, event);
  return event.decision == Rebalancing::recompute;
}

/// Fresh routes beside those that were kept, when that is worth telling. On large fabrics a second
/// routing takes time: it is made only where the fullest link carries more than twice what it carried before.
std::optional<BalanceCompared> drift(const BoundPolicy& bound, const ChainRun& run, const Plan& installed,
                                     Refused refused) {
  constexpr std::size_t kFewEndPorts = 1024;
  const Balance kept = balance(*bound.fabric, run.tables);
  const Balance before = balance(*installed.fabric, *installed.tables);
  if (bound.fabric->end_ports().size() > kFewEndPorts && !is_much_fuller(kept, before)) return std::nullopt;
  const auto fresh = chains::run(bound, {}, nullptr, refused);
  if (!fresh) return std::nullopt;
  const BalanceCompared compared{kept, balance(*bound.fabric, fresh->tables), Rebalancing::not_asked};
  return is_worth_telling(compared.fresh, kept, before) ? std::optional(compared) : std::nullopt;
}

bool loses_pairs(const verify::Verdict& verdict) {
  using enum verify::FindingKind;
  return std::ranges::any_of(verdict.findings, [](const verify::Finding& finding) {
    return finding.kind == unreachable || finding.kind == dropped_by_vl || finding.kind == loop;
  });
}

/// Tables that are not proven yet.
struct Routed {
  ChainRun run;
  std::optional<BalanceCompared> drift{};
  std::uint64_t lost_pairs = 0, left_pairs = 0;  ///< of a repair
};

/// Whether pairs that the steps leave without a path get one (chains/missing_paths.h): pairs of hosts and
/// those of hosts and switches; or pairs of hosts alone, beside packets to LIDs of switches or not.
enum class Completion : std::uint8_t { none, hosts_and_switches, beside_switch_lids, beside_hosts };

/// What an attempt takes from the installed plan, and what it asks of the engines.
struct Keeping {
  bool same_configuration = false;
  bool routes = true;
  bool roots = true;                  ///< that engines found by themselves; with `routes` always
  bool needs_multicast_tree = false;  ///< engines::Inputs::needs_multicast_tree
  Completion completion = Completion::none;
  bool quick_trees = false;  ///< ChainRun::quick_trees
};

/// Runs the chain; keeps installed routes where the policy allows it.
Result<Routed> route(const BoundPolicy& bound, const PlanRequest& request, Keeping keeping, Refused refused,
                     const Observer& observe) {
  const RunOptions options{keeping.needs_multicast_tree, request.makes_groups};
  if (request.installed == nullptr) {
    auto run = run_chain(bound, nullptr, refused, options, observe);
    if (!run) return tl::unexpected(run.error());
    return Routed{std::move(*run)};
  }
  const Plan& installed = *request.installed;
  if (request.repairs) {
    // Engines keep routes and service levels of whole tables better than of those that were repaired in part.
    Repair repaired = repair(bound, installed);
    const bool becomes_whole = repaired.paths.entries > 0 && is_followed_by_whole(bound, installed, repaired);
    if (!becomes_whole && !request.regroups)
      return fail(ErrorKind::unroutable, std::string(kNothingToRepair));
    Routed routed{std::move(repaired.run)};
    routed.lost_pairs = repaired.paths.lost_pairs;
    routed.left_pairs = repaired.paths.left_pairs;
    return routed;
  }
  Diagnostics ignored;
  const bool is_bound = installed.bound != nullptr && installed.bound->policy == bound.policy &&
                        installed.bound->fabric == installed.fabric;
  const auto earlier =
      is_bound ? installed.bound
               : std::make_shared<const BoundPolicy>(policy::bind(bound.policy, installed.fabric, ignored));
  const Previous previous{*earlier,        *installed.tables, keeping.same_configuration,
                          installed.steps, keeping.routes,    !loses_pairs(installed.verdict)};
  const bool balances = keeping.routes && request.may_balance && asks_for_balancing(bound) &&
                        installed.fabric->fingerprint() == bound.fabric->fingerprint();
  const bool afresh = balances && recompute(bound, previous, request, refused, observe);
  const bool keeps = !afresh && (keeping.routes || keeping.roots);
  auto run = run_chain(bound, keeps ? &previous : nullptr, refused, options, observe);
  if (!run) return tl::unexpected(run.error());
  Routed routed{std::move(*run)};
  if (!balances && keeping.routes && request.reports_drift)
    routed.drift = drift(bound, routed.run, installed, refused);
  return routed;
}

policy::partitions::Place place_of(const BoundPolicy& bound) {
  return {*bound.fabric, bound.fabric->origin().value_or(PortId::none()), bound.groups};
}

/// P_Keys of a partitions.conf; without one ports keep what they hold.
fabric::PKeyTables pkey_tables(const BoundPolicy& bound) {
  const policy::PartitionOptions& options = bound.policy->options.partitions;
  if (bound.policy->partitions.source.is_none()) return {};
  fabric::PKeyTables tables = policy::partitions::lay_out(bound.policy->partitions, place_of(bound));
  tables.keep_indexes = options.keep_pkey_indexes;
  switch (options.part_enforce) {
    case policy::PartEnforce::off:
      tables.enforcement = fabric::PartitionEnforcement::off;
      break;
    case policy::PartEnforce::in:
      tables.enforcement = fabric::PartitionEnforcement::in;
      break;
    case policy::PartEnforce::out:
      tables.enforcement = fabric::PartitionEnforcement::out;
      break;
    case policy::PartEnforce::both:
      break;
  }
  return tables;
}

bool asks_for_maps(const policy::QosOptions& qos) {
  return std::ranges::any_of(policy::qos::port_classes(),
                             [&](const auto& info) { return (qos.*info.set).sl2vl.has_value(); }) ||
         qos.base.sl2vl.has_value();
}

/// Ports get the maps of the options where the routing leaves them free.
void add_option_maps(const BoundPolicy& bound, fabric::RoutingTables& tables) {
  if (!tables.sl2vl.empty()) return;
  tables.sl2vl = option_maps(bound);
  tables.sl2vl_of_options = true;
}

bool leaves_option_maps_idle(const BoundPolicy& bound, const fabric::RoutingTables& tables) {
  const policy::QosOptions& qos = bound.policy->options.qos;
  return !tables.sl2vl_of_options && qos.enabled && asks_for_maps(qos);
}

/// Groups to route, and which of them were joined.
struct Groups {
  std::vector<fabric::MulticastGroup> all;
  std::vector<Lid> joined;
};
Groups groups_of(const BoundPolicy& bound, const PlanRequest& request) {
  Groups groups;
  if (bound.policy->options.multicast.disable_multicast) return groups;
  groups.all = policy::partitions::planned_groups(bound.policy->partitions, place_of(bound));
  std::vector<fabric::MulticastGroup> joined;
  if (request.joined != nullptr) joined = groups_on(*request.joined, *bound.fabric);
  const Plan* const before = request.found != nullptr ? request.found : request.installed;
  if (before != nullptr) {
    std::vector<fabric::MulticastGroup> kept = joined_groups(*before, *bound.fabric);
    std::erase_if(kept, [&](const fabric::MulticastGroup& group) {
      return request.joined != nullptr && std::ranges::binary_search(request.joined->given, group.mlid);
    });
    joined = merged(std::move(kept), std::move(joined));
  }
  for (const fabric::MulticastGroup& group : joined) groups.joined.push_back(group.mlid);
  groups.all = merged(std::move(groups.all), std::move(joined));
  return groups;
}

/// What a proof says, and what is kept of it.
struct Proof {
  verify::Verdict verdict;
  std::shared_ptr<verify::ChannelDependencyGraph> channels =
      std::make_shared<verify::ChannelDependencyGraph>();
  std::shared_ptr<const verify::KnownDependencies> dependencies{};
  MulticastReport groups{};
  bool keeps_trees = false;  ///< `groups` is empty: the installed trees stay
};

/// Proof of a plan, for the next one to build on.
std::optional<verify::EarlierProof> earlier_proof(const Plan* plan) {
  if (plan == nullptr || plan->dependencies == nullptr) return std::nullopt;
  return verify::EarlierProof{*plan->fabric, *plan->tables, *plan->dependencies};
}

/// Routes multicast groups and proves the whole.
Proof prove(const BoundPolicy& bound, std::vector<fabric::MulticastGroup> groups, const Plan* installed,
            ChainRun& run, const Observer& observe) {
  const Fabric& fabric = *bound.fabric;
  const policy::Options& options = bound.policy->options;
  Proof proof;
  const std::vector<SwitchId> roots = requested_roots(bound, proof.groups.remarks);
  const std::optional<verify::EarlierProof> earlier = earlier_proof(installed);
  proof.verdict = timed(observe, Phase::verify, [&] {
    const verify::Options asked{.max_op_vls = options.qos.max_op_vls,
                                .graph = proof.channels.get(),
                                .earlier = earlier ? &*earlier : nullptr,
                                .known = &proof.dependencies};
    verify::Verdict found = route_multicast(fabric, std::move(groups), asked, run, proof.groups, roots);
    found.without_path_sls = verify::without_path_sls(fabric, run.tables, found, asked);
    return found;
  });
  return proof;
}

/// Proves a repair. What is left of the installed multicast trees stays as it is, so that paths need not wait
/// for other trees. Returns nothing if the two close a cycle together, or if groups have changed
/// (`regroups`).
std::optional<Proof> prove_with_groups_left(const BoundPolicy& bound, const Plan& installed, ChainRun& run,
                                            const Observer& observe) {
  Proof proof;
  proof.keeps_trees = true;
  const std::optional<verify::EarlierProof> earlier = earlier_proof(&installed);
  const verify::Options asked{.max_op_vls = bound.policy->options.qos.max_op_vls,
                              .graph = proof.channels.get(),
                              .earlier = earlier ? &*earlier : nullptr,
                              .known = &proof.dependencies};
  run.tables.groups = groups_left(*installed.fabric, *bound.fabric, installed.tables->groups);
  proof.verdict = timed(observe, Phase::verify, [&] {
    verify::Verdict found = verify::verify(*bound.fabric, run.tables, asked);
    found.without_path_sls = verify::without_path_sls(*bound.fabric, run.tables, found, asked);
    return found;
  });
  using enum verify::FindingKind;
  const bool is_safe = std::ranges::none_of(proof.verdict.findings, [](const verify::Finding& finding) {
    return finding.kind == credit_loop || finding.kind == multicast_loop || finding.kind == loop;
  });
  return is_safe ? std::optional(std::move(proof)) : std::nullopt;
}

/// Another engine may do better.
bool forbids_for_engine(const verify::Verdict& verdict) {
  using enum verify::FindingKind;
  return std::ranges::any_of(verdict.findings, [](const verify::Finding& finding) {
    return (finding.kind == credit_loop || finding.kind == unreachable) && !finding.accepted;
  });
}

std::vector<Plan::Digest> digests(const Policy& policy) {
  std::vector<Plan::Digest> out;
  for (const SourceId id : policy.texts ? policy.sources : std::vector<SourceId>{}) {
    const SourceText& source = policy.texts->at(id);
    out.push_back({std::filesystem::path(source.name()).filename().string(), digest(source.text())});
  }
  return out;
}

void accept_findings(verify::Verdict& verdict, const std::vector<std::string>& accept) {
  for (verify::Finding& finding : verdict.findings)
    finding.accepted = std::ranges::find(accept, verify::name(finding.kind)) != accept.end();
}

/// A repair leaves pairs as they are to which no safe path leads, and groups until the chain has planned.
void accept_lost_pairs(verify::Verdict& verdict) {
  using enum verify::FindingKind;
  for (verify::Finding& finding : verdict.findings)
    finding.accepted = finding.accepted || finding.kind == unreachable || finding.kind == disconnected ||
                       finding.kind == multicast_unreachable;
}

/// Where kept routes leave switches out of reach of hosts, paths to these that close no cycle.
void complete(const BoundPolicy& bound, const std::vector<fabric::MulticastGroup>& groups,
              const Plan& installed, Routed& routed, Proof& proof, const Observer& observe) {
  ChainRun& run = routed.run;
  fabric::ForwardingTables before = run.tables.lfts.clone();
  std::vector<fabric::MulticastGroup> routed_groups = run.tables.groups;
  if (!reach_switches(*bound.fabric, bound.policy->options.qos.max_op_vls, run.tables)) return;
  Proof more = prove(bound, groups, &installed, run, observe);
  const bool is_as_good = more.verdict.clean() && more.verdict.switch_lids.sound() &&
                          more.groups.waiting.size() <= proof.groups.waiting.size();
  if (is_as_good) {
    proof = std::move(more);
    return;
  }
  run.tables.lfts = std::move(before);
  run.tables.groups = std::move(routed_groups);
}

/// Gives pairs of hosts that the rules of the engines leave without a path one that closes no credit loop.
void complete_pairs(const BoundPolicy& bound, Completion completion, ChainRun& run) {
  const std::uint8_t max_op_vls = bound.policy->options.qos.max_op_vls;
  const RepairedPaths added =
      reach_hosts(*bound.fabric, max_op_vls, completion != Completion::beside_hosts, run.tables);
  if (completion == Completion::hosts_and_switches) reach_switches(*bound.fabric, max_op_vls, run.tables);
  if (added.entries == 0) return;
  run.steps.front().remarks.push_back(
      fmt::format("{} for {} beside the rules of the engines join {} of {} without a path; they close no "
                  "credit loop",
                  counted(added.entries, "entry"), counted(added.lids, "LID"),
                  added.lost_pairs - added.left_pairs, counted(added.lost_pairs, "pair")));
}

/// A plan in the making.
struct Attempt {
  Routed routed;
  Proof proof;
};

/// False for a repair of a plan that was read from a file (policy_to_repair()). Its groups, P_Keys and rates
/// stay as they are installed.
bool knows_policy(const BoundPolicy& bound) { return !bound.policy->steps.empty(); }

Result<Attempt> attempt(const BoundPolicy& bound, const PlanRequest& request, Keeping keeping,
                        const std::vector<fabric::MulticastGroup>& groups, Refused refused,
                        const Observer& observe) {
  auto routed = route(bound, request, keeping, refused, observe);
  if (!routed) return tl::unexpected(routed.error());
  if (!request.for_dumps) routed->run.hops.reset();
  fabric::RoutingTables& tables = routed->run.tables;
  drop_unproven_absent_lids(request.installed, *bound.fabric, tables);
  if (!request.repairs) tables.arbitration = arbitration_tables(bound, routed->run);
  if (knows_policy(bound)) {
    tables.rate_limits = rate_limit_tables(bound);
    tables.pkeys = pkey_tables(bound);
    add_option_maps(bound, tables);
  } else {
    const Plan& installed = *request.installed;
    tables.rate_limits = rate_limits_left(*installed.fabric, *bound.fabric, installed.tables->rate_limits);
    tables.pkeys = pkeys_left(*installed.fabric, *bound.fabric, installed.tables->pkeys);
    tables.sl2vl_of_options = installed.tables->sl2vl_of_options;
  }
  routed->run.quick_trees = keeping.quick_trees;
  if (keeping.completion != Completion::none) complete_pairs(bound, keeping.completion, routed->run);
  std::optional<Proof> repaired;
  if (request.repairs && (!request.regroups || !knows_policy(bound)))
    repaired = prove_with_groups_left(bound, *request.installed, routed->run, observe);
  if (!repaired && !knows_policy(bound)) return fail(ErrorKind::unroutable, std::string(kNothingToRepair));
  Proof proof =
      repaired ? std::move(*repaired) : prove(bound, groups, request.installed, routed->run, observe);
  const bool keeps = request.installed != nullptr && keeping.routes &&
                     (!request.repairs || (request.regroups && knows_policy(bound)));
  if (keeps && proof.verdict.clean() &&
      (proof.verdict.switch_lids.lost_pairs > 0 || has_gaps(*bound.fabric, tables.lfts)))
    complete(bound, groups, *request.installed, *routed, proof, observe);
  accept_findings(proof.verdict, request.settings.accept);
  if (request.repairs) accept_lost_pairs(proof.verdict);
  return Attempt{std::move(*routed), std::move(proof)};
}

/// Why a plan may not be committed.
std::optional<engines::EngineFailure> objection(const verify::Verdict& verdict,
                                                const std::vector<std::string>& accept) {
  const auto finding = std::ranges::find(verdict.findings, false, &verify::Finding::accepted);
  if (finding != verdict.findings.end())
    return engines::EngineFailure{
        std::string(verify::name(finding->kind)), "not proven: " + finding->message, {}};
  if (verdict.switch_lids.sound() || std::ranges::find(accept, kSwitchLids) != accept.end())
    return std::nullopt;
  return engines::EngineFailure{
      std::string(kSwitchLids),
      "packets to LIDs of switches close credit loops: " + verdict.switch_lids.credit_loop,
      {}};
}

/// How near a plan comes to being committed, the best first.
enum class Standing : std::uint8_t { unobjected, groups_wait, closed_by_switch_lids, forbidden };

Standing standing_of(const verify::Verdict& verdict, const std::vector<std::string>& accept) {
  if (!objection(verdict, accept)) return Standing::unobjected;
  if (!verdict.clean()) return Standing::forbidden;
  const bool switch_lids_allowed =
      verdict.switch_lids.sound() || std::ranges::find(accept, kSwitchLids) != accept.end();
  return switch_lids_allowed ? Standing::groups_wait : Standing::closed_by_switch_lids;
}

/// In the order in which they are tried.
std::vector<Completion> completions_of(const verify::Verdict& verdict) {
  using enum Completion;
  return verdict.switch_lids.sound() ? std::vector{hosts_and_switches, beside_switch_lids}
                                     : std::vector{beside_hosts};
}

constexpr std::string_view kNoCompletion =
    "no paths beside the rules of the engines were found that join all pairs and close no credit loop";

/// The first of these that may be committed. A repair of installed tables reaches switches, too; so where
/// more of these stay without a path than by the installed plan, there is none.
Result<Attempt> completed(const BoundPolicy& bound, const PlanRequest& request, Keeping keeping,
                          const std::vector<fabric::MulticastGroup>& groups,
                          std::span<const Completion> completions, const Observer& observe) {
  for (const Completion completion : completions) {
    keeping.completion = completion;
    auto made = attempt(bound, request, keeping, groups, {}, observe);
    if (!made) continue;
    const verify::Verdict& verdict = made->proof.verdict;
    const Standing standing = standing_of(verdict, request.settings.accept);
    const bool is_last = completion == completions.back();
    const bool reaches_less =
        request.installed != nullptr &&
        verdict.switch_lids.lost_pairs > request.installed->verdict.switch_lids.lost_pairs;
    if (!reaches_less && (is_last ? standing != Standing::forbidden : standing == Standing::unobjected))
      return made;
  }
  return fail(ErrorKind::unroutable, std::string(kNoCompletion));
}

/// The first plan of the chain to which there is no objection. Without one: the first that may be committed
/// although multicast groups wait, then the first that is proven but for packets to LIDs of switches, which
/// the operator may accept, then that of the first combination with paths beside the rules of its engines,
/// then that of the last combination.
Result<Attempt> first_proven(const BoundPolicy& bound, const PlanRequest& request, Keeping keeping,
                             const std::vector<fabric::MulticastGroup>& groups, const Observer& observe) {
  Combinations combinations;
  std::optional<Combinations> best;
  Standing best_standing = Standing::forbidden;
  std::vector<Completion> completions;
  for (bool is_first = true;; is_first = false) {
    keeping.quick_trees = !is_first;
    auto made = attempt(bound, request, keeping, groups, combinations.refused(), observe);
    const Standing standing =
        made ? standing_of(made->proof.verdict, request.settings.accept) : Standing::forbidden;
    if (made && standing == Standing::unobjected) return made;
    if (made && is_first && can_complete(bound, made->proof.verdict))
      completions = completions_of(made->proof.verdict);
    const bool is_best = standing < best_standing;
    if (is_best) {
      best = combinations;
      best_standing = standing;
    }
    const auto why = made ? objection(made->proof.verdict, request.settings.accept)
                          : std::optional<engines::EngineFailure>();
    if (why && combinations.advance(made->routed.run.steps, *why)) continue;
    keeping.quick_trees = false;
    if (!best && !completions.empty()) {
      if (auto whole = completed(bound, request, keeping, groups, completions, observe); whole) return whole;
      if (made) made->routed.run.steps.front().remarks.emplace_back(kNoCompletion);
    }
    if (!best || (is_best && is_first)) return made;
    return attempt(bound, request, keeping, groups, best->refused(), observe);
  }
}

/// Engines for the first step of a chain that may not be committed, with which the chain is proven as it is
/// declared.
SaferFirstEngines safer_first_engines(const BoundPolicy& bound, const PlanRequest& request,
                                      const std::vector<fabric::MulticastGroup>& groups) {
  SaferFirstEngines safer{bound.policy->steps.front().id, {}, {}};
  for (const std::string_view engine : {"updn", "dnup", "dor", "minhop", "dfsssp"}) {
    // It costs more than the others, so on a large fabric it is tried where one attempt tells.
    constexpr std::size_t kFewSwitches = 512;
    const bool is_costly = engine == "dfsssp" && bound.policy->steps.size() > 1 &&
                           (!safer.engines.empty() || bound.fabric->switch_count() > kFewSwitches);
    if (bound.policy->steps.front().engine == engine || is_costly) continue;
    safer.tried.emplace_back(engine);
    auto policy = std::make_shared<Policy>(*bound.policy);
    policy->steps.front().engine = engine;
    BoundPolicy other = bound;
    other.policy = policy;
    const Keeping keeping{.routes = false, .quick_trees = true};
    auto made = attempt(other, request, keeping, groups, {}, {});
    if (made && can_complete(other, made->proof.verdict))
      made = completed(other, request, keeping, groups, completions_of(made->proof.verdict), {});
    if (!made || objection(made->proof.verdict, request.settings.accept)) continue;
    const ChainRun& run = made->routed.run;
    if (run.steps.front().status == StepStatus::routed && !run.degraded) safer.engines.emplace_back(engine);
  }
  return safer;
}

/// True if nothing but a multicast tree is missing, and an engine of the chain can make room for one.
bool can_make_room(const BoundPolicy& bound, const Result<Attempt>& made,
                   const std::vector<std::string>& accept) {
  if (!made || standing_of(made->proof.verdict, accept) != Standing::groups_wait) return false;
  return std::ranges::any_of(bound.policy->steps, [](const policy::Step& step) {
    const engines::Descriptor* engine = engines::find_engine(step.engine);
    return engine != nullptr && engine->makes_room_for_multicast;
  });
}

bool has_found_roots(const Plan* installed) {
  return installed != nullptr && std::ranges::any_of(installed->steps, [](const StepReport& step) {
           return !step.found_roots.empty();
         });
}

/// The same, without the kept routes if those are the reason that there is none, or with other paths where no
/// multicast tree fits beside these. Observers hear of the steps of a fresh run, and write their dump files,
/// only once it is known that its plan counts.
Result<Attempt> kept_or_fresh(const BoundPolicy& bound, const PlanRequest& request, bool same_configuration,
                              const std::vector<fabric::MulticastGroup>& groups, const Observer& observe) {
  const auto why = [&](const Result<Attempt>& made) -> std::optional<std::string> {
    if (!made) return made.error().message;
    const auto failure = objection(made->proof.verdict, request.settings.accept);
    return failure ? std::optional(failure->message) : std::nullopt;
  };
  auto kept = first_proven(bound, request, Keeping{same_configuration}, groups, observe);
  const auto objection = why(kept);
  if (!objection) return kept;
  Keeping nothing{same_configuration, false, false};
  const auto is_better = [&] { return !why(first_proven(bound, request, nothing, groups, {})); };
  bool afresh = request.installed != nullptr && is_better();
  if (!afresh && has_found_roots(request.installed)) {
    // Damage may hide the roots from an engine that looks for them anew.
    nothing.roots = true;
    afresh = is_better();
    nothing.roots = afresh;
  }
  if (!afresh && can_make_room(bound, kept, request.settings.accept)) {
    nothing.needs_multicast_tree = true;
    afresh = is_better();
  }
  if (!afresh) return kept;
  tell(observe, RoutedAfresh{*objection});
  return first_proven(bound, request, nothing, groups, observe);
}

void tell_result(const Observer& observe, const BoundPolicy& bound, const PlanRequest& request,
                 const std::vector<fabric::MulticastGroup>& groups, const Attempt& made) {
  const ChainRun& run = made.routed.run;
  tell(observe, ChainFinished{run.steps, run.degraded});
  if (made.routed.drift) tell(observe, *made.routed.drift);
  if (const Plan* installed = request.installed)
    tell(observe, TablesCompared{fabric::table_changes(*installed->fabric, installed->tables->lfts,
                                                       *bound.fabric, run.tables.lfts)});
  if (leaves_option_maps_idle(bound, run.tables)) tell(observe, OptionMapsIdle{});
  if (!made.proof.keeps_trees)
    tell(observe, GroupsRouted{*bound.fabric, run.tables.groups, made.proof.groups});
  tell(observe, TablesFinal{*bound.fabric, run});
  tell(observe, Proven{*bound.fabric, run.tables, made.proof.verdict});
  if ((run.tables.steps.size() > 1 || request.suggests_engines) && forbids_for_engine(made.proof.verdict))
    tell(observe, safer_first_engines(bound, request, groups));
}

/// Returns the configuration that the installed plan was made by: its repairs go by that one. A plan that was
/// read from a file has its options, and no more of it: no step, so no engine either.
std::shared_ptr<const Policy> policy_to_repair(std::shared_ptr<const Policy> policy, const Plan& installed) {
  if (digests(*policy) == installed.configuration) return policy;
  if (installed.bound != nullptr) return installed.bound->policy;
  auto known = std::make_shared<Policy>();
  known->options = installed.options;
  return known;
}

}  // namespace

std::string digest(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<Plan> plan(std::shared_ptr<const Policy> policy, Fabric fabric, const PlanRequest& request,
                  Diagnostics& told, const Observer& observe) {
  // Findings of the installed configuration were told when its plan was made. Their places are in its texts,
  // which a reload has replaced.
  Diagnostics untold;
  Diagnostics& diagnostics = request.repairs ? untold : told;
  if (request.repairs) policy = policy_to_repair(std::move(policy), *request.installed);
  auto labelled = assign_lids(policy->options.lids, std::move(fabric), request, observe);
  if (!labelled) return tl::unexpected(labelled.error());
  const auto target = std::make_shared<const Fabric>(std::move(*labelled));
  auto fitted = bind_policy(policy, target, request, diagnostics, observe);
  if (!fitted) return tl::unexpected(fitted.error());
  const auto bound = std::make_shared<const BoundPolicy>(std::move(*fitted));

  const bool is_known = knows_policy(*bound);
  auto configuration = is_known ? digests(*policy) : request.installed->configuration;
  const bool same_configuration =
      request.installed != nullptr && request.installed->configuration == configuration;
  Groups groups = groups_of(*bound, request);
  auto made = request.repairs ? attempt(*bound, request, {same_configuration}, groups.all, {}, observe)
                              : kept_or_fresh(*bound, request, same_configuration, groups.all, observe);
  if (!made) return tl::unexpected(made.error());
  tell_result(observe, *bound, request, groups.all, *made);

  ChainRun& run = made->routed.run;
  return Plan{.fabric = target,
              .tables = std::make_shared<const fabric::RoutingTables>(std::move(run.tables)),
              .steps = std::move(run.steps),
              .degraded = run.degraded,
              .verdict = std::move(made->proof.verdict),
              .configuration = std::move(configuration),
              .options = policy->options,
              .joined = is_known ? std::move(groups.joined) : request.installed->joined,
              .bound = is_known ? bound : nullptr,
              .channels = std::move(made->proof.channels),
              .dependencies = std::move(made->proof.dependencies),
              .cables = is_known ? policy::cable_policy(*policy) : request.installed->cables,
              .lost_pairs = made->routed.lost_pairs,
              .left_pairs = made->routed.left_pairs};
}

Result<Plan> prove_again(Plan plan, const Fabric& fabric, const std::vector<std::string>& accept,
                         const Observer& observe) {
  if (plan.fabric->fingerprint() != fabric.fingerprint()) {
    auto carried = without_lost_end_ports(plan, fabric);
    tell(observe, FabricDiffers{*plan.fabric, fabric, carried.has_value()});
    if (!carried) return fail(ErrorKind::forbidden, "the fabric is not the one that was planned");
    plan = std::move(*carried);
  }
  const auto channels = std::make_shared<verify::ChannelDependencyGraph>();
  std::vector<verify::Finding> unrouted = std::move(plan.verdict.findings);
  std::erase_if(unrouted, [](const verify::Finding& finding) {
    return finding.kind != verify::FindingKind::multicast_unrouted;
  });
  plan.verdict = timed(observe, Phase::verify, [&] {
    const verify::Options proof{
        .max_op_vls = plan.options.qos.max_op_vls, .graph = channels.get(), .known = &plan.dependencies};
    verify::Verdict found = verify::verify(*plan.fabric, *plan.tables, proof);
    found.without_path_sls = verify::without_path_sls(*plan.fabric, *plan.tables, found, proof);
    return found;
  });
  // The tables do not show groups that were left out.
  plan.verdict.findings.insert(plan.verdict.findings.end(), unrouted.begin(), unrouted.end());
  plan.channels = channels;
  accept_findings(plan.verdict, accept);
  tell(observe, Proven{*plan.fabric, *plan.tables, plan.verdict});
  return plan;
}

}  // namespace rch::chains
