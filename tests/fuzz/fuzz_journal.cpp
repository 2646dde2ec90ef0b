// Registrations that a process left: whatever the file holds, what is whole is read, written again and read
// as the same. A server that begins with it stands.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "../sa/small_snapshot.h"
#include "fabric_target.h"
#include "sa/server.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rch;
  static const test::SmallSnapshot small(test::clos(2, 2, 2));
  const sa::JournalContent content = sa::read_journal({reinterpret_cast<const char*>(data), size});
  std::string again(sa::journal_heading());
  for (const sa::JournalRecord& record : content.records) append(again, record);
  const sa::JournalContent same = sa::read_journal(again);
  require(same.records == content.records && same.damage.empty());
  // The hash keeps nonsense out of the records. Here the rest of the input is one.
  constexpr std::pair<sa::Attribute, std::size_t> kKinds[] = {{sa::Attribute::mc_member_record, 56},
                                                              {sa::Attribute::service_record, 176},
                                                              {sa::Attribute::inform_info, 36}};
  sa::JournalContent bent = content;
  for (std::size_t at = 0; at + 4 < size; at += 180) {
    const auto& [attribute, length] = kKinds[data[at] % 3U];
    sa::JournalRecord record{.attribute = attribute,
                             .gone = data[at + 1] % 2 != 0,
                             .number = data[at + 2],
                             .port = small.fabric().port(small.host(data[at + 3] % 4U)).guid,
                             .record = {data + at + 4, data + std::min(size, at + 4 + length)}};
    record.record.resize(length);
    bent.records.push_back(std::move(record));
  }
  sa::Server server;
  server.restore(bent, {});
  server.publish(std::make_shared<sa::Snapshot>(small.snapshot), {});
  server.on_time({});
  const auto known = sa::read_journal(server.take_records().bytes);
  require(known.damage.empty());
  return 0;
}
