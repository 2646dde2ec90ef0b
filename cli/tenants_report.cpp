#include "cli/tenants_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/json.h"
#include "isolation/compare.h"
#include "isolation/path.h"
#include "policy/bind/partitions/layout.h"

namespace rch::cli {
namespace {

using isolation::Isolation;
using isolation::Packet;

/// Lines of one kind that the text shows; JSON has them all.
constexpr std::size_t kLinesOfAKind = 20;

std::string key_text(std::uint16_t key) { return key == 0 ? "no P_Key" : fmt::format("0x{:04x}", key); }

class Teller {
 public:
  Teller(Context& context, const TenantsToTell& what)
      : context_(context),
        what_(what),
        found_(isolation::judge(what.fabric, what.installed, what.tables.groups)) {}

  TenantsTold run() {
    tell_counts();
    tell_shared();
    tell_meetings();
    tell_groups();
    tell_reached();
    tell_unknown();
    // Up to 10,000 pairs with their paths: a manager, which prints text, does without.
    Json json = context_.output.format() == Format::json ? tenants_json() : Json{{"pairs", found_.pairs}};
    if (what_.target != nullptr) compare(json);
    context_.output.json("tenants", std::move(json));
    return told_;
  }

 private:
  std::string port_name(PortId id) const {
    const fabric::Port& port = what_.fabric.port(id);
    return fmt::format("{} port {}", describe(what_.fabric.node(port.node)), port.number);
  }

  /// `a` port 1 with 0xffff -> `sw` port 3 -> `b` port 1, which has 0x7fff.
  std::string packet_text(const Packet& packet) const {
    std::string text = fmt::format("{} with {}", port_name(packet.from), key_text(packet.from_key));
    const auto path = isolation::path_between(what_.fabric, what_.tables.lfts, packet.from, packet.to);
    for (const isolation::PathHop& hop : path.value_or(std::vector<isolation::PathHop>()))
      text += fmt::format(" -> {} port {}", describe(what_.fabric.node(hop.sw)), hop.out);
    text += fmt::format(" -> {}, which has {}", port_name(packet.to), key_text(packet.to_key));
    return path ? text : text + "; no path leads there now";
  }

  Json port_json(PortId id) const {
    return {{"node", what_.fabric.node(what_.fabric.port(id).node).name()},
            {"guid", fmt::format("{}", what_.fabric.port(id).guid)},
            {"port", what_.fabric.port(id).number.value}};
  }

  /// A partition that has other members than it is to have, with the first of these ports.
  template <class Difference>
  Json difference_json(const Difference& one) const {
    return {{"partition", one.partition},
            {"ports", one.ports},
            {"port", port_json(one.port)},
            {"installed_pkey", one.installed},
            {"target_pkey", one.target}};
  }

  Json packet_json(const std::optional<Packet>& packet) const {
    if (!packet) return nullptr;
    Json out{{"from", port_json(packet->from)},
             {"from_pkey", packet->from_key},
             {"to", port_json(packet->to)},
             {"to_pkey", packet->to_key},
             {"path", nullptr}};
    const auto path = isolation::path_between(what_.fabric, what_.tables.lfts, packet->from, packet->to);
    if (!path) return out;
    out["path"] = Json::array();
    for (const isolation::PathHop& hop : *path)
      out["path"].push_back({{"switch", what_.fabric.node(hop.sw).name()},
                             {"guid", fmt::format("{}", what_.fabric.node(hop.sw).guid)},
                             {"out", hop.out.value}});
    return out;
  }

  void more(const std::string& text) { context_.output.line("           " + text); }
  template <class Range, class F>
  void list(const Range& all, F&& line_of) {
    std::size_t shown = 0;
    for (const auto& one : all) {
      if (shown++ == kLinesOfAKind) {
        more(fmt::format("… and {} more", all.size() - kLinesOfAKind));
        return;
      }
      more(line_of(one));
    }
  }

  /// A fabric with the default partition alone has no tenants.
  void tell_counts() {
    if (found_.tenants == 0 && what_.target == nullptr) return;
    std::string text =
        fmt::format("tenants  {} beside the default one", counted(found_.tenants, "partition"));
    if (found_.pairs > 0)
      text += fmt::format("; {} of {} apart", found_.apart(), counted(found_.pairs, "pair"));
    if (found_.sharing > 0) text += fmt::format(", {} with ports in both", found_.sharing);
    if (found_.meeting > 0)
      text += fmt::format(", {} whose members exchange packets in a third partition", found_.meeting);
    context_.output.line(text);
  }

