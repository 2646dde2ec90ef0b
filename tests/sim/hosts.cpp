#include "sim/hosts.h"

#include <algorithm>

#include <fmt/format.h>

#include "hw/attributes.h"

namespace rch::sim::test {
namespace {

using State = Host::Registration::State;

constexpr std::uint8_t kFullMember = 1, kSendOnly = 8;
constexpr Item kBroadcast{Item::Kind::group, 0};
constexpr std::uint64_t kKinds = 3, kNumbers = 4;

}  // namespace

Hosts::Hosts(SimulatedFabric& simulated, const fabric::Fabric& fabric, fabric::Random& draw, bool told,
             Say say)
    : simulated_(simulated), fabric_(fabric), draw_(draw), say_(std::move(say)) {
  const auto judge = [this](const Host& host, std::span<const std::uint8_t> records) {
    if (fault_.empty()) fault_ = generations_.fault(fabric_.port(host.port()).guid, records);
  };
  for (const auto& end : fabric.end_ports())
    if (!fabric.is_switch(fabric.port(end.port).node))
      all_.push_back(
          std::make_unique<Host>(simulated, fabric, end.port, judge, told && all_.size() % 2 == 1));
  for (const auto& host : all_)
    if (draw_.below(4) != 0) host->add(kBroadcast);
  simulated.on_client_reregister = [this](PortId port) {
    for (const auto& host : all_)
      if (host->port() == port) host->register_again();
  };
}

Item Hosts::draw_item() {
  return {Item::Kind(draw_.below(kKinds)), static_cast<std::uint8_t>(draw_.below(kNumbers))};
}

void Hosts::act() {
  Host& host = *all_[draw_.below(all_.size())];
  const auto say = [&](const std::string& what) { say_(fmt::format("host {} {}", host.port().value, what)); };
  const std::uint64_t what = draw_.below(10);
  if (what == 0) {
    say("asks for all paths");
    return host.ask_table();
  }
  if (what < 4) {
    const PortId to = all_[draw_.below(all_.size())]->port();
    say(fmt::format("asks for the path to {}", to.value));
    return host.ask_path(to);
  }
  const Item item = draw_item();
  const bool removes = host.registrations().contains(item) && draw_.below(2) == 0;
  say(fmt::format("{} {} {}", removes ? "ends" : "adds", requests::name(item.kind), item.number));
  if (removes) return host.remove(item);
  const bool only_sends = item != kBroadcast && draw_.below(4) == 0;
  host.add(item, only_sends ? kSendOnly : kFullMember);
}

std::string Hosts::lost(PortId manager, const fabric::Fabric& managed, const sa::Server& server) const {
  const auto lid =
      static_cast<std::uint16_t>(get(simulated_.port_info[manager.index()], hw::port_info::kLid));
  for (const auto& host : all_) {
    const Guid guid = fabric_.port(host->port()).guid;
    if (!managed.find_port(guid) || !host->is_up()) continue;
    for (const auto& [item, registration] : host->registrations()) {
      const std::uint64_t of = host->waits_to_be_told() ? host->manager() : registration.manager;
      if (item.kind != Item::Kind::group || registration.state != State::registered || of != lid) continue;
      const sa::Group* group = server.groups().find(requests::mgid_of(item.number));
      const sa::GroupMember* member = group == nullptr ? nullptr : group->member(guid);
      if (member == nullptr || (member->join_state & registration.join_state) == 0)
        return fmt::format("host {} has joined group {}, and the master at {} does not know it",
                           host->port().value, item.number, manager.value);
    }
  }
  return "";
}

void Hosts::confirm(const std::vector<bool>& piece) {
  std::vector<PortId> to;
  for (const auto& host : all_)
    if (is_in(piece, host->port())) to.push_back(host->port());
  for (const auto& host : all_)
    if (is_in(piece, host->port())) host->confirm(to);
}

bool Hosts::are_idle(const std::vector<bool>& piece) const {
  return std::ranges::all_of(
      all_, [&](const auto& host) { return !is_in(piece, host->port()) || host->is_idle(); });
}

std::string Hosts::unconfirmed(const std::vector<bool>& piece, const Traffic& traffic) const {
  for (const auto& host : all_) {
    if (!is_in(piece, host->port())) continue;
    if (!host->is_idle()) return fmt::format("host {} was not answered", host->port().value);
    if (!host->refusals().empty())
      return fmt::format("host {} was refused: {}", host->port().value, host->refusals().front());
    for (const auto& [to, lid] : host->paths())
      if (!traffic.leads(host->port(), lid, to))
        return fmt::format("host {} was told LID {} for {}, and its packets do not arrive",
                           host->port().value, lid, to.value);
  }
  return without_tree(piece, traffic);
}

/// Full members must get what any member sends, over the multicast LID that each was told.
std::string Hosts::without_tree(const std::vector<bool>& piece, const Traffic& traffic) const {
  for (const auto& from : all_)
    for (const auto& [item, sends] : from->registrations()) {
      if (item.kind != Item::Kind::group || !is_in(piece, from->port())) continue;
      for (const auto& to : all_) {
        const auto member = to->registrations().find(item);
        if (to == from || !is_in(piece, to->port()) || member == to->registrations().end() ||
            member->second.join_state != kFullMember)
          continue;
        if (member->second.mlid != sends.mlid)
          return fmt::format("hosts {} and {} have two multicast LIDs for group {}", from->port().value,
                             to->port().value, item.number);
        if (!traffic.reaches(from->port(), sends.mlid, to->port()))
          return fmt::format("group {}: what host {} sends to {} does not reach {}", item.number,
                             from->port().value, sends.mlid, to->port().value);
      }
    }
  return "";
}

Host::Counters Hosts::counters() const {
  Host::Counters all;
  for (const auto& host : all_) all += host->counters();
  return all;
}

}  // namespace rch::sim::test
