#include "sa/mad.h"

#include <algorithm>
#include <utility>

namespace rch::sa {

std::string_view name_of(Status status) {
  static constexpr std::pair<Status, std::string_view> kNames[] = {
      {Status::good, "good"},
      {Status::busy, "busy"},
      {Status::unsupported_version, "unsupported_version"},
      {Status::unsupported_method, "unsupported_method"},
      {Status::unsupported_method_attribute, "unsupported_method_attribute"},
      {Status::invalid_value, "invalid_value"},
      {Status::no_resources, "no_resources"},
      {Status::request_invalid, "request_invalid"},
      {Status::no_records, "no_records"},
      {Status::too_many_records, "too_many_records"},
      {Status::invalid_gid, "invalid_gid"},
      {Status::insufficient_components, "insufficient_components"},
      {Status::request_denied, "request_denied"},
  };
  const auto* const found = std::ranges::find(kNames, status, &std::pair<Status, std::string_view>::first);
  return found == std::ranges::end(kNames) ? "other" : found->second;
}

std::string_view name_of(Attribute attribute) {
  static constexpr std::pair<Attribute, std::string_view> kNames[] = {
      {Attribute::class_port_info, "ClassPortInfo"},
      {Attribute::notice, "Notice"},
      {Attribute::inform_info, "InformInfo"},
      {Attribute::node_record, "NodeRecord"},
      {Attribute::port_info_record, "PortInfoRecord"},
      {Attribute::sl2vl_record, "SLtoVLMappingTableRecord"},
      {Attribute::switch_info_record, "SwitchInfoRecord"},
      {Attribute::linear_table_record, "LinearForwardingTableRecord"},
      {Attribute::multicast_table_record, "MulticastForwardingTableRecord"},
      {Attribute::sm_info_record, "SMInfoRecord"},
      {Attribute::link_record, "LinkRecord"},
      {Attribute::guid_info_record, "GUIDInfoRecord"},
      {Attribute::service_record, "ServiceRecord"},
      {Attribute::p_key_table_record, "P_KeyTableRecord"},
      {Attribute::path_record, "PathRecord"},
      {Attribute::vl_arbitration_record, "VLArbitrationTableRecord"},
      {Attribute::mc_member_record, "MCMemberRecord"},
      {Attribute::trace_record, "TraceRecord"},
      {Attribute::multi_path_record, "MultiPathRecord"},
      {Attribute::inform_info_record, "InformInfoRecord"},
      {Attribute::manager_state, "ManagerState"},
  };
  const auto* const found =
      std::ranges::find(kNames, attribute, &std::pair<Attribute, std::string_view>::first);
  return found == std::ranges::end(kNames) ? "other" : found->second;
}

}  // namespace rch::sa
