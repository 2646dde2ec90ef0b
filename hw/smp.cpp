#include "hw/smp.h"

#include <algorithm>

namespace rch::hw {
namespace {

namespace h = mad_header;

constexpr std::uint16_t kPermissiveLid = 0xFFFF;

MadClass class_of(const SmpRequest& request) {
  return std::holds_alternative<Route>(request.to) ? MadClass::directed_route : MadClass::lid_routed;
}

bool is_directed(const Mad& mad) {
  return get(mad, h::kClass) == static_cast<std::uint8_t>(MadClass::directed_route);
}

}  // namespace

Datagram encode(const SmpRequest& request, std::uint32_t transaction, std::uint64_t m_key) {
  Datagram datagram;
  Mad& mad = datagram.mad;
  set(mad, h::kBaseVersion, 1);
  set(mad, h::kClass, static_cast<std::uint8_t>(class_of(request)));
  set(mad, h::kClassVersion, 1);
  set(mad, h::kMethod, static_cast<std::uint8_t>(request.method));
  set(mad, h::kTransactionLow, transaction);
  set(mad, h::kAttribute, static_cast<std::uint16_t>(request.attribute));
  set(mad, h::kModifier, request.modifier);
  set(mad, h::kMKey, m_key);
  std::ranges::copy(request.data, mad.begin() + h::kData);
  if (const Route* route = std::get_if<Route>(&request.to)) {
    datagram.lid = kPermissiveLid;
    set(mad, h::kHopCount, route->hops);
    set(mad, h::kDrSlid, kPermissiveLid);
    set(mad, h::kDrDlid, kPermissiveLid);
    std::copy_n(route->ports.begin(), route->hops + 1U, mad.begin() + h::kInitialPath);
  } else {
    datagram.lid = std::get<Lid>(request.to).value;
  }
  return datagram;
}

bool belongs_to(const Datagram& datagram, const SmpRequest& request) {
  const Mad& mad = datagram.mad;
  const Route* route = std::get_if<Route>(&request.to);
  return get(mad, h::kClass) == static_cast<std::uint8_t>(class_of(request)) &&
         get(mad, h::kAttribute) == static_cast<std::uint16_t>(request.attribute) &&
         get(mad, h::kModifier) == request.modifier &&
         (route == nullptr || get(mad, h::kHopCount) == route->hops);
}

bool is_answer_to(const Datagram& datagram, const SmpRequest& request) {
  const Mad& mad = datagram.mad;
  if (get(mad, h::kMethod) != static_cast<std::uint8_t>(Method::get_resp)) return false;
  // The local agent may leave the direction bit alone (IBA 14.2.1).
  if (const Route* route = std::get_if<Route>(&request.to))
    return get(mad, h::kDirection) == 1 || route->hops == 0;
  return datagram.lid == std::get<Lid>(request.to).value;
}

SmpAnswer decode_answer(const Datagram& datagram) {
  const std::uint64_t direction = is_directed(datagram.mad) ? 0x8000U : 0U;
  SmpAnswer answer;
  answer.answered = true;
  answer.status = static_cast<std::uint16_t>(get(datagram.mad, h::kStatus) & ~direction);
  std::copy_n(datagram.mad.begin() + h::kData, answer.data.size(), answer.data.begin());
  return answer;
}

}  // namespace rch::hw
