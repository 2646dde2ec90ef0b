// Any query about any record, from any requester. The answer is one of those that the protocol has, and its
// size is a whole number of records; a Get has at most one. The input is a header of sixteen bytes, then the
// record.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../sa/small_snapshot.h"
#include "fabric_target.h"
#include "sa/records/answer_from_tables.h"

namespace {

using namespace rch;

test::SmallSnapshot fabric_with_everything() {
  test::Shape shape = test::clos(2, 2, 3);
  shape.lmc = 1;
  test::SmallSnapshot small(shape);
  small.add_group(Lid(0xC000), {small.host(0)});
  small.add_group(Lid(0xC000 + 100), {small.host(1)});
  small.set_arbitration({.high_limit = 0, .high = {{2, 30}}, .low = {{1, 10}}});
  small.set_pkeys({{small.host(1), {0x0001}}, {small.host(2), {0x8001, 0xFFFF}}});
  return small;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::SmallSnapshot small = fabric_with_everything();
  constexpr std::size_t kHeader = 16;
  if (size < kHeader) return 0;
  const std::span header(data, kHeader);
  const sa::Query query{.method = static_cast<sa::Method>(header[0]),
                        .attribute = static_cast<sa::Attribute>(header[1]),
                        .modifier = std::uint32_t{header[2]} << 24U,
                        .mask = hw::get(header, hw::Field{8, 0, 64}),
                        .record = {data + kHeader, size - kHeader}};
  const sa::Requester requester{.port = small.host(header[3] % 6), .trusted = (header[4] & 1) != 0};
  const auto answer = sa::answer_from_tables(small.snapshot, requester, query);
  if (!answer) return 0;
  require(answer->status == sa::Status::good || answer->records.empty());
  require(answer->records.empty() == (answer->record_size == 0));
  require(answer->record_size % 8 == 0);
  if (answer->records.empty()) return 0;
  require(answer->records.size() % answer->record_size == 0);
  require(query.method == sa::Method::get_table || answer->records.size() == answer->record_size);
  return 0;
}
