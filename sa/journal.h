#pragma once

// What hosts registered, as a file that grows by a record with each change. A record is what the host sent
// (MCMemberRecord, ServiceRecord, InformInfo), with whose it is in front of it and a hash of it all behind.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "fabric/fabric.h"
#include "sa/query.h"

namespace rch::sa {

/// One registration that came, changed or went.
struct JournalRecord {
  Attribute attribute{};  ///< mc_member_record, service_record or inform_info
  bool gone = false;
  bool trusted = false;            ///< of a subscription
  std::uint8_t service_level = 0;  ///< of a subscription: where Reports go
  std::uint32_t number =
      0;        ///< of a subscription: the queue pair; of a service: seconds that its lease lasts
  Guid port{};  ///< that registered it
  std::vector<std::uint8_t> record{};

  friend bool operator==(const JournalRecord&, const JournalRecord&) = default;
};

/// The first bytes of a journal.
std::string_view journal_heading();
void append(std::string& journal, const JournalRecord& record);
/// What follows is of hosts in this fabric.
void append_fabric(std::string& journal, std::uint64_t fabric);
/// Tells one fabric from another in a journal. Not 0.
std::uint64_t journal_mark(const fabric::Fabric& fabric);

struct JournalContent {
  std::vector<JournalRecord> records;
  std::uint64_t fabric = 0;  ///< journal_mark() of the last one; 0: none
  std::string damage;        ///< why the rest could not be read; empty: there is none
};
/// Reads as far as all is whole: who writes may be killed in the middle of a record.
JournalContent read_journal(std::string_view bytes);

}  // namespace rch::sa
