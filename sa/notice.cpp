#include "sa/notice.h"

#include <algorithm>

namespace rch::sa {
namespace {

void set_issuer(const Snapshot& snapshot, Lid lid, Notice& notice) {
  set(notice, notice::kIssuerLid, lid.value);
  const auto port = snapshot.fabric().lid_owner(lid);
  if (!port) return;
  const Gid gid = make_gid(snapshot.prefix(), snapshot.fabric().port(*port).guid);
  std::ranges::copy(gid, notice.begin() + notice::kIssuerGid);
}

}  // namespace

Notice notice_of_trap(const Snapshot& snapshot, std::span<const std::uint8_t> trap, Lid from) {
  Notice notice{};
  std::copy_n(trap.begin(), notice::kTrapSize, notice.begin());
  set_issuer(snapshot, from, notice);
  return notice;
}

Notice notice_of(const Snapshot& snapshot, notice::Trap trap, const Gid& subject) {
  constexpr std::uint64_t kSubnetManagement = 3, kClassManager = 4;
  Notice notice{};
  set(notice, notice::kGeneric, 1);
  set(notice, notice::kType, kSubnetManagement);
  set(notice, notice::kProducer, kClassManager);
  set(notice, notice::kTrapNumber, trap);
  set_issuer(snapshot, snapshot.fabric().port(snapshot.local).lid, notice);
  std::ranges::copy(subject, notice.begin() + notice::kSubjectGid);
  return notice;
}

}  // namespace rch::sa
