#include "assertions/judge.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "assertions/connection.h"
#include "assertions/points.h"
#include "base/text.h"
#include "isolation/between.h"
#include "isolation/path.h"
#include "parsers/assertions/rules.h"
#include "verify/metrics/metrics.h"

namespace rch::assertions {
namespace {

namespace file = parsers::assertions;

class Judge {
 public:
  Judge(const file::File& file, const Subject& subject, Diagnostics& diagnostics)
      : of_(subject), fabric_(subject.fabric), diagnostics_(diagnostics) {
    for (const auto& [name, words] : file.groups)
      for (const parsers::Token& word : words) groups_[name].push_back(word.text);
    check_groups(file);
  }

  /// Why the assertion does not hold; empty: it does.
  std::string operator()(const file::Isolated& what) {
    const auto a = ports(what.a), b = ports(what.b);
    if (a.empty() || b.empty()) return kBadPoint;
    if (of_.pkeys == nullptr) return "the P_Keys of ports are not known";
    for (const auto* side : {&a, &b})
      for (const PortId port : *side)
        if (!of_.pkeys->knows(port)) return fmt::format("the P_Keys of {} are not known", name(port));
    std::vector<PortId> both;
    std::ranges::set_intersection(a, b, std::back_inserter(both));
    if (!both.empty()) return fmt::format("{} is in both", name(both.front()));
    const auto packet = isolation::packet_between(fabric_, *of_.pkeys, a, b);
    if (!packet) return "";
    return fmt::format("{} with P_Key 0x{:04x} exchanges packets with {} with 0x{:04x}{}", name(packet->from),
                       packet->from_key, name(packet->to), packet->to_key,
                       path_text(packet->from, packet->to));
  }

  std::string operator()(const file::Reaches& what) {
    const auto from = ports(what.from), to = ports(what.to);
    if (from.empty() || to.empty()) return kBadPoint;
    if (from.size() == 1 && from == to) return fmt::format("{} is the only port of both", name(from.front()));
    for (const PortId destination : to)
      for (const PortId source : from)
        for (unsigned offset = 0; source != destination && offset < lid_count(destination); ++offset)
          if (auto failure = unreached(source, destination, offset, what.hops); !failure.empty())
            return failure;
    return "";
  }

  std::string operator()(const file::Routed& what) {
    const auto to = ports(what.to);
    if (to.empty()) return kBadPoint;
    if (!of_.knows_steps) return "tables of other programs do not tell which engine made them";
    for (const PortId port : to)
      for (unsigned offset = 0; offset < lid_count(port); ++offset)
        if (auto failure = routed_otherwise(port, offset, what); !failure.empty()) return failure;
    return "";
  }

  std::string operator()(const file::RoutedBy& what) const {
    if (of_.engine.empty()) return "it is not known that one engine made all of the tables";
    return of_.engine == what.engine.text ? "" : fmt::format("the engine is {}", of_.engine);
  }

  std::string operator()(const file::Roots& what) {
    const auto named = ports(what.switches);
    if (named.empty()) return kBadPoint;
    if (of_.ranks.empty()) return kNoRanks;
    std::vector<bool> is_named(fabric_.switch_count());
    for (const PortId port : named) {
      const auto sw = fabric_.switch_id(fabric_.port(port).node);
      if (!sw) return fmt::format("{} is no switch", name(port));
      is_named[sw->index()] = true;
      if (auto failure = other_rank(*sw, 0); !failure.empty()) return failure;
    }
    for (std::uint32_t s = 0; s < is_named.size(); ++s)
      if (of_.ranks[s] == 0 && !is_named[s])
        return fmt::format("`{}` ({}) is a root, too", fabric_.node(SwitchId(s)).name(),
                           fabric_.node(SwitchId(s)).guid);
    return "";
  }

  std::string operator()(const file::RankIs& what) {
    const auto named = ports(what.of);
    if (named.empty()) return kBadPoint;
    if (of_.ranks.empty()) return kNoRanks;
    for (const PortId port : named) {
      const auto sw = fabric_.switch_id(fabric_.port(port).node);
      if (!sw) return fmt::format("{} is no switch", name(port));
      if (auto failure = other_rank(*sw, what.is->value); !failure.empty()) return failure;
    }
    return "";
  }

  std::string operator()(const file::Survives& what) {
    const auto between = what.between.empty() ? all() : ports(what.between);
    if (between.empty()) return what.between.empty() ? "no CA or router port hangs on a switch" : kBadPoint;
    if (between.size() == 1) return fmt::format("{} is the only port", name(between.front()));
    return what.part == file::Survives::Part::cable ? cut_by_a_cable(fabric_, between)
                                                    : cut_by_a_switch(fabric_, between);
  }

