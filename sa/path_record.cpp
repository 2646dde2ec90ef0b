#include "sa/path_record.h"

#include <limits>
#include <utility>

#include "sa/path_search.h"

namespace rch::sa {
namespace {

namespace pr = path_record;

/// Records of one answer: what is asked beyond that must be asked port by port.
constexpr std::size_t kMostRecords = std::size_t{1} << 20;

/// One end of the request by GID and LID.
struct EndFields {
  unsigned gid, lid;  ///< components
  std::size_t gid_at;
  hw::Field lid_field;
};
constexpr EndFields kSource{pr::kSgidComponent, pr::kSlidComponent, pr::kSgid, pr::kSlid};
constexpr EndFields kDestination{pr::kDgidComponent, pr::kDlidComponent, pr::kDgid, pr::kDlid};

/// End ports that the request means: one, none, or all if it names none.
Read<std::vector<PathEnd>> read_end(const Snapshot& snapshot, const Requester& requester, const Query& query,
                                    const EndFields& fields) {
  const fabric::Fabric& fabric = snapshot.fabric();
  const auto seen = [&](PortId port) { return may_see_paths(snapshot, requester, port); };
  const bool by_gid = query.has(fields.gid), by_lid = query.has(fields.lid);
  std::vector<PathEnd> ends;
  if (!by_gid && !by_lid) {
    for (std::uint32_t p = 0; p < fabric.ports().size(); ++p)
      if (const PortId port(p);
          snapshot.is_end_port(port) && fabric.port(port).lid != kUnassignedLid && seen(port))
        ends.push_back({port, {}});
    return ends;
  }
  PathEnd end;
  if (by_gid) {
    const auto port = port_of(snapshot, read_gid(query.record.subspan(fields.gid_at, sizeof(Gid))));
    if (!port) return ends;
    end.port = *port;
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

PathListing::PathListing(std::shared_ptr<const Snapshot> snapshot, const Requester& requester,
                         const Query& query)
    : snapshot_(std::move(snapshot)), one_(query.method == Method::get), answer_{.record_size = pr::kSize} {
  const auto wish = read_wish(query, pr::kFields);
  if (!wish) {
    refuse(wish.error());
    return;
  }
  auto sources = read_end(*snapshot_, requester, query, kSource);
  if (!sources) {
    refuse(sources.error());
    return;
  }
  auto destinations = read_end(*snapshot_, requester, query, kDestination);
  if (!destinations) {
    refuse(destinations.error());
    return;
  }
  request_ = {std::move(*sources), std::move(*destinations), *wish};
}

void PathListing::refuse(Status status) {
  answer_ = {.status = status};
  request_ = {};
}

bool PathListing::go_on(std::size_t pairs) {
  const std::size_t width = request_.destinations.size(), all = request_.sources.size() * width;
  for (; pairs > 0 && next_ < all; --pairs, ++next_) {
    find_paths(*snapshot_, request_.wish, request_.sources[next_ / width],
               request_.destinations[next_ % width], answer_.records);
    if (one_ && !answer_.records.empty()) return true;
    if (answer_.records.size() > kMostRecords * pr::kSize) {
      refuse(Status::no_resources);
      return true;
    }
  }
  if (next_ < all) return false;
  if (one_ && answer_.status == Status::good && answer_.records.empty()) answer_.status = Status::no_records;
  return true;
}

Answer answer_path_record(const Snapshot& snapshot, const Requester& requester, const Query& query) {
  PathListing listing(std::shared_ptr<const Snapshot>(std::shared_ptr<void>(), &snapshot), requester, query);
  listing.go_on(std::numeric_limits<std::size_t>::max());
  return listing.take();
}

}  // namespace rch::sa
