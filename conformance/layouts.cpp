#include "conformance/layouts.h"

#include "conformance/protocol.h"

namespace rch::conformance {
namespace {

constexpr Component kComponentsOfNode[] = {
    {0, "LID", 0, 16},
    {2, "BaseVersion", 32, 8},
    {3, "ClassVersion", 40, 8},
    {4, "NodeType", 48, 8},
    {5, "NumPorts", 56, 8},
    {6, "SystemImageGUID", 64, 64},
    {7, "NodeGUID", 128, 64},
    {8, "PortGUID", 192, 64},
    {9, "PartitionCap", 256, 16},
    {10, "DeviceID", 272, 16},
    {11, "Revision", 288, 32},
    {12, "LocalPortNum", 320, 8},
    {13, "VendorID", 328, 24},
    {14, "NodeDescription", 352, 512},
};

constexpr Component kComponentsOfPort[] = {
    {0, "EndportLID", 0, 16},
    {1, "PortNum", 16, 8},
    {3, "M_Key", 32, 64, Use::trusted},
    {4, "GidPrefix", 96, 64},
    {5, "LID", 160, 16},
    {6, "MasterSMLID", 176, 16},
    {7, "CapabilityMask", 192, 32},
    {8, "DiagCode", 224, 16},
    {9, "M_KeyLeasePeriod", 240, 16},
    {10, "LocalPortNum", 256, 8, Use::changing},
    {11, "LinkWidthEnabled", 264, 8},
    {12, "LinkWidthSupported", 272, 8},
    {13, "LinkWidthActive", 280, 8},
    {14, "LinkSpeedSupported", 288, 4},
    {15, "PortState", 292, 4},
    {16, "PortPhysicalState", 296, 4},
    {17, "LinkDownDefaultState", 300, 4},
    {18, "M_KeyProtectBits", 304, 2},
    {20, "LMC", 309, 3},
    {21, "LinkSpeedActive", 312, 4},
    {22, "LinkSpeedEnabled", 316, 4},
    {23, "NeighborMTU", 320, 4},
    {24, "MasterSMSL", 324, 4},
    {25, "VLCap", 328, 4},
    {26, "InitType", 332, 4},
    {27, "VLHighLimit", 336, 8},
    {28, "VLArbitrationHighCap", 344, 8},
    {29, "VLArbitrationLowCap", 352, 8},
    {30, "InitTypeReply", 360, 4},
    {31, "MTUCap", 364, 4},
    {32, "VLStallCount", 368, 3},
    {33, "HOQLife", 371, 5},
    {34, "OperationalVLs", 376, 4},
    {35, "PartitionEnforcementInbound", 380, 1},
    {36, "PartitionEnforcementOutbound", 381, 1},
    {37, "FilterRawInbound", 382, 1},
    {38, "FilterRawOutbound", 383, 1},
    {39, "M_KeyViolations", 384, 16, Use::changing},
    {40, "P_KeyViolations", 400, 16, Use::changing},
    {41, "Q_KeyViolations", 416, 16, Use::changing},
    {42, "GUIDCap", 432, 8},
    {43, "ClientReregister", 440, 1},
    {45, "SubnetTimeOut", 443, 5},
    {47, "RespTimeValue", 451, 5},
    {48, "LocalPhyErrors", 456, 4},
    {49, "OverrunErrors", 460, 4},
    {50, "MaxCreditHint", 464, 16},
    {52, "LinkRoundTripLatency", 488, 24},
    {53, "CapabilityMask2", 512, 16},
    {54, "LinkSpeedExtActive", 528, 4},
    {55, "LinkSpeedExtSupported", 532, 4},
    {57, "LinkSpeedExtEnabled", 539, 5},
};

constexpr Component kComponentsOfSl2Vl[] = {
    {0, "LID", 0, 16},
    {1, "InputPortNum", 16, 8, Use::index},
    {2, "OutputPortNum", 24, 8, Use::index},
};

constexpr Component kComponentsOfSwitch[] = {
    {0, "LID", 0, 16},
    {2, "LinearFDBCap", 32, 16},
    {3, "RandomFDBCap", 48, 16},
    {4, "MulticastFDBCap", 64, 16},
    {5, "LinearFDBTop", 80, 16},
    {6, "DefaultPort", 96, 8},
    {7, "DefaultMulticastPrimaryPort", 104, 8},
    {8, "DefaultMulticastNotPrimaryPort", 112, 8},
    {9, "LifeTimeValue", 120, 5},
    {10, "PortStateChange", 125, 1, Use::changing},
};

constexpr Component kComponentsOfLinear[] = {
    {0, "LID", 0, 16},
    {1, "BlockNum", 16, 16, Use::index},
};

constexpr Component kComponentsOfMulticast[] = {
    {0, "LID", 0, 16},
    {1, "Position", 16, 4, Use::index},
    {3, "BlockNum", 23, 9, Use::index},
};

constexpr Component kComponentsOfSm[] = {
    {0, "LID", 0, 16},
    {2, "GUID", 32, 64},
    {3, "SM_Key", 96, 64, Use::trusted},
    {4, "ActCount", 160, 32, Use::changing},
    {5, "Priority", 192, 4},
    {6, "SMState", 196, 4},
};

constexpr Component kComponentsOfLink[] = {
    {0, "FromLID", 0, 16},
    {1, "FromPort", 16, 8},
    {2, "ToPort", 24, 8},
    {3, "ToLID", 32, 16},
};

constexpr Component kComponentsOfGuid[] = {
    {0, "LID", 0, 16},      {1, "BlockNum", 16, 8, Use::index},
    {4, "GUID0", 64, 64},   {5, "GUID1", 128, 64},
    {6, "GUID2", 192, 64},  {7, "GUID3", 256, 64},
    {8, "GUID4", 320, 64},  {9, "GUID5", 384, 64},
    {10, "GUID6", 448, 64}, {11, "GUID7", 512, 64},
};

constexpr Component kComponentsOfVlArbitration[] = {
    {0, "LID", 0, 16},
    {1, "OutputPortNum", 16, 8, Use::index},
    {2, "BlockNum", 24, 8, Use::index},
};

constexpr Component kComponentsOfPKey[] = {
    {0, "LID", 0, 16},
    {1, "BlockNum", 16, 16, Use::index},
    {2, "PortNum", 32, 8, Use::index},
};

constexpr Component kComponentsOfPath[] = {
    {2, "DGID", 64, 128},
    {3, "SGID", 192, 128, Use::own},
    {4, "DLID", 320, 16},
    {5, "SLID", 336, 16},
    {8, "FlowLabel", 356, 20, Use::own},
    {9, "HopLimit", 376, 8, Use::own},
    {10, "TClass", 384, 8, Use::own},
    {11, "Reversible", 392, 1, Use::own},
    {13, "P_Key", 400, 16, Use::within},
    {14, "QoSClass", 416, 12, Use::own},
    {15, "SL", 428, 4, Use::own},
    {16, "MTUSelector", 432, 2, Use::selector},
    {17, "MTU", 434, 6},
    {18, "RateSelector", 440, 2, Use::selector},
    {19, "Rate", 442, 6},
    {20, "PacketLifeTimeSelector", 448, 2, Use::selector},
    {21, "PacketLifeTime", 450, 6},
};

constexpr Component kComponentsOfMcMember[] = {
    {0, "MGID", 0, 128},
    {1, "PortGID", 128, 128},
    {2, "Q_Key", 256, 32},
    {3, "MLID", 288, 16},
    {4, "MTUSelector", 304, 2, Use::selector},
    {5, "MTU", 306, 6},
    {6, "TClass", 312, 8},
    {7, "P_Key", 320, 16},
    {8, "RateSelector", 336, 2, Use::selector},
    {9, "Rate", 338, 6},
    {10, "PacketLifeTimeSelector", 344, 2, Use::selector},
    {11, "PacketLifeTime", 346, 6},
    {12, "SL", 352, 4},
    {13, "FlowLabel", 356, 20},
    {14, "HopLimit", 376, 8},
    {15, "Scope", 384, 4},
    {16, "JoinState", 388, 4},
    {17, "ProxyJoin", 392, 1},
};

constexpr Component kComponentsOfService[] = {
    {0, "ServiceID", 0, 64},
    {1, "ServiceGID", 64, 128},
    {2, "ServiceP_Key", 192, 16},
    {4, "ServiceLease", 224, 32, Use::changing},
    {5, "ServiceKey", 256, 128, Use::trusted},
    {6, "ServiceName", 384, 512},
    {7, "ServiceData8.1", 896, 8},
    {8, "ServiceData8.2", 904, 8},
    {9, "ServiceData8.3", 912, 8},
    {10, "ServiceData8.4", 920, 8},
    {11, "ServiceData8.5", 928, 8},
    {12, "ServiceData8.6", 936, 8},
    {13, "ServiceData8.7", 944, 8},
    {14, "ServiceData8.8", 952, 8},
    {15, "ServiceData8.9", 960, 8},
    {16, "ServiceData8.10", 968, 8},
    {17, "ServiceData8.11", 976, 8},
    {18, "ServiceData8.12", 984, 8},
    {19, "ServiceData8.13", 992, 8},
    {20, "ServiceData8.14", 1000, 8},
    {21, "ServiceData8.15", 1008, 8},
    {22, "ServiceData8.16", 1016, 8},
    {23, "ServiceData16.1", 1024, 16},
    {24, "ServiceData16.2", 1040, 16},
    {25, "ServiceData16.3", 1056, 16},
    {26, "ServiceData16.4", 1072, 16},
    {27, "ServiceData16.5", 1088, 16},
    {28, "ServiceData16.6", 1104, 16},
    {29, "ServiceData16.7", 1120, 16},
    {30, "ServiceData16.8", 1136, 16},
    {31, "ServiceData32.1", 1152, 32},
    {32, "ServiceData32.2", 1184, 32},
    {33, "ServiceData32.3", 1216, 32},
    {34, "ServiceData32.4", 1248, 32},
    {35, "ServiceData64.1", 1280, 64},
    {36, "ServiceData64.2", 1344, 64},
};

constexpr Component kComponentsOfInformInfo[] = {
    {0, "SubscriberGID", 0, 128},       {1, "Enum", 128, 16},          {3, "GID", 192, 128},
    {4, "LIDRangeBegin", 320, 16},      {5, "LIDRangeEnd", 336, 16},   {7, "IsGeneric", 368, 8},
    {8, "Subscribe", 376, 8},           {9, "Type", 384, 16},          {10, "TrapNumber", 400, 16},
    {11, "QPN", 416, 24, Use::trusted}, {15, "ProducerType", 456, 24},
};

constexpr Record kRecords[] = {
    {"NodeRecord", attribute::kNodeRecord, 112, kComponentsOfNode},
    {"PortInfoRecord", attribute::kPortInfoRecord, 72, kComponentsOfPort},
    {"SLtoVLMappingTableRecord", attribute::kSl2VlRecord, 16, kComponentsOfSl2Vl},
    {"SwitchInfoRecord", attribute::kSwitchInfoRecord, 24, kComponentsOfSwitch},
    {"LinearForwardingTableRecord", attribute::kLinearTableRecord, 72, kComponentsOfLinear},
    {"MulticastForwardingTableRecord", attribute::kMulticastTableRecord, 72, kComponentsOfMulticast},
    {"SMInfoRecord", attribute::kSmInfoRecord, 32, kComponentsOfSm},
    {"LinkRecord", attribute::kLinkRecord, 8, kComponentsOfLink},
    {"GUIDInfoRecord", attribute::kGuidInfoRecord, 72, kComponentsOfGuid},
    {"VLArbitrationTableRecord", attribute::kVlArbitrationRecord, 72, kComponentsOfVlArbitration},
};

bool bit_at(std::span<const std::uint8_t> bytes, std::size_t bit) {
  return (bytes[bit / 8] >> (7 - bit % 8) & 1) != 0;
}

void set_bit(std::span<std::uint8_t> bytes, std::size_t bit, bool value) {
  const auto mask = static_cast<std::uint8_t>(1U << (7 - bit % 8));
  bytes[bit / 8] = static_cast<std::uint8_t>(value ? bytes[bit / 8] | mask : bytes[bit / 8] & ~mask);
}

}  // namespace

const std::span<const Record> kFabricRecords = kRecords;
const Record kPKeyTableRecord{"P_KeyTableRecord", attribute::kPKeyTableRecord, 72, kComponentsOfPKey};
const Record kPathRecord{"PathRecord", attribute::kPathRecord, 64, kComponentsOfPath};
const Record kMcMemberRecord{"MCMemberRecord", attribute::kMcMemberRecord, 56, kComponentsOfMcMember};
const Record kServiceRecord{"ServiceRecord", attribute::kServiceRecord, 176, kComponentsOfService};
const Record kInformInfoRecord{"InformInfoRecord", attribute::kInformInfoRecord, 64, kComponentsOfInformInfo};

Value value_of(std::span<const std::uint8_t> record, const Component& component) {
  Value value((component.width + 7U) / 8U);
  const std::size_t shift = 8 * value.size() - component.width;
  for (std::size_t i = 0; i < component.width; ++i)
    set_bit(value, shift + i, bit_at(record, component.first_bit + i));
  return value;
}

void set_value(std::span<std::uint8_t> record, const Component& component, const Value& value) {
  const std::size_t shift = 8 * value.size() - component.width;
  for (std::size_t i = 0; i < component.width; ++i)
    set_bit(record, component.first_bit + i, bit_at(value, shift + i));
}

}  // namespace rch::conformance