  std::string operator()(const file::LinkLoad& what) {
    const std::uint64_t most = verify::measure(fabric_, of_.tables).all_to_all.most;
    return most <= what.most.value ? "" : fmt::format("the fullest link has {}", counted(most, "flow"));
  }

  std::string operator()(const file::SameSls& what) {
    if (!of_.read_plan) return "only the service levels of a plan can be compared with another one's";
    const auto other = of_.read_plan(what.plan.text);
    if (!other) {
      diagnostics_.add(file::kBadValue, what.plan.span, other.error().message);
      return "the other plan cannot be read";
    }
    return differing_sls(*other, what.plan.text);
  }

  std::string operator()(const file::Proven&) { return of_.why_unproven(); }

 private:
  static constexpr std::string_view kNoPort = "a point names no port";
  static constexpr const char* kNoRanks = "the ranks of switches are not known";
  const std::string kBadPoint{kNoPort};

  /// Reports the words of groups that name nothing, also where no test names the group. A word of another
  /// group that exists is reported there.
  void check_groups(const file::File& file) {
    const PointFinder finder(fabric_, groups_);
    for (const auto& [name, words] : file.groups)
      for (const parsers::Token& word : words) {
        if (is_group(word.text)) continue;
        if (const auto found = finder.find(word.text); !found) {
          diagnostics_.add(file::kBadPoint, word.span, found.error().message);
          groups_are_good_ = false;
        }
      }
  }

  bool is_group(const std::string& word) const {
    constexpr std::string_view kForm = "group:";
    return word.starts_with(kForm) && groups_.contains(word.substr(kForm.size()));
  }

  /// LIDs of an end port; 1 also where it has none, which no test passes.
  unsigned lid_count(PortId port) const { return 1U << fabric_.port(port).lmc; }

  /// How the rank of a switch differs from `expected`; empty: it does not.
  std::string other_rank(SwitchId sw, std::uint64_t expected) const {
    const std::uint32_t rank = of_.ranks[sw.index()];
    if (rank == expected) return "";
    return fmt::format("`{}` ({}) has {}", fabric_.node(sw).name(), fabric_.node(sw).guid,
                       rank == Subject::kNoRank ? "no known rank" : fmt::format("rank {}", rank));
  }

  /// How a path from one port to a LID of another fails the assertion; empty: it does not.
  std::string unreached(PortId source, PortId destination, unsigned offset,
                        const std::optional<parsers::Number>& hops) const {
    const auto path = isolation::path_between(fabric_, of_.tables.lfts, source, destination, offset);
    if (!path)
      return fmt::format("{} does not reach {}{}", name(source), name(destination),
                         lid_text(destination, offset));
    if (!hops || path->size() <= hops->value) return "";
    return fmt::format("{} reaches {}{} through {}{}", name(source), name(destination),
                       lid_text(destination, offset), counted(path->size(), "switch"),
                       path_text(source, destination, offset));
  }

  /// Names a LID of a port that has several.
  std::string lid_text(PortId port, unsigned offset) const {
    if (fabric_.port(port).lmc == 0) return "";
    return fmt::format(" at LID {}", fabric_.port(port).lid.value + offset);
  }

  std::string routed_otherwise(PortId port, unsigned offset, const file::Routed& what) const {
    const Lid first = fabric_.port(port).lid, lid(static_cast<std::uint16_t>(first.value + offset));
    bool has_entry = false;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (first == kUnassignedLid || lid > of_.tables.lfts.max_lid()) break;
      if (of_.tables.lfts.at(SwitchId(s), lid) == kNoPath) continue;
      has_entry = true;
      const fabric::RoutedStep& step = of_.tables.steps[of_.tables.step_of(SwitchId(s), lid)];
      if ((what.engine && step.engine != what.engine->text) ||
          (what.step && step.id.value != what.step->value))
        return fmt::format("the entry of `{}` for {}{} is of step {}, {}", fabric_.node(SwitchId(s)).name(),
                           name(port), lid_text(port, offset), step.id, step.engine);
    }
    return has_entry ? ""
                     : fmt::format("no switch has an entry for {}{}", name(port), lid_text(port, offset));
  }

