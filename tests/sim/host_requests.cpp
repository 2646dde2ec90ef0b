#include "sim/host_requests.h"

#include <algorithm>
#include <array>

#include "sa/mc_member_fields.h"
#include "sa/path_fields.h"

namespace rch::sim::test::requests {
namespace {

namespace h = hw::mad_header;
namespace mc = sa::mc_member;
namespace pr = sa::path_record;
using hw::Field;
using sa::Attribute;
using sa::Method;

/// A request whose record is filled field by field.
class Record {
 public:
  explicit Record(hw::Datagram& datagram) : mad_(datagram.mad) {}

  Record& with(unsigned component, Field field, std::uint64_t value) {
    field.byte = static_cast<std::uint16_t>(field.byte + sa::header::kData);
    set(mad_, field, value);
    return select(component);
  }
  Record& with(unsigned component, std::size_t at, const sa::Gid& gid) {
    std::ranges::copy(gid, mad_.begin() + static_cast<std::ptrdiff_t>(sa::header::kData + at));
    return select(component);
  }

 private:
  Record& select(unsigned component) {
    set(mad_, sa::header::kComponentMask,
        get(mad_, sa::header::kComponentMask) | std::uint64_t{1} << component);
    return *this;
  }
  hw::Mad& mad_;
};

/// By Item::Kind.
struct Form {
  const char* name;
  Attribute registers, is_asked_by;
  Method ends;
};
constexpr std::array<Form, 3> kForms{{
    {"group", Attribute::mc_member_record, Attribute::mc_member_record, Method::remove},
    {"service", Attribute::service_record, Attribute::service_record, Method::remove},
    {"subscription", Attribute::inform_info, Attribute::inform_info_record, Method::set},
}};
const Form& form(Item::Kind kind) { return kForms[static_cast<std::size_t>(kind)]; }

constexpr std::uint64_t kDefaultPKey = 0xFFFF, kQKey = 0x0B1B;
// ServiceRecord: ServiceID and ServiceGID.
constexpr Field kServiceId{0, 0, 64};
constexpr std::size_t kServiceGid = 8;
// InformInfo; and InformInfoRecord, where it begins at byte 24.
constexpr Field kLidBegin{16, 0, 16}, kIsGeneric{22, 0, 8}, kSubscribe{23, 0, 8}, kType{24, 0, 16},
    kTrap{26, 0, 16}, kQueuePair{28, 0, 24}, kProducer{33, 0, 24}, kTrapOfRecord{50, 0, 16};
constexpr std::uint64_t kFirstTrap = 64;  ///< port in service; out of service, group created, deleted follow

sa::Gid gid(Guid guid) { return sa::make_gid(sa::kLinkLocalPrefix, guid); }

}  // namespace

sa::Gid mgid_of(std::uint8_t group) {
  if (group == 0) return {0xFF, 0x12, 0x40, 0x1B, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF};
  return {0xFF, 0x12, 0xA0, 0x1C, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, group};
}

const char* name(Item::Kind kind) { return form(kind).name; }
Attribute attribute(Item::Kind kind) { return form(kind).registers; }
Attribute record_of(Item::Kind kind) { return form(kind).is_asked_by; }
Method method(Item::Kind kind, bool adds) { return adds ? Method::set : form(kind).ends; }

hw::Datagram header(Method method, Attribute attribute, std::uint32_t transaction, std::uint16_t lid) {
  hw::Datagram datagram{.lid = lid, .queue_pair = 1};
  const std::pair<Field, std::uint64_t> fields[] = {{h::kBaseVersion, 1},
                                                    {h::kClass, static_cast<std::uint64_t>(hw::MadClass::sa)},
                                                    {h::kClassVersion, sa::kClassVersion},
                                                    {h::kMethod, static_cast<std::uint64_t>(method)},
                                                    {h::kTransactionLow, transaction},
                                                    {h::kAttribute, static_cast<std::uint64_t>(attribute)}};
  for (const auto& [field, value] : fields) set(datagram.mad, field, value);
  return datagram;
}

void fill(hw::Datagram& datagram, const Item& item, Guid host, std::uint8_t join_state, bool adds) {
  Record record(datagram);
  switch (item.kind) {
    case Item::Kind::group:
      record.with(mc::mgid, mc::kMgid, mgid_of(item.number))
          .with(mc::port_gid, mc::kPortGid, gid(host))
          .with(mc::join_state, mc::kJoinState, join_state)
          .with(mc::pkey, mc::kPKey, kDefaultPKey)
          .with(mc::q_key, mc::kQKey, kQKey);
      // With these it is created if need be.
      if (adds && item.number != 0)
        record.with(mc::traffic_class, mc::kTrafficClass, 0)
            .with(mc::sl, mc::kSl, 0)
            .with(mc::flow_label, mc::kFlowLabelLow, 0);
      return;
    case Item::Kind::service:
      record.with(0, kServiceId, 0x1000U + item.number).with(1, kServiceGid, gid(host));
      return;
    case Item::Kind::subscription:
      record.with(0, kLidBegin, 0xFFFF)
          .with(0, kIsGeneric, 1)
          .with(0, kSubscribe, adds ? 1 : 0)
          .with(0, kType, 0xFFFF)
          .with(0, kTrap, kFirstTrap + item.number)
          .with(0, kQueuePair, 1)
          .with(0, kProducer, 0xFFFFFF);
  }
}

void fill_question(hw::Datagram& datagram, const Item& item, Guid host) {
  Record record(datagram);
  switch (item.kind) {
    case Item::Kind::group:
      record.with(mc::mgid, mc::kMgid, mgid_of(item.number)).with(mc::port_gid, mc::kPortGid, gid(host));
      return;
    case Item::Kind::service:
      record.with(0, kServiceId, 0x1000U + item.number).with(1, kServiceGid, gid(host));
      return;
    case Item::Kind::subscription:
      record.with(0, 0, gid(host)).with(10, kTrapOfRecord, kFirstTrap + item.number);
  }
}

void fill_paths(hw::Datagram& datagram, Guid from, std::optional<Guid> to) {
  Record record(datagram);
  record.with(pr::kSgidComponent, pr::kSgid, gid(from));
  if (to) record.with(pr::kDgidComponent, pr::kDgid, gid(*to));
}

Lid mlid_of(std::span<const std::uint8_t> member_record) {
  return Lid(static_cast<std::uint16_t>(get(member_record, mc::kMlid)));
}

Lid destination_of(std::span<const std::uint8_t> path_record) {
  return Lid(static_cast<std::uint16_t>(get(path_record, pr::kDlid)));
}

}  // namespace rch::sim::test::requests
