#include "cli/ticket.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"

namespace rch::cli {
namespace {

constexpr std::uint64_t kTicketVersion = 1;
constexpr std::string_view kTicketMember = "rch_ticket";

constexpr std::pair<std::string_view, WayBack::From> kOrigins[] = {
    {"none", WayBack::From::none},
    {"previous plan", WayBack::From::previous},
    {"tables of switches", WayBack::From::found}};

std::string_view name_of(WayBack::From from) {
  return std::ranges::find(kOrigins, from, &std::pair<std::string_view, WayBack::From>::second)->first;
}

Json hosts_json(const std::vector<CutOff::Host>& hosts) {
  auto list = Json::array();
  for (const CutOff::Host& host : hosts)
    list.push_back({{"name", host.name}, {"port", fmt::format("{}", host.port)}, {"lid", host.lid.value}});
  return list;
}

Json update_json(const UpdateOutline& update) {
  return {
      {"rounds", update.rounds}, {"drained_lids", update.drained}, {"stops_traffic", update.stops_traffic}};
}

Json strings(const std::vector<std::string>& texts) {
  auto list = Json::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

Json cut_off_json(const CutOff& cut) {
  return {{"hosts", hosts_json(cut.hosts)},           {"pairs", cut.pairs},
          {"milliseconds", cut.waits.count()},        {"pairs_for_good", cut.pairs_for_good},
          {"other_lids", hosts_json(cut.other_lids)}, {"service_levels_of_hosts", cut.sl_hosts},
          {"links_reset", cut.links_reset},           {"multicast_blocks_drained", cut.groups_drained}};
}

Json back_json(const WayBack& back) {
  if (back.from == WayBack::From::none) return {{"from", name_of(back.from)}, {"why", back.why_none}};
  return {{"from", name_of(back.from)},
          {"plan", back.plan},
          {"update", update_json(back.update)},
          {"pairs", back.pairs},
          {"stays", strings(back.stays)}};
}

Json writes_json(const std::vector<sm::StepDigest>& steps) {
  auto list = Json::array();
  for (const sm::StepDigest& step : steps)
    list.push_back({{"step", step.name},
                    {"writes", step.writes},
                    {"milliseconds", step.waits.count()},
                    {"digest", step.digest}});
  return list;
}

Json installed_json(const sm::StateDigests& state) {
  Json switches = Json::object();
  for (const auto& [guid, digest] : state.switches) switches[fmt::format("{}", guid)] = digest;
  return {{"lids", state.lids}, {"links", state.links}, {"blocks", state.blocks}, {"switches", switches}};
}

/// Reads members of objects. Remembers whether one was missing.
class Members {
 public:
  explicit Members(const Json& json) : json_(json) {}

  std::string text(std::string_view key) {
    const Json* member = json_.find(key);
    if (member == nullptr || member->string() == nullptr) is_whole_ = false;
    return json_.text(key);
  }
  std::uint64_t number(std::string_view key) {
    const auto value = json_.number(key);
    if (!value) is_whole_ = false;
    return value.value_or(0);
  }
  bool flag(std::string_view key) {
    const Json* member = json_.find(key);
    const std::string value = member != nullptr ? member->dump() : "";
    if (value != "true" && value != "false") is_whole_ = false;
    return value == "true";
  }
  std::chrono::milliseconds time() { return std::chrono::milliseconds(number("milliseconds")); }
  Guid guid(std::string_view text) {
    const auto value = parse_integer(text);
    if (!value) is_whole_ = false;
    return Guid(value.value_or(0));
  }
  /// Reads an object with members of its own.
  template <class F>
  void within(std::string_view key, F&& f) {
    const Json* member = json_.find(key);
    if (member == nullptr || member->members() == nullptr) return void(is_whole_ = false);
    Members inner(*member);
    f(inner);
    is_whole_ = is_whole_ && inner.is_whole_;
  }
  /// Reads an array of objects.
  template <class F>
  void each(std::string_view key, F&& f) {
    const Json* member = json_.find(key);
    if (member == nullptr || member->elements() == nullptr) return void(is_whole_ = false);
    for (const Json& element : *member->elements()) {
      Members inner(element);
      f(inner);
      is_whole_ = is_whole_ && inner.is_whole_;
    }
  }
  std::vector<std::string> texts(std::string_view key) {
    std::vector<std::string> list;
    const Json* member = json_.find(key);
    if (member == nullptr || member->elements() == nullptr) return is_whole_ = false, list;
    for (const Json& element : *member->elements())
      if (element.string() != nullptr)
        list.push_back(*element.string());
      else
        is_whole_ = false;
    return list;
  }
  const Json& json() const { return json_; }
  bool is_whole() const { return is_whole_; }
  void spoil() { is_whole_ = false; }

 private:
  const Json& json_;
  bool is_whole_ = true;
};

std::vector<CutOff::Host> hosts_of(Members& members, std::string_view key) {
  std::vector<CutOff::Host> hosts;
  members.each(key, [&](Members& host) {
    hosts.push_back({host.text("name"), host.guid(host.text("port")),
                     Lid(static_cast<std::uint16_t>(host.number("lid")))});
  });
  return hosts;
}

UpdateOutline update_of(Members& members) {
  UpdateOutline update;
  members.within("update", [&](Members& inner) {
    update = {inner.number("rounds"), inner.number("drained_lids"), inner.flag("stops_traffic")};
  });
  return update;
}

CutOff cut_off_of(Members& cut) {
  CutOff found;
  found.hosts = hosts_of(cut, "hosts");
  found.pairs = cut.number("pairs");
  found.waits = cut.time();
  found.pairs_for_good = cut.number("pairs_for_good");
  found.other_lids = hosts_of(cut, "other_lids");
  found.sl_hosts = cut.number("service_levels_of_hosts");
  found.links_reset = cut.number("links_reset");
  found.groups_drained = cut.number("multicast_blocks_drained");
  return found;
}

WayBack way_back_of(Members& members) {
  WayBack back;
  const std::string from = members.text("from");
  const auto* origin = std::ranges::find(kOrigins, from, &std::pair<std::string_view, WayBack::From>::first);
  if (origin == std::end(kOrigins)) return members.spoil(), back;
  back.from = origin->second;
  if (back.from == WayBack::From::none) {
    back.why_none = members.text("why");
    return back;
  }
  back.plan = members.text("plan");
  back.update = update_of(members);
  back.pairs = members.number("pairs");
  back.stays = members.texts("stays");
  return back;
}

sm::StateDigests installed_of(Members& members) {
  sm::StateDigests state;
  state.lids = members.text("lids");
  state.links = members.text("links");
  state.blocks = members.text("blocks");
  members.within("switches", [&](Members& switches) {
    for (const auto& [guid, digest] : *switches.json().members())
      state.switches.emplace_back(switches.guid(guid), switches.text(guid));
  });
  return state;
}

/// How many of the switches hold other tables, and the first of them.
std::string other_switches(const sm::StateDigests& then, const sm::StateDigests& now) {
  std::size_t count = 0;
  Guid first{};
  for (const auto& [guid, digest] : now.switches) {
    const auto known = std::ranges::find(then.switches, guid, &std::pair<Guid, std::string>::first);
    if (known != then.switches.end() && known->second == digest) continue;
    if (count++ == 0) first = guid;
  }
  if (count == 0 && then.switches.size() == now.switches.size()) return "";
  return fmt::format("{} other tables than then, such as {}",
                     count == 1 ? "1 switch holds" : fmt::format("{} switches hold", count), first);
}

std::string names_of(const std::vector<CutOff::Host>& hosts) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(hosts.size(), kShown); ++i)
    text += fmt::format("{}`{}` (LID {})", i == 0 ? "" : ", ", hosts[i].name, hosts[i].lid);
  if (hosts.size() > kShown) text += fmt::format(" and {} more", hosts.size() - kShown);
  return text;
}

}  // namespace

