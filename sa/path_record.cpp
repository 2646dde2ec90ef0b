#include "sa/path_record.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sa/path_search.h"

namespace rch::sa {
namespace {

namespace pr = path_record;

/// Records of one answer: what is asked beyond that must be asked port by port.
constexpr std::size_t kMostRecords = std::size_t{1} << 20;
/// There is room for so many from the beginning.
constexpr std::size_t kRecordsOfRoom = std::size_t{1} << 16;

/// The paths from all ports to all ports.
bool lists_all(const Query& query) {
  return query.method != Method::get && !query.has(pr::kSgidComponent) && !query.has(pr::kSlidComponent) &&
         !query.has(pr::kDgidComponent) && !query.has(pr::kDlidComponent);
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
  if (lists_all(query) && !snapshot_->plan.options.administration.lists_all_paths) {
    refuse(Status::insufficient_components);
    return;
  }
  auto sources = read_sources(*snapshot_, requester, query);
  if (!sources) {
    refuse(sources.error());
    return;
  }
  auto destinations = read_destinations(*snapshot_, requester, query);
  if (!destinations) {
    refuse(destinations.error());
    return;
  }
  request_ = {std::move(*sources), std::move(*destinations), *wish};
  if (!one_)
    answer_.records.reserve(std::min(request_.sources.size() * request_.destinations.size(), kRecordsOfRoom) *
                            pr::kSize);
}

void PathListing::refuse(Status status) {
  answer_ = {.status = status};
  request_ = {};
}

/// Where a source has many destinations, walks to the next ones together. What is read of those behind them
/// comes from memory meanwhile.
void PathListing::look_ahead() {
  constexpr std::size_t kAhead = 256;
  const std::span<const PathEnd> all = request_.destinations;
  const std::size_t at = next_ % all.size();
  if (all.size() == 1 || at % kAhead != 0) return;
  if (at == 0) ways_ = std::make_unique<ManyWays>(*snapshot_, request_.sources[next_ / all.size()].port);
  const auto some = [&](std::size_t begin) {
    begin = std::min(begin, all.size());
    return all.subspan(begin, std::min(kAhead, all.size() - begin));
  };
  for (const PathEnd& end : some(at + kAhead)) {
    __builtin_prefetch(&snapshot_->fabric().port(end.port));
    __builtin_prefetch(&snapshot_->links[end.port.index()]);
  }
  std::vector<Lid> next;
  for (const PathEnd& end : some(at)) {
    const Lids lids = lids_of(snapshot_->fabric(), end);
    for (unsigned i = 0; i < lids.count; ++i) next.emplace_back(static_cast<std::uint16_t>(lids.first + i));
  }
  ways_->look_ahead(next);
}

bool PathListing::go_on(std::size_t pairs) {
  const std::size_t width = request_.destinations.size(), all = request_.sources.size() * width;
  for (; pairs > 0 && next_ < all; --pairs, ++next_) {
    look_ahead();
    find_paths(*snapshot_, request_.wish, request_.sources[next_ / width],
               request_.destinations[next_ % width], answer_.records, ways_.get());
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
