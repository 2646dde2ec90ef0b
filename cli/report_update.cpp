#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

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
      : output_(output),
        event_(event),
        change_(event.change),
        ladder_(event.plan),
        show_rounds_(show_rounds) {}

  void tell() const {
    if (ladder_.only_static) finding(*ladder_.only_static);
    if (!change_.blocks.empty() || !change_.held.sl2vl.empty()) summary();
    if (show_rounds_) batches();
    document();
  }

 private:
  double seconds() const {
    const auto wait = hw::packet_life_time({.packet_life_time = event_.options.ports.packet_life_time});
    return std::chrono::duration<double>(wait).count();
  }

  void finding(const verify::Danger& danger) const {
    output_.line(fmt::format(
        "finding  {}the change has to stop traffic to {} for {:.1f} s, because what the switches hold is "
        "dangerous "
        "before anything new is written: {} [{}]",
        event_.accept_static ? "accepted: " : "", counted(ladder_.drained.size(), "LID", "LIDs"), seconds(),
        danger.message, verify::kStaticChange));
  }

  void summary() const {
    output_.line(fmt::format("change   {} in {}: {}", counted(change_.blocks.size(), "block", "blocks"),
                             counted(ladder_.batches.size(), "batch", "batches"), claim()));
    if (ladder_.only_static) return;
    if (ladder_.at_once) output_.line("         at once they would not be: " + ladder_.at_once->message);
    if (!ladder_.outwards.empty())
      output_.line("         switch by switch, from the destination outwards: " + lid_list(ladder_.outwards));
    if (!ladder_.drained.empty())
      output_.line(fmt::format("         cut off for {:.1f} s: {}", seconds(), lid_list(ladder_.drained)));
  }

  std::string_view claim() const {
    if (ladder_.only_static) return "the old entries are gone before the new ones are written";
    if (!ladder_.judged) return "no host's packet is on its way by an entry that is replaced";
    return "every mix of old and new tables is free of loops and credit loops";
  }

  void batches() const {
    if (ladder_.batches.size() < 2) return;
    for (std::size_t b = 0; b < ladder_.batches.size(); ++b) {
      const fabric::Batch& batch = ladder_.batches[b];
      output_.line(
          fmt::format("         batch {}: {}{}{}", b + 1, batch.maps_first ? "SL2VL maps, " : "",
                      counted(batch.writes.size(), "block", "blocks"),
                      batch.waits ? fmt::format(", then {:.1f} s for packets to leave", seconds()) : ""));
    }
  }

  void document() const {
    const auto lids = [](std::span<const Lid> list) {
      auto out = nlohmann::ordered_json::array();
      for (const Lid lid : list) out.push_back(lid.value);
      return out;
    };
    auto batches = nlohmann::ordered_json::array();
    for (const fabric::Batch& batch : ladder_.batches)
      batches.push_back({{"blocks", batch.writes.size()}, {"waits", batch.waits}});
    output_.json("change", {{"blocks", change_.blocks.size()},
                            {"judged", ladder_.judged},
                            {"destinations", ladder_.destinations},
                            {"batches", batches},
                            {"at_once", ladder_.at_once ? ladder_.at_once->message : ""},
                            {"outwards", lids(ladder_.outwards)},
                            {"drained", lids(ladder_.drained)},
                            {"static", ladder_.only_static.has_value()},
                            {"accepted", ladder_.only_static && event_.accept_static}});
  }

  Output& output_;
  const chains::UpdatePlanned& event_;
  const verify::Change& change_;
  const verify::Ladder& ladder_;
  bool show_rounds_;
};

}  // namespace

void print_update(Output& output, const chains::UpdatePlanned& event, bool show_rounds) {
  Teller(output, event, show_rounds).tell();
}

}  // namespace rch::cli
