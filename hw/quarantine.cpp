#include "hw/quarantine.h"

#include <algorithm>
#include <deque>
#include <span>

#include <fmt/format.h>

#include "hw/causes.h"

namespace rch::hw {
namespace {

using Scope = SweepProblem::Scope;

/// Problems spelled out in a message; the rest is counted.
constexpr std::size_t kShownProblems = 5;
constexpr SweepNodeId kOurNode{0};

Result<View> not_whole(const Sweep& sweep, std::span<const SweepProblem> problems,
                       std::string_view end = "") {
  std::string text = "the fabric cannot be seen whole: ";
  for (std::size_t i = 0; i < std::min(problems.size(), kShownProblems); ++i) {
    const SweepProblem& p = problems[i];
    text += fmt::format("{}{}{}{}", i == 0 ? "" : "; ", p.before, sweep.name(p.node, p.port), p.after);
  }
  if (problems.size() > kShownProblems)
    text += fmt::format("; and {} more", problems.size() - kShownProblems);
  const bool contradict = std::ranges::find(problems, Scope::view, &SweepProblem::scope) != problems.end();
  return fail(contradict ? causes::kContradiction : causes::kNotWhole, text.append(end));
}

fabric::Quarantined left_out(const Sweep& sweep, const SweepProblem& problem) {
  const SweepNode& node = sweep.nodes()[problem.node.index()];
  std::string reason =
      problem.before.empty() ? problem.after.substr(1) : problem.before + "it" + problem.after;
  if (problem.scope == Scope::node && !problem.yields)
    reason += node.is_switch()
                  ? "; the switch is left out whole: its tables are unknown, and packets may still "
                    "come from it"
                  : "; the node is left out";
  return {node.info.node_guid, problem.port,   sweep.name(problem.node, problem.port),
          std::move(reason),   problem.yields, problem.symptom == SweepProblem::Symptom::barred};
}

/// A cable may have answered from its other end.
void pull(const Sweep& sweep, View& view, std::pair<SweepNodeId, PortNum> end) {
  view.pulled.insert(end);
  if (const auto& peer = sweep.nodes()[end.first.index()].ports[end.second.index()].peer)
    view.pulled.insert(*peer);
}

class Walk {
 public:
  Walk(const Sweep& sweep, View& view) : sweep_(sweep), view_(view), reached_(sweep.nodes().size()) {
    view_.routes.assign(sweep.nodes().size(), {});
  }

  /// Breadth first through kept switches. Adapters pass nothing on.
  void run() {
    reached_[kOurNode.index()] = true;
    for (std::deque<SweepNodeId> open{kOurNode}; !open.empty(); open.pop_front()) {
      const SweepNode& from = node(open.front());
      const Route route = view_.routes[open.front().index()];
      if ((!from.is_switch() && open.front() != kOurNode) || route.full()) continue;
      for (std::size_t p = 1; p < from.ports.size(); ++p) {
        const auto& peer = from.ports[p].peer;
        if (!peer || !is_kept(peer->first) || reached_[peer->first.index()] || view_.pulled.contains(*peer))
          continue;
        reached_[peer->first.index()] = true;
        view_.routes[peer->first.index()] = route.through(PortNum(static_cast<std::uint8_t>(p)));
        open.push_back(peer->first);
      }
    }
  }

  bool reached_all() const { return std::ranges::find(reached_, false) == reached_.end(); }
  /// Kept switches that were not reached, and cabled ports of kept adapters that lead to no such switch.
  std::vector<std::pair<SweepNodeId, PortNum>> cut_off() const {
    std::vector<std::pair<SweepNodeId, PortNum>> ports;
    for (std::uint32_t n = 0; n < sweep_.nodes().size(); ++n) {
      const SweepNodeId id(n);
      if (!is_kept(id)) continue;
      if (node(id).is_switch() && !reached_[n]) ports.emplace_back(id, PortNum(0));
      for (std::size_t p = 1; !node(id).is_switch() && p < node(id).ports.size(); ++p)
        if (const auto& peer = node(id).ports[p].peer;
            peer && !(is_kept(peer->first) && reached_[peer->first.index()]) &&
            !view_.pulled.contains({id, PortNum(static_cast<std::uint8_t>(p))}))
          ports.emplace_back(id, PortNum(static_cast<std::uint8_t>(p)));
    }
    return ports;
  }

