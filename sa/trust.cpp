#include "sa/trust.h"

#include <algorithm>

#include "sa/alias_guids.h"
#include "sa/gid.h"
#include "sa/mc_member_fields.h"
#include "sa/path_fields.h"

namespace rch::sa {
namespace {

namespace mc = mc_member;

constexpr std::size_t kGidOfService = 8;

bool registers(const Query& query) { return query.method == Method::set || query.method == Method::remove; }

/// Among the requests that hosts need.
bool is_needed(const Query& query) {
  const bool reads_one = query.method == Method::get;
  switch (query.attribute) {
    case Attribute::class_port_info:
      return reads_one;
    case Attribute::mc_member_record:
    case Attribute::service_record:
      return reads_one || registers(query);
    case Attribute::inform_info:
      return query.method == Method::set;
    case Attribute::path_record: {
      const bool from = query.has(path_record::kSgidComponent) || query.has(path_record::kSlidComponent);
      const bool to = query.has(path_record::kDgidComponent) || query.has(path_record::kDlidComponent);
      return reads_one || (query.method == Method::get_table && from && to);
    }
    default:
      return false;
  }
}

/// A registration for another port than the one that asks.
bool is_by_proxy(const Snapshot& snapshot, const Requester& requester, const Query& query) {
  if (!registers(query)) return false;
  const auto is_other = [&](std::size_t gid) {
    return find_port(snapshot, query, guid_of(read_gid(query.record.subspan(gid)))) != requester.port;
  };
  if (query.attribute == Attribute::mc_member_record) return is_other(mc::kPortGid);
  return query.attribute == Attribute::service_record && is_other(kGidOfService);
}

/// One more registration would be beyond the limit. What replaces one of the same name is none.
bool is_beyond_limit(const policy::AdministrationOptions& options, const Registered& registered,
                     const Query& query, Guid self) {
  const auto is_full = [](std::size_t count, std::uint32_t limit) { return limit != 0 && count >= limit; };
  if (query.method != Method::set) return false;
  switch (query.attribute) {
    case Attribute::mc_member_record: {
      const Group* group = registered.groups.find(read_gid(query.record.subspan(mc::kMgid)));
      if (group != nullptr && group->has(self)) return false;
      return is_full(registered.groups.memberships(self), options.max_groups);
    }
    case Attribute::service_record:
      return !registered.services.knows(query) &&
             is_full(registered.services.count_of(self), options.max_services);
    case Attribute::inform_info:
      return Subscriptions::subscribes(query) &&
             is_full(registered.subscriptions.count_of(self), options.max_subscriptions);
    default:
      return false;
  }
}

}  // namespace

std::string_view objection(const policy::AdministrationOptions& options, const Registered& registered,
                           const Snapshot& snapshot, const Requester& requester, const Query& query) {
  if (!options.enhanced_trust_model || requester.trusted) return {};
  const Guid self = snapshot.fabric().port(requester.port).guid;
  if (query.attribute == Attribute::guid_info_record && registers(query))
    return options.allow_untrusted_guid_records ? std::string_view()
                                                : "only trusted requests may give alias GUIDs";
  if (!is_needed(query)) return "only trusted requests may ask for this";
  if (!options.allow_untrusted_proxy_requests && is_by_proxy(snapshot, requester, query))
    return "it is for another port than the one that asks";
  if (is_beyond_limit(options, registered, query, self)) return "the port has registered as much as it may";
  return {};
}

bool may_follow(const Snapshot& snapshot, const Requester& requester) {
  const std::vector<Guid>& allowed = snapshot.plan.options.manager.allowed_sms;
  const Guid port = snapshot.fabric().port(requester.port).guid;
  return requester.trusted && (allowed.empty() || std::ranges::find(allowed, port) != allowed.end());
}

}  // namespace rch::sa
