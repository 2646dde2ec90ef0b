// Agents that tell of performance counters, by datagrams along the tables that the switches hold.

#include <algorithm>

#include "sim/asker.h"
#include "sim/simulated_fabric.h"

namespace rch::sim {
namespace {

using namespace hw;
namespace h = mad_header;

constexpr std::uint16_t kNoSuchAttribute = 0x0C, kRedirected = 0x02;

void write_class_port_info(const PerformanceAgent& agent, std::span<std::uint8_t> data) {
  namespace cpi = perfmgr::class_port_info;
  std::ranges::fill(data, std::uint8_t{0});
  set(data, {0, 0, 8}, 1);
  set(data, {1, 0, 8}, perfmgr::kClassVersion);
  set(data, cpi::kXmitWait, agent.abilities.xmit_wait ? 1 : 0);
  set(data, cpi::kWideAndCasts, agent.abilities.wide && agent.abilities.casts ? 1 : 0);
  set(data, cpi::kWideNoCasts, agent.abilities.wide && !agent.abilities.casts ? 1 : 0);
  set(data, cpi::kWideErrors, agent.abilities.wide_errors ? 1 : 0);
  if (!agent.redirection) return;
  set(data, cpi::kRedirectSl, agent.redirection->service_level);
  set(data, cpi::kRedirectLid, agent.redirection->lid.value);
  set(data, cpi::kRedirectPKey, agent.redirection->pkey);
  set(data, cpi::kRedirectQueuePair, agent.redirection->queue_pair);
  set(data, cpi::kRedirectQKey, agent.redirection->queue_key);
}

/// The status of the answer, whose data are in `data` then.
std::uint16_t counters_answer(const PerformanceAgent& agent, CountingPort* port, perfmgr::Attribute attribute,
                              Method method, std::span<std::uint8_t> data) {
  if (attribute == perfmgr::Attribute::class_port_info) {
    if (!agent.has_class_port_info) return kNoSuchAttribute;
    write_class_port_info(agent, data);
    return 0;
  }
  if (port == nullptr) return kStatusInvalidValue;
  if (attribute == perfmgr::Attribute::port_counters) {
    if (method == Method::set) port->take(perfmgr::Data(data.data(), perfmgr::kDataSize));
    port->write_port_counters(data);
    return 0;
  }
  if (attribute != perfmgr::Attribute::port_counters_extended || !agent.has_extended) return kNoSuchAttribute;
  port->write_extended(data);
  return 0;
}

}  // namespace

void SimulatedFabric::post_performance(std::size_t sender, const Datagram& datagram) {
  const PortId at = walk_tables(clients_[sender].origin, datagram.lid);
  if (at.is_none() || get(datagram.mad, h::kResponse) != 0) return;
  const fabric::Node& node = fabric_.node(fabric_.port(at).node);
  const PerformanceAgent& agent = performance_agents[fabric_.port(at).node.index()];
  if (agent.only_queue_pair && *agent.only_queue_pair != datagram.queue_pair) return;
  Datagram back = datagram;
  set(back.mad, kAsker, kFirstAsker + sender);
  const std::span data = std::span(back.mad).subspan<perfmgr::kData, perfmgr::kDataSize>();
  PerformanceVisit visit{
      .agent = at,
      .method = static_cast<Method>(get(back.mad, h::kMethod)),
      .attribute = static_cast<perfmgr::Attribute>(get(back.mad, h::kAttribute)),
      .selected = PortNum(static_cast<std::uint8_t>(get(data, perfmgr::port_counters::kPortSelect)))};
  performance_requests.push_back(visit);
  if (lose_performance(visit)) return;
  const bool is_port = visit.selected.value <= node.num_ports;
  CountingPort* port =
      is_port ? &counting[fabric_.port_id(fabric_.port(at).node, visit.selected).index()] : nullptr;
  const bool redirects = agent.redirection && !(agent.redirection->lid == Lid(datagram.lid) &&
                                                agent.redirection->queue_pair == datagram.queue_pair);
  if (redirects) write_class_port_info(agent, data);
  set(back.mad, h::kStatus,
      redirects ? kRedirected : counters_answer(agent, port, visit.attribute, visit.method, data));
  set(back.mad, h::kMethod, static_cast<std::uint8_t>(Method::get_resp));
  visit.is_answer = true;
  if (lose_performance(visit)) return;
  bend_performance(visit, back.mad);
  clients_[sender].inbox.push_back(back);
}

}  // namespace rch::sim