  void tell_shared() {
    list(found_.shared_ports, [&](const isolation::SharedPort& shared) {
      return fmt::format("{} is in {} of them", port_name(shared.port), shared.tenants);
    });
  }

  void tell_meetings() {
    std::vector<const isolation::Meeting*> meetings;
    for (const isolation::Meeting& meeting : found_.meetings)
      if (meeting.packet) meetings.push_back(&meeting);
    list(meetings, [&](const isolation::Meeting* meeting) {
      return fmt::format("0x{:04x} and 0x{:04x} are not apart: {}", meeting->a, meeting->b,
                         packet_text(*meeting->packet));
    });
  }

  void tell_groups() {
    list(found_.mixed_groups, [&](const isolation::MixedGroup& group) {
      return fmt::format("the ports of multicast LID 0x{:04X} have no partition in common, such as {} and {}",
                         group.mlid, port_name(group.a), port_name(group.b));
    });
    if (!found_.mixed_groups.empty()) told_.checked = false;
  }

  /// One witness for all partitions: mostly it is one switch port that checks nothing.
  void tell_reached() {
    const isolation::Partition* most = nullptr;
    std::size_t partitions = 0;
    for (const isolation::Partition& partition : found_.partitions) {
      if (partition.reached == 0) continue;
      ++partitions;
      if (most == nullptr || partition.reached > most->reached) most = &partition;
    }
    if (most == nullptr) return;
    if (!what_.knows_checks) {
      leave(
          "whether switch ports drop packets of partitions that the port behind them is not in: no file "
          "tells");
      return;
    }
    told_.checked = false;
    const PortId in_front = isolation::switch_port_of(what_.fabric, most->reaching->to);
    more(
        fmt::format("packets of {} reach ports that are no members and have to drop them: {} of 0x{:04x}, "
                    "such as {}{}",
                    counted(partitions, "partition"), counted(most->reached, "port"), most->number,
                    packet_text(*most->reaching),
                    in_front.is_none() ? "" : "; " + port_name(in_front) + " lets them pass"));
  }

  void tell_unknown() {
    if (found_.unknown > 0)
      leave(fmt::format("with whom {} {} packets, such as {}: no file has {} P_Keys",
                        counted(found_.unknown, "port"), found_.unknown == 1 ? "exchanges" : "exchange",
                        port_name(found_.first_unknown), found_.unknown == 1 ? "its" : "their"));
  }

  /// What nobody asked to compare is a remark.
  void leave(std::string what) {
    if (what_.target == nullptr && found_.tenants == 0) return;
    if (what_.target == nullptr)
      more("not known: " + what);
    else
      told_.not_judged.push_back("partitions: " + std::move(what));
  }

  Json tenants_json() const {
    auto partitions = Json::array(), meetings = Json::array(), shared = Json::array(), groups = Json::array();
    for (const isolation::Partition& p : found_.partitions)
      partitions.push_back({{"partition", p.number},
                            {"full", p.full},
                            {"limited", p.limited},
                            {"reaches", what_.knows_checks ? Json(p.reached) : Json(nullptr)},
                            {"packet", what_.knows_checks ? packet_json(p.reaching) : Json(nullptr)}});
    for (const isolation::Meeting& m : found_.meetings)
      meetings.push_back(
          {{"a", m.a}, {"b", m.b}, {"shared_ports", m.shared}, {"packet", packet_json(m.packet)}});
    for (const isolation::SharedPort& s : found_.shared_ports)
      shared.push_back({{"port", port_json(s.port)}, {"tenants", s.tenants}});
    for (const isolation::MixedGroup& g : found_.mixed_groups)
      groups.push_back({{"mlid", g.mlid.value}, {"a", port_json(g.a)}, {"b", port_json(g.b)}});
    return {{"pairs", found_.pairs},
            {"apart", found_.apart()},
            {"sharing_ports", found_.sharing},
            {"meeting", found_.meeting},
            {"ports_unknown", found_.unknown},
            {"partitions", std::move(partitions)},
            {"not_apart", std::move(meetings)},
            {"shared_ports", std::move(shared)},
            {"mixed_groups", std::move(groups)}};
  }

