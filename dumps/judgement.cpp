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

/// Takes the credit loops out, and says how many channels are on them.
std::uint64_t take_credit_loops(Verdict& verdict) {
  std::uint64_t channels = verdict.switch_lids.on_credit_loops;
  if (const Finding* finding = credit_loop_of(verdict)) channels = std::max(channels, finding->count);
  std::erase_if(verdict.findings,
                [](const Finding& finding) { return finding.kind == FindingKind::credit_loop; });
  verdict.switch_lids.on_credit_loops = 0;
  verdict.switch_lids.credit_loop.clear();
  return channels;
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
    if (!seen_.path_sls || without_qos_) return;
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

  /// As if each link had one virtual lane.
  void judge_links() {
    fabric::RoutingTables links;
    links.lfts = seen_.tables.lfts.clone();
    links.steps = seen_.tables.steps;
    links.groups = seen_.tables.groups;
    links.adaptive = seen_.tables.adaptive;
    verify::Options one_lane = proof_;
    one_lane.given = nullptr;
    one_lane.switch_lids = true;
    result_.verdict = verify::verify(*seen_.fabric, links, one_lane);
    links_have_cycle_ = has_cycle(result_.verdict);
    if (!links_have_cycle_ || knows_vls()) return;
    if (without_qos_)
      result_.credit_loops = CreditLoops::sl_0;
    else
      leave_credit_loops("link", "all packets share one virtual lane", seen_.no_sl2vl);
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
    if (has_cycle(result_.verdict)) leave_credit_loops("channel", "all packets have service level 0", kNoSls);
    leave(fmt::format("{} of packets of other service levels than 0: {}", what, kNoSls));
  }

  void leave_pairs_without_sl(std::string_view what) {
    const std::string pairs = counted(seen_.pairs_without_sl, "pair") + " of end ports";
    if (has_cycle(result_.verdict))
      leave_credit_loops("channel", "packets have service level 0 where no file gives one",
                         fmt::format("for {} no file does", pairs));
    leave(fmt::format("{} of packets of other service levels than 0 between {} for which no file gives one",
                      what, pairs));
  }

  void leave_credit_loops(std::string_view what, std::string_view condition, std::string_view reason) {
    result_.credit_loops = CreditLoops::not_judged;
    const std::uint64_t count = take_credit_loops(result_.verdict);
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
