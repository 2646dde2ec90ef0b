#include "sa/path_terms.h"

#include <algorithm>

#include "sa/path_fields.h"
#include "sa/rates.h"

namespace rch::sa {

void append_path(const PathTerms& terms, const PathWish& wish, std::vector<std::uint8_t>& records) {
  namespace f = path_record;
  constexpr const PathFields& fields = f::kFields;
  const std::size_t at = records.size();
  records.resize(at + f::kSize);
  const std::span<std::uint8_t> record(records.data() + at, f::kSize);
  std::ranges::copy(terms.destination, record.begin() + f::kDgid);
  std::ranges::copy(terms.source, record.begin() + f::kSgid);
  set(record, fields.service_id, wish.service_id.value_or(0));
  set(record, fields.flow_label.field, terms.flow_label);
  set(record, fields.qos_class.field, wish.qos_class.value_or(0));
  set(record, f::kDlid, terms.dlid.value);
  set(record, f::kSlid, terms.slid.value);
  set(record, f::kHopLimit.field, terms.hop_limit);
  set(record, f::kPreference, terms.preference);
  set(record, fields.traffic_class.field, terms.traffic_class);
  set(record, fields.reversible.field, terms.reversible ? 1 : 0);
  set(record, fields.pkey.field, terms.pkey);
  set(record, fields.sl.field, terms.sl);
  const auto set_exactly = [&](const SelectedField& field, std::uint8_t value) {
    set(record, field.selector, static_cast<std::uint64_t>(Selector::exactly));
    set(record, field.value, value);
  };
  set_exactly(fields.mtu, terms.mtu);
  set_exactly(fields.rate, terms.rate);
  set_exactly(fields.life, terms.life);
}

}  // namespace rch::sa
