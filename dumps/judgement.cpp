#include "dumps/judgement.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::dumps {
namespace {

using verify::Finding;
using verify::FindingKind;
using verify::Verdict;

const Finding* credit_loop_of(const Verdict& verdict) {
  const auto found = std::ranges::find(verdict.findings, FindingKind::credit_loop, &Finding::kind);
  return found == verdict.findings.end() ? nullptr : &*found;
}

bool has_cycle(const Verdict& verdict) {
  return credit_loop_of(verdict) != nullptr || !verdict.switch_lids.sound();
}

/// How many channels are on credit loops.
std::uint64_t on_credit_loops(const Verdict& verdict) {
  const Finding* const finding = credit_loop_of(verdict);
  return std::max(verdict.switch_lids.on_credit_loops, finding != nullptr ? finding->count : 0);
}

void take_credit_loops(Verdict& verdict) {
  std::erase_if(verdict.findings,
                [](const Finding& finding) { return finding.kind == FindingKind::credit_loop; });
  verdict.switch_lids.on_credit_loops = 0;
  verdict.switch_lids.credit_loop.clear();
}

std::uint64_t lost_pairs(const Verdict& verdict) {
  std::uint64_t lost = verdict.switch_lids.lost_pairs;
  for (const Finding& finding : verdict.findings)
    if (finding.kind != FindingKind::credit_loop) lost += finding.count;
  return lost;
}

/// Some switch takes its groups for packets of some service levels only.
bool choices_depend_on_sls(const fabric::AdaptiveTables& tables) {
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s) {
    const fabric::AdaptiveSwitch& sw = tables.at(SwitchId(s));
    if (sw.enabled && !sw.fast_recovery && sw.sls != 0xFFFF && !sw.groups.empty()) return true;
  }
  return false;
}

}  // namespace

std::string_view to_string(CreditLoops judged) {
  switch (judged) {
    case CreditLoops::any_sl:
      return "any-sl";
    case CreditLoops::given_sls:
      return "given-sls";
    case CreditLoops::sl_0:
      return "sl-0";
    case CreditLoops::not_judged:
      break;
  }
  return "not-judged";
}

namespace {

/// The proof step by step; the result grows.
class Judge {
 public:
  Judge(const Observed& observed, const JudgementOptions& options)
      : seen_(observed), without_qos_(options.without_qos), proof_{.max_op_vls = options.max_op_vls} {
    // Which service levels packets have is told, or 0 is judged and the claim is one of 0.
    proof_.path_sls = seen_.path_sls && !without_qos_;
    if (!proof_.path_sls) return;
    proof_.given = &*seen_.path_sls;
    proof_.switch_lids = seen_.knows_sls_to_switches;
  }

  Judgement run() && {
    judge_links();
    if (knows_vls()) judge_lanes();
    if (!knows_vls() && !without_qos_)
      leave("packets that a switch drops for want of a virtual lane: " + seen_.no_sl2vl);
    if (seen_.without_groups > 0)
      leave(fmt::format("adaptive routing: no file tells the groups of ports of {}",
                        counted(seen_.without_groups, "switch")));
    if (seen_.private_tables > 0)
      leave(fmt::format("packets that take private forwarding tables: {} has some",
                        counted(seen_.private_tables, "switch")));
    if (!seen_.has_groups) leave("multicast: no multicast tables were given");
    result_.settings = judge_settings(*seen_.fabric, seen_.tables, seen_.settings);
    return std::move(result_);
  }

 private:
  bool knows_vls() const { return seen_.no_sl2vl.empty(); }
  void leave(std::string what) { result_.not_judged.push_back(std::move(what)); }