 private:
  const SweepNode& node(SweepNodeId id) const { return sweep_.nodes()[id.index()]; }
  bool is_kept(SweepNodeId id) const { return view_.kept[id.index()]; }

  const Sweep& sweep_;
  View& view_;
  std::vector<bool> reached_;
};

void leave_out(const Sweep& sweep, View& view, const SweepProblem& problem) {
  if (problem.scope == Scope::node) view.kept[problem.node.index()] = false;
  if (problem.scope == Scope::cable || problem.scope == Scope::view)
    pull(sweep, view, {problem.node, problem.port});
  view.quarantine.push_back(left_out(sweep, problem));
}

/// Leaves it out if everything else that takes part stays in reach. True: it is left out.
bool leave_out_if_spare(const Sweep& sweep, View& view, const SweepProblem& problem) {
  if (problem.node == kOurNode && problem.scope == Scope::node) return false;
  View without = view;
  leave_out(sweep, without, problem);
  Walk walk(sweep, without);
  walk.run();
  if (!walk.cut_off().empty()) return false;
  view = std::move(without);
  return true;
}

/// Leaves out what can be. A switch can once the hosts on it are left out, whichever of them comes first.
void leave_out_spare_parts(const Sweep& sweep, View& view, std::vector<SweepProblem> problems) {
  const auto leave_out_one = [&](const SweepProblem& problem) {
    return leave_out_if_spare(sweep, view, problem);
  };
  while (std::erase_if(problems, leave_out_one) > 0) {
  }
  for (const SweepProblem& problem : problems) view.spared.push_back(left_out(sweep, problem));
}

using SweepPortId = std::pair<SweepNodeId, PortNum>;

/// No link carries data yet.
bool is_idle(const SweepNode& node, PortNum number) {
  const auto is_down = [](const SweepPort& port) { return !port.peer || port.info.state < PortState::armed; };
  return node.is_switch() ? std::ranges::all_of(node.ports, is_down) : is_down(node.ports[number.index()]);
}

bool may_leave_out(const Sweep& sweep, SweepPortId at, CutOff cut_off) {
  const SweepNode& node = sweep.nodes()[at.first.index()];
  return at.first != kOurNode && node.managers == 0 &&
         (cut_off == CutOff::in_service || is_idle(node, at.second));
}

/// An adapter has cables besides those that are cut off.
bool has_other_cables(const Sweep& sweep, SweepNodeId id, std::span<const SweepPortId> cut) {
  const SweepNode& node = sweep.nodes()[id.index()];
  const auto cables =
      std::ranges::count_if(node.ports, [](const SweepPort& port) { return port.peer.has_value(); });
  return !node.is_switch() && cables > std::ranges::count(cut, id, &SweepPortId::first);
}

/// What answers, and whose every way to us is left out. True: it is left out, too. False: some of it may not
/// be.
bool leave_out_cut_off(const Sweep& sweep, View& view, std::span<const SweepPortId> cut, CutOff cut_off) {
  if (!std::ranges::all_of(cut, [&](SweepPortId at) { return may_leave_out(sweep, at, cut_off); }))
    return false;
  for (const auto& [id, number] : cut) {
    const Scope scope = has_other_cables(sweep, id, cut) ? Scope::cable : Scope::node;
    leave_out(
        sweep, view,
        {id, number, scope, SweepProblem::Symptom::other, "", " answers, and every way to it is left out"});
  }
  return true;
}

/// A cable that may not take part. Over our own one all else is seen.
void bar(const Sweep& sweep, View& view, const SweepProblem& problem) {
  const bool is_ours = problem.node == kOurNode && problem.port == sweep.local_port();
  if (is_ours)
    view.own_cable = left_out(sweep, problem);
  else
    leave_out(sweep, view, problem);
}

fabric::CablePort cable_end(const Sweep& sweep, SweepPortId at) {
  const SweepNode& node = sweep.nodes()[at.first.index()];
  return {node.info.node_guid, at.second, node.is_switch() ? Guid{} : node.ports[at.second.index()].guid};
}

/// The list has the cable, whether the switch at its other end is held back or not.
bool is_listed(const Sweep& sweep, SweepPortId own, SweepPortId peer) {
  const fabric::CablePort near = cable_end(sweep, own), far = cable_end(sweep, peer);
  const Guid sw = own.first == kOurNode ? far.node : near.node;
  return sweep.cable_policy()->objection(near, far, sw).empty();
}

/// The list of cables is probably that of another fabric.
bool fits_nothing(const Sweep& sweep, const View& view) {
  const fabric::CablePolicy* policy = sweep.cable_policy();
  if (policy == nullptr || !policy->entries() || view.pulled.empty()) return false;
  for (std::uint32_t n = 0; n < sweep.nodes().size(); ++n) {
    const SweepNode& node = sweep.nodes()[n];
    for (std::size_t p = 1; p < node.ports.size(); ++p) {
      const SweepPortId at{SweepNodeId(n), PortNum(static_cast<std::uint8_t>(p))};
      const auto& peer = node.ports[p].peer;
      const bool is_own = at == SweepPortId{kOurNode, sweep.local_port()} ||
                          peer == SweepPortId{kOurNode, sweep.local_port()};
      if (!peer || view.pulled.contains(at)) continue;
      if (!is_own || !view.own_cable || is_listed(sweep, at, *peer)) return false;
    }
  }
  return true;
}

}  // namespace

Result<View> view_of(const Sweep& sweep, bool strict, CutOff cut_off) {
  if (!sweep.own_fault().empty()) return fail(causes::kOwnPortFault, sweep.own_fault());
  const std::vector<SweepProblem> problems = sweep.problems();
  if (strict && !std::ranges::all_of(problems, &SweepProblem::yields)) return not_whole(sweep, problems);

  View view;
  view.kept.assign(sweep.nodes().size(), true);
  std::vector<SweepProblem> fatal, yielding;
  const SweepNode& own = sweep.nodes()[kOurNode.index()];
  for (const SweepProblem& problem : problems) {
    if (problem.symptom == SweepProblem::Symptom::barred) {
      bar(sweep, view, problem);
      continue;
    }
    if (problem.yields) {
      yielding.push_back(problem);
      continue;
    }
    const bool ours = problem.node == kOurNode && (problem.scope == Scope::node || !own.is_switch());
    if (problem.scope == Scope::reach || ours) fatal.push_back(problem);
    leave_out(sweep, view, problem);
  }
  if (!fatal.empty()) return not_whole(sweep, fatal);
  if (fits_nothing(sweep, view)) return fail(causes::kNoListedCable, std::string(fabric::kListFitsNothing));
  if (!own.is_switch() && own.ports[sweep.local_port().index()].info.state <= PortState::down)
    return fail(causes::kPortDown, "our port is down: " + sweep.name(kOurNode, sweep.local_port()));

  Walk walk(sweep, view);
  walk.run();
  view.reaches_all = walk.reached_all();
  auto cut = walk.cut_off();
  while (!cut.empty() && leave_out_cut_off(sweep, view, cut, cut_off)) {
    Walk without(sweep, view);
    without.run();
    cut = without.cut_off();
  }
  if (cut.empty()) {
    leave_out_spare_parts(sweep, view, std::move(yielding));
    return view;
  }
  return not_whole(sweep, problems,
                   fmt::format("; without it, {} {} cut off, such as {}", cut.size(),
                               cut.size() == 1 ? "port that answers is" : "ports that answer are",
                               sweep.name(cut.front().first, cut.front().second)));
}

}  // namespace rch::hw
