#pragma once

#include <cstdint>
#include <string_view>

#include "policy/model/options.h"
#include "sa/multicast_groups.h"
#include "sa/query.h"
#include "sa/service_records.h"
#include "sa/snapshot.h"
#include "sa/subscriptions.h"

namespace rch::sa {

/// What hosts registered so far.
struct Registered {
  const MulticastGroups& groups;
  const ServiceRecords& services;
  const Subscriptions& subscriptions;
};

/// The SA enhanced trust model (SAETM) of NVIDIA SM: requests without the SA_Key that are more than what a
/// host needs are dropped. A host needs ClassPortInfo, MCMemberRecord, ServiceRecord, PathRecord with both
/// ends named, and to subscribe. It registers for itself, and so much only.
///
/// Returns why the request is dropped; empty: it is not. Dropped requests are not answered, as there.
std::string_view objection(const policy::AdministrationOptions& options, const Registered& registered,
                           const Snapshot& snapshot, const Requester& requester, const Query& query);

/// A manager that stands by may ask for what this one knows: one that has the SA_Key and that
/// `allowed_sm_guids` names.
bool may_follow(const Snapshot& snapshot, const Requester& requester);

}  // namespace rch::sa