  /// The end ports of another plan that those of this fabric are, by their GUIDs, in the order of
  /// Fabric::end_ports(). Fails with the first that is none.
  Result<std::vector<fabric::EndPort>> counterparts(const fabric::Fabric& other,
                                                    const std::string& file) const {
    std::map<PortId, fabric::EndPort> others;
    for (const fabric::EndPort& end : other.end_ports()) others.emplace(end.port, end);
    std::vector<fabric::EndPort> counterparts;
    for (const fabric::EndPort& end : fabric_.end_ports()) {
      const auto port = other.find_port(fabric_.port(end.port).guid);
      const auto counterpart = port ? others.find(*port) : others.end();
      if (counterpart == others.end() || counterpart->second.lid == kUnassignedLid ||
          counterpart->second.lmc < end.lmc)
        return fail(ErrorKind::forbidden, fmt::format("`{}` has no path to {}{}", file, name(end.port),
                                                      counterpart == others.end() ? "" : " at all its LIDs"));
      counterparts.push_back(counterpart->second);
    }
    return counterparts;
  }

  std::string differing_sls(const Subject::Other& other, const std::string& file) const {
    const auto counterparts_of = counterparts(*other.fabric, file);
    if (!counterparts_of) return counterparts_of.error().message;
    const auto ends = fabric_.end_ports();
    std::vector<std::uint8_t> now, then;
    for (std::size_t to = 0; to < ends.size(); ++to)
      for (unsigned offset = 0; ends[to].lid != kUnassignedLid && offset < lid_count(ends[to].port);
           ++offset) {
        const auto above = [&](Lid lid) { return Lid(static_cast<std::uint16_t>(lid.value + offset)); };
        fabric::path_sls_to(fabric_, of_.tables, above(ends[to].lid), now);
        fabric::path_sls_to(*other.fabric, *other.tables, above((*counterparts_of)[to].lid), then);
        for (std::size_t from = 0; from < ends.size(); ++from) {
          const std::uint8_t sl = now[ends[from].sw.index()], old = then[(*counterparts_of)[from].sw.index()];
          if (from == to || sl == old) continue;
          return fmt::format("{} has SL {} to {}{}, and SL {} in `{}`", name(ends[from].port), sl,
                             name(ends[to].port), lid_text(ends[to].port, offset), old, file);
        }
      }
    return "";
  }

  std::string name(PortId id) const {
    const fabric::Port& port = fabric_.port(id);
    return fmt::format("`{}` ({}) port {}", fabric_.node(port.node).name(), fabric_.node(port.node).guid,
                       port.number);
  }

  std::string path_text(PortId from, PortId to, unsigned offset = 0) const {
    const auto path = isolation::path_between(fabric_, of_.tables.lfts, from, to, offset);
    if (!path || path->empty()) return "";
    std::vector<std::string> hops;
    for (const isolation::PathHop& hop : *path)
      hops.push_back(fmt::format("`{}` port {}", fabric_.node(hop.sw).name(), hop.out));
    return fmt::format(": {}", fmt::join(hops, " -> "));
  }

  std::vector<PortId> all() const {
    std::vector<PortId> ports;
    for (const fabric::EndPort& end : fabric_.end_ports()) ports.push_back(end.port);
    std::ranges::sort(ports);
    return ports;
  }

  /// Ascending, each once. Empty if a word names nothing, which is reported.
  std::vector<PortId> ports(const file::Points& words) {
    const PointFinder finder(fabric_, groups_);
    std::vector<PortId> found;
    for (const parsers::Token& word : words) {
      const auto ports = finder.find(word.text);
      if (!ports) {
        // check_groups() has reported the words of groups.
        if (groups_are_good_ || !is_group(word.text))
          diagnostics_.add(file::kBadPoint, word.span, ports.error().message);
        return {};
      }
      found.insert(found.end(), ports->begin(), ports->end());
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  const Subject& of_;
  const fabric::Fabric& fabric_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::vector<std::string>> groups_;
  bool groups_are_good_ = true;
};

}  // namespace

std::vector<std::uint32_t> ranks_below(const fabric::Fabric& fabric, std::span<const Guid> roots) {
  std::vector<std::uint32_t> ranks(fabric.switch_count(), Subject::kNoRank);
  std::vector<SwitchId> reached;
  for (const Guid root : roots)
    if (const auto sw = fabric.find_switch(root); sw && std::exchange(ranks[sw->index()], 0U) != 0)
      reached.push_back(*sw);
  if (reached.empty()) return {};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const fabric::Neighbor& next : fabric.graph().neighbors(reached[i]))
      if (ranks[next.sw.index()] == Subject::kNoRank) {
        ranks[next.sw.index()] = ranks[reached[i].index()] + 1;
        reached.push_back(next.sw);
      }
  return ranks;
}

std::vector<Outcome> judge(const parsers::assertions::File& file, const Subject& subject,
                           Diagnostics& diagnostics) {
  Judge judge(file, subject, diagnostics);
  std::vector<Outcome> outcomes;
  for (const file::Test& test : file.tests) outcomes.push_back({&test, std::visit(judge, test.what)});
  return outcomes;
}

}  // namespace rch::assertions
