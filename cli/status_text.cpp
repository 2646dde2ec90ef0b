#include "cli/status_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace rch::cli {
namespace {

std::string text(const Json& status, std::string_view member) {
  const Json* value = status.find(member);
  if (value == nullptr) return "unknown";
  return value->string() != nullptr ? *value->string() : value->dump();
}

std::string joined(const Json::Array& words) {
  std::string list;
  for (const Json& word : words)
    if (word.string() != nullptr) list += (list.empty() ? "" : ", ") + *word.string();
  return list;
}

/// Followers that would not take over.
std::string others_of(const Json& status) {
  const std::uint64_t others = status.number("followers_with_other_configuration").value_or(0);
  if (others == 0) return "";
  return fmt::format("; {} of them {} another configuration and would not take over", others,
                     others == 1 ? "has" : "have");
}

/// What `topo_config_file` and `held_back_sw_file` leave out; empty: nothing.
std::string excluded_by_lists(const Json& status) {
  const std::uint64_t cables = status.number("excluded_cables").value_or(0);
  if (cables == 0) return "";
  const std::string cut_off = text(status, "cut_off");
  return fmt::format("{} excluded (`rch quarantine list`){}", counted(cables, "cable"),
                     cut_off == "null" || cut_off == "unknown" ? "" : "; " + cut_off);
}

/// `pairs`: of hosts, without a path meanwhile.
std::string update_in_progress(const Json& update, std::uint64_t pairs) {
  const std::uint64_t rounds = update.number("rounds").value_or(0);
  const std::uint64_t drained = update.number("drained_lids").value_or(0);
  std::string line =
      rounds == 0 ? "is being written" : fmt::format("is being written in {}", counted(rounds, "round"));
  const bool waits = update.number("waits_ms").value_or(0) != 0;
  if (drained != 0)
    line += fmt::format("; {} without a path {}", counted(drained, "LID"),
                        waits ? "until it is" : "between two of them");
  if (pairs != 0) line += fmt::format("; {} of hosts without a path", counted(pairs, "pair"));
  if (waits) line += "; it waits for packets of an update that was broken off";
  return line;
}

std::string repair_in_effect(const Json& status) {
  const std::uint64_t pairs = status.number("pairs_without_path").value_or(0);
  if (pairs == 0) return "a repair restored the lost paths; it holds until the chain has a plan";
  return fmt::format("a repair restores lost paths until the chain has a plan; {} of hosts without a path",
                     counted(pairs, "pair"));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> status_lines(const Json& status) {
  std::string proven = text(status, "proven") == "true" ? "proven" : "not known to be proven";
  if (const std::string accepted = joined(status.list("accepted")); !accepted.empty())
    proven = "accepted: " + accepted;
  if (const std::string condition = status.text("condition"); !condition.empty()) proven += " " + condition;
  std::vector<std::pair<std::string, std::string>> lines{
      {"state", text(status, "state")},
      {"tables", fmt::format("{}, plan {}", proven, text(status, "generation"))}};
  if (const Json* update = status.find("update"); update != nullptr && !update->empty())
    lines.emplace_back("update",
                       update_in_progress(*update, status.number("pairs_without_path").value_or(0)));
  if (std::string waiting = text(status, "multicast_unrouted"); waiting != "null" && waiting != "unknown")
    lines.emplace_back("groups", std::move(waiting));
  if (text(status, "heals") == "true") lines.emplace_back("healed", repair_in_effect(status));
  if (std::string why = text(status, "degraded"); why != "null")
    lines.emplace_back("degraded", std::move(why));
  if (const Json* unconfirmed = status.find("unconfirmed"); unconfirmed != nullptr && !unconfirmed->empty()) {
    const std::string job = text(*unconfirmed, "job");
    lines.emplace_back(
        "reload",
        text(*unconfirmed, "state") == "waiting"
            ? fmt::format("{} takes effect until {} unless it is confirmed", job, text(*unconfirmed, "until"))
            : "the configuration of the files was not confirmed; the one before it runs");
  }
  if (std::string master = text(status, "following");
      text(status, "state") == "standby" && master != "unknown")
    lines.emplace_back("following", master == "null" ? "nobody" : "the master at LID " + master);
  if (const Json* takeover = status.find("takeover"); takeover != nullptr && !takeover->empty()) {
    std::string seconds = text(*takeover, "seconds");
    if (seconds.ends_with(".0")) seconds.resize(seconds.size() - 2);
    lines.emplace_back("takeover", fmt::format("{} s after the master falls silent ({} of {} polls missed)",
                                               seconds, text(*takeover, "missed"), text(*takeover, "polls")));
  }
  if (const std::string followers = text(status, "followers"); followers != "unknown" && followers != "0")
    lines.emplace_back("followers", followers + others_of(status));
  lines.emplace_back("fabric",
                     fmt::format("{} switches, {} end ports, {} quarantined", text(status, "switches"),
                                 text(status, "end_ports"), text(status, "quarantined")));
  if (const std::string excluded = excluded_by_lists(status); !excluded.empty())
    lines.emplace_back("lists", excluded);
  if (const std::string unhealthy = text(status, "unhealthy"); unhealthy != "unknown" && unhealthy != "0")
    lines.emplace_back("health", unhealthy + " unhealthy (`rch quarantine list`)");
  return lines;
}

std::string status_line(const Json& status) {
  std::string line;
  for (const auto& [name, what] : status_lines(status))
    line += fmt::format("{}{} {}", line.empty() ? "" : "; ", name, what);
  return line;
}

bool is_healthy(const Json& status) {
  if (text(status, "degraded") != "null") return false;
  if (status.number("pairs_without_path").value_or(0) > 0) return false;
  const std::string state = text(status, "state");
  if (state == "standby") return status.number("following").has_value();
  return (state == "master" || state == "observing") && text(status, "proven") == "true";
}

}  // namespace rch::cli
