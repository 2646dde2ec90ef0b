#pragma once

// What a PathRecord or MultiPathRecord asks for.

#include <optional>
#include <vector>

#include "sa/gid.h"
#include "sa/path_fields.h"
#include "sa/query.h"
#include "sa/rates.h"
#include "sa/snapshot.h"

namespace rch::sa {

/// One end: a port, and one of its LIDs if the request names that.
struct PathEnd {
  PortId port{};
  Lid lid{};                    ///< unassigned: any of the port
  std::optional<Guid> alias{};  ///< that the request names it by
  /// The destination is in another subnet, and `port` that of the router to it.
  std::optional<Gid> beyond{};
};

/// Fields that the component mask selects.
struct PathWish {
  std::optional<std::uint64_t> service_id;
  std::optional<std::uint16_t> pkey, qos_class;
  std::optional<std::uint8_t> sl;
  std::optional<Selected> mtu, rate, life;
  bool reversible = false;  ///< only paths that lead back, too
  std::optional<std::uint32_t> flow_label;
  std::optional<std::uint8_t> traffic_class;
  unsigned most = 1;  ///< paths
};

struct PathRequest {
  std::vector<PathEnd> sources, destinations;
  PathWish wish;
};

/// The fields of a PathRecord or MultiPathRecord, by the places of that.
Read<PathWish> read_wish(const Query& query, const PathFields& fields);

/// End ports that a PathRecord query means: one, none, or all that the requester may see if it names none.
Read<std::vector<PathEnd>> read_sources(const Snapshot& snapshot, const Requester& requester,
                                        const Query& query);
Read<std::vector<PathEnd>> read_destinations(const Snapshot& snapshot, const Requester& requester,
                                             const Query& query);

/// The port of a GID of this subnet.
std::optional<PortId> port_of(const Snapshot& snapshot, const Query& query, const Gid& gid);

/// True if the requester may learn of paths from or to `end_port`.
bool may_see_paths(const Snapshot& snapshot, const Requester& requester, PortId end_port);

}  // namespace rch::sa
