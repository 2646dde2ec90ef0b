#include "assertions/judge.h"

#include <algorithm>

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
    for (const PortId destination : to)
      for (const PortId source : from) {
        if (source == destination) continue;
        const auto path = isolation::path_between(fabric_, of_.tables.lfts, source, destination);
        if (!path) return fmt::format("{} does not reach {}", name(source), name(destination));
        if (what.hops && path->size() > what.hops->value)
          return fmt::format("{} reaches {} through {}{}", name(source), name(destination),
                             counted(path->size(), "switch"), path_text(source, destination));
      }
    return "";
  }

  std::string operator()(const file::Routed& what) {
    const auto to = ports(what.to);
    if (to.empty()) return kBadPoint;
    if (!of_.knows_steps) return "tables of other programs do not tell which engine made them";
    for (const PortId port : to) {
      const Lid lid = fabric_.port(port).lid;
      for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
        if (of_.tables.lfts.at(SwitchId(s), lid) == kNoPath) continue;
        const fabric::RoutedStep& step = of_.tables.steps[of_.tables.step_of(SwitchId(s), lid)];
        if ((what.engine && step.engine != what.engine->text) ||
            (what.step && step.id.value != what.step->value))
          return fmt::format("the entry of `{}` for {} is of step {}, {}", fabric_.node(SwitchId(s)).name(),
                             name(port), step.id, step.engine);
      }
    }
    return "";
  }

  std::string operator()(const file::Survives& what) {
    const auto between = what.between.empty() ? all() : ports(what.between);
    if (between.empty()) return kBadPoint;
    return what.part == file::Survives::Part::cable ? cut_by_a_cable(fabric_, between)
                                                    : cut_by_a_switch(fabric_, between);
  }

  std::string operator()(const file::LinkLoad& what) {
    const std::uint64_t most = verify::measure(fabric_, of_.tables).all_to_all.most;
    return most <= what.most.value ? "" : fmt::format("the fullest link has {}", counted(most, "flow"));
  }

  std::string operator()(const file::SameSls& what) {
    const auto other = of_.read_plan(what.plan.text);
    if (!other) return other.error().message;
    std::vector<std::uint8_t> now, then;
    for (const fabric::EndPort& to : fabric_.end_ports()) {
      const auto counterpart = other->fabric->find_port(fabric_.port(to.port).guid);
      if (!counterpart || to.lid == kUnassignedLid) continue;
      fabric::path_sls_to(fabric_, of_.tables, to.lid, now);
      fabric::path_sls_to(*other->fabric, *other->tables, other->fabric->port(*counterpart).lid, then);
      for (const fabric::EndPort& from : fabric_.end_ports()) {
        const auto there = other->fabric->find_switch(fabric_.node(from.sw).guid);
        if (!there || from.port == to.port || now[from.sw.index()] == then[there->index()]) continue;
        return fmt::format("{} has SL {} to {}, and SL {} in `{}`", name(from.port), now[from.sw.index()],
                           name(to.port), then[there->index()], what.plan.text);
      }
    }
    return "";
  }

  std::string operator()(const file::Proven&) { return of_.why_unproven(); }

 private:
  static constexpr std::string_view kNoPort = "a point names no port";
  const std::string kBadPoint{kNoPort};

  std::string name(PortId id) const {
    const fabric::Port& port = fabric_.port(id);
    return fmt::format("`{}` ({}) port {}", fabric_.node(port.node).name(), fabric_.node(port.node).guid,
                       port.number);
  }

  std::string path_text(PortId from, PortId to) const {
    const auto path = isolation::path_between(fabric_, of_.tables.lfts, from, to);
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
};

}  // namespace

std::vector<Outcome> judge(const parsers::assertions::File& file, const Subject& subject,
                           Diagnostics& diagnostics) {
  Judge judge(file, subject, diagnostics);
  std::vector<Outcome> outcomes;
  for (const file::Test& test : file.tests) outcomes.push_back({&test, std::visit(judge, test.what)});
  return outcomes;
}

}  // namespace rch::assertions
