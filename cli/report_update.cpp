#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/report.h"
#include "hw/commit.h"

namespace rch::cli {
namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

std::string lid_list(std::span<const Lid> lids) {
  constexpr std::size_t kShown = 10;
  std::string text = fmt::format("{} {}", lids.size() == 1 ? "LID" : "LIDs",
                                 fmt::join(lids.first(std::min(lids.size(), kShown)), ", "));
  if (lids.size() > kShown) text += fmt::format(" and {} more", lids.size() - kShown);
  return text;
}

class Teller {
 public:
  Teller(Output& output, const chains::UpdatePlanned& event, bool show_rounds)
      : output_(output), event_(event), change_(event.change), plan_(event.plan), show_rounds_(show_rounds) {}

  void tell() const {
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
    output_.line(
        fmt::format("finding  {}the update has to stop traffic to {} for {:.1f} s, because the installed "
                    "tables are unsafe before anything new is written: {} [{}]",
                    event_.accept_static ? "accepted: " : "", counted(plan_.drained.size(), "LID", "LIDs"),
                    seconds(), hazard.message, verify::kStaticChange));
  }

  void summary() const {
    output_.line(fmt::format("change   {} in {}: {}", counted(change_.blocks.size(), "block", "blocks"),
                             counted(plan_.rounds.size(), "round", "rounds"), claim()));
    if (plan_.only_static) return;
    if (plan_.at_once) output_.line("         at once they would not be: " + plan_.at_once->message);
    if (!plan_.outwards.empty())
      output_.line("         switch by switch, from the destination outwards: " + lid_list(plan_.outwards));
    if (!plan_.drained.empty())
      output_.line(fmt::format("         cut off for {:.1f} s: {}", seconds(), lid_list(plan_.drained)));
  }

  std::string_view claim() const {
    if (plan_.only_static) return "the old entries are gone before the new ones are written";
    if (!plan_.judged) return "no installed path uses a replaced entry";
    return "every transient state is free of forwarding loops and credit loops";
  }

  void rounds() const {
    if (plan_.rounds.size() < 2) return;
    for (std::size_t b = 0; b < plan_.rounds.size(); ++b) {
      const fabric::WriteRound& round = plan_.rounds[b];
      output_.line(
          fmt::format("         round {}: {}{}{}", b + 1, round.maps_first ? "SL2VL maps, " : "",
                      counted(round.writes.size(), "block", "blocks"),
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
    output_.json("change", {{"blocks", change_.blocks.size()},
                            {"judged", plan_.judged},
                            {"destinations", plan_.destinations},
                            {"batches", rounds},
                            {"at_once", plan_.at_once ? plan_.at_once->message : ""},
                            {"outwards", lids(plan_.outwards)},
                            {"drained", lids(plan_.drained)},
                            {"static", plan_.only_static.has_value()},
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
  Teller(output, event, show_rounds).tell();
}

}  // namespace rch::cli
