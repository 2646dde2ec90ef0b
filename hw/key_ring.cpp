#include "hw/key_ring.h"

#include <algorithm>

#include "hw/attributes.h"

namespace rch::hw {
namespace {

using fabric::CableEnd;

bool shows_port_info(const SmpRequest& request, const SmpAnswer& answer) {
  return request.attribute == Attribute::port_info && request.method == Method::get && answer.good();
}

void append(std::vector<std::uint64_t>& keys, std::uint64_t key) {
  if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
}

PortNum port_in(const SmpRequest& request) {
  return PortNum(static_cast<std::uint8_t>(request.modifier & 0xFFU));
}

}  // namespace

KeyRing::KeyRing(KeyOptions options)
    : sources_{options.own}, local_(options.local), cables_(std::move(options.cables)) {
  for (const KeySource& source : options.former)
    if (source.m_key != 0 && sources_.size() < kMostSources &&
        std::ranges::find(sources_, source) == sources_.end())
      sources_.push_back(source);
  per_port_ = std::ranges::any_of(sources_, &KeySource::per_port);
  if (per_port_)
    for (const Guid manager : options.managers)
      if (manager != local_) note_unplugged(manager);
}

void KeyRing::know(const fabric::Fabric& fabric) {
  if (!per_port_) return;
  cables_.add(fabric);
  std::erase_if(open_ends_, [&](const CableEnd& end) { return cables_.behind(end) != nullptr; });
}

KeyRing::AddressText KeyRing::text_of(const Address& to) {
  if (const Route* route = std::get_if<Route>(&to))
    return {route->ports.begin() + 1, route->ports.begin() + 1 + route->hops};
  const std::uint16_t lid = std::get<Lid>(to).value;
  // No hop leads out of port 0, so no route looks like this.
  return {0, static_cast<std::uint8_t>(lid >> 8U), static_cast<std::uint8_t>(lid & 0xFFU)};
}

// Which agent it is

/// Where a route ends: the agent, and the port that it comes in by; 0 at our own node.
std::optional<CableEnd> KeyRing::end_of(const Route& route) const {
  if (local_ == Guid()) return std::nullopt;
  CableEnd at{local_, PortNum(0)};
  for (std::size_t hop = 1; hop <= route.hops; ++hop) {
    const CableEnd* far = cables_.behind({at.agent, PortNum(route.ports[hop])});
    if (far == nullptr) return std::nullopt;
    at = *far;
  }
  return at;
}

std::optional<Guid> KeyRing::agent_at(const Address& to) const {
  if (const Route* route = std::get_if<Route>(&to)) {
    const auto end = end_of(*route);
    return end ? std::optional(end->agent) : std::nullopt;
  }
  const auto known = by_lid_.find(std::get<Lid>(to));
  return known == by_lid_.end() ? std::nullopt : std::optional(known->second);
}

void KeyRing::learn_node(const Route& route, const SmpAnswer& answer) {
  const auto info = decode<NodeInfo>(answer.data);
  const Guid agent = info.type == fabric::NodeType::sw ? info.node_guid : info.port_guid;
  std::erase(unplugged_, agent);
  if (route.hops == 0) {
    local_ = agent;
    return;
  }
  Route before = route;
  const PortNum exit(before.ports[before.hops--]);
  const auto near = end_of(before);
  if (!near) return;
  const CableEnd out{near->agent, exit};
  if (const CableEnd* known = cables_.behind(out); known != nullptr && known->agent != agent)
    note_unplugged(known->agent);
  const CableEnd far{agent, info.local_port};
  cables_.add(out, far);
  open_ends_.erase(out);
  open_ends_.erase(far);
}

void KeyRing::learn_port(const SmpRequest& request, const SmpAnswer& answer) {
  const auto* route = std::get_if<Route>(&request.to);
  const auto end = route != nullptr ? end_of(*route) : std::nullopt;
  if (!end) return;
  const CableEnd here{end->agent, port_in(request)};
  const CableEnd* const far = cables_.behind(here);
  if (get(answer.data, port_info::kState) == static_cast<std::uint64_t>(PortState::down)) {
    open_ends_.erase(here);
    if (far != nullptr) note_unplugged(far->agent);
  } else if (far == nullptr && here.port != PortNum(0)) {
    open_ends_.insert(here);
  }
  const Lid lid(static_cast<std::uint16_t>(get(answer.data, port_info::kLid)));
  if (lid != kUnassignedLid) by_lid_.insert_or_assign(lid, end->agent);
}

void KeyRing::note_unplugged(Guid agent) {
  std::erase(unplugged_, agent);
  unplugged_.push_front(agent);
  if (unplugged_.size() > kMostUnplugged) unplugged_.pop_back();
}

// Keys

/// Best first, but for what the agent was seen to hold.
void KeyRing::known_keys(const Address& to, std::vector<std::uint64_t>& keys) const {
  const std::optional<Guid> agent = per_port_ ? agent_at(to) : std::nullopt;
  for (const KeySource& source : sources_)
    if (agent || !source.per_port) append(keys, key_of(source, agent.value_or(Guid())));
  if (keys.empty()) keys.push_back(0);
}

void KeyRing::keys_for(const SmpRequest& request, std::vector<std::uint64_t>& keys) const {
  keys.clear();
  if (const auto kept = holds_.empty() ? holds_.end() : holds_.find(text_of(request.to));
      kept != holds_.end())
    keys.push_back(kept->second);
  known_keys(request.to, keys);
  if (request.attribute != Attribute::node_info) return;
  for (const Guid agent : unplugged_) append(keys, key_of(own(), agent));
  if (per_port_ && !agent_at(request.to)) append_keys_of_open_ends(request.to, keys);
}

/// The cable has its other end somewhere else than at the agent before it.
void KeyRing::append_keys_of_open_ends(const Address& to, std::vector<std::uint64_t>& keys) const {
  const auto* route = std::get_if<Route>(&to);
  if (route == nullptr || route->hops == 0) return;
  Route before = *route;
  --before.hops;
  const std::optional<Guid> near = agent_at(before);
  const std::size_t most = keys.size() + kMostUnplugged;
  for (const CableEnd& end : open_ends_)
    if (end.agent != near && keys.size() < most) append(keys, key_of(own(), end.agent));
}

void KeyRing::learn(const SmpRequest& request, const SmpAnswer& answer, std::uint64_t used) {
  if (request.method == Method::set && !refusing_.empty()) refusing_.erase(text_of(request.to));
  if (!answer.good()) return;
  if (per_port_ && request.attribute == Attribute::node_info && std::holds_alternative<Route>(request.to))
    learn_node(std::get<Route>(request.to), answer);
  if (per_port_ && request.attribute == Attribute::port_info) learn_port(request, answer);
  if (per_port_ || sources_.size() > 1) learn_key(request, answer, used);
}

void KeyRing::learn_key(const SmpRequest& request, const SmpAnswer& answer, std::uint64_t used) {
  std::vector<std::uint64_t> keys;
  known_keys(request.to, keys);
  std::uint64_t agent_holds = used;
  if (request.attribute == Attribute::port_info) {
    // What a Set has written, or a Get shows, is what the agent holds now.
    const SmpData& data = request.method == Method::set ? request.data : answer.data;
    const std::uint64_t key = get(data, port_info::kMKey);
    if (key != 0 && std::ranges::find(keys, key) != keys.end()) agent_holds = key;
  }
  if (agent_holds == keys.front())
    holds_.erase(text_of(request.to));
  else
    holds_.insert_or_assign(text_of(request.to), agent_holds);
}

bool KeyRing::is_foreign(const SmpRequest& request, const SmpAnswer& answer) const {
  if (!shows_port_info(request, answer)) return false;
  const std::uint64_t shown = get(answer.data, port_info::kMKey);
  if (shown == 0) return hides_key(request, answer) && refusing_.contains(text_of(request.to));
  std::vector<std::uint64_t> keys;
  keys_for(request, keys);
  return std::ranges::find(keys, shown) == keys.end();
}

bool hides_key(const SmpRequest& request, const SmpAnswer& answer) {
  return shows_port_info(request, answer) && get(answer.data, port_info::kMKey) == 0 &&
         get(answer.data, port_info::kMKeyProtect) != 0;
}

}  // namespace rch::hw