TicketFiles::TicketFiles(std::string ticket_file)
    : ticket(std::move(ticket_file)),
      target(ticket + ".target"),
      before(ticket + ".before"),
      journal(ticket + ".journal") {}

std::string ticket_text(const Ticket& ticket) {
  auto configuration = Json::array();
  for (const auto& [file, hash] : ticket.configuration)
    configuration.push_back({{"file", file}, {"digest", hash}});
  const Json json{
      {std::string(kTicketMember), kTicketVersion},
      {"fabric", {{"fingerprint", ticket.fabric}, {"switches", ticket.switches}, {"hosts", ticket.hosts}}},
      {"target", {{"plan", ticket.target}, {"steps", ticket.steps}, {"configuration", configuration}}},
      {"cut_off", cut_off_json(ticket.cut_off)},
      {"update", update_json(ticket.update)},
      {"back", back_json(ticket.back)},
      {"accept", strings(ticket.accept)},
      {"guid2lid", ticket.lid_file},
      {"knows_service_levels", ticket.knows_levels},
      {"writes", writes_json(ticket.writes)},
      {"installed", installed_json(ticket.installed)}};
  return json.dump(2) + "\n";
}

Result<Ticket> ticket_of(std::string_view text) {
  const auto json = Json::parse(text);
  if (!json || !json->number(kTicketMember)) return fail(ErrorKind::usage, "it is no change ticket of rch");
  if (*json->number(kTicketMember) != kTicketVersion)
    return fail(ErrorKind::usage,
                fmt::format("it is a change ticket of version {}, and this rch knows version {}",
                            *json->number(kTicketMember), kTicketVersion));
  Ticket ticket;
  Members members(*json);
  members.within("fabric", [&](Members& fabric) {
    ticket.fabric = fabric.text("fingerprint");
    ticket.switches = fabric.number("switches");
    ticket.hosts = fabric.number("hosts");
  });
  members.within("target", [&](Members& target) {
    ticket.target = target.text("plan");
    ticket.steps = target.text("steps");
    target.each("configuration", [&](Members& file) {
      ticket.configuration.push_back({file.text("file"), file.text("digest")});
    });
  });
  members.within("cut_off", [&](Members& cut) { ticket.cut_off = cut_off_of(cut); });
  ticket.update = update_of(members);
  members.within("back", [&](Members& back) { ticket.back = way_back_of(back); });
  ticket.accept = members.texts("accept");
  ticket.lid_file = members.text("guid2lid");
  ticket.knows_levels = members.flag("knows_service_levels");
  members.each("writes", [&](Members& step) {
    ticket.writes.push_back({step.text("step"), step.number("writes"), step.time(), step.text("digest")});
  });
  members.within("installed", [&](Members& installed) { ticket.installed = installed_of(installed); });
  if (!members.is_whole()) return fail(ErrorKind::usage, "members of the change ticket are missing or wrong");
  return ticket;
}

