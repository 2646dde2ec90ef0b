#include "policy/build/enhanced_qos/build_enhanced_qos.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/lint/rules.h"
#include "policy/lint/rules/enhanced_qos.h"

namespace rch::policy::enhanced_qos {
namespace {

namespace enhanced_qos_syntax = parsers::enhanced_qos;

class Builder {
 public:
  Builder(const enhanced_qos_syntax::Syntax& file, const BuildContext& context)
      : file_(file), context_(context), diagnostics_(context.diagnostics) {}

  EnhancedQos build() {
    for (const enhanced_qos_syntax::Bandwidth& bandwidth : file_.bandwidths) add_bandwidth(bandwidth);
    policy_.ports = section(file_.rules);
    policy_.vports = section(file_.vport_rules);
    if (!file_.vport_rules.empty() && !diagnostics_.has_errors())
      diagnostics_.add(kVirtualPorts, file_.vport_rules.front().who.span,
                       "limits of virtual ports have no effect: rch does not see virtual ports");
    if (context_.main != nullptr)
      policy_.vport0_unlimited = context_.main->options.qos.enhanced_qos_vport0_unlimit_default_rl;
    report_unused();
    return std::move(policy_);
  }

 private:
  void add_bandwidth(const enhanced_qos_syntax::Bandwidth& bandwidth) {
    const std::size_t index = policy_.bandwidths.size();
    const parsers::Token& name = bandwidth.name;
    policy_.bandwidths.push_back({{name.text, name.span}, static_cast<std::uint32_t>(bandwidth.mbps.value)});
    used_.push_back(false);
    context_.symbols.define(SymbolKind::bandwidth, name.text, name.span);
    if (bandwidth.mbps.value == 0 && !says_unlimited(name.text))
      diagnostics_.add(kUnlimitedBandwidth, bandwidth.mbps.span,
                       fmt::format("`{}` is 0 Mb/s, which limits nothing", name.text));
    const auto [first, fresh] = by_name_.emplace(name.text, index);
    if (!fresh)
      diagnostics_
          .add(kDuplicateBandwidth, name.span, fmt::format("bandwidth `{}` is defined twice", name.text))
          .labels.push_back({policy_.bandwidths[first->second].name.span, "first here"});
  }

  static bool says_unlimited(std::string_view name) {
    constexpr std::string_view kWords[] = {"unlim", "nolim", "no-lim", "no_lim", "none",
                                           "free",  "max",   "full",   "inf"};
    const std::string lower = to_lower(name);
    return std::ranges::any_of(kWords,
                               [&](std::string_view w) { return lower.find(w) != std::string::npos; });
  }

  Section section(const std::vector<enhanced_qos_syntax::PortRule>& rules) {
    Section built;
    std::map<std::string, Span> seen;
    for (const enhanced_qos_syntax::PortRule& rule : rules) {
      const RuleRates rates = read_rates(rule);
      switch (rule.kind) {
        case enhanced_qos_syntax::PortRule::fallback:
          report_repeat(rule, "default", seen);
          built.fallback = rates;
          break;
        case enhanced_qos_syntax::PortRule::guid:
          report_repeat(rule, fmt::format("{}", rule.port), seen);
          built.guids.push_back({rule.port, rates, rule.who.span});
          break;
        default:
          add_group(rule, rates, seen, built);
      }
    }
    sort_guids(built.guids);
    return built;
  }

  void add_group(const enhanced_qos_syntax::PortRule& rule, const RuleRates& rates,
                 std::map<std::string, Span>& seen, Section& built) {
    if (context_.groups == nullptr) return note_unresolved(rule.who);
    const auto group = context_.groups->use(rule.who, diagnostics_);
    if (!group) return;
    report_repeat(rule, "group " + rule.who.text, seen);
    built.groups.push_back({*group, rates, rule.who.span});
  }

  void note_unresolved(const parsers::Token& name) {
    constexpr std::string_view kDefault[] = {"default"};
    const bool meant = !nearest(name.text, kDefault).empty();
    if (!meant && std::exchange(unresolved_, true)) return;
    Diagnostic& d = diagnostics_.add(kUnresolvedNames, name.span,
                                     "group names are not checked: their file was not given");
    d.hint = meant ? "did you mean `default`?" : "name all files of the policy together";
    if (meant) d.severity = Severity::warning;
  }

