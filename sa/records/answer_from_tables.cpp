#include "sa/records/answer_from_tables.h"

#include "sa/records/listing.h"

namespace rch::sa {
namespace {

constexpr const RecordType* kTypes[] = {
    &kNodeRecord,           &kPortInfoRecord, &kSwitchInfoRecord,    &kLinearTableRecord,
    &kMulticastTableRecord, &kSl2VlRecord,    &kVlArbitrationRecord, &kPKeyTableRecord,
    &kGuidInfoRecord,       &kSmInfoRecord,   &kLinkRecord,
};

}  // namespace

std::optional<Answer> answer_from_tables(const Snapshot& snapshot, const Requester& requester,
                                         const Query& query) {
  const auto type = std::ranges::find(kTypes, query.attribute,
                                      [](const RecordType* candidate) { return candidate->attribute; });
  if (type == std::end(kTypes)) return std::nullopt;
  if (query.method != Method::get && query.method != Method::get_table)
    return Answer{.status = Status::unsupported_method_attribute};
  // Keys of others are for those we trust (IBA 15.2.5).
  if (query.attribute == Attribute::p_key_table_record && !requester.trusted)
    return Answer{.status = Status::request_invalid};
  Listing listing(**type, snapshot, requester, query);
  (*type)->list(listing);
  return listing.finish();
}

}  // namespace rch::sa
