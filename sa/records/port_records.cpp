#include "hw/attributes.h"
#include "sa/records/listing.h"

namespace rch::sa {
namespace {
namespace ports {

namespace p = hw::port_info;
constexpr std::size_t kInfo = 4;
constexpr hw::Field kPort{2, 0, 8}, kOptions{3, 0, 8}, kCapabilities{20, 0, 32}, kCapabilities2{60, 0, 16};
/// Option: switch ports show the capabilities of port 0, which are theirs too.
constexpr std::uint64_t kFull = 0x80;

constexpr Component kComponents[] = {
    {1, 0, kPort},
    {3, kInfo, p::kMKey},
    {4, kInfo, p::kGidPrefix},
    {5, kInfo, p::kLid},
    {6, kInfo, p::kMasterSmLid},
    {7, kInfo, kCapabilities},
    {8, kInfo + 24, 0, 16},  // DiagCode
    {9, kInfo, p::kMKeyLease},
    {10, kInfo + 28, 0, 8},  // LocalPortNum
    {11, kInfo + 29, 0, 8},  // LinkWidthEnabled
    {12, kInfo + 30, 0, 8},  // LinkWidthSupported
    {13, kInfo, p::kWidthActive},
    {14, kInfo + 32, 0, 4},  // LinkSpeedSupported
    {15, kInfo, p::kState},
    {16, kInfo, p::kPhysState},
    {17, kInfo, p::kLinkDownDefault},
    {18, kInfo, p::kMKeyProtect},
    {20, kInfo, p::kLmc},
    {21, kInfo, p::kSpeedActive},
    {22, kInfo + 35, 4, 4},  // LinkSpeedEnabled
    {23, kInfo, p::kNeighborMtu},
    {24, kInfo, p::kMasterSmSl},
    {25, kInfo, p::kVlCap},
    {26, kInfo + 37, 4, 4},  // InitType
    {27, kInfo, p::kVlHighLimit},
    {28, kInfo, p::kVlArbHighCap},
    {29, kInfo, p::kVlArbLowCap},
    {30, kInfo + 41, 0, 4},  // InitTypeReply
    {31, kInfo, p::kMtuCap},
    {32, kInfo, p::kVlStall},
    {33, kInfo, p::kHoqLife},
    {34, kInfo, p::kOperVls},
    {35, kInfo, p::kPartitionEnforcementIn},
    {36, kInfo, p::kPartitionEnforcementOut},
    {37, kInfo + 43, 6, 1},   // FilterRawInbound
    {38, kInfo + 43, 7, 1},   // FilterRawOutbound
    {39, kInfo + 44, 0, 16},  // M_KeyViolations
    {40, kInfo + 46, 0, 16},  // P_KeyViolations
    {41, kInfo + 48, 0, 16},  // Q_KeyViolations
    {42, kInfo, p::kGuidCap},
    {43, kInfo, p::kClientReregister},
    {44, kInfo + 51, 1, 2},  // MulticastPKeyTrapSuppressionEnabled
    {45, kInfo, p::kSubnetTimeout},
    {47, kInfo + 52, 3, 5},  // RespTimeValue
    {48, kInfo, p::kLocalPhyErrors},
    {49, kInfo, p::kOverrunErrors},
    {50, kInfo + 54, 0, 16},  // MaxCreditHint
    {52, kInfo + 57, 0, 24},  // LinkRoundTripLatency
    {53, kInfo, kCapabilities2},
    {54, kInfo, p::kSpeedExtActive},
    {55, kInfo + 62, 4, 4},  // LinkSpeedExtSupported
    {57, kInfo + 63, 3, 5},  // LinkSpeedExtEnabled
};

void offer_port(Listing& listing, Lid lid, PortId id, const hw::SmpData* capabilities) {
  hw::PortInfo info = listing.snapshot().ports[id.index()];
  if (info.state == hw::kStateUnchanged) return;  // never seen
  if (!listing.trusted()) info.m_key = 0;
  hw::SmpData data = hw::encode(info);
  if (capabilities != nullptr)
    for (const hw::Field field : {kCapabilities, kCapabilities2}) set(data, field, get(*capabilities, field));
  const std::span<std::uint8_t> record = listing.begin(lid);
  set(record, kPort, listing.fabric().port(id).number.value);
  put(record, kInfo, data, data.size());
  listing.offer();
}

/// All ports of a switch, and the end ports of others.
void list(Listing& listing) {
  const fabric::Fabric& fabric = listing.fabric();
  const bool full = listing.query().has(2) && (listing.value(kOptions) & kFull) != 0;
  listing.each_end_port([&](PortId end_port) {
    const fabric::Port& port = fabric.port(end_port);
    if (!fabric.is_switch(port.node)) return offer_port(listing, port.lid, end_port, nullptr);
    const hw::SmpData port0 = hw::encode(listing.snapshot().ports[end_port.index()]);
    const auto [first, last] = listing.numbers(1, kPort, 0, fabric.node(port.node).num_ports);
    for (unsigned number = first; number <= last; ++number)
      offer_port(listing, port.lid, fabric.port_id(port.node, PortNum(static_cast<std::uint8_t>(number))),
                 full ? &port0 : nullptr);
  });
}

}  // namespace ports
}  // namespace

const RecordType kPortInfoRecord{.attribute = Attribute::port_info_record,
                                 .size = 72,
                                 .components = ports::kComponents,
                                 .list = ports::list,
                                 .bits_component = 7};

}  // namespace rch::sa
