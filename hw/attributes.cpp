#include "hw/attributes.h"

namespace rch::hw {
namespace {

constexpr const auto& members(const NodeInfo&) { return node_info::kMembers; }
constexpr const auto& members(const SwitchInfo&) { return switch_info::kMembers; }
constexpr const auto& members(const PortInfo&) { return port_info::kMembers; }
constexpr const auto& members(const SmInfo&) { return sm_info::kMembers; }

/// Calls `f` with each MemberField of an attribute.
template <class Info, class F>
void for_each_member(const Info& info, F f) {
  std::apply([&](const auto&... member) { (f(member), ...); }, members(info));
}

template <class Value>
Value from_number(std::uint64_t number) {
  if constexpr (requires { typename Value::rep; })
    return Value(static_cast<typename Value::rep>(number));
  else
    return static_cast<Value>(number);
}

template <class Value>
std::uint64_t to_number(Value value) {
  if constexpr (requires { typename Value::rep; })
    return value.value;
  else
    return static_cast<std::uint64_t>(value);
}

}  // namespace

template <class Info>
Info decode(const SmpData& payload) {
  Info info;
  info.rest = payload;
  for_each_member(info, [&]<class Value>(const MemberField<Info, Value>& field) {
    info.*field.member = from_number<Value>(get(payload, field));
    set(info.rest, field, 0);
  });
  return info;
}

template <class Info>
SmpData encode(const Info& info) {
  SmpData payload = info.rest;
  for_each_member(info, [&](const auto& field) { set(payload, field, to_number(info.*field.member)); });
  return payload;
}

template NodeInfo decode(const SmpData&);
template SwitchInfo decode(const SmpData&);
template PortInfo decode(const SmpData&);
template SmInfo decode(const SmpData&);
template SmpData encode(const NodeInfo&);
template SmpData encode(const SwitchInfo&);
template SmpData encode(const PortInfo&);
template SmpData encode(const SmInfo&);

}  // namespace rch::hw
