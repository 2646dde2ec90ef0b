#include "sa/multi_path_record.h"

#include "sa/path_search.h"

namespace rch::sa {
namespace {

namespace mp = multi_path_record;

/// `count` GIDs from number `first` on.
Read<std::vector<PathEnd>> read_ends(const Snapshot& snapshot, const Requester& requester, const Query& query,
                                     std::size_t first, std::size_t count) {
  std::vector<PathEnd> ends;
  for (std::size_t i = 0; i < count; ++i) {
    const Gid gid = read_gid(query.record.subspan(mp::kGids + (first + i) * sizeof(Gid), sizeof(Gid)));
    const auto port = port_of(snapshot, query, gid);
    if (is_multicast(gid) || !port) return tl::unexpected(Status::invalid_gid);
    if (may_see_paths(snapshot, requester, *port))
      ends.push_back({.port = *port,
                      .lid = {},
                      .alias = snapshot.fabric().port(*port).guid == guid_of(gid)
                                   ? std::nullopt
                                   : std::optional(guid_of(gid))});
  }
  if (ends.empty()) return tl::unexpected(Status::request_invalid);
  return ends;
}

}  // namespace

Answer answer_multi_path(const Snapshot& snapshot, const Requester& requester, const Query& query) {
  if (!query.in_segments) return {.status = Status::request_invalid};
  if (!query.has(mp::kSources.number) || !query.has(mp::kDestinations.number))
    return {.status = Status::insufficient_components};
  const auto wish = read_wish(query, mp::kFields);
  if (!wish) return {.status = wish.error()};
  const auto from = static_cast<std::size_t>(get(query.record, mp::kSources.field));
  const auto to = static_cast<std::size_t>(get(query.record, mp::kDestinations.field));
  if (from == 0 || to == 0 || from + to > mp::kMostGids) return {.status = Status::request_invalid};
  const auto sources = read_ends(snapshot, requester, query, 0, from);
  if (!sources) return {.status = sources.error()};
  const auto destinations = read_ends(snapshot, requester, query, from, to);
  if (!destinations) return {.status = destinations.error()};

  Answer answer{.record_size = path_record::kSize, .attribute = Attribute::path_record};
  PathWish left = *wish;
  const auto find = [&](PathEnd source, PathEnd destination) {
    left.most = wish->most - static_cast<unsigned>(answer.records.size() / path_record::kSize);
    find_paths(snapshot, left, source, destination, answer.records);
  };
  // Two paths between two ports each that share no port, for automatic path migration.
  const bool pairwise = sources->size() == destinations->size() && wish->most == sources->size();
  for (std::size_t i = 0; i < sources->size(); ++i)
    for (std::size_t j = 0; j < destinations->size(); ++j)
      if (!pairwise || i == j) find((*sources)[i], (*destinations)[j]);
  if (answer.records.empty()) return {.status = Status::no_records};
  return answer;
}

}  // namespace rch::sa
