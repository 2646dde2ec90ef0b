#include "sa/trace_record.h"

#include "sa/path_record.h"
#include "sa/path_walk.h"

namespace rch::sa {
namespace {

namespace tr = trace_record;
namespace pr = path_record;

/// The same for all records of one answer; IDs of ours are GUIDs and do not change.
constexpr std::uint64_t kGeneration = 1;

/// A record of the node of `port`, without ports.
std::span<std::uint8_t> append_node(const Snapshot& snapshot, PortId port,
                                    std::vector<std::uint8_t>& records) {
  const NodeId node = snapshot.fabric().port(port).node;
  records.resize(records.size() + tr::kSize);
  const std::span<std::uint8_t> record = std::span(records).last(tr::kSize);
  set(record, tr::kGidPrefix, snapshot.prefix());
  set(record, tr::kIdGeneration, kGeneration);
  set(record, tr::kNodeType, static_cast<std::uint64_t>(snapshot.nodes[node.index()].type));
  set(record, tr::kNodeId, snapshot.fabric().node(node).guid.value);
  set(record, tr::kChassisId, snapshot.nodes[node.index()].system_guid.value);
  return record;
}

/// An end of the path: ports of channel adapters go by their GUID. A switch that is an end is among the hops.
void append_end(const Snapshot& snapshot, PortId port, bool enters, std::vector<std::uint8_t>& records) {
  if (snapshot.fabric().is_switch(snapshot.fabric().port(port).node)) return;
  const std::span<std::uint8_t> record = append_node(snapshot, port, records);
  set(record, enters ? tr::kEntryPortId : tr::kExitPortId, snapshot.fabric().port(port).guid.value);
}

}  // namespace

Answer answer_trace(const Snapshot& snapshot, const Requester& requester, const Query& query) {
  const bool from = query.has(pr::kSgidComponent) || query.has(pr::kSlidComponent);
  const bool to = query.has(pr::kDgidComponent) || query.has(pr::kDlidComponent);
  if (!from || !to) return {.status = Status::insufficient_components};
  Query one = query;
  one.method = Method::get;
  Answer path = answer_path_record(snapshot, requester, one);
  if (path.status != Status::good) return path;
  const auto lid = [&](hw::Field field) {
    return Lid(static_cast<std::uint16_t>(hw::get(path.records, field)));
  };
  const auto source = snapshot.fabric().lid_owner(lid(pr::kSlid));
  const auto destination = snapshot.fabric().lid_owner(lid(pr::kDlid));
  if (!source || !destination) return {.status = Status::no_records};  // to a group
  const auto hops = trace(snapshot, *source, lid(pr::kDlid));
  if (!hops) return {.status = Status::no_records};

  Answer answer{.record_size = tr::kSize};
  append_end(snapshot, *source, false, answer.records);
  for (const PathHop& hop : *hops) {
    const std::span<std::uint8_t> record = append_node(snapshot, hop.in, answer.records);
    set(record, tr::kEntryPort, snapshot.fabric().port(hop.in).number.value);
    set(record, tr::kExitPort, snapshot.fabric().port(hop.out).number.value);
  }
  if (*destination != *source) append_end(snapshot, *destination, true, answer.records);
  return answer;
}

}  // namespace rch::sa