  void compare(Json& json) {
    const isolation::Differences differences =
        isolation::compare(what_.fabric, what_.installed, *what_.target);
    told_.is_target = differences.none();
    auto beyond = Json::array(), lacking = Json::array();
    for (const isolation::Beyond& one : differences.beyond) {
      tell(one);
      beyond.push_back(difference_json(one));
      beyond.back()["pairs"] = one.pairs;
      beyond.back()["packet"] = packet_json(one.packet);
    }
    for (const isolation::Lacking& one : differences.lacking) {
      context_.output.line(
          fmt::format("finding  partition 0x{:04x} has {} too few, such as {}: {}, and {} gives {} "
                      "[partition-lacking]",
                      one.partition, counted(one.ports, "port"), port_name(one.port), key_text(one.installed),
                      what_.target_name, key_text(one.target)));
      lacking.push_back(difference_json(one));
    }
    const bool knows_all = differences.unknown + differences.unknown_base_ports == 0;
    if (differences.unknown_base_ports > 0)
      told_.not_judged.push_back(fmt::format("partitions: the P_Keys of port 0 of {}: no file has them",
                                             counted(differences.unknown_base_ports, "switch")));
    if (differences.none())
      context_.output.line(fmt::format("tenants  as {} gives them{}", what_.target_name,
                                       knows_all ? "" : ", as far as P_Keys are known"));
    json["is_target"] = differences.none();
    json["ports_not_compared"] = differences.unknown + differences.unknown_base_ports;
    json["beyond"] = std::move(beyond);
    json["lacking"] = std::move(lacking);
  }

  void tell(const isolation::Beyond& one) {
    context_.output.line(fmt::format(
        "finding  partition 0x{:04x} has {} too many, such as {}: {}, and {} gives {}; {} "
        "[partition-beyond]",
        one.partition, counted(one.ports, "port"), port_name(one.port), key_text(one.installed),
        what_.target_name, key_text(one.target),
        !one.packet ? "no pair that must be apart exchanges packets by it"
                    : fmt::format("{} that must be apart {} packets: {}", counted(one.pairs, "pair"),
                                  one.pairs == 1 ? "exchanges" : "exchange", packet_text(*one.packet))));
  }

  Context& context_;
  const TenantsToTell& what_;
  const Isolation found_;
  TenantsTold told_;
};

/// Items that a file alone does not explain. Says which port SELF is taken for.
Result<void> check_members(Context& context, const policy::partitions::Partitions& partitions,
                           const std::string& file, const fabric::Fabric& fabric, const OwnPort& own) {
  using policy::partitions::Who;
  bool has_self = false;
  for (const auto& partition : partitions.all)
    for (const policy::partitions::Member& member : partition.members) {
      has_self = has_self || member.who == Who::self;
      if (member.who == Who::group)
        return fail(ErrorKind::usage,
                    fmt::format("partition `{}` of `{}` has a port group as a member, which only a "
                                "configuration defines: judge a plan (`--plan`)",
                                partition.name.text, file));
    }
  if (!has_self) return {};
  if (own.port.is_none())
    return fail(ErrorKind::usage,
                fmt::format("`{}` has the member SELF, and it is not known which port the subnet "
                            "manager has",
                            file));
  const fabric::Port& port = fabric.port(own.port);
  if (own.guessed)
    context.output.line(fmt::format("tenants  SELF is taken for {} port {}, from which the fabric was seen",
                                    describe(fabric.node(port.node)), port.number));
  return {};
}

}  // namespace

TenantsTold tell_tenants(Context& context, const TenantsToTell& what) { return Teller(context, what).run(); }

std::string not_the_target(const std::string& file) {
  return fmt::format("NOT sound: ports hold other P_Keys than `{}` gives them", file);
}

Stage<isolation::InstalledPKeys> target_pkeys(Context& context, const std::string& file,
                                              const fabric::Fabric& fabric, const OwnPort& own) {
  const policy::LintFile given{file, policy::Dialect::partitions};
  const auto read = policy::lint_files(std::span(&given, 1), *context.sources, context.diagnostics);
  if (context.report() || !read.policy) return tl::unexpected(Exit::usage);
  const policy::partitions::Partitions& partitions = read.policy->partitions;
  if (const auto known = check_members(context, partitions, file, fabric, own); !known)
    return tl::unexpected(context.stop(known.error()));
  const policy::partitions::Place place{fabric, own.port, {}};
  policy::partitions::check_on_fabric(partitions, place, context.diagnostics);
  if (context.report()) return tl::unexpected(Exit::usage);
  return isolation::pkeys_of_plan(fabric, policy::partitions::lay_out(partitions, place));
}

}  // namespace rch::cli
