#include "hw/image.h"

#include <fmt/format.h>

namespace rch::hw {
namespace {

struct NamedField {
  Attribute attribute;
  Field field;
  std::string_view name;
};

/// The fields that are compared with answers.
constexpr NamedField kNamedFields[] = {
    {Attribute::port_info, port_info::kGidPrefix, "GidPrefix"},
    {Attribute::port_info, port_info::kLid, "LID"},
    {Attribute::port_info, port_info::kMasterSmLid, "MasterSMLID"},
    {Attribute::port_info, port_info::kLmc, "LMC"},
    {Attribute::port_info, port_info::kNeighborMtu, "NeighborMTU"},
    {Attribute::port_info, port_info::kOperVls, "OperationalVLs"},
    {Attribute::port_info, port_info::kHoqLife, "HOQLife"},
    {Attribute::port_info, port_info::kState, "PortState"},
    {Attribute::port_info, port_info::kPartitionEnforcementIn, "PartitionEnforcementInbound"},
    {Attribute::port_info, port_info::kPartitionEnforcementOut, "PartitionEnforcementOutbound"},
    {Attribute::switch_info, switch_info::kLinearTop, "LinearFDBTop"},
    {Attribute::switch_info, switch_info::kMulticastTop, "MulticastFDBTop"},
    {Attribute::switch_info, switch_info::kLifeTime, "LifeTimeValue"},
    {Attribute::switch_info, switch_info::kPortStateChange, "PortStateChange"},
};

}  // namespace

std::optional<Field> Image::first_difference(const SmpData& seen) const {
  for (const Field field : compared) {
    const auto target = get(data, field);
    const auto found = get(seen, field);
    const bool state = attribute == Attribute::port_info && field == port_info::kState;
    if (state ? found < target : found != target) return field;
  }
  return std::nullopt;
}

std::string describe_field(Attribute attribute, Field field) {
  for (const NamedField& named : kNamedFields)
    if (named.attribute == attribute && named.field == field) return std::string(named.name);
  return fmt::format("byte {}", field.byte);
}

std::string describe_attribute(Attribute attribute, std::uint32_t modifier) {
  switch (attribute) {
    case Attribute::linear_table:
      return fmt::format("block {} of its forwarding table", modifier);
    case Attribute::sl2vl:
      return fmt::format("its SL2VL table {} to {}", modifier >> 8U & 0xFFU, modifier & 0xFFU);
    case Attribute::p_key_table:
      return modifier < 0x10000U
                 ? fmt::format("block {} of its P_Keys", modifier)
                 : fmt::format("block {} of the P_Keys of port {}", modifier & 0xFFFFU, modifier >> 16U);
    case Attribute::vl_arbitration:
      return fmt::format("block {} of its VL arbitration", modifier >> 16U);
    case Attribute::multicast_table:
      return fmt::format("block {} (ports from {}) of its multicast table", modifier & 0x1FFU,
                         (modifier >> 28U) * 16U);
    case Attribute::rate_limits:
      return "its rate limits (QosConfigSL)";
    case Attribute::extended_port_info:
      return fmt::format("its MlnxExtPortInfo of port {}", modifier);
    case Attribute::switch_info:
      return "its SwitchInfo";
    case Attribute::port_info:
      return fmt::format("its PortInfo of port {}", modifier & 0xFFU);
    default:
      return fmt::format("its attribute 0x{:02x}", static_cast<unsigned>(attribute));
  }
}

}  // namespace rch::hw
