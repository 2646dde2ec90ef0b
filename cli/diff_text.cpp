#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/diff_report.h"
#include "fabric/names.h"

namespace rch::cli {
namespace {

using compare::Comparison;
using compare::Part;

/// Lines of one kind; those beyond kDiffLines are counted.
class DiffDetails {
 public:
  explicit DiffDetails(Output& output) : output_(output) {}
  ~DiffDetails() {
    if (count_ > kDiffLines) output_.line(fmt::format("  and {} more", count_ - kDiffLines));
  }
  DiffDetails(const DiffDetails&) = delete;
  DiffDetails& operator=(const DiffDetails&) = delete;

  /// `text` makes the line, if it is shown.
  template <class Text>
  void add(const Text& text) {
    if (++count_ <= kDiffLines) output_.line("  " + text());
  }

 private:
  Output& output_;
  std::size_t count_ = 0;
};

std::string port_of(const fabric::Fabric& fabric, PortId id) {
  const fabric::Port& port = fabric.port(id);
  const std::string node = describe(fabric.node(port.node));
  if (port.number.value == 0) return node;
  return fmt::format("{} port {}{}", node, port.number, fabric::label_behind(fabric, port.node, port.number));
}

std::string owner_of(const fabric::Fabric& fabric, Lid lid) {
  const auto owner = fabric.lid_owner(lid);
  return owner ? " of " + port_of(fabric, *owner) : std::string();
}

/// `4 new, 2 gone`; empty if there are none.
std::string new_and_gone(std::uint64_t fresh, std::uint64_t gone) {
  std::string text;
  if (gone > 0) text += fmt::format("{} gone", gone);
  if (fresh > 0) text += fmt::format("{}{} new", text.empty() ? "" : ", ", fresh);
  return text;
}

double mean(const std::vector<std::uint64_t>& hops) {
  double sum = 0, pairs = 0;
  for (std::size_t h = 0; h < hops.size(); ++h) {
    sum += static_cast<double>(h) * static_cast<double>(hops[h]);
    pairs += static_cast<double>(hops[h]);
  }
  return pairs == 0 ? 0 : sum / pairs;
}

std::size_t most(const std::vector<std::uint64_t>& hops) {
  for (std::size_t h = hops.size(); h-- > 0;)
    if (hops[h] > 0) return h;
  return 0;
}

/// One line for each kind of difference.
class DiffSummary {
 public:
  DiffSummary(Output& output, const Comparison& c) : output_(output), c_(c) {}

  void print() {
    parts();
    entries();
    paths();
    if (c_.sls.changed > 0)
      line("SLs", fmt::format("{} to ask again: {} of {} pairs of hosts with another service level",
                              counted(c_.sls.hosts, "host"), c_.sls.changed, c_.sls.pairs));
    for (const Part part : {Part::sl2vl, Part::arbitration, Part::rate_limits, Part::pkeys}) settings(part);
    groups();
    for (const compare::NotCompared& what : c_.not_compared)
      line("open", fmt::format("not compared: {}: {}", to_string(what.part), what.why));
    if (c_.sls.unknown > 0)
      line("open", fmt::format("not compared: service levels of {} of hosts that one side does not tell",
                               counted(c_.sls.unknown, "pair")));
    if (c_.equal())
      output_.line(c_.not_compared.empty() && c_.sls.unknown == 0 ? "no difference"
                                                                  : "no difference in what was compared");
  }

 private:
  void line(std::string_view what, const std::string& text) {
    output_.line(fmt::format("{:<8} {}", what, text));
  }
  void line_if(std::string_view what, const std::string& text) {
    if (!text.empty()) line(what, text);
  }

