#include "sa/path_request.h"

#include "sa/alias_guids.h"
#include "sa/partition.h"
#include "sa/routers.h"

namespace rch::sa {
namespace {

/// Selector and value count together only.
std::optional<Selected> asked(const Query& query, const SelectedField& field) {
  if (!query.has(field.component) || !query.has(field.component + 1)) return std::nullopt;
  return Selected{static_cast<Selector>(get(query.record, field.selector)),
                  static_cast<std::uint8_t>(get(query.record, field.value))};
}

/// Paths that an answer may have: all that the field can say, unless the request says less.
unsigned most_paths(const Query& query, const PathFields& fields) {
  constexpr unsigned kMost = 127;
  if (query.method == Method::get) return 1;
  const auto number = static_cast<unsigned>(get(query.record, fields.number_of_paths.field));
  return query.has(fields.number_of_paths.number) && number != 0 ? number : kMost;
}

/// One end of the request by GID and LID.
struct EndFields {
  unsigned gid, lid;  ///< components
  std::size_t gid_at;
  hw::Field lid_field;
  bool may_be_beyond;  ///< in another subnet
};
constexpr EndFields kSource{path_record::kSgidComponent, path_record::kSlidComponent, path_record::kSgid,
                            path_record::kSlid, false};
constexpr EndFields kDestination{path_record::kDgidComponent, path_record::kDlidComponent, path_record::kDgid,
                                 path_record::kDlid, true};

Read<std::vector<PathEnd>> read_end(const Snapshot& snapshot, const Requester& requester, const Query& query,
                                    const EndFields& fields) {
  const fabric::Fabric& fabric = snapshot.fabric();
  const auto seen = [&](PortId port) { return may_see_paths(snapshot, requester, port); };
  const bool by_gid = query.has(fields.gid), by_lid = query.has(fields.lid);
  std::vector<PathEnd> ends;
  if (!by_gid && !by_lid) {
    ends.reserve(snapshot.end_ports.size());
    for (const PortId port : snapshot.end_ports)
      if (seen(port)) ends.emplace_back().port = port;
    return ends;
  }
  PathEnd end;
  if (by_gid) {
    const Gid gid = read_gid(query.record.subspan(fields.gid_at, sizeof(Gid)));
    if (fields.may_be_beyond && is_of_other_subnet(snapshot, gid)) end.beyond = gid;
    const auto port = end.beyond ? router_to(snapshot, prefix_of(gid)) : port_of(snapshot, query, gid);
    if (!port) return ends;
    end.port = *port;
    if (!end.beyond && fabric.port(*port).guid != guid_of(gid)) end.alias = guid_of(gid);
  }
  if (by_lid) {
    end.lid = Lid(static_cast<std::uint16_t>(get(query.record, fields.lid_field)));
    const auto port = fabric.lid_owner(end.lid);
    if (!port) return ends;
    if (by_gid && *port != end.port) return tl::unexpected(Status::request_invalid);
    end.port = *port;
  }
  if (seen(end.port)) ends.push_back(end);
  return ends;
}

}  // namespace

Read<std::vector<PathEnd>> read_sources(const Snapshot& snapshot, const Requester& requester,
                                        const Query& query) {
  return read_end(snapshot, requester, query, kSource);
}

Read<std::vector<PathEnd>> read_destinations(const Snapshot& snapshot, const Requester& requester,
                                             const Query& query) {
  return read_end(snapshot, requester, query, kDestination);
}

Read<PathWish> read_wish(const Query& query, const PathFields& fields) {
  PathWish wish;
  const auto read = [&]<class T>(std::optional<T>& out, const MaskedField& from) {
    if (query.has(from.number)) out = static_cast<T>(get(query.record, from.field));
  };
  if (query.has(fields.service_id_high) != query.has(fields.service_id_low))
    return tl::unexpected(Status::insufficient_components);
  if (query.has(fields.service_id_high)) wish.service_id = get(query.record, fields.service_id);
  read(wish.pkey, fields.pkey);
  read(wish.qos_class, fields.qos_class);
  read(wish.sl, fields.sl);
  read(wish.flow_label, fields.flow_label);
  read(wish.traffic_class, fields.traffic_class);
  wish.reversible = query.has(fields.reversible.number) && get(query.record, fields.reversible.field) != 0;
  wish.mtu = asked(query, fields.mtu);
  wish.rate = asked(query, fields.rate);
  wish.life = asked(query, fields.life);
  if (wish.mtu && (wish.mtu->value < kLowestMtu || wish.mtu->value > kHighestMtu))
    return tl::unexpected(Status::request_invalid);
  if (wish.rate && rate_rank(wish.rate->value) == 0) return tl::unexpected(Status::request_invalid);
  wish.most = most_paths(query, fields);
  return wish;
}

/// The link-local prefix stands for that of the subnet (IBA 15.2.5).
std::optional<PortId> port_of(const Snapshot& snapshot, const Query& query, const Gid& gid) {
  const std::uint64_t prefix = prefix_of(gid);
  if (prefix != snapshot.prefix() && prefix != kLinkLocalPrefix) return std::nullopt;
  return find_port(snapshot, query, guid_of(gid));
}

bool may_see_paths(const Snapshot& snapshot, const Requester& requester, PortId end_port) {
  return requester.trusted || end_port == requester.port ||
         common_pkey(snapshot, partition_port(snapshot, requester.port), end_port);
}

}  // namespace rch::sa
