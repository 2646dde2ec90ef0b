// Datagrams between processes, by the tables that the switches hold: subnet administration.

#include <algorithm>

#include "sim/asker.h"
#include "sim/simulated_fabric.h"

namespace rch::sim {

using namespace hw;

std::uint16_t SimulatedFabric::lid_of(std::size_t client) const {
  return static_cast<std::uint16_t>(get(port_info[clients_[client].origin.index()], port_info::kLid));
}

/// Answers may come late and twice. Requests do not: a host that sent its last one again could not tell which
/// of two came last.
void SimulatedFabric::post_message(std::size_t sender, const Datagram& datagram) {
  const bool is_answer = get(datagram.mad, mad_header::kResponse) != 0;
  Datagram message = datagram;
  if (!is_answer) set(message.mad, kAsker, kFirstAsker + sender);
  message.lid = lid_of(sender);
  Visit visit;
  visit.arrival = walk_tables(clients_[sender].origin, datagram.lid);
  if (visit.arrival.is_none()) return;
  visit.node = fabric_.port(visit.arrival).node;
  const std::size_t to = receiver(message, visit.arrival);
  if (to == clients_.size() || (is_answer ? lose_answer : lose_request)(visit)) return;
  const std::vector<Milliseconds> when = is_answer ? delays(visit) : std::vector<Milliseconds>();
  if (when.empty()) clients_[to].inbox.push_back(message);
  for (const Milliseconds after : when) clients_[to].on_the_way.emplace(now_ + after, message);
}

/// The process at a port that a message is for: who asked, a host for a Report, else the subnet manager. The
/// number of processes if there is none.
std::size_t SimulatedFabric::receiver(const Datagram& message, PortId at) const {
  constexpr std::uint64_t kReport = 0x06;
  if (get(message.mad, mad_header::kResponse) != 0) {
    const std::size_t asker = get(message.mad, kAsker) - kFirstAsker;
    return asker < clients_.size() && clients_[asker].origin == at ? asker : clients_.size();
  }
  const bool is_report = get(message.mad, mad_header::kMethod) == kReport;
  const auto to = std::ranges::find_if(clients_, [&](const Client& client) {
    return client.origin == at && (is_report ? client.takes_reports : client.is_sm);
  });
  return static_cast<std::size_t>(to - clients_.begin());
}

}  // namespace rch::sim