  void parts() {
    std::uint64_t nodes[2] = {}, cables[2] = {};
    for (const fabric::Change& change : c_.parts)
      ++(change.port == PortNum(0) ? nodes : cables)[change.is_new ? 1 : 0];
    line_if("nodes", new_and_gone(nodes[1], nodes[0]));
    if (!c_.changed_nodes.empty()) line("nodes", fmt::format("{} with other ports", c_.changed_nodes.size()));
    line_if("cables", new_and_gone(cables[1], cables[0]));
    const auto count = [&](fabric::PortChange::What what) {
      return static_cast<std::size_t>(std::ranges::count(c_.ports, what, &fabric::PortChange::what));
    };
    if (const auto rates = count(fabric::PortChange::What::rate); rates > 0)
      line("rates", fmt::format("{} at another rate", counted(rates, "cable")));
    if (const auto lids = count(fabric::PortChange::What::lids); lids > 0)
      line("LIDs", fmt::format("{} with another LID or LMC", counted(lids, "port")));
  }

  void entries() {
    const compare::EntryCounts& entries = c_.forwarding.entries;
    if (entries.total() == 0) return;
    const auto differs = [](const compare::EntryCounts& counts) { return counts.total() > 0; };
    line("entries", fmt::format("{} changed, {} new, {} gone at {} of {}", entries.changed, entries.fresh,
                                entries.gone, std::ranges::count_if(c_.forwarding.by_switch, differs),
                                counted(c_.forwarding.by_switch.size(), "switch")));
  }

  void paths() {
    const compare::Forwarding& f = c_.forwarding;
    if (f.changed + f.lost + f.gained > 0)
      line("paths", fmt::format("{} of {} of hosts over other cables, {} lost, {} gained", f.changed,
                                counted(f.pairs, "pair"), f.lost, f.gained));
    if (f.hops_before != f.hops_after)
      line("hops", fmt::format("{:.3f} on average, {} at most; before {:.3f} and {}", mean(f.hops_after),
                               most(f.hops_after), mean(f.hops_before), most(f.hops_before)));
    const compare::Balance &was = f.balance_before, &is = f.balance_after;
    if (is.fullest != was.fullest || is.sum != was.sum)
      line("balance", fmt::format("{} on the fullest link, {} on all; before {} and {}",
                                  counted(is.fullest, "pair"), is.sum, was.fullest, was.sum));
  }

  void settings(Part part) {
    const auto count = std::ranges::count(c_.settings, part, &compare::SettingChange::part);
    if (count > 0)
      line(part == Part::pkeys ? "P_Keys" : "QoS",
           fmt::format(
               "{} of {}", to_string(part),
               count == 1 ? std::string("1 switch or port") : fmt::format("{} switches and ports", count)));
  }

  void groups() {
    if (c_.groups.empty()) return;
    const auto fresh = std::ranges::count_if(c_.groups, &compare::GroupChange::is_new);
    const auto gone = std::ranges::count_if(c_.groups, &compare::GroupChange::is_gone);
    line("groups", fmt::format("{} changed, {} new, {} gone",
                               static_cast<std::int64_t>(c_.groups.size()) - fresh - gone, fresh, gone));
  }

