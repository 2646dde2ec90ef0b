#include <vector>

#include "hw/attributes.h"
#include "sa/partition.h"
#include "sa/records/listing.h"

namespace rch::sa {
namespace {
namespace sms {

namespace s = hw::sm_info;
constexpr std::size_t kInfo = 4, kInfoSize = 21;
constexpr hw::Field kLid{0, 0, 16};

constexpr Component kComponents[] = {{2, kInfo, s::kGuid},
                                     {3, kInfo, s::kKey},
                                     {4, kInfo, s::kActivity},
                                     {5, kInfo, s::kPriority},
                                     {6, kInfo, s::kState}};

struct Manager {
  PortId port;
  hw::SmInfo info;
};

/// We, who answer, are master. Others as they answered.
std::vector<Manager> managers(const Snapshot& snapshot) {
  const policy::ManagerOptions& own = snapshot.plan.options.manager;
  std::vector<Manager> all{{snapshot.local,
                            {.guid = snapshot.fabric().port(snapshot.local).guid,
                             .key = own.sm_key,
                             .priority = own.sm_priority,
                             .state = hw::SmState::master}}};
  for (const hw::OtherSm& other : snapshot.other_sms)
    if (other.answered) all.push_back({other.port, other.info});
  std::ranges::stable_sort(all, {}, [&](const Manager& m) { return snapshot.fabric().port(m.port).lid; });
  return all;
}

void list(Listing& listing) {
  for (Manager manager : managers(listing.snapshot())) {
    const PortId end_port = partition_port(listing.snapshot(), manager.port);
    if (!listing.lid_selects(0, kLid, end_port) || !listing.may_see(end_port)) continue;
    if (!listing.trusted()) manager.info.key = 0;
    const std::span<std::uint8_t> record = listing.begin(listing.fabric().port(end_port).lid);
    put(record, kInfo, hw::encode(manager.info), kInfoSize);
    listing.offer();
  }
}

}  // namespace sms
}  // namespace

const RecordType kSmInfoRecord{
    .attribute = Attribute::sm_info_record, .size = 32, .components = sms::kComponents, .list = sms::list};

}  // namespace rch::sa