std::string difference(const Ticket& ticket, const Ticket& now) {
  if (ticket.fabric != now.fabric) return "the fabric has other nodes or links than then";
  if (ticket.target != now.target) return "the plan is not the one of the ticket";
  if (const std::string other = other_switches(ticket.installed, now.installed); !other.empty()) return other;
  if (ticket.installed.lids != now.installed.lids) return "ports have other LIDs than then";
  if (ticket.installed.links != now.installed.links) return "other links carry data than then";
  if (ticket.installed.blocks != now.installed.blocks)
    return "ports hold other VL arbitration, rate limits, P_Keys or SL2VL maps than then";
  const auto same = [](const sm::StepDigest& a, const sm::StepDigest& b) {
    return a.writes == b.writes && a.waits == b.waits && a.digest == b.digest;
  };
  const auto [then, is] = std::ranges::mismatch(ticket.writes, now.writes, same);
  if (then != ticket.writes.end() || is != now.writes.end())
    return fmt::format("the step `{}` would write something else than the ticket says",
                       is != now.writes.end() ? is->name : then->name);
  if (!(ticket.update == now.update)) return "the rounds of the update are others than those of the ticket";
  if (!(ticket.cut_off == now.cut_off)) return "the update cuts off others than the ticket says";
  return "";
}

std::string describe(const CutOff& cut) {
  std::vector<std::string> parts;
  if (!cut.hosts.empty())
    parts.push_back(fmt::format(
        "{} for {:.1f} s and the time of the writes: {}; {} at once", counted(cut.hosts.size(), "LID"),
        std::chrono::duration<double>(cut.waits).count(), names_of(cut.hosts), counted(cut.pairs, "pair")));
  if (cut.pairs_for_good > 0) parts.push_back(counted(cut.pairs_for_good, "pair") + " for good");
  if (!cut.other_lids.empty())
    parts.push_back(fmt::format(
        "{} another LID: {}",
        cut.other_lids.size() == 1 ? "1 port gets" : fmt::format("{} ports get", cut.other_lids.size()),
        names_of(cut.other_lids)));
  if (cut.sl_hosts > 0)
    parts.push_back(
        fmt::format("{} to ask for path records again",
                    cut.sl_hosts == 1 ? "1 host has" : fmt::format("{} hosts have", cut.sl_hosts)));
  if (cut.links_reset > 0) parts.push_back(counted(cut.links_reset, "link") + " reset");
  if (cut.groups_drained > 0)
    parts.push_back(counted(cut.groups_drained, "block") + " of multicast entries drained");
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text.empty() ? "nobody" : text;
}

}  // namespace rch::cli
