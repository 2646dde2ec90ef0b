#include "hw/key_ring.h"

#include <algorithm>

#include "hw/attributes.h"

namespace rch::hw {
namespace {

bool shows_port_info(const SmpRequest& request, const SmpAnswer& answer) {
  return request.attribute == Attribute::port_info && request.method == Method::get && answer.good();
}

}  // namespace

KeyRing::KeyRing(std::uint64_t own, std::span<const std::uint64_t> former) : keys_{own} {
  for (const std::uint64_t key : former)
    if (key != 0 && keys_.size() < kMostKeys && find(key) == keys_.size()) keys_.push_back(key);
}

KeyRing::AddressText KeyRing::text_of(const Address& to) {
  if (const Route* route = std::get_if<Route>(&to))
    return {route->ports.begin() + 1, route->ports.begin() + 1 + route->hops};
  const std::uint16_t lid = std::get<Lid>(to).value;
  // No hop leads out of port 0, so no route looks like this.
  return {0, static_cast<std::uint8_t>(lid >> 8U), static_cast<std::uint8_t>(lid & 0xFFU)};
}

std::size_t KeyRing::find(std::uint64_t key) const {
  return static_cast<std::size_t>(std::ranges::find(keys_, key) - keys_.begin());
}

std::size_t KeyRing::first_for(const Address& to) const {
  if (former_of_.empty()) return 0;
  const auto found = former_of_.find(text_of(to));
  return found == former_of_.end() ? 0 : found->second;
}

bool KeyRing::is_foreign(const SmpRequest& request, const SmpAnswer& answer) const {
  if (!shows_port_info(request, answer)) return false;
  const std::uint64_t shown = get(answer.data, port_info::kMKey);
  if (shown != 0) return find(shown) == keys_.size();
  return hides_key(request, answer) && refusing_.contains(text_of(request.to));
}

void KeyRing::learn(const SmpRequest& request, const SmpAnswer& answer, std::size_t used) {
  if (request.method == Method::set && !refusing_.empty()) refusing_.erase(text_of(request.to));
  if (keys_.size() == 1 || !answer.good()) return;
  std::size_t agent_holds = used;
  if (request.attribute == Attribute::port_info) {
    // What a Set has written, or a Get shows, is what the agent holds now.
    const SmpData& data = request.method == Method::set ? request.data : answer.data;
    const std::uint64_t key = get(data, port_info::kMKey);
    if (const std::size_t index = find(key); key != 0 && index < keys_.size()) agent_holds = index;
  }
  if (agent_holds == 0)
    former_of_.erase(text_of(request.to));
  else
    former_of_.insert_or_assign(text_of(request.to), agent_holds);
}

bool hides_key(const SmpRequest& request, const SmpAnswer& answer) {
  return shows_port_info(request, answer) && get(answer.data, port_info::kMKey) == 0 &&
         get(answer.data, port_info::kMKeyProtect) != 0;
}

}  // namespace rch::hw
