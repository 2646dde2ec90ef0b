#include "cli/port_metrics.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

namespace rch::cli {
namespace {

using enum MetricType;
using perfmgr::Counter;
using perfmgr::Totals;

constexpr MetricFamily kInfo{"rch_port_info", gauge,
                             "1 for each port whose counters are read, with its names as labels."};

struct CounterRow {
  MetricFamily family;
  Counter counter;
  std::uint64_t unit = 1;  ///< what one of the counter is
};
constexpr std::uint64_t kBytes = 4;  // PortXmitData and PortRcvData
constexpr CounterRow kCounterRows[] = {
    {{"rch_port_data_transmitted_bytes_total", counter, "PortXmitData, in bytes."},
     Counter::xmit_data,
     kBytes},
    {{"rch_port_data_received_bytes_total", counter, "PortRcvData, in bytes."}, Counter::rcv_data, kBytes},
    {{"rch_port_packets_transmitted_total", counter, "PortXmitPkts."}, Counter::xmit_pkts},
    {{"rch_port_packets_received_total", counter, "PortRcvPkts."}, Counter::rcv_pkts},
    {{"rch_port_unicast_packets_transmitted_total", counter, "PortUnicastXmitPkts."},
     Counter::unicast_xmit_pkts},
    {{"rch_port_unicast_packets_received_total", counter, "PortUnicastRcvPkts."}, Counter::unicast_rcv_pkts},
    {{"rch_port_multicast_packets_transmitted_total", counter, "PortMultiCastXmitPkts."},
     Counter::multicast_xmit_pkts},
    {{"rch_port_multicast_packets_received_total", counter, "PortMultiCastRcvPkts."},
     Counter::multicast_rcv_pkts},
    {{"rch_port_symbol_errors_total", counter, "SymbolErrorCounter."}, Counter::symbol_errors},
    {{"rch_port_link_error_recoveries_total", counter, "LinkErrorRecoveryCounter."},
     Counter::link_error_recovery},
    {{"rch_port_link_downed_total", counter, "LinkDownedCounter."}, Counter::link_downed},
    {{"rch_port_receive_errors_total", counter, "PortRcvErrors."}, Counter::rcv_errors},
    {{"rch_port_receive_remote_physical_errors_total", counter, "PortRcvRemotePhysicalErrors."},
     Counter::rcv_remote_physical_errors},
    {{"rch_port_receive_switch_relay_errors_total", counter, "PortRcvSwitchRelayErrors."},
     Counter::rcv_switch_relay_errors},
    {{"rch_port_transmit_discards_total", counter, "PortXmitDiscards."}, Counter::xmit_discards},
    {{"rch_port_transmit_constraint_errors_total", counter, "PortXmitConstraintErrors."},
     Counter::xmit_constraint_errors},
    {{"rch_port_receive_constraint_errors_total", counter, "PortRcvConstraintErrors."},
     Counter::rcv_constraint_errors},
    {{"rch_port_local_link_integrity_errors_total", counter, "LocalLinkIntegrityErrors."},
     Counter::local_link_integrity_errors},
    {{"rch_port_excessive_buffer_overruns_total", counter, "ExcessiveBufferOverrunErrors."},
     Counter::excessive_buffer_overruns},
    {{"rch_port_vl15_dropped_total", counter, "VL15Dropped."}, Counter::vl15_dropped},
    {{"rch_port_transmit_wait_ticks_total", counter, "PortXmitWait."}, Counter::xmit_wait},
};
static_assert(std::size(kCounterRows) == perfmgr::kCounterCount);

/// Names of the partitions of each port that has P_Keys.
std::map<PortId, std::string> partitions_of(const PortSource& source) {
  std::map<PortId, std::string> out;
  const fabric::PKeyTables& keys = source.tables->pkeys;
  for (std::size_t i = 0; i < keys.ports.size(); ++i) {
    std::vector<std::string> names;
    for (const std::uint16_t key : keys.of(i)) {
      if (key == 0) continue;
      const auto base = static_cast<std::uint16_t>(key & 0x7FFFU);
      const auto* partition = source.policy->partitions.find(policy::partitions::PKey(base));
      const bool has_name = partition != nullptr && !partition->name.text.empty();
      std::string name = has_name ? partition->name.text : fmt::format("0x{:04x}", base);
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
    out.emplace(keys.ports[i], fmt::format("{}", fmt::join(names, ",")));
  }
  return out;
}

std::string_view type_of(fabric::NodeType type) {
  return type == fabric::NodeType::sw ? "switch" : type == fabric::NodeType::ca ? "ca" : "router";
}

/// The labels of a port that the fabric has, behind those of all ports.
void add_names(const fabric::Fabric& fabric, PortId id, const std::string& partitions, Exposition& page) {
  const fabric::Port& port = fabric.port(id);
  const fabric::Node& node = fabric.node(port.node);
  const Lid lid = fabric.is_switch(port.node) ? fabric.port(node.first_port).lid : port.lid;
  page.labels({{"type", type_of(node.type)}, {"lid", fmt::format("{}", lid)}});
  if (!partitions.empty()) page.labels({{"partitions", partitions}});
  if (port.peer.is_none()) return;
  const fabric::Node& other = fabric.node(fabric.port(port.peer).node);
  page.labels({{"peer_guid", fmt::format("{}", other.guid)},
               {"peer_port", fmt::format("{}", fabric.port(port.peer).number)},
               {"peer_node", other.name()}});
}

}  // namespace

PortLabels::PortLabels(const PortSource& source) {
  const std::map<PortId, std::string> partitions = partitions_of(source);
  Exposition info;
  info.same_family(kInfo.name);
  for (const Totals::Port& port : source.totals->ports()) {
    begin_.push_back(text_.size());
    const std::string guid = fmt::format("{}", port.key.node), number = fmt::format("{}", port.key.number);
    text_ += fmt::format("{{guid=\"{}\",port=\"{}\"}} ", guid, number);
    info.open();
    const auto node = source.fabric->find_node(port.key.node);
    info.labels({{"guid", guid},
                 {"port", number},
                 {"node", node ? source.fabric->node(*node).name() : port.last_node_name}});
    if (node && port.key.number.value <= source.fabric->node(*node).num_ports) {
      const PortId id = source.fabric->port_id(*node, port.key.number);
      auto its = partitions.find(id);
      if (its == partitions.end()) its = partitions.find(source.fabric->port(id).peer);
      add_names(*source.fabric, id, its == partitions.end() ? std::string() : its->second, info);
    }
    info.close(1);
  }
  begin_.push_back(text_.size());
  info_ = info.take();
}

std::span<const MetricFamily> port_families() {
  static const std::vector<MetricFamily> families = [] {
    std::vector<MetricFamily> all{kInfo};
    for (const CounterRow& row : kCounterRows) all.push_back(row.family);
    return all;
  }();
  return families;
}

bool PortPage::next(std::string& text) {
  text.clear();
  if (family_ > std::size(kCounterRows)) return false;
  if (port_ == 0) text = head_of(port_families()[family_]);
  if (family_ == 0) {
    text += labels_->info();
    ++family_;
    return true;
  }
  add_samples(text);
  if (port_ < totals_->ports().size()) return true;
  port_ = 0;
  ++family_;
  return true;
}

void PortPage::add_samples(std::string& text) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U, kLongestNumber = 24;
  const CounterRow& row = kCounterRows[family_ - 1];
  const std::string_view name = row.family.name;
  std::size_t size = text.size();
  text.resize(std::max(size, kPiece));
  for (; port_ < totals_->ports().size(); ++port_) {
    const std::uint64_t total = totals_->get(row.counter, port_);
    if (total == Totals::kUnknown) continue;
    const std::string_view labels = labels_->of(port_);
    if (size + name.size() + labels.size() + kLongestNumber > text.size()) break;
    char* at = text.data() + size;
    at = std::copy(name.begin(), name.end(), at);
    at = std::copy(labels.begin(), labels.end(), at);
    at = std::to_chars(at, at + kLongestNumber, total * row.unit).ptr;
    *at++ = '\n';
    size = static_cast<std::size_t>(at - text.data());
  }
  text.resize(size);
}

}  // namespace rch::cli
