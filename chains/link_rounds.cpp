#include "chains/link_rounds.h"

#include <algorithm>
#include <utility>

#include "fabric/fabric_builder.h"

namespace rch::chains {
namespace {

using fabric::Fabric;

/// Plans that are made to find the links of one round.
constexpr std::size_t kMostPlans = 64;

/// Parts of the graph that no link joins.
std::size_t count_parts(const fabric::SwitchGraph& graph) {
  std::vector<bool> reached(graph.switch_count());
  std::vector<SwitchId> open;
  const auto reach = [&](SwitchId sw) {
    if (reached[sw.index()]) return false;
    reached[sw.index()] = true;
    open.push_back(sw);
    return true;
  };
  std::size_t parts = 0;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    parts += reach(SwitchId(s)) ? 1 : 0;
    while (!open.empty()) {
      const SwitchId sw = open.back();
      open.pop_back();
      for (const fabric::Neighbor& neighbor : graph.neighbors(sw)) reach(neighbor.sw);
    }
  }
  return parts;
}

/// `fabric` without the cables, if they part no switches.
std::optional<Fabric> without(const Fabric& fabric, std::span<const PortId> links) {
  std::vector<fabric::Port> ports(fabric.ports().begin(), fabric.ports().end());
  for (const PortId id : links) {
    const PortId peer = ports[id.index()].peer;
    ports[peer.index()].peer = ports[id.index()].peer = PortId::none();
  }
  auto rest = fabric::with_ports(fabric, std::move(ports));
  if (!rest || count_parts(rest->graph()) != count_parts(fabric.graph())) return std::nullopt;
  return std::move(*rest);
}

/// What the target was accepted with.
std::vector<std::string> accepted_by(const verify::Verdict& verdict) {
  std::vector<std::string> words;
  for (const verify::Finding& finding : verdict.findings)
    if (finding.accepted) words.emplace_back(verify::name(finding.kind));
  if (!verdict.switch_lids.sound()) words.emplace_back(kSwitchLids);
  return words;
}

/// No fallback has taken the place of a step since.
bool have_same_steps(const Plan& a, const Plan& b) {
  return std::ranges::equal(a.steps, b.steps, {}, &StepReport::status, &StepReport::status);
}

/// Tables of the policy of `target` on `rest`, proven where the other links of `fabric` are there, too.
/// Nothing if there are none, or only those of other steps.
std::optional<Plan> plan_on(const Plan& target, const Fabric& fabric, Fabric rest) {
  // A root without some of its cables has entries for few LIDs. Roots that are found anew lead packets
  // around.
  Plan installed = target;
  for (StepReport& step : installed.steps) step.found_roots.clear();
  PlanRequest request{.installed = &installed, .settings = {}, .may_reassign = false, .makes_groups = false};
  request.settings.accept = accepted_by(target.verdict);
  Diagnostics ignored;
  auto made = plan(target.bound->policy, std::move(rest), request, ignored);
  if (!made || !made->verdict.clean() || !have_same_steps(*made, target)) return std::nullopt;
  made->fabric = std::make_shared<const Fabric>(fabric);
  auto proven = prove_again(std::move(*made), fabric, request.settings.accept);
  if (!proven || !proven->verdict.clean()) return std::nullopt;
  return std::move(*proven);
}

/// The links in an order in which each stretch takes a few of every switch.
std::vector<PortId> spread(const Fabric& fabric, std::span<const PortId> links) {
  std::vector<std::size_t> seen(fabric.switch_count());
  const auto place = [&](PortId port) { return seen[fabric.port(port).node.index()]++; };
  std::vector<std::pair<std::size_t, PortId>> numbered;
  for (const PortId link : links) {
    const std::size_t number = place(link) + place(fabric.port(link).peer);
    numbered.emplace_back(number, link);
  }
  std::ranges::sort(numbered);
  std::vector<PortId> order;
  for (const auto& [number, link] : numbered) order.push_back(link);
  return order;
}

using Links = std::vector<PortId>;

/// The links of one round: as many as can be added before the plans are used up.
class RoundPlanner {
 public:
  RoundPlanner(const Plan& target, const Fabric& fabric) : target_(target), fabric_(fabric) {}

  std::optional<LinkRound> run(const Links& left) {
    std::vector<Links> stack;
    push_halves(left, stack);
    while (!stack.empty() && plans_ < kMostPlans) {
      const Links part = std::move(stack.back());
      stack.pop_back();
      if (!try_add(part) && part.size() > 1) push_halves(part, stack);
    }
    return std::move(round_);
  }

 private:
  static void push_halves(const Links& links, std::vector<Links>& stack) {
    const auto middle = links.begin() + static_cast<std::ptrdiff_t>((links.size() + 1) / 2);
    if (middle != links.end()) stack.emplace_back(middle, links.end());
    stack.emplace_back(links.begin(), middle);
  }

  bool try_add(const Links& part) {
    Links links = round_ ? round_->links : Links();
    links.insert(links.end(), part.begin(), part.end());
    auto rest = without(fabric_, links);
    if (!rest) return false;
    ++plans_;
    auto plan = plan_on(target_, fabric_, std::move(*rest));
    if (!plan) return false;
    round_ = LinkRound{std::move(links), std::move(*plan)};
    return true;
  }

  const Plan& target_;
  const Fabric& fabric_;
  std::size_t plans_ = 0;
  std::optional<LinkRound> round_;
};

}  // namespace

LinkRounds plan_link_rounds(const Plan& target, const Fabric& fabric, std::span<const PortId> links) {
  LinkRounds result{{}, spread(fabric, links)};
  if (target.bound == nullptr) return result;
  while (!result.unspared.empty()) {
    auto round = RoundPlanner(target, fabric).run(result.unspared);
    if (!round) break;
    std::erase_if(result.unspared,
                  [&](PortId id) { return std::ranges::find(round->links, id) != round->links.end(); });
    result.rounds.push_back(std::move(*round));
  }
  return result;
}

}  // namespace rch::chains