  void report_repeat(const enhanced_qos_syntax::PortRule& rule, std::string what,
                     std::map<std::string, Span>& seen) {
    const auto [first, fresh] = seen.emplace(std::move(what), rule.who.span);
    if (fresh) return;
    diagnostics_
        .add(kRepeatedRule, first->second,
             fmt::format("a later rule for `{}` overrides this one", rule.who.text))
        .labels.push_back({rule.who.span, "the later one"});
    first->second = rule.who.span;
  }

  /// Ascending, the last of each GUID.
  static void sort_guids(std::vector<GuidRule>& guids) {
    std::reverse(guids.begin(), guids.end());
    std::stable_sort(guids.begin(), guids.end(),
                     [](const GuidRule& a, const GuidRule& b) { return a.port < b.port; });
    const auto equal = [](const GuidRule& a, const GuidRule& b) { return a.port == b.port; };
    guids.erase(std::unique(guids.begin(), guids.end(), equal), guids.end());
  }

  /// `all` sets what the rule does not name, wherever it stands.
  RuleRates read_rates(const enhanced_qos_syntax::PortRule& rule) {
    RuleRates rates{};
    std::optional<std::uint32_t> others;
    for (const enhanced_qos_syntax::Limit& limit : rule.limits) {
      const auto mbps = find(limit.bandwidth);
      if (limit.sl) policy_.sls.push_back({static_cast<std::uint8_t>(limit.sl->value), limit.sl->span});
      (limit.sl ? rates[limit.sl->value] : others) = mbps;
    }
    for (auto& rate : rates)
      if (!rate) rate = others;
    return rates;
  }

  std::optional<std::uint32_t> find(const parsers::Token& name) {
    if (const auto at = by_name_.find(name.text); at != by_name_.end()) {
      used_[at->second] = true;
      context_.symbols.refer(SymbolKind::bandwidth, name.text, name.span);
      return policy_.bandwidths[at->second].mbps;
    }
    if (!file_.names_complete) return std::nullopt;
    Diagnostic& d = diagnostics_.add(kUndefinedBandwidth, name.span,
                                     fmt::format("bandwidth `{}` is not defined", name.text));
    if (suggestions_++ >= kSuggestions) return std::nullopt;
    std::vector<std::string_view> names;
    for (const auto& [known, index] : by_name_) names.push_back(known);
    if (const std::string_view meant = nearest(name.text, names); !meant.empty())
      d.hint = fmt::format("did you mean `{}`?", meant);
    return std::nullopt;
  }

  void report_unused() {
    if (!file_.rules_complete) return;
    for (const auto& [name, index] : by_name_)
      if (!used_[index])
        diagnostics_.add(kUnusedBandwidth, policy_.bandwidths[index].name.span,
                         fmt::format("bandwidth `{}` is never used", name));
  }

  const enhanced_qos_syntax::Syntax& file_;
  const BuildContext& context_;
  Diagnostics& diagnostics_;
  EnhancedQos policy_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::vector<bool> used_;
  std::size_t suggestions_ = 0;
  bool unresolved_ = false;
};

}  // namespace

EnhancedQos build_enhanced_qos(const enhanced_qos_syntax::Syntax& syntax, const BuildContext& context) {
  return Builder(syntax, context).build();
}

void check_sls(const EnhancedQos& policy, std::span<const qos::SlUse> uses, Diagnostics& diagnostics) {
  std::array<bool, 16> used{};
  for (const qos::SlUse& use : uses) used[use.sl] = true;
  for (const NamedSl& named : policy.sls)
    if (!std::exchange(used[named.sl], true))
      diagnostics.add(kUnusedSl, named.span, fmt::format("nothing uses SL {}", named.sl));
}

std::vector<qos::SlUse> sl_uses(const EnhancedQos& policy) {
  std::vector<qos::SlUse> uses;
  for (const NamedSl& named : policy.sls)
    uses.push_back({named.sl, qos::SlUse::rate_limit, named.span, "a rate limit"});
  return uses;
}

}  // namespace rch::policy::enhanced_qos