  Output& output_;
  const Comparison& c_;
};

std::string entry(std::uint8_t port) {
  return port == kNoPath ? std::string("no port") : fmt::format("port {}", port);
}

void entry_details(Output& output, const Sides& sides, const Comparison& c) {
  DiffDetails details(output);
  for (std::uint32_t s = 0; s < c.forwarding.by_switch.size(); ++s) {
    const std::uint64_t count = c.forwarding.by_switch[s].total();
    if (count == 0) continue;
    details.add([&] {
      const SwitchId now(c.matching.after_of[s]);
      const auto changes = compare::changed_entries(sides.before, SwitchId(s), sides.after, now, c.matching);
      const compare::EntryChange& first = changes.front();
      const bool is_known = first.lid_after != kUnassignedLid;
      const Lid lid = is_known ? first.lid_after : first.lid_before;
      const std::string lead =
          count == 1 ? "1 entry, for" : fmt::format("{} entries, such as that for", count);
      return fmt::format("{}: {} LID {}{} by {}, before by {}", describe(sides.after.fabric->node(now)), lead,
                         lid, owner_of(is_known ? *sides.after.fabric : *sides.before.fabric, lid),
                         entry(first.after), entry(first.before));
    });
  }
}

void path_details(Output& output, const Sides& sides, const Comparison& c) {
  DiffDetails details(output);
  for (const compare::DestinationPaths& to : c.forwarding.destinations)
    details.add([&] {
      std::string text =
          fmt::format("paths to LID {}{}:", to.lids.after, owner_of(*sides.after.fabric, to.lids.after));
      const char* comma = " ";
      for (const auto& [count, what] : {std::pair(to.changed, "over other cables"),
                                        std::pair(to.lost, "lost"), std::pair(to.gained, "gained")})
        if (count > 0) {
          text += fmt::format("{}{} {}", comma, count, what);
          comma = ", ";
        }
      return text;
    });
}

void sl_details(Output& output, const Sides& sides, const Comparison& c) {
  DiffDetails details(output);
  for (const compare::SlChange& change : c.sls.changes)
    for (const PortId host : change.hosts) {
      const IdSet<Lid> lids = asks_again(*sides.after.fabric, change, host);
      if (lids.empty()) continue;
      details.add([&] {
        return fmt::format("{} asks again for LIDs {}", port_of(*sides.after.fabric, host),
                           elided(ranges(lids)));
      });
    }
}

void setting_details(Output& output, const Sides& sides, const Comparison& c) {
  for (const Part part : {Part::sl2vl, Part::arbitration, Part::rate_limits, Part::pkeys}) {
    DiffDetails details(output);
    for (const compare::SettingChange& change : c.settings)
      if (change.part == part)
        details.add([&] {
          return change.port.is_none()
                     ? change.text
                     : fmt::format("{} {}", port_of(*sides.after.fabric, change.port), change.text);
        });
  }
}

void group_details(Output& output, const Comparison& c) {
  DiffDetails details(output);
  for (const compare::GroupChange& group : c.groups)
    details.add([&] {
      std::string text = fmt::format("multicast LID 0x{:04X}", group.mlid.value);
      if (group.is_new || group.is_gone) return text + (group.is_new ? " is new" : " is gone");
      const char* comma = ": ";
      const auto add = [&](const std::string& counts, const char* what) {
        if (counts.empty()) return;
        text += fmt::format("{}{} {}", comma, what, counts);
        comma = "; ";
      };
      add(new_and_gone(group.entries_new, group.entries_gone), "entries");
      add(new_and_gone(group.members_new, group.members_gone), "members");
      if (group.sl_before != group.sl_after)
        text += fmt::format("{}SL {}, before {}", comma, group.sl_after, group.sl_before);
      return text;
    });
}

}  // namespace

std::string ranges(const IdSet<Lid>& lids) {
  std::string text;
  std::uint32_t first = 0, last = 0;
  const auto end = [&] {
    if (first != 0)
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", first,
                          last == first ? "" : fmt::format("-{}", last));
  };
  lids.for_each([&](Lid lid) {
    if (first != 0 && lid.value == last + 1U) {
      last = lid.value;
      return;
    }
    end();
    first = last = lid.value;
  });
  end();
  return text;
}

IdSet<Lid> asks_again(const fabric::Fabric& fabric, const compare::SlChange& change, PortId host) {
  IdSet<Lid> lids = change.lids;
  const fabric::Port& port = fabric.port(host);
  for (unsigned k = 0; k < 1U << port.lmc; ++k)
    lids.erase(Lid(static_cast<std::uint16_t>(port.lid.value + k)));
  return lids;
}

void print_diff(Output& output, const Sides& sides, const Comparison& comparison) {
  output.line("before   " + describe(sides.before));
  output.line("after    " + describe(sides.after));
  DiffSummary(output, comparison).print();
  const auto texts = [&](const auto& list, const auto& text_of) {
    DiffDetails details(output);
    for (const auto& item : list) details.add([&] { return text_of(item); });
  };
  texts(comparison.parts, [](const fabric::Change& change) { return change.text; });
  texts(comparison.changed_nodes, [](const std::string& text) { return text; });
  texts(comparison.ports, [](const fabric::PortChange& change) { return change.text; });
  entry_details(output, sides, comparison);
  path_details(output, sides, comparison);
  sl_details(output, sides, comparison);
  setting_details(output, sides, comparison);
  group_details(output, comparison);
}

}  // namespace rch::cli
