#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/report.h"
#include "hw/commit.h"

namespace rch::cli {
namespace {

std::string lid_list(std::span<const Lid> lids) {
  constexpr std::size_t kListedLids = 10;
  std::string text = fmt::format("{} {}", lids.size() == 1 ? "LID" : "LIDs",
                                 fmt::join(lids.first(std::min(lids.size(), kListedLids)), ", "));
  if (lids.size() > kListedLids) text += fmt::format(" and {} more", lids.size() - kListedLids);
  return text;
}

class UpdatePrinter {
 public:
  UpdatePrinter(Output& output, const chains::UpdatePlanned& event, bool show_rounds)
      : output_(output), event_(event), change_(event.change), plan_(event.plan), show_rounds_(show_rounds) {}

  void print() const {
    if (plan_.only_static) finding(*plan_.only_static);
    if (!change_.blocks.empty() || !change_.installed.sl2vl.empty()) summary();
    if (show_rounds_) rounds();
    document();
  }

 private:
  double seconds() const {
    const auto wait = hw::packet_life_time({.packet_life_time = event_.options.ports.packet_life_time});
    return std::chrono::duration<double>(wait).count();
  }

  void finding(const verify::Hazard& hazard) const {
    const std::string what = plan_.drained.empty()
                                 ? "the update has to stop traffic, and the entries are removed already"
                                 : fmt::format("the update has to drain {} for {:.1f} s",
                                               counted(plan_.drained.size(), "LID"), seconds());
    output_.line(fmt::format("finding  {}{}, because {}: {} [{}]", event_.accept_static ? "accepted: " : "",
                             what, why(), hazard.message, verify::kStaticChange),
                 event_.accept_static ? Meaning::warning : Meaning::bad);
    if (plan_.hosts_at_risk)
      output_.line("         stop all jobs before; hosts have to ask for path records again");
    else if (change_.previous.empty() && !fabric::common_path_sl(change_.target))
      output_.line(
          "         hosts are taken to have the SLs of the new plan; --previous PLAN tells which they have");
  }

  std::string_view why() const {
    return plan_.hosts_at_risk ? "hosts that keep the SLs of the previous plan make the target tables unsafe"
                               : "the installed tables are unsafe before anything is written";
  }

  void summary() const {
    output_.line(fmt::format("update   {} in {}: {}", counted(change_.blocks.size(), "block"),
                             counted(plan_.rounds.size(), "round"), claim()));
    if (plan_.only_static) return;
    if (plan_.to_switches)
      output_.line("         packets to LIDs of switches can close a credit loop: " +
                   plan_.to_switches->message);
    if (plan_.at_once) output_.line("         one round would not be safe: " + plan_.at_once->message);
    if (!plan_.outwards.empty())
      output_.line("         by distance from the destination: " + lid_list(plan_.outwards));
    if (!plan_.drained.empty())
      output_.line(fmt::format("         drained for {:.1f} s: {}", seconds(), lid_list(plan_.drained)));
  }

  /// Packets to LIDs of switches, too, are judged for credit loops.
  bool for_all() const { return plan_.switch_packets == verify::SwitchPackets::all; }

  std::string_view claim() const {
    if (plan_.only_static) return "replaced entries are removed before target entries are written";
    if (!plan_.judged) return "no installed path uses a replaced entry";
    return for_all() ? "every transient state of the paths is free of forwarding loops and credit loops"
                     : "every transient state of the paths is free of forwarding loops, and of credit loops "
                       "of packets to "
                       "hosts";
  }

  void rounds() const {
    if (plan_.rounds.size() < 2) return;
    for (std::size_t r = 0; r < plan_.rounds.size(); ++r) {
      const fabric::WriteRound& round = plan_.rounds[r];
      output_.line(
          fmt::format("         round {}: {}{}{}", r + 1, round.maps_first ? "SL2VL maps, " : "",
                      counted(round.writes.size(), "block"),
                      round.waits ? fmt::format(", then {:.1f} s for packets to leave", seconds()) : ""));
    }
  }

  void document() const {
    const auto lids = [](std::span<const Lid> list) {
      auto out = Json::array();
      for (const Lid lid : list) out.push_back(lid.value);
      return out;
    };
    auto rounds = Json::array();
    for (const fabric::WriteRound& round : plan_.rounds)
      rounds.push_back({{"blocks", round.writes.size()}, {"waits", round.waits}});
    output_.json("update", {{"blocks", change_.blocks.size()},
                            {"judged", plan_.judged},
                            {"destinations", plan_.destinations},
                            {"rounds", rounds},
                            {"one_round", plan_.at_once ? plan_.at_once->message : ""},
                            {"by_distance", lids(plan_.outwards)},
                            {"drained", lids(plan_.drained)},
                            {"entrances", change_.entrances.size()},
                            {"judged_for_credit_loops", for_all() ? "all packets" : "packets to hosts"},
                            {"judged_with_multicast", false},
                            {"credit_loop_to_switches", plan_.to_switches ? plan_.to_switches->message : ""},
                            {"static", plan_.only_static.has_value()},
                            {"hosts_at_risk", plan_.hosts_at_risk},
                            {"accepted", plan_.only_static && event_.accept_static}});
  }

  Output& output_;
  const chains::UpdatePlanned& event_;
  const verify::Change& change_;
  const verify::UpdatePlan& plan_;
  bool show_rounds_;
};

}  // namespace

void print_update(Output& output, const chains::UpdatePlanned& event, bool show_rounds) {
  UpdatePrinter(output, event, show_rounds).print();
}

}  // namespace rch::cli