  /// As if each link had one virtual lane: packets of service level 0, and the cycles of packets of any.
  void judge_links() {
    fabric::RoutingTables links;
    links.lfts = seen_.tables.lfts.clone();
    links.steps = seen_.tables.steps;
    links.groups = seen_.tables.groups;
    links.adaptive = seen_.tables.adaptive;
    verify::Options one_lane = proof_;
    one_lane.given = nullptr;
    one_lane.path_sls = false;
    one_lane.switch_lids = true;
    result_.verdict = verify::verify(*seen_.fabric, links, one_lane);
    links_have_cycle_ = has_cycle(result_.verdict);
    std::uint64_t on_cycles = on_credit_loops(result_.verdict);
    // With groups, packets of other service levels may take other links.
    if (choices_depend_on_sls(links.adaptive)) {
      one_lane.path_sls = true;
      const Verdict of_all = verify::verify(*seen_.fabric, links, one_lane);
      links_have_cycle_ = has_cycle(of_all);
      on_cycles = on_credit_loops(of_all);
      if (!without_qos_ && !knows_vls() && lost_pairs(of_all) > lost_pairs(result_.verdict))
        leave("losses of packets of service levels that are routed adaptively: " + seen_.no_sl2vl);
    }
    if (!links_have_cycle_ || knows_vls()) return;
    if (without_qos_)
      result_.credit_loops = CreditLoops::sl_0;
    else
      leave_credit_loops("link", on_cycles, "all packets share one virtual lane", seen_.no_sl2vl);
  }

  /// With SL2VL maps and service levels.
  void judge_lanes() {
    result_.verdict = verify::verify(*seen_.fabric, seen_.tables, proof_);
    if (proof_.given != nullptr)
      result_.verdict.without_path_sls =
          verify::without_path_sls(*seen_.fabric, seen_.tables, result_.verdict, proof_);
    if (links_have_cycle_)
      result_.credit_loops = proof_.given != nullptr ? CreditLoops::given_sls : CreditLoops::sl_0;
    if (without_qos_) return;
    const std::string_view what = links_have_cycle_ ? "credit loops and losses" : "losses";
    if (proof_.given != nullptr) {
      if (!proof_.switch_lids)
        leave(fmt::format("{} of packets to LIDs of switches: no file gives their service levels", what));
      if (seen_.pairs_without_sl > 0) leave_pairs_without_sl(what);
      return;
    }
    constexpr std::string_view kNoSls = "no service levels of paths were given";
    if (has_cycle(result_.verdict))
      leave_credit_loops("channel", on_credit_loops(result_.verdict), "all packets have service level 0",
                         kNoSls);
    leave(fmt::format("{} of packets of other service levels than 0: {}", what, kNoSls));
  }

  void leave_pairs_without_sl(std::string_view what) {
    const std::string pairs = counted(seen_.pairs_without_sl, "pair") + " of end ports";
    if (has_cycle(result_.verdict))
      leave_credit_loops("channel", on_credit_loops(result_.verdict),
                         "packets have service level 0 where no file gives one",
                         fmt::format("for {} no file does", pairs));
    leave(fmt::format("{} of packets of other service levels than 0 between {} for which no file gives one",
                      what, pairs));
  }

  /// `count`: of links or channels on cycles, which are no finding of the verdict any more.
  void leave_credit_loops(std::string_view what, std::uint64_t count, std::string_view condition,
                          std::string_view reason) {
    result_.credit_loops = CreditLoops::not_judged;
    take_credit_loops(result_.verdict);
    leave(fmt::format("credit loops: {} lie{} on cycles if {}, and {}", counted(count, what),
                      count == 1 ? "s" : "", condition, reason));
  }

  const Observed& seen_;
  bool without_qos_;
  verify::Options proof_;
  Judgement result_{};
  bool links_have_cycle_ = false;
};

}  // namespace

bool Judgement::sound() const {
  return verdict.clean() && verdict.switch_lids.sound() &&
         std::ranges::none_of(settings, &SettingFinding::forbids);
}

Judgement judge(const Observed& observed, const JudgementOptions& options) {
  return Judge(observed, options).run();
}

}  // namespace rch::dumps
